#include "ExceptionBoundary.hpp"

#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>

#include <algorithm>
#include <fstream>
#include <memory>
#include <tuple>
#include <vector>

using namespace rackfocus;

namespace {

/// OpenCV's thresholds are this much lower than the file's.
const float thresholdSlack = 1e-5f;

/// A cascade file of OpenCV, as the kernel takes it.
struct CascadeFile {
    int window = 0;
    std::vector<rf_haar_feature> features;
    std::vector<rf_haar_tree> trees;
    std::vector<rf_haar_stage> stages;

    explicit CascadeFile(const cv::FileNode &root) {
        if (std::string(root["featureType"]) != "HAAR")
            throw FileError("not a cascade of Haar features");
        window = int(root["width"]);
        for (const cv::FileNode &node : root["features"])
            features.push_back(readFeature(node));
        for (const cv::FileNode &node : root["stages"]) {
            const int begin = int(trees.size());
            for (const cv::FileNode &classifier : node["weakClassifiers"])
                trees.push_back(readTree(classifier));
            stages.push_back({begin, int(trees.size()), float(double(node["stageThreshold"])) - thresholdSlack});
        }
        if (stages.empty())
            throw FileError("the cascade has no stages");
    }

private:
    static rf_haar_feature readFeature(const cv::FileNode &node) {
        rf_haar_feature feature = {};
        size_t count = 0;
        for (const cv::FileNode &rect : node["rects"]) {
            if (count == 3)
                throw FileError("a Haar feature has more than three boxes");
            for (int i = 0; i < 4; i++)
                feature.rects[count][i] = int(rect[i]);
            feature.weights[count] = float(rect[4]);
            count++;
        }
        feature.is_tilted = int(node["tilted"]) != 0;
        return feature;
    }

    rf_haar_tree readTree(const cv::FileNode &node) const {
        std::vector<double> nodes, leaves;
        node["internalNodes"] >> nodes;
        node["leafValues"] >> leaves;
        if (nodes.size() != 4 * (leaves.size() - 1) || (leaves.size() != 2 && leaves.size() != 3))
            throw FileError("a tree of the cascade has more than two nodes");
        // Left, right, feature, threshold; an index above 0 is a node's, another a leaf's.
        const auto leaf = [&](double index) { return float(leaves.at(size_t(-index))); };
        const auto feature = [&](double index) {
            if (!(index >= 0 && index < double(features.size())))
                throw FileError("a tree of the cascade names a feature that is not there");
            return int(index);
        };
        const bool isLeafBelow = nodes[0] <= 0;
        rf_haar_tree tree{feature(nodes[2]), -1, float(nodes[3]), 0, isLeafBelow, leaf(isLeafBelow ? nodes[0] : nodes[1]), 0, 0};
        if (leaves.size() == 2) {
            tree.above = leaf(nodes[1]);
        } else {
            tree.second_feature = feature(nodes[6]);
            tree.second_threshold = float(nodes[7]);
            tree.below = leaf(nodes[4]);
            tree.above = leaf(nodes[5]);
        }
        return tree;
    }
};

} // namespace

struct rf_cascade {
    explicit rf_cascade(const CascadeFile &file)
        : window(file.window), haar(
                                   rf_haar_create(
                                       file.window, file.features.data(), int(file.features.size()), file.trees.data(), int(file.trees.size()),
                                       file.stages.data(), int(file.stages.size())),
                                   rf_haar_destroy) {}
    rf_cascade(const rf_cascade &other) : window(other.window), haar(rf_haar_copy(other.haar.get()), rf_haar_destroy) {}

    /// Scales of the picture's pyramid, each `step` times the one before, whose windows are of `smallest`...`largest` pixels; the next best where there
    /// is none.
    std::vector<float> scales(cv::Size picture, double step, int smallest, int largest) const {
        std::vector<float> all, wanted;
        for (double scale = 1; cvRound(window * scale) <= std::min(picture.width, picture.height); scale *= step)
            all.push_back(float(scale));
        std::copy_if(
            all.begin(), all.end(), std::back_inserter(wanted), [&](float scale) { return size(scale) >= smallest && size(scale) <= largest; });
        if (wanted.empty() && !all.empty())
            wanted.push_back(*std::min_element(
                all.begin(), all.end(), [&](float a, float b) { return std::abs(size(a) - smallest) < std::abs(size(b) - smallest); }));
        return wanted;
    }

    /// Side of the windows at a scale.
    int size(float scale) const { return cvRound(float(window) * scale); }

    const int window;
    const std::unique_ptr<rf_haar, void (*)(rf_haar *)> haar;
    std::vector<rf_box> hits;
};

extern "C" int rf_cascade_open(const char *path, rf_cascade **cascade) {
    return catchingExceptions([&] {
        if (!std::ifstream(path).good())
            throw FileError("no such file");
        const cv::FileStorage file(path, cv::FileStorage::READ);
        if (!file.isOpened())
            throw FileError("not a cascade classifier");
        *cascade = new rf_cascade(CascadeFile(file["cascade"]));
    });
}

extern "C" int rf_cascade_copy(const rf_cascade *cascade, rf_cascade **copy) {
    return catchingExceptions([&] { *copy = new rf_cascade(*cascade); });
}

extern "C" void rf_cascade_close(rf_cascade *cascade) { delete cascade; }

extern "C" int rf_cascade_scan(
    rf_cascade *cascade, const rf_image *image, double step, int smallest, int largest, int mirrored, const rf_box **hits, int *count) {
    return catchingExceptions([&] {
        cv::Mat picture = mat(image), reduced;
        if (mirrored) {
            cv::Mat flipped;
            cv::flip(picture, flipped, 1);
            picture = flipped;
        }
        std::vector<rf_box> &found = cascade->hits;
        found.clear();
        bool isFirst = true;
        for (float scale : cascade->scales(picture.size(), step, smallest, largest)) {
            const cv::Size level(cvRound(float(picture.cols) / scale), cvRound(float(picture.rows) / scale));
            if (isFirst)
                rf_haar_reserve(cascade->haar.get(), level.width, level.height);
            isFirst = false;
            cv::resize(picture, reduced, level, 1 / double(scale), 1 / double(scale), cv::INTER_LINEAR_EXACT);
            const rf_image grey = imageOf(reduced);
            const rf_point *windows = nullptr;
            const int size = cascade->size(scale), windowCount = rf_haar_scan(cascade->haar.get(), &grey, scale >= 2 ? 1 : 2, &windows);
            for (int i = 0; i < windowCount; i++) {
                const int x = cvRound(float(windows[i].x) * scale), y = cvRound(float(windows[i].y) * scale);
                found.push_back({mirrored ? picture.cols - x - size : x, y, size, size, 1});
            }
        }
        // Reading order, whatever order they were found in.
        std::sort(found.begin(), found.end(), [](const rf_box &a, const rf_box &b) {
            return std::tie(a.y, a.x, a.width, a.height) < std::tie(b.y, b.x, b.width, b.height);
        });
        *hits = found.data();
        *count = static_cast<int>(found.size());
    });
}

extern "C" int rf_group_rectangles(rf_box *boxes, int *count, int threshold, double tolerance) {
    return catchingExceptions([&] {
        std::vector<cv::Rect> hits;
        for (int i = 0; i < *count; i++)
            hits.emplace_back(boxes[i].x, boxes[i].y, boxes[i].width, boxes[i].height);
        std::vector<int> weights;
        cv::groupRectangles(hits, weights, threshold, tolerance);
        *count = static_cast<int>(hits.size());
        for (int i = 0; i < *count; i++)
            boxes[i] = {hits[i].x, hits[i].y, hits[i].width, hits[i].height, weights[i]};
    });
}
