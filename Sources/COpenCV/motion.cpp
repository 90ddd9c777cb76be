#include "door.hpp"

#include <opencv2/imgproc.hpp>
#include <opencv2/tracking.hpp>
#include <opencv2/video/tracking.hpp>

#include <algorithm>
#include <cmath>

using namespace rackfocus;

namespace {

const cv::Size window(11, 11);
const int levels = 3;
const int gridSide = 8;

double median(std::vector<double> values) {
    auto middle = values.begin() + static_cast<long>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::vector<cv::Point2f> grid(rf_rect region, cv::Size picture) {
    std::vector<cv::Point2f> points;
    for (int j = 0; j < gridSide; j++)
        for (int i = 0; i < gridSide; i++) {
            cv::Point2f p(
                static_cast<float>(region.x + region.width * (i + 0.5) / gridSide),
                static_cast<float>(region.y + region.height * (j + 0.5) / gridSide));
            if (p.x >= 1 && p.y >= 1 && p.x < picture.width - 1 && p.y < picture.height - 1)
                points.push_back(p);
        }
    return points;
}

} // namespace

struct rf_flow {
    std::vector<cv::Mat> previous, current;
    cv::Size size;
};

extern "C" int rf_flow_open(rf_flow **flow) {
    return guarded([&] { *flow = new rf_flow(); });
}

extern "C" void rf_flow_close(rf_flow *flow) { delete flow; }

extern "C" int rf_flow_push(rf_flow *flow, const rf_image *image) {
    return guarded([&] {
        std::swap(flow->previous, flow->current);
        cv::Mat picture = mat(image);
        if (picture.size() != flow->size)
            flow->previous.clear();
        flow->size = picture.size();
        flow->current.clear();
        cv::buildOpticalFlowPyramid(picture, flow->current, window, levels, true, cv::BORDER_REFLECT_101, cv::BORDER_CONSTANT, false);
    });
}

extern "C" int rf_flow_follow(rf_flow *flow, rf_rect region, double *dx, double *dy, double *growth, double *agreement) {
    return guarded([&] {
        *dx = *dy = *agreement = 0;
        *growth = 1;
        if (flow->previous.empty())
            return;
        std::vector<cv::Point2f> from = grid(region, flow->size), to, back;
        if (from.size() < 8)
            return;
        std::vector<uchar> found, returned;
        std::vector<float> error;
        const cv::TermCriteria stop(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 12, 0.03);
        cv::calcOpticalFlowPyrLK(flow->previous, flow->current, from, to, found, error, window, levels, stop);
        cv::calcOpticalFlowPyrLK(flow->current, flow->previous, to, back, returned, error, window, levels, stop);
        std::vector<double> xs, ys;
        std::vector<size_t> kept;
        for (size_t i = 0; i < from.size(); i++) {
            const cv::Point2f miss = back[i] - from[i];
            if (!found[i] || !returned[i] || miss.dot(miss) > 1)
                continue;
            kept.push_back(i);
            xs.push_back(to[i].x - from[i].x);
            ys.push_back(to[i].y - from[i].y);
        }
        if (kept.size() < 6)
            return;
        *dx = median(xs);
        *dy = median(ys);
        size_t agreed = 0;
        for (size_t i = 0; i < kept.size(); i++)
            agreed += std::abs(xs[i] - *dx) < 1.5 && std::abs(ys[i] - *dy) < 1.5;
        *agreement = static_cast<double>(agreed) / static_cast<double>(gridSide * gridSide);
        std::vector<double> ratios;
        for (size_t a = 0; a < kept.size(); a++)
            for (size_t b = a + 1; b < kept.size(); b++) {
                const double before = cv::norm(from[kept[a]] - from[kept[b]]);
                if (before > 4)
                    ratios.push_back(cv::norm(to[kept[a]] - to[kept[b]]) / before);
            }
        if (!ratios.empty())
            *growth = median(ratios);
    });
}

/// A large object is seen in a picture that is `factor` times smaller: the filter makes it small anyway, but copies it and all around it several
/// times before.
struct rf_tracker {
    cv::Ptr<cv::TrackerCSRT> filter;
    int factor = 1;
    cv::Mat small;

    cv::Mat seen(const cv::Mat &image) {
        if (factor == 1)
            return image;
        cv::resize(image, small, cv::Size(std::max(image.cols / factor, 1), std::max(image.rows / factor, 1)), 0, 0, cv::INTER_AREA);
        return small;
    }
};

extern "C" int rf_tracker_open(const rf_image *image, rf_box box, rf_tracker **tracker) {
    return guarded([&] {
        cv::TrackerCSRT::Params parameters;
        parameters.use_segmentation = false;
        parameters.use_color_names = false;
        parameters.template_size = 120;
        // It says where an object is, and never that it grew, however many scales it tries: flow does.
        parameters.number_of_scales = 1;
        // A second one takes a tenth of the time and finds nothing better.
        parameters.admm_iterations = 1;
        // Twice the usual: it sees every other picture.
        parameters.filter_lr = 0.04f;
        auto opened = std::make_unique<rf_tracker>();
        const int largest = 160;
        while (box.width * box.height >= std::pow(largest * opened->factor, 2))
            opened->factor *= 2;
        const int factor = opened->factor;
        opened->filter = cv::TrackerCSRT::create(parameters);
        cv::setRNGSeed(1);
        opened->filter->init(
            opened->seen(mat(image)), cv::Rect(box.x / factor, box.y / factor, std::max(box.width / factor, 1), std::max(box.height / factor, 1)));
        *tracker = opened.release();
    });
}

extern "C" int rf_tracker_update(rf_tracker *tracker, const rf_image *image, rf_box *box, int *found) {
    return guarded([&] {
        cv::Rect result(box->x, box->y, box->width, box->height);
        *found = tracker->filter->update(tracker->seen(mat(image)), result);
        const int factor = tracker->factor;
        *box = {factor * result.x, factor * result.y, factor * result.width, factor * result.height, 1};
    });
}

extern "C" void rf_tracker_close(rf_tracker *tracker) { delete tracker; }
