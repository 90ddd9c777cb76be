#pragma once

#include "fast.hpp"

#include <opencv2/dnn.hpp>

#include <string>
#include <vector>

namespace rackfocus {

/// Channels of pixels, one plane after the other.
struct Planes {
    int count = 0, width = 0, height = 0;
    /// Floats from a plane to the next; some are spare, as pixels are computed in blocks.
    int step = 0;
    LineVector<float> values;

    void resize(int count, int width, int height);
    float *plane(int index) { return values.data() + size_t(index) * size_t(step); }
    const float *plane(int index) const { return values.data() + size_t(index) * size_t(step); }
};

/// A small network of convolutions, computed faster than OpenCV does: of 1 x 1, of 3 x 3 within each plane, of 3 x 3 at every other pixel of the
/// picture, and of maxima of 2 x 2.
class Convolver {
public:
    /// The part of a network before its first layers of other kinds; throws FileError where that is not all made of these.
    explicit Convolver(cv::dnn::Net &net);

    /// What the last convolutions say of a picture, in the network's order; until the next run.
    std::vector<const Planes *> run(const cv::Mat &bgr);

private:
    struct Step {
        enum Kind { first, mix, spread, shrink } kind;
        size_t input;
        std::vector<float> weights, biases;
        bool isRectified = false;
    };

    std::vector<Step> steps;
    /// The picture, then what each step makes.
    std::vector<Planes> results;
    std::vector<size_t> lasts;
    LineVector<float> taken, scratch;

    void begin(const Step &step, const cv::Mat &bgr, Planes &out);
    void mix(const Step &step, const Planes &in, Planes &out);
    void spread(const Step &step, const Planes &in, Planes &out);
    void shrink(const Planes &in, Planes &out);
    void mixInto(const Step &step, const float *in, int inStep, int depth, Planes &out, int from, int count);
};

} // namespace rackfocus
