#include "ExceptionBoundary.hpp"

#include <opencv2/imgproc.hpp>
#include <opencv2/tracking.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace rackfocus;

/// OpenCV's CSRT filter. A large object is tracked in a picture reduced by `factor`: the filter reduces it anyway, after copying it several times.
struct rf_tracker {
    cv::Ptr<cv::TrackerCSRT> filter;
    int factor = 1;
    cv::Mat small;

    cv::Mat reduced(const cv::Mat &image) {
        if (factor == 1)
            return image;
        cv::resize(image, small, cv::Size(std::max(image.cols / factor, 1), std::max(image.rows / factor, 1)), 0, 0, cv::INTER_AREA);
        return small;
    }
};

extern "C" int rf_tracker_open(const rf_image *image, rf_box box, rf_tracker **tracker) {
    return catchingExceptions([&] {
        cv::TrackerCSRT::Params parameters;
        parameters.use_segmentation = false;
        parameters.use_color_names = false;
        parameters.template_size = 120;
        // It tells where an object is, and never that it grew, however many scales it tries: flow does.
        parameters.number_of_scales = 1;
        // A second one takes a tenth of the time and finds nothing better.
        parameters.admm_iterations = 1;
        // Twice the usual: it is updated with every other picture.
        parameters.filter_lr = 0.04f;
        auto opened = std::make_unique<rf_tracker>();
        const int largest = 160;
        while (box.width * box.height >= std::pow(largest * opened->factor, 2))
            opened->factor *= 2;
        const int factor = opened->factor;
        opened->filter = cv::TrackerCSRT::create(parameters);
        cv::setRNGSeed(1);
        opened->filter->init(
            opened->reduced(mat(image)), cv::Rect(box.x / factor, box.y / factor, std::max(box.width / factor, 1), std::max(box.height / factor, 1)));
        *tracker = opened.release();
    });
}

extern "C" int rf_tracker_update(rf_tracker *tracker, const rf_image *image, rf_box *box, int *found) {
    return catchingExceptions([&] {
        cv::Rect result(box->x, box->y, box->width, box->height);
        *found = tracker->filter->update(tracker->reduced(mat(image)), result);
        const int factor = tracker->factor;
        *box = {factor * result.x, factor * result.y, factor * result.width, factor * result.height, 1};
    });
}

extern "C" void rf_tracker_close(rf_tracker *tracker) { delete tracker; }
