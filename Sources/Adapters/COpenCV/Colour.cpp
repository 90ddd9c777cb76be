#include "ExceptionBoundary.hpp"

#include <opencv2/imgproc.hpp>

using namespace rackfocus;

extern "C" int rf_colours(const rf_image *luma, const rf_image *chroma, rf_image *bgr) {
    return catchingExceptions([&] {
        cv::Mat out = mat(bgr), y, uv;
        const cv::Size size(out.cols & ~1, out.rows & ~1);
        const auto resize = [](const cv::Mat &from, cv::Mat &to, cv::Size wanted) {
            if (from.size() == wanted)
                to = from;
            else
                cv::resize(from, to, wanted, 0, 0, wanted.width < from.cols ? cv::INTER_AREA : cv::INTER_LINEAR);
        };
        resize(mat(luma), y, size);
        resize(mat(chroma), uv, size / 2);
        cv::Mat colours;
        cv::cvtColorTwoPlane(y, uv, colours, cv::COLOR_YUV2BGR_NV12);
        cv::copyMakeBorder(colours, out, 0, out.rows - size.height, 0, out.cols - size.width, cv::BORDER_REPLICATE);
    });
}

extern "C" int rf_lab(const rf_image *bgr, rf_image *out) {
    return catchingExceptions([&] {
        cv::Mat soft, lab = mat(out);
        cv::medianBlur(mat(bgr), soft, 3);
        cv::cvtColor(soft, lab, cv::COLOR_BGR2Lab);
    });
}

extern "C" int rf_bgr(const rf_image *luma, const rf_image *chroma, rf_image *bgr) {
    return catchingExceptions([&] {
        cv::Mat small, uv = mat(chroma), out = mat(bgr);
        cv::resize(mat(luma), small, out.size(), 0, 0, cv::INTER_AREA);
        cv::Mat tint;
        cv::resize(uv, tint, out.size(), 0, 0, cv::INTER_AREA);
        for (int y = 0; y < out.rows; y++)
            for (int x = 0; x < out.cols; x++) {
                const float l = 1.164f * (small.at<uchar>(y, x) - 16);
                const float u = tint.at<cv::Vec2b>(y, x)[0] - 128.f, v = tint.at<cv::Vec2b>(y, x)[1] - 128.f;
                out.at<cv::Vec3b>(y, x) = cv::Vec3b(
                    cv::saturate_cast<uchar>(l + 2.112f * u), cv::saturate_cast<uchar>(l - 0.213f * u - 0.533f * v),
                    cv::saturate_cast<uchar>(l + 1.793f * v));
            }
    });
}

extern "C" int rf_colour_depth(const rf_image *bgr, const rf_image *depth, rf_image *out) {
    return catchingExceptions([&] {
        cv::Mat soft, lab, mixed = mat(out);
        const cv::Mat near = mat(depth);
        cv::medianBlur(mat(bgr), soft, 3);
        cv::cvtColor(soft, lab, cv::COLOR_BGR2Lab);
        for (int y = 0; y < lab.rows; y++)
            for (int x = 0; x < lab.cols; x++) {
                const cv::Vec3b colour = lab.at<cv::Vec3b>(y, x);
                mixed.at<cv::Vec3b>(y, x) =
                    cv::Vec3b(cv::saturate_cast<uchar>(colour[0] / 2), cv::saturate_cast<uchar>((colour[1] + colour[2]) / 2), near.at<uchar>(y, x));
            }
    });
}
