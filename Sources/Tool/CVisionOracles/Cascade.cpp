#include "CVisionOracles.h"
#include "ExceptionBoundary.hpp"

#include <opencv2/objdetect.hpp>

#include <algorithm>
#include <memory>
#include <tuple>
#include <vector>

using namespace rackfocus;

struct rf_oracle_cascade {
    cv::CascadeClassifier classifier;
    std::vector<rf_box> hits;
};

extern "C" int rf_oracle_cascade_open(const char *path, rf_oracle_cascade **cascade) {
    return catchingExceptions([&] {
        auto opened = std::make_unique<rf_oracle_cascade>();
        if (!opened->classifier.load(path))
            throw FileError("not a cascade classifier");
        *cascade = opened.release();
    });
}

extern "C" void rf_oracle_cascade_close(rf_oracle_cascade *cascade) { delete cascade; }

extern "C" int rf_oracle_cascade_scan(
    rf_oracle_cascade *cascade, const rf_image *grey, double step, int smallest, int largest, const rf_box **hits, int *count) {
    return catchingExceptions([&] {
        std::vector<cv::Rect> found;
        cascade->classifier.detectMultiScale(mat(grey), found, step, 0, 0, cv::Size(smallest, smallest), cv::Size(largest, largest));
        std::sort(found.begin(), found.end(), [](const cv::Rect &a, const cv::Rect &b) {
            return std::tie(a.y, a.x, a.width, a.height) < std::tie(b.y, b.x, b.width, b.height);
        });
        cascade->hits.clear();
        for (const cv::Rect &one : found)
            cascade->hits.push_back({one.x, one.y, one.width, one.height, 1});
        *hits = cascade->hits.data();
        *count = static_cast<int>(cascade->hits.size());
    });
}
