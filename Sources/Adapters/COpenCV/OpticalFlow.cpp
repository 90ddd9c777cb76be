#include "ExceptionBoundary.hpp"

#include <opencv2/video/tracking.hpp>

#include <vector>

using namespace rackfocus;

namespace {

const cv::Size window(11, 11);
const int levels = 3;
/// Of the grid's 64 points.
const int fewestPoints = 8;
/// A side that holds DIS's patches of 8 pixels on its coarsest level.
const int fewestDensePixels = 32;

} // namespace

/// Pyramids of two pictures running.
struct rf_flow {
    std::vector<cv::Mat> previous, current;
    cv::Size size;
};

extern "C" int rf_flow_open(rf_flow **flow) {
    return catchingExceptions([&] { *flow = new rf_flow(); });
}

extern "C" void rf_flow_close(rf_flow *flow) { delete flow; }

extern "C" int rf_flow_push(rf_flow *flow, const rf_image *image) {
    return catchingExceptions([&] {
        std::swap(flow->previous, flow->current);
        cv::Mat picture = mat(image);
        if (picture.size() != flow->size)
            flow->previous.clear();
        flow->size = picture.size();
        flow->current.clear();
        cv::buildOpticalFlowPyramid(picture, flow->current, window, levels, true, cv::BORDER_REFLECT_101, cv::BORDER_CONSTANT, false);
    });
}

extern "C" int rf_flow_follow(rf_flow *flow, rf_rect region, rf_motion *motion) {
    return catchingExceptions([&] {
        *motion = {0, 0, 1, 0};
        if (flow->previous.empty())
            return;
        std::vector<cv::Point2f> from(64), to, back;
        from.resize(size_t(rf_median_flow_grid(region, flow->size.width, flow->size.height, &from[0].x)));
        if (from.size() < fewestPoints)
            return;
        std::vector<uchar> found, returned;
        std::vector<float> error;
        const cv::TermCriteria stop(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 12, 0.03);
        cv::calcOpticalFlowPyrLK(flow->previous, flow->current, from, to, found, error, window, levels, stop);
        cv::calcOpticalFlowPyrLK(flow->current, flow->previous, to, back, returned, error, window, levels, stop);
        for (size_t i = 0; i < found.size(); i++)
            found[i] = found[i] && returned[i];
        *motion = rf_median_flow(&from[0].x, &to[0].x, &back[0].x, found.data(), int(from.size()));
    });
}

extern "C" int rf_dense_flow(const rf_image *picture, const rf_image *earlier, float *flow) {
    return catchingExceptions([&] {
        cv::Mat out(picture->height, picture->width, CV_32FC2, flow);
        if (picture->width < fewestDensePixels || picture->height < fewestDensePixels) {
            out.setTo(cv::Scalar());
            return;
        }
        cv::Mat found;
        cv::DISOpticalFlow::create(cv::DISOpticalFlow::PRESET_ULTRAFAST)->calc(mat(picture), mat(earlier), found);
        found.copyTo(out);
    });
}
