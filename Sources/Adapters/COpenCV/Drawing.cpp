#include "ExceptionBoundary.hpp"

#include <opencv2/imgproc.hpp>

using namespace rackfocus;

extern "C" int rf_draw_line(rf_image *mask, int x0, int y0, int x1, int y1, int thickness) {
    return catchingExceptions([&] {
        cv::Mat coverage = mat(mask);
        cv::line(coverage, cv::Point(x0, y0), cv::Point(x1, y1), cv::Scalar(255), thickness, cv::LINE_AA, 4);
    });
}

extern "C" int rf_draw_text(rf_image *mask, const char *text, int x, int y, double scale, int thickness) {
    return catchingExceptions([&] {
        cv::Mat coverage = mat(mask);
        cv::putText(coverage, text, cv::Point(x, y), cv::FONT_HERSHEY_SIMPLEX, scale, cv::Scalar(255), thickness, cv::LINE_AA);
    });
}

extern "C" int rf_text_size(const char *text, double scale, int thickness, int *width, int *height, int *below) {
    return catchingExceptions([&] {
        const cv::Size size = cv::getTextSize(text, cv::FONT_HERSHEY_SIMPLEX, scale, thickness, below);
        *width = size.width;
        *height = size.height;
    });
}
