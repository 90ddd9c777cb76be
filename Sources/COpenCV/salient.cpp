#include "door.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

using namespace rackfocus;

namespace {

/// The three channels of up to five searches, side by side in one register.
const int lanes = 16;
typedef uchar Lanes __attribute__((vector_size(lanes)));

/// A pixel's own tones, the least barrier of a way to it, and the ends of that way's tones; before there is a way, 255, from 0 to 255.
struct Barrier {
    Lanes own, height, lowest, highest;

    /// Goes on from a neighbour where that is the lower way.
    void meet(const Barrier &from) {
        const Lanes most = from.highest > own ? from.highest : own, least = from.lowest < own ? from.lowest : own, barrier = most - least;
        const auto isLower = barrier < height;
        height = isLower ? barrier : height;
        lowest = isLower ? least : lowest;
        highest = isLower ? most : highest;
    }
};

/// One sweep of the minimum barrier distance (Zhang et al., ICCV 2015), downwards from the left or upwards from the right.
void sweep(std::vector<Barrier> &cells, int width, bool isDownwards) {
    const int count = int(cells.size()), step = isDownwards ? 1 : -1;
    for (int i = 0; i < count; i++) {
        Barrier &cell = cells[size_t(isDownwards ? i : count - 1 - i)];
        if (i >= width)
            cell.meet(*(&cell - step * width));
        if (i % width > 0)
            cell.meet(*(&cell - step));
    }
}

} // namespace

extern "C" int rf_barriers(const rf_image *tones, const rf_image *seeds, int count, float *out) {
    return guarded([&] {
        const cv::Mat picture = mat(tones);
        if (count < 1 || 3 * count > lanes)
            throw std::runtime_error("barriers are measured from one to five sets of seeds");
        std::vector<Barrier> cells(picture.total());
        for (int y = 0, at = 0; y < picture.rows; y++)
            for (int x = 0; x < picture.cols; x++, at++) {
                uchar own[lanes] = {}, isSeed[lanes] = {};
                for (int lane = 0; lane < 3 * count; lane++) {
                    own[lane] = picture.ptr<uchar>(y)[3 * x + lane % 3];
                    isSeed[lane] = seeds[lane / 3].data[y * seeds[lane / 3].stride + x] ? 255 : 0;
                }
                Lanes tone, sown;
                std::memcpy(&tone, own, lanes);
                std::memcpy(&sown, isSeed, lanes);
                cells[size_t(at)] = {tone, ~sown, tone & sown, tone | ~sown};
            }
        for (int pass = 0; pass < 4; pass++)
            sweep(cells, picture.cols, pass % 2 == 0);
        for (int set = 0; set < count; set++)
            for (size_t i = 0; i < cells.size(); i++)
                out[size_t(set) * cells.size() + i] = float(cells[i].height[3 * set] + cells[i].height[3 * set + 1] + cells[i].height[3 * set + 2]);
    });
}

extern "C" int rf_lab(const rf_image *bgr, rf_image *out) {
    return guarded([&] {
        cv::Mat soft, lab = mat(out);
        cv::medianBlur(mat(bgr), soft, 3);
        cv::cvtColor(soft, lab, cv::COLOR_BGR2Lab);
    });
}

extern "C" int rf_bgr(const rf_image *luma, const rf_image *chroma, rf_image *bgr) {
    return guarded([&] {
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
    return guarded([&] {
        cv::Mat soft, lab, mixed = mat(out);
        const cv::Mat near = mat(depth);
        cv::medianBlur(mat(bgr), soft, 3);
        cv::cvtColor(soft, lab, cv::COLOR_BGR2Lab);
        for (int y = 0; y < lab.rows; y++)
            for (int x = 0; x < lab.cols; x++) {
                const cv::Vec3b colour = lab.at<cv::Vec3b>(y, x);
                mixed.at<cv::Vec3b>(y, x) = cv::Vec3b(
                    cv::saturate_cast<uchar>(colour[0] / 2), cv::saturate_cast<uchar>((colour[1] + colour[2]) / 2), near.at<uchar>(y, x));
            }
    });
}

extern "C" int rf_component(rf_image *mask, int x, int y, rf_rect *bounds, int *size) {
    return guarded([&] {
        cv::Mat picture = mat(mask), labels, stats, centres, closed;
        const cv::Mat disc = cv::getStructuringElement(cv::MORPH_ELLIPSE, cv::Size(3, 3));
        cv::morphologyEx(picture, closed, cv::MORPH_OPEN, disc);
        cv::morphologyEx(closed, closed, cv::MORPH_CLOSE, disc);
        cv::connectedComponentsWithStats(closed, labels, stats, centres, 4);
        int wanted = 0, nearest = 26;
        for (int j = std::max(0, y - 5); j <= std::min(picture.rows - 1, y + 5); j++)
            for (int i = std::max(0, x - 5); i <= std::min(picture.cols - 1, x + 5); i++) {
                const int distance = (i - x) * (i - x) + (j - y) * (j - y);
                if (labels.at<int>(j, i) != 0 && distance < nearest) {
                    nearest = distance;
                    wanted = labels.at<int>(j, i);
                }
            }
        *size = 0;
        *bounds = {0, 0, 0, 0};
        picture.setTo(0);
        if (wanted == 0)
            return;
        picture.setTo(255, labels == wanted);
        const int *row = stats.ptr<int>(wanted);
        *bounds = {
            double(row[cv::CC_STAT_LEFT]), double(row[cv::CC_STAT_TOP]), double(row[cv::CC_STAT_WIDTH]), double(row[cv::CC_STAT_HEIGHT])};
        *size = row[cv::CC_STAT_AREA];
    });
}
