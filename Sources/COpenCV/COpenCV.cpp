#include "door.hpp"

#include <opencv2/imgproc.hpp>

namespace {

thread_local std::string lastError;

// One thread per call: callers run side by side, and what OpenCV's own threads add up in any order is not the same bits twice.
const bool singleThreaded = [] {
    cv::setNumThreads(1);
    return true;
}();

} // namespace

namespace rackfocus {

void remember(const char *message) noexcept {
    try {
        lastError = message;
    } catch (...) {
    }
}

} // namespace rackfocus

using namespace rackfocus;

extern "C" const char *rf_opencv_version(void) { return CV_VERSION; }

extern "C" const char *rf_error_message(void) { return lastError.c_str(); }

extern "C" int rf_sample(const rf_image *source, rf_rect region, rf_image *target) {
    return guarded([&] {
        cv::Mat in = mat(source), out = mat(target);
        cv::Rect inside = cv::Rect(
            cvFloor(region.x), cvFloor(region.y), std::max(1, cvRound(region.width)), std::max(1, cvRound(region.height)));
        cv::Rect part = inside & cv::Rect(0, 0, in.cols, in.rows);
        if (part.empty()) {
            out.setTo(cv::Scalar::all(0));
            return;
        }
        cv::Mat cut;
        cv::copyMakeBorder(
            in(part), cut, part.y - inside.y, inside.br().y - part.br().y, part.x - inside.x, inside.br().x - part.br().x, cv::BORDER_REPLICATE);
        cv::resize(cut, out, out.size(), 0, 0, cut.cols > out.cols ? cv::INTER_AREA : cv::INTER_LINEAR);
    });
}

extern "C" int rf_match(const rf_image *picture, const rf_image *pattern, int *x, int *y, double *score) {
    return guarded([&] {
        cv::Mat scores;
        cv::matchTemplate(mat(picture), mat(pattern), scores, cv::TM_CCOEFF_NORMED);
        cv::Point best;
        cv::minMaxLoc(scores, nullptr, score, nullptr, &best);
        *x = best.x;
        *y = best.y;
    });
}
