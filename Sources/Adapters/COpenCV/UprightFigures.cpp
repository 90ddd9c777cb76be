#include "ExceptionBoundary.hpp"

#include <opencv2/objdetect.hpp>

#include <vector>

using namespace rackfocus;

namespace {

/// OpenCV's own training on people of 96 pixels in windows of 64 x 128.
const cv::HOGDescriptor &peopleDetector() {
    static const cv::HOGDescriptor detector = [] {
        cv::HOGDescriptor detector;
        detector.setSVMDetector(cv::HOGDescriptor::getDefaultPeopleDetector());
        return detector;
    }();
    return detector;
}

/// Pixels and factor between neighbouring windows.
const cv::Size stride(8, 8);
const double step = 1.1;

} // namespace

extern "C" int rf_upright_figure(const rf_image *image, double x, double y, rf_rect *figure, double *margin) {
    return catchingExceptions([&] {
        *figure = {0, 0, 0, 0};
        *margin = 0;
        const cv::Mat picture = mat(image);
        const cv::HOGDescriptor &detector = peopleDetector();
        if (picture.cols < detector.winSize.width || picture.rows < detector.winSize.height)
            return;
        std::vector<cv::Rect> windows;
        std::vector<double> margins;
        detector.detectMultiScale(picture, windows, margins, 0, stride, cv::Size(), step, 0);
        for (size_t i = 0; i < windows.size(); i++) {
            const cv::Rect &window = windows[i];
            // The training had a rim of 16 pixels all round.
            const rf_rect person = {window.x + window.width / 4.0, window.y + window.height / 8.0, window.width / 2.0, window.height * 0.75};
            const bool isAround = x >= person.x && x < person.x + person.width && y >= person.y && y < person.y + person.height;
            if (!isAround || margins[i] <= *margin)
                continue;
            *figure = person;
            *margin = margins[i];
        }
    });
}
