#include "ExceptionBoundary.hpp"

#include <opencv2/imgproc.hpp>

using namespace rackfocus;

extern "C" int rf_reduce(const rf_image *source, rf_image *target) {
    return catchingExceptions([&] {
        if (rf_area_reduces(source, target)) {
            rf_area_reduce(source, target);
            return;
        }
        cv::Mat out = mat(target);
        cv::resize(mat(source), out, out.size(), 0, 0, cv::INTER_AREA);
    });
}

extern "C" int rf_sample(const rf_image *source, rf_rect region, rf_image *target) {
    return catchingExceptions([&] {
        cv::Mat in = mat(source), out = mat(target);
        cv::Rect inside = cv::Rect(cvFloor(region.x), cvFloor(region.y), std::max(1, cvRound(region.width)), std::max(1, cvRound(region.height)));
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
    return catchingExceptions([&] {
        cv::Mat scores;
        cv::matchTemplate(mat(picture), mat(pattern), scores, cv::TM_CCOEFF_NORMED);
        cv::Point best;
        cv::minMaxLoc(scores, nullptr, score, nullptr, &best);
        *x = best.x;
        *y = best.y;
    });
}
