#include "network.hpp"

#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect/face.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

using namespace rackfocus;

struct rf_face_net {
    /// YuNet of 2022, or nothing.
    cv::Ptr<cv::FaceDetectorYN> detector;
    /// YuNet of 2023, which OpenCV 4.6's own detector does not decode.
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

double overlap(const rf_face &a, const rf_face &b) {
    const cv::Rect2d first(a.x, a.y, a.width, a.height), second(b.x, b.y, b.width, b.height);
    const double common = (first & second).area();
    return common > 0 ? common / (first.area() + second.area() - common) : 0;
}

/// The best of those that lie on each other.
std::vector<rf_face> distinct(std::vector<rf_face> faces) {
    std::sort(faces.begin(), faces.end(), [](const rf_face &a, const rf_face &b) {
        return std::make_tuple(-a.score, a.y, a.x, a.width) < std::make_tuple(-b.score, b.y, b.x, b.width);
    });
    std::vector<rf_face> kept;
    for (const rf_face &one : faces)
        if (std::none_of(kept.begin(), kept.end(), [&](const rf_face &other) { return overlap(one, other) > doubleOverlap; }))
            kept.push_back(one);
    return kept;
}

std::vector<rf_face> find(cv::dnn::Net &net, const cv::Mat &bgr, double threshold) {
    const cv::Mat picture = padded(bgr);
    net.setInput(cv::dnn::blobFromImage(picture));
    std::vector<cv::Mat> outputs;
    net.forward(outputs, outputNames());
    return distinct(decode(outputs, picture.size(), float(threshold)));
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
            opened->detector = cv::FaceDetectorYN::create(path, "", cv::Size(width, height));
        } else {
            throw FileError("this is a model, but not YuNet: its outputs are neither loc, conf and iou nor cls_8 to kps_32");
        }
        *net = opened.release();
    });
}

extern "C" void rf_face_net_close(rf_face_net *net) { delete net; }

extern "C" int rf_face_net_find(rf_face_net *net, const rf_image *bgr, double threshold, rf_face *faces, int capacity, int *count) {
    return guarded([&] {
        if (!net->detector) {
            const std::vector<rf_face> found = find(net->net, mat(bgr), threshold);
            *count = static_cast<int>(found.size());
            std::copy_n(found.begin(), std::min(*count, capacity), faces);
            return;
        }
        cv::Mat rows;
        net->detector->setScoreThreshold(static_cast<float>(threshold));
        net->detector->detect(mat(bgr), rows);
        *count = rows.rows;
        for (int i = 0; i < std::min(*count, capacity); i++) {
            const float *row = rows.ptr<float>(i);
            faces[i] = {row[0], row[1], row[2], row[3], row[14], {}};
            std::copy_n(row + 4, 10, faces[i].marks);
        }
    });
}
