#include "../include/CVisionKernels.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

// Decoding of detection networks' outputs into boxes, and greedy non-maximum suppression.
//
// Papers: Redmon and Farhadi, "YOLOv3", 2018 (rows of box, objectness and classes); Ma, "FastestDet", 2022; Wu, Peng and Yu, "YuNet: a tiny
// millisecond-level face detector", 2023, with its export of March 2023; non-maximum suppression as by Dalal and Triggs, CVPR 2005.
// Units: pixels of the network's input for YuNet, fractions of the picture (0...1) for the others; scores 0...1.
// Cost: O(cells * kinds); suppression O(boxes squared).
// Oracle: a model whose outputs are known (FaceNetTests); cv::dnn::NMSBoxes. OpenCV 4.6 decodes none of the three.

namespace {

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

double intersectionOverUnion(const rf_rect &a, const rf_rect &b) {
    const double width = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
    const double height = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
    if (width <= 0 || height <= 0)
        return 0;
    return width * height / (a.width * a.height + b.width * b.height - width * height);
}

} // namespace

extern "C" int rf_suppress_non_maxima(const rf_rect *boxes, const int *kinds, int count, double threshold, int *kept) {
    int keptCount = 0;
    for (int i = 0; i < count; i++) {
        const bool isDuplicate = std::any_of(kept, kept + keptCount, [&](int other) {
            return (!kinds || kinds[i] == kinds[other]) && intersectionOverUnion(boxes[i], boxes[other]) > threshold;
        });
        if (!isDuplicate) {
            kept[keptCount] = i;
            keptCount++;
        }
    }
    return keptCount;
}

extern "C" int rf_decode_yolo(const float *rows, int row_count, float threshold, const int *kinds, int kind_count, rf_object *objects) {
    const int fields = 85;
    int count = 0;
    for (int i = 0; i < row_count; i++) {
        const float *row = rows + i * fields;
        for (int k = 0; k < kind_count; k++)
            if (const float score = row[5 + kinds[k]]; score > threshold) {
                objects[count] = {row[0] - row[2] / 2, row[1] - row[3] / 2, row[2], row[3], score, kinds[k]};
                count++;
            }
    }
    return count;
}

extern "C" int rf_decode_fastestdet(
    const float *planes, int columns, int rows, float threshold, const int *kinds, int kind_count, rf_object *objects) {
    const auto at = [&](int plane, int y, int x) { return planes[(plane * rows + y) * columns + x]; };
    int count = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            for (int k = 0; k < kind_count; k++) {
                const float score = std::pow(std::max(at(0, y, x), 0.f), 0.6f) * std::pow(std::max(at(5 + kinds[k], y, x), 0.f), 0.4f);
                if (!(score > threshold))
                    continue;
                const float w = sigmoid(at(3, y, x)), h = sigmoid(at(4, y, x));
                const float cx = (static_cast<float>(x) + std::tanh(at(1, y, x))) / static_cast<float>(columns);
                const float cy = (static_cast<float>(y) + std::tanh(at(2, y, x))) / static_cast<float>(rows);
                objects[count] = {cx - w / 2, cy - h / 2, w, h, score, kinds[k]};
                count++;
            }
    return count;
}

extern "C" int rf_decode_yunet(const float *const *outputs, int width, int height, float threshold, rf_face *faces) {
    std::vector<rf_face> found;
    for (int level = 0; level < 3; level++) {
        const int stride = 8 << level, columns = width / stride, cells = columns * (height / stride);
        const float *classes = outputs[level], *objects = outputs[3 + level], *boxes = outputs[6 + level], *landmarks = outputs[9 + level];
        for (int cell = 0; cell < cells; cell++) {
            const float face = std::clamp(classes[cell], 0.f, 1.f), object = std::clamp(objects[cell], 0.f, 1.f);
            const float score = std::sqrt(face * object);
            const float *box = boxes + 4 * cell, *points = landmarks + 10 * cell;
            if (!(score >= threshold) || !std::all_of(box, box + 4, [](float value) { return std::abs(value) < 20; }))
                continue;
            const float column = float(cell % columns), row = float(cell / columns), side = float(stride);
            const float w = std::exp(box[2]) * side, h = std::exp(box[3]) * side;
            rf_face one = {(column + box[0]) * side - w / 2, (row + box[1]) * side - h / 2, w, h, score, {}};
            for (int i = 0; i < 5; i++) {
                one.landmarks[2 * i] = (column + points[2 * i]) * side;
                one.landmarks[2 * i + 1] = (row + points[2 * i + 1]) * side;
            }
            found.push_back(one);
        }
    }
    std::sort(found.begin(), found.end(), [](const rf_face &a, const rf_face &b) {
        return std::make_tuple(-a.score, a.y, a.x, a.width) < std::make_tuple(-b.score, b.y, b.x, b.width);
    });
    std::copy(found.begin(), found.end(), faces);
    return static_cast<int>(found.size());
}
