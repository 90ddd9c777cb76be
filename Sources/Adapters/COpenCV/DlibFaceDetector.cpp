#include "ExceptionBoundary.hpp"

#include <dlib/image_processing/frontal_face_detector.h>
#include <dlib/revision.h>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <future>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace rackfocus;

namespace {

/// dlib's five detectors: front, left, right, front leaning left, front leaning right.
const int sides[5] = {0, -1, 1, 0, 0};
const double rolls[5] = {0, 0, 0, -27, 27};

/// Cells of 8 x 8 pixels, and cells along a side of a detector's window.
const int cellSize = 8, windowCells = 10;

/// One of dlib's detectors, as the kernel takes it.
struct Detector {
    std::vector<rf_fhog_filter> filters;
    double threshold;
};

/// dlib's frontal face model.
struct Model {
    std::vector<Detector> detectors;
    dlib::test_box_overlap isDuplicate;

    /// Unpacks dlib's own text, which is compressed by prediction: a quarter of a second.
    Model() {
        const dlib::frontal_face_detector dlibDetector = dlib::get_frontal_face_detector();
        isDuplicate = dlibDetector.get_overlap_tester();
        for (unsigned long i = 0; i < dlibDetector.num_detectors(); i++) {
            const auto &weights = dlibDetector.get_w(i);
            const auto bank = dlibDetector.get_scanner().build_fhog_filterbank(weights);
            Detector detector{{}, weights(weights.size() - 1)};
            for (size_t plane = 0; plane < bank.row_filters.size(); plane++)
                for (size_t j = 0; j < bank.row_filters[plane].size(); j++) {
                    rf_fhog_filter filter{static_cast<int>(plane), {}, {}};
                    std::copy_n(bank.row_filters[plane][j].begin(), windowCells, filter.row);
                    std::copy_n(bank.col_filters[plane][j].begin(), windowCells, filter.column);
                    detector.filters.push_back(filter);
                }
            detectors.push_back(detector);
        }
    }

    /// Reads what `bytes` wrote.
    Model(const uint8_t *next, size_t left) {
        const auto read = [&](void *out, size_t count) {
            if (count > left)
                throw FileError("not dlib's face model: it ends early");
            std::memcpy(out, next, count);
            next += count;
            left -= count;
        };
        const auto number = [&] {
            uint32_t value;
            read(&value, sizeof value);
            return value;
        };
        double overlaps[2];
        read(overlaps, sizeof overlaps);
        isDuplicate = dlib::test_box_overlap(overlaps[0], overlaps[1]);
        if (number() != sizeof(rf_fhog_filter))
            throw FileError("not dlib's face model: filters have another size");
        for (uint32_t i = number(); i > 0; i--) {
            Detector detector;
            read(&detector.threshold, sizeof detector.threshold);
            const size_t count = number();
            if (count > left / sizeof(rf_fhog_filter))
                throw FileError("not dlib's face model: it ends early");
            detector.filters.resize(count);
            read(detector.filters.data(), count * sizeof(rf_fhog_filter));
            for (const rf_fhog_filter &filter : detector.filters)
                if (filter.plane < 0 || filter.plane >= planes)
                    throw FileError("not dlib's face model: a filter is of no plane");
            detectors.push_back(std::move(detector));
        }
        if (left > 0 || detectors.size() != std::size(sides))
            throw FileError("not dlib's face model: it has not five detectors");
    }

    std::vector<uint8_t> bytes() const {
        std::vector<uint8_t> result;
        const auto write = [&](const void *data, size_t count) {
            const auto *bytes = static_cast<const uint8_t *>(data);
            result.insert(result.end(), bytes, bytes + count);
        };
        const auto number = [&](size_t value) {
            const auto word = static_cast<uint32_t>(value);
            write(&word, sizeof word);
        };
        const double overlaps[2] = {isDuplicate.get_iou_thresh(), isDuplicate.get_percent_covered_thresh()};
        write(overlaps, sizeof overlaps);
        number(sizeof(rf_fhog_filter));
        number(detectors.size());
        for (const Detector &detector : detectors) {
            write(&detector.threshold, sizeof detector.threshold);
            number(detector.filters.size());
            write(detector.filters.data(), detector.filters.size() * sizeof(rf_fhog_filter));
        }
        return result;
    }

private:
    /// Planes of FHOG's features.
    static const int planes = 31;
};

/// The model, made once; never destroyed, as a search may outlast the program's end. Where there is none yet, `given` becomes it.
const Model &model(const Model *given = nullptr) {
    static const Model &model = *(given != nullptr ? given : new Model);
    return model;
}

} // namespace

struct rf_dlib_faces {
    std::unique_ptr<rf_fhog, void (*)(rf_fhog *)> fhog{rf_fhog_create(), rf_fhog_destroy};
    std::vector<rf_head> heads;

    /// Faces of 80 pixels, and of up to `levels` sizes a fifth larger each, with margins above `leastScore`: the best first, duplicates suppressed.
    std::vector<dlib::rect_detection> faces(cv::Mat picture, int levels, double leastScore) {
        std::vector<dlib::rect_detection> found, kept;
        for (int level = 0; level < levels && std::min(picture.cols, picture.rows) >= smallestSide; level++) {
            const rf_image grey = imageOf(picture);
            rf_fhog_compute(fhog.get(), &grey);
            for (size_t i = 0; i < model().detectors.size(); i++)
                search(model().detectors[i], i, level, leastScore, found);
            cv::Mat smaller(picture.rows * 5 / 6, picture.cols * 5 / 6, CV_8U);
            rf_image reduced = imageOf(smaller);
            rf_pyramid_down(&grey, &reduced);
            picture = smaller;
        }
        std::sort(found.rbegin(), found.rend());
        for (const dlib::rect_detection &one : found)
            if (std::none_of(kept.begin(), kept.end(), [&](const auto &other) { return model().isDuplicate(other.rect, one.rect); }))
                kept.push_back(one);
        return kept;
    }

private:
    /// Side of a picture that is searched no more, pixels.
    static const int smallestSide = 64;

    void search(const Detector &detector, size_t index, int level, double leastScore, std::vector<dlib::rect_detection> &found) {
        const rf_fhog_window *windows = nullptr;
        const int count =
            rf_fhog_find(fhog.get(), detector.filters.data(), static_cast<int>(detector.filters.size()), detector.threshold + leastScore, &windows);
        for (int i = 0; i < count; i++) {
            const auto window = dlib::centered_rect(dlib::point(windows[i].x, windows[i].y), windowCells, windowCells);
            dlib::rect_detection one;
            one.detection_confidence = windows[i].score - detector.threshold;
            one.weight_index = index;
            one.rect = dlib::pyramid_down<6>().rect_up(dlib::fhog_to_image(window, cellSize, windowCells, windowCells), static_cast<unsigned>(level));
            found.push_back(one);
        }
    }
};

extern "C" const char *rf_dlib_version(void) {
    static const std::string version =
        std::to_string(DLIB_MAJOR_VERSION) + "." + std::to_string(DLIB_MINOR_VERSION) + "." + std::to_string(DLIB_PATCH_VERSION);
    return version.c_str();
}

extern "C" int rf_dlib_model_restore(const uint8_t *bytes, int count) {
    return catchingExceptions([&] {
        auto restored = std::make_unique<const Model>(bytes, static_cast<size_t>(count));
        if (&model(restored.get()) == restored.get())
            restored.release();
    });
}

extern "C" int rf_dlib_model_bytes(const uint8_t **bytes, int *count) {
    return catchingExceptions([&] {
        static const std::vector<uint8_t> &all = *new std::vector<uint8_t>(model().bytes());
        *bytes = all.data();
        *count = static_cast<int>(all.size());
    });
}

extern "C" int rf_dlib_faces_open(rf_dlib_faces **finder) {
    return catchingExceptions([&] {
        // Beside what the caller does next; the program's end waits for it.
        static const std::future<void> unpacking = std::async(std::launch::async, [] { model(); });
        *finder = new rf_dlib_faces();
    });
}

extern "C" void rf_dlib_faces_close(rf_dlib_faces *finder) { delete finder; }

extern "C" int rf_dlib_faces_find(
    rf_dlib_faces *finder, const rf_image *image, rf_rect region, double scale, double angle, int levels, double leastScore, const rf_head **heads,
    int *count) {
    return catchingExceptions([&] {
        *count = 0;
        const cv::Mat picture = mat(image);
        const int width = std::max(1, cvRound(region.width * scale)), height = std::max(1, cvRound(region.height * scale));
        if (width < 80 || height < 80 || width > 4096 || height > 4096)
            return;
        // From the patch to the picture: turned about the middle, reduced, moved.
        const double c = std::cos(angle * CV_PI / 180) / scale, s = std::sin(angle * CV_PI / 180) / scale;
        const double mx = region.x + region.width / 2, my = region.y + region.height / 2;
        const cv::Matx23d back(c, -s, mx - c * width / 2 + s * height / 2, s, c, my - s * width / 2 - c * height / 2);
        cv::Mat patch;
        const cv::Rect whole(cvRound(region.x), cvRound(region.y), cvRound(region.width), cvRound(region.height));
        if (angle == 0 && (whole & cv::Rect(0, 0, picture.cols, picture.rows)) == whole)
            cv::resize(picture(whole), patch, cv::Size(width, height), 0, 0, scale < 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
        else
            cv::warpAffine(picture, patch, back, cv::Size(width, height), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
        finder->heads.clear();
        for (const dlib::rect_detection &face : finder->faces(patch, levels, leastScore)) {
            const auto &rect = face.rect;
            const auto detector = face.weight_index % 5;
            const double x = (rect.left() + rect.right()) / 2.0, y = (rect.top() + rect.bottom()) / 2.0;
            const double w = rect.width() / scale, h = rect.height() / scale;
            const double cx = back(0, 0) * x + back(0, 1) * y + back(0, 2), cy = back(1, 0) * x + back(1, 1) * y + back(1, 2);
            finder->heads.push_back({cx - w / 2, cy - h / 2, w, h, face.detection_confidence, sides[detector], rolls[detector] + angle});
        }
        *heads = finder->heads.data();
        *count = static_cast<int>(finder->heads.size());
    });
}
