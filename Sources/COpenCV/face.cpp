#include "convolver.hpp"
#include "distinct.hpp"
#include "network.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

using namespace rackfocus;

struct rf_face_net {
    /// YuNet of 2022, or nothing.
    std::unique_ptr<Convolver> convolver;
    /// YuNet of 2023.
    cv::dnn::Net net;
};

namespace {

const int strides[] = {8, 16, 32};
/// The network halves the picture five times.
const int grain = 32;
const float doubleOverlap = 0.3f;

std::vector<std::string> outputNames() {
    std::vector<std::string> names;
    for (const char *head : {"cls_", "obj_", "bbox_", "kps_"})
        for (int stride : strides)
            names.push_back(head + std::to_string(stride));
    return names;
}

cv::Mat padded(const cv::Mat &bgr) {
    cv::Mat out;
    const int right = (grain - bgr.cols % grain) % grain, below = (grain - bgr.rows % grain) % grain;
    cv::copyMakeBorder(bgr, out, 0, below, 0, right, cv::BORDER_CONSTANT);
    return out;
}

/// For each cell of three grids: whether there is a face, whether there is anything, its box and its marks.
std::vector<rf_face> decode(const std::vector<cv::Mat> &outputs, cv::Size size, float threshold) {
    std::vector<rf_face> found;
    for (int level = 0; level < 3; level++) {
        const int stride = strides[level], columns = size.width / stride, cells = columns * (size.height / stride);
        const size_t at = size_t(level);
        const cv::Mat &classes = outputs[at], &objects = outputs[3 + at], &boxes = outputs[6 + at], &marks = outputs[9 + at];
        if (int(classes.total()) != cells || int(objects.total()) != cells || int(boxes.total()) != 4 * cells || int(marks.total()) != 10 * cells)
            throw FileError("this is a model, but not YuNet: its outputs do not have YuNet's sizes");
        for (int cell = 0; cell < cells; cell++) {
            const float face = std::clamp(classes.ptr<float>()[cell], 0.f, 1.f), thing = std::clamp(objects.ptr<float>()[cell], 0.f, 1.f);
            const float score = std::sqrt(face * thing);
            const float *box = boxes.ptr<float>() + 4 * cell, *mark = marks.ptr<float>() + 10 * cell;
            if (!(score >= threshold) || !std::all_of(box, box + 4, [](float value) { return std::abs(value) < 20; }))
                continue;
            const float column = float(cell % columns), row = float(cell / columns), side = float(stride);
            const float width = std::exp(box[2]) * side, height = std::exp(box[3]) * side;
            rf_face one = {(column + box[0]) * side - width / 2, (row + box[1]) * side - height / 2, width, height, score, {}};
            for (int i = 0; i < 5; i++) {
                one.marks[2 * i] = (column + mark[2 * i]) * side;
                one.marks[2 * i + 1] = (row + mark[2 * i + 1]) * side;
            }
            found.push_back(one);
        }
    }
    return found;
}

/// The best of those that lie on each other.
std::vector<rf_face> best(std::vector<rf_face> faces) {
    std::sort(faces.begin(), faces.end(), [](const rf_face &a, const rf_face &b) {
        return std::make_tuple(-a.score, a.y, a.x, a.width) < std::make_tuple(-b.score, b.y, b.x, b.width);
    });
    return distinct(faces, [](const rf_face &a, const rf_face &b) { return overlap(a, b) > doubleOverlap; });
}

std::vector<rf_face> find(cv::dnn::Net &net, const cv::Mat &bgr, double threshold) {
    const cv::Mat picture = padded(bgr);
    net.setInput(cv::dnn::blobFromImage(picture));
    std::vector<cv::Mat> outputs;
    net.forward(outputs, outputNames());
    return decode(outputs, picture.size(), float(threshold));
}

/// Sides of the faces that each of 2022's four grids is tuned to, pixels.
const std::vector<float> sizes[] = {{10, 16, 24}, {32, 48}, {64, 96}, {128, 192, 256}};
/// What a size says of its cell: box and marks, whether there is no face or one, how well the box fits.
const int places = 14, fields = places + 3;

/// For each cell of four grids and each size: how a face differs from one of that size in the middle of the cell.
std::vector<rf_face> decode(const std::vector<const Planes *> &grids, float threshold) {
    std::vector<rf_face> found;
    for (size_t level = 0; level < 4; level++) {
        const Planes &grid = *grids[level];
        const float stride = float(8 << level);
        for (int cell = 0; cell < grid.width * grid.height; cell++)
            for (size_t i = 0; i < sizes[level].size(); i++) {
                const auto value = [&](int field) { return grid.plane(int(i) * fields + field)[cell]; };
                const float face = 1 / (1 + std::exp(value(places) - value(places + 1))), fit = std::clamp(value(places + 2), 0.f, 1.f);
                const float score = std::sqrt(face * fit), size = sizes[level][i];
                if (!(score >= threshold))
                    continue;
                const float x = (float(cell % grid.width) + 0.5f) * stride, y = (float(cell / grid.width) + 0.5f) * stride;
                const float width = size * std::exp(0.1f * value(2)), height = size * std::exp(0.2f * value(3));
                rf_face one = {x + 0.1f * value(0) * size - width / 2, y + 0.1f * value(1) * size - height / 2, width, height, score, {}};
                for (int mark = 0; mark < 5; mark++) {
                    one.marks[2 * mark] = x + 0.1f * value(4 + 2 * mark) * size;
                    one.marks[2 * mark + 1] = y + 0.1f * value(5 + 2 * mark) * size;
                }
                found.push_back(one);
            }
    }
    return found;
}

void checkOutputs(const std::vector<const Planes *> &grids) {
    const auto fits = [&](size_t level) { return grids[level]->count == int(sizes[level].size()) * fields; };
    if (grids.size() != 4 || !fits(0) || !fits(1) || !fits(2) || !fits(3))
        throw FileError("this is a model, but not YuNet: its outputs do not have YuNet's sizes");
}

} // namespace

extern "C" int rf_face_net_open(const char *path, int width, int height, rf_face_net **net) {
    return guarded([&] {
        auto opened = std::make_unique<rf_face_net>();
        opened->net = reading(path, [&] { return cv::dnn::readNet(path); });
        const auto outputs = opened->net.getUnconnectedOutLayersNames();
        const auto has = [&](const std::string &name) { return std::find(outputs.begin(), outputs.end(), name) != outputs.end(); };
        const std::vector<std::string> names = outputNames();
        if (std::all_of(names.begin(), names.end(), has)) {
            reading(path, [&] { return find(opened->net, cv::Mat::zeros(height, width, CV_8UC3), 0.9); });
        } else if (has("loc") && has("conf") && has("iou")) {
            opened->convolver = std::make_unique<Convolver>(opened->net);
            checkOutputs(opened->convolver->run(cv::Mat::zeros(height, width, CV_8UC3)));
        } else {
            throw FileError("this is a model, but not YuNet: its outputs are neither loc, conf and iou nor cls_8 to kps_32");
        }
        *net = opened.release();
    });
}

extern "C" void rf_face_net_close(rf_face_net *net) { delete net; }

extern "C" int rf_face_net_find(rf_face_net *net, const rf_image *bgr, double threshold, rf_face *faces, int capacity, int *count) {
    return guarded([&] {
        const std::vector<rf_face> found =
            best(net->convolver ? decode(net->convolver->run(mat(bgr)), float(threshold)) : find(net->net, mat(bgr), threshold));
        *count = static_cast<int>(found.size());
        std::copy_n(found.begin(), std::min(*count, capacity), faces);
    });
}
