#include "distinct.hpp"
#include "door.hpp"
#include "gradients.hpp"

#include <dlib/image_processing/frontal_face_detector.h>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using namespace rackfocus;

namespace {

/// dlib's five detectors: front, left, right, front leaning left, front leaning right.
const int sides[5] = {0, -1, 1, 0, 0};
const double rolls[5] = {0, 0, 0, -27, 27};

/// One of dlib's detectors.
struct Side {
    std::vector<Gradients::Filter> filters;
    double threshold;
};

struct Model {
    std::vector<Side> sides;
    dlib::test_box_overlap isDouble;

    Model() {
        const dlib::frontal_face_detector detector = dlib::get_frontal_face_detector();
        isDouble = detector.get_overlap_tester();
        for (unsigned long i = 0; i < detector.num_detectors(); i++) {
            const auto &weights = detector.get_w(i);
            const auto bank = detector.get_scanner().build_fhog_filterbank(weights);
            Side side{{}, weights(weights.size() - 1)};
            for (size_t plane = 0; plane < bank.row_filters.size(); plane++)
                for (size_t j = 0; j < bank.row_filters[plane].size(); j++) {
                    Gradients::Filter filter{static_cast<int>(plane), {}, {}};
                    std::copy_n(bank.row_filters[plane][j].begin(), Gradients::taps, filter.row);
                    std::copy_n(bank.col_filters[plane][j].begin(), Gradients::taps, filter.column);
                    side.filters.push_back(filter);
                }
            sides.push_back(side);
        }
    }
};

/// Unpacked from text, which takes half a second, once; never destroyed, as a search may outlast the program's end.
const Model &model() {
    static const Model &model = *new Model;
    return model;
}

} // namespace

struct rf_hog {
    Gradients gradients;
    LineVector<float> scores;

    /// Faces of 80 pixels, and of up to `levels` sizes a fifth larger each: the best first, and of those that lie on each other only the best.
    std::vector<dlib::rect_detection> faces(cv::Mat picture, int levels) {
        std::vector<dlib::rect_detection> found;
        cv::Mat smaller;
        for (int level = 0; level < levels && std::min(picture.cols, picture.rows) >= smallest; level++) {
            gradients.measure(picture);
            for (size_t i = 0; i < model().sides.size(); i++)
                search(model().sides[i], i, level, found);
            shrink(picture, smaller);
            std::swap(picture, smaller);
        }
        std::sort(found.rbegin(), found.rend());
        return distinct(found, [](const auto &a, const auto &b) { return model().isDouble(a.rect, b.rect); });
    }

private:
    /// Side of a picture that is searched no more, pixels.
    static const int smallest = 64;

    void search(const Side &side, size_t index, int level, std::vector<dlib::rect_detection> &found) {
        scores.assign(static_cast<size_t>(gradients.rows * gradients.stride), 0);
        for (const Gradients::Filter &filter : side.filters)
            gradients.apply(filter, scores.data());
        for (int y = 0; y < gradients.rows; y++)
            for (int x = 0; x < gradients.columns; x++) {
                const double score = scores[static_cast<size_t>(y * gradients.stride + x)];
                if (score < side.threshold)
                    continue;
                // dlib's place of a window is the sixth of its ten cells.
                const dlib::point middle(x + Gradients::taps / 2, y + Gradients::taps / 2);
                const auto window = dlib::centered_rect(middle, Gradients::taps, Gradients::taps);
                dlib::rect_detection one;
                one.detection_confidence = score - side.threshold;
                one.weight_index = index;
                one.rect = dlib::pyramid_down<6>().rect_up(
                    dlib::fhog_to_image(window, Gradients::cell, Gradients::taps, Gradients::taps), static_cast<unsigned>(level));
                found.push_back(one);
            }
    }
};

extern "C" int rf_hog_open(rf_hog **hog) {
    return guarded([&] {
        model();
        *hog = new rf_hog();
    });
}

extern "C" void rf_hog_close(rf_hog *hog) { delete hog; }

extern "C" int rf_hog_find(
    rf_hog *hog, const rf_image *image, rf_rect region, double scale, double angle, int levels, rf_head *heads, int capacity, int *count) {
    return guarded([&] {
        *count = 0;
        const cv::Mat picture = mat(image);
        const int width = std::max(1, cvRound(region.width * scale)), height = std::max(1, cvRound(region.height * scale));
        if (width < 80 || height < 80 || width > 4096 || height > 4096)
            return;
        // From the patch to the picture: turned about the middle, shrunk, moved.
        const double c = std::cos(angle * CV_PI / 180) / scale, s = std::sin(angle * CV_PI / 180) / scale;
        const double mx = region.x + region.width / 2, my = region.y + region.height / 2;
        const cv::Matx23d back(c, -s, mx - c * width / 2 + s * height / 2, s, c, my - s * width / 2 - c * height / 2);
        cv::Mat patch;
        const cv::Rect whole(cvRound(region.x), cvRound(region.y), cvRound(region.width), cvRound(region.height));
        if (angle == 0 && (whole & cv::Rect(0, 0, picture.cols, picture.rows)) == whole)
            cv::resize(picture(whole), patch, cv::Size(width, height), 0, 0, scale < 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
        else
            cv::warpAffine(picture, patch, back, cv::Size(width, height), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
        const std::vector<dlib::rect_detection> found = hog->faces(patch, levels);
        *count = static_cast<int>(found.size());
        for (int i = 0; i < std::min(*count, capacity); i++) {
            const auto &rect = found[static_cast<size_t>(i)].rect;
            const auto part = found[static_cast<size_t>(i)].weight_index % 5;
            const double x = (rect.left() + rect.right()) / 2.0, y = (rect.top() + rect.bottom()) / 2.0;
            const double w = rect.width() / scale, h = rect.height() / scale;
            const double cx = back(0, 0) * x + back(0, 1) * y + back(0, 2), cy = back(1, 0) * x + back(1, 1) * y + back(1, 2);
            heads[i] = {cx - w / 2, cy - h / 2, w, h, found[static_cast<size_t>(i)].detection_confidence, sides[part], rolls[part] + angle};
        }
    });
}
