#pragma once

#include <opencv2/core.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace rackfocus {

/// A trained cascade of Haar features (Viola and Jones, CVPR 2001). Sees what cv::CascadeClassifier sees in a fraction of the time: the windows of a
/// row are judged side by side for as long as many of them are left.
class Haar {
public:
    /// Throws FileError when the file holds no such cascade.
    explicit Haar(const std::string &path);

    /// Every window that all stages accept, of sizes from smallest to largest pixels; each size is `step` times the one before.
    std::vector<cv::Rect> scan(const cv::Mat &picture, double step, int smallest, int largest);

    struct Feature {
        std::array<cv::Rect, 3> rects;
        std::array<float, 3> weights{};
        bool isTilted = false;
    };

    /// Where the corners of a feature's boxes lie in the sums, counted from a window's first.
    struct Corners {
        int at[3][4];
        float weights[3];
    };

    /// Of the two sides of the first feature's threshold one is `leaf`'s, the other the second feature's; without one, above is `above`.
    struct Tree {
        int first, second;
        float threshold, secondThreshold;
        bool isLeafBelow;
        float leaf, below, above;
    };

    struct Stage {
        size_t begin, end;
        float threshold;
    };

private:
    void read(const cv::FileNode &root);
    /// Puts the sums of `picture` where `corners` look for them; a row of windows is contiguous although each is `pace` columns after the other.
    void load(const cv::Mat &picture, int pace);
    void put(const int *line, int count, int y, int index);
    void place(int pace);
    int offset(int x, int y) const { return y * stride + (pace == 2 ? (x & 1) * (stride / 2) + (x >> 1) : x); }
    /// Judges a row of windows until few of them are left, and leaves those open.
    void scanRow(int y, int count);
    /// Judges what rows left open.
    void judgeScattered();

    int side = 0;
    bool hasTilted = false;
    std::vector<Feature> features;
    std::vector<Tree> trees;
    std::vector<Stage> stages;

    std::vector<Corners> corners;
    std::vector<int> sums;
    /// One row each of the sums, of the squares', and three of the tilted ones, with a place more on each side.
    std::array<std::vector<int>, 5> lines;
    int stride = 0, plane = 0, pace = 0, placedStride = 0, placedPlane = 0;
    /// Of one row of windows: one over the deviation, what the stage says so far, whether it is still in.
    std::vector<float> norms, votes;
    std::vector<uint8_t> alive;

    struct Window {
        int place;
        float norm;
    };
    /// Windows by the stage that is to judge them; behind the last one what is found.
    std::vector<std::vector<Window>> open;
};

} // namespace rackfocus
