#include "door.hpp"

#include <dlib/image_processing/frontal_face_detector.h>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <map>

using namespace rackfocus;

namespace {

/// dlib's five detectors: front, left, right, front leaning left, front leaning right.
const int sides[5] = {0, -1, 1, 0, 0};
const double rolls[5] = {0, 0, 0, -27, 27};

/// The detector is unpacked from text once and copied from then on.
const dlib::frontal_face_detector &original() {
    static const dlib::frontal_face_detector detector = dlib::get_frontal_face_detector();
    return detector;
}

} // namespace

struct rf_hog {
    /// By how many sizes they search; making one takes milliseconds.
    std::map<int, dlib::frontal_face_detector> detectors;

    dlib::frontal_face_detector &detector(int levels) {
        const auto known = detectors.find(levels);
        if (known != detectors.end())
            return known->second;
        const auto &model = original();
        dlib::frontal_face_detector::image_scanner_type scanner;
        scanner.copy_configuration(model.get_scanner());
        scanner.set_max_pyramid_levels(static_cast<unsigned long>(levels));
        std::vector<dlib::frontal_face_detector::feature_vector_type> weights;
        for (unsigned long i = 0; i < model.num_detectors(); i++)
            weights.push_back(model.get_w(i));
        return detectors.emplace(levels, dlib::frontal_face_detector(scanner, model.get_overlap_tester(), weights)).first->second;
    }
};

extern "C" int rf_hog_open(rf_hog **hog) {
    return guarded([&] { *hog = new rf_hog(); });
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
        dlib::array2d<unsigned char> pixels(height, width);
        for (int y = 0; y < height; y++)
            std::copy_n(patch.ptr(y), width, &pixels[y][0]);
        std::vector<dlib::rect_detection> found;
        hog->detector(levels)(pixels, found, 0.0);
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
