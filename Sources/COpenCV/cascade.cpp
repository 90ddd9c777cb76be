#include "door.hpp"
#include "haar.hpp"

#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>

#include <algorithm>
#include <fstream>
#include <tuple>

using namespace rackfocus;

struct rf_cascade {
    Haar classifier;
};

extern "C" int rf_cascade_open(const char *path, rf_cascade **cascade) {
    return guarded([&] {
        if (!std::ifstream(path).good())
            throw FileError("no such file");
        *cascade = new rf_cascade{Haar(path)};
    });
}

extern "C" void rf_cascade_close(rf_cascade *cascade) { delete cascade; }

extern "C" int rf_cascade_scan(
    rf_cascade *cascade, const rf_image *image, double step, int smallest, int largest, int mirrored, rf_box *boxes, int capacity, int *count) {
    return guarded([&] {
        cv::Mat picture = mat(image);
        if (mirrored) {
            cv::Mat flipped;
            cv::flip(picture, flipped, 1);
            picture = flipped;
        }
        std::vector<cv::Rect> hits = cascade->classifier.scan(picture, step, smallest, largest);
        if (mirrored)
            for (cv::Rect &hit : hits)
                hit.x = picture.cols - hit.x - hit.width;
        // Reading order, whatever order they were found in.
        std::sort(hits.begin(), hits.end(), [](const cv::Rect &a, const cv::Rect &b) {
            return std::tie(a.y, a.x, a.width, a.height) < std::tie(b.y, b.x, b.width, b.height);
        });
        *count = static_cast<int>(hits.size());
        for (int i = 0; i < std::min(*count, capacity); i++)
            boxes[i] = {hits[i].x, hits[i].y, hits[i].width, hits[i].height, 1};
    });
}

extern "C" int rf_group(rf_box *boxes, int *count, int threshold, double tolerance) {
    return guarded([&] {
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
