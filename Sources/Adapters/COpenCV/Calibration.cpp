#include "ExceptionBoundary.hpp"

#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <memory>
#include <vector>

using namespace rackfocus;

namespace {

std::vector<std::vector<cv::Point2f>> views(const float *points, int count, int corners) {
    std::vector<std::vector<cv::Point2f>> result;
    for (int i = 0; i < count; i++) {
        const auto *first = reinterpret_cast<const cv::Point2f *>(points) + static_cast<std::ptrdiff_t>(i) * corners;
        result.emplace_back(first, first + corners);
    }
    return result;
}

cv::Matx33d camera(const rf_lens &lens) { return {lens.focal[0], 0, lens.centre[0], 0, lens.focal[1], lens.centre[1], 0, 0, 1}; }

cv::Mat distortion(const rf_lens &lens) { return cv::Mat(1, 5, CV_64F, const_cast<double *>(lens.distortion)).clone(); }

rf_lens lens(const cv::Mat &camera, const cv::Mat &distortion) {
    rf_lens result = {{camera.at<double>(0, 0), camera.at<double>(1, 1)}, {camera.at<double>(0, 2), camera.at<double>(1, 2)}, {0, 0, 0, 0, 0}};
    for (int i = 0; i < 5 && i < static_cast<int>(distortion.total()); i++)
        result.distortion[i] = distortion.at<double>(i);
    return result;
}

/// The lens for pictures `factor` times as large.
rf_lens scaled(rf_lens lens, double factor) {
    for (double &value : lens.focal)
        value *= factor;
    for (double &value : lens.centre)
        value = (value + 0.5) * factor - 0.5;
    return lens;
}

} // namespace

extern "C" int rf_board_find(const rf_image *grey, int columns, int rows, float *corners, int *found) {
    return catchingExceptions([&] {
        std::vector<cv::Point2f> points;
        const int flags = cv::CALIB_CB_ADAPTIVE_THRESH | cv::CALIB_CB_NORMALIZE_IMAGE | cv::CALIB_CB_FAST_CHECK;
        *found = cv::findChessboardCorners(mat(grey), cv::Size(columns, rows), points, flags) && points.size() == static_cast<size_t>(columns) * rows;
        if (!*found)
            return;
        cv::cornerSubPix(
            mat(grey), points, cv::Size(5, 5), cv::Size(-1, -1), cv::TermCriteria(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 40, 0.001));
        std::copy(points.begin(), points.end(), reinterpret_cast<cv::Point2f *>(corners));
    });
}

extern "C" int rf_calibrate(
    const float *left, const float *right, int count, int columns, int rows, double square, int width, int height, rf_rig *rig, double *error) {
    return catchingExceptions([&] {
        std::vector<cv::Point3f> board;
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < columns; x++)
                board.emplace_back(static_cast<float>(x * square), static_cast<float>(y * square), 0.f);
        const std::vector<std::vector<cv::Point3f>> objects(static_cast<size_t>(count), board);
        const auto first = views(left, count, columns * rows), second = views(right, count, columns * rows);
        const cv::Size size(width, height);
        cv::Mat camera1, camera2, lens1, lens2, rotation, translation, essential, fundamental;
        std::vector<cv::Mat> rotations, moves;
        cv::calibrateCamera(objects, first, size, camera1, lens1, rotations, moves, cv::CALIB_FIX_K3);
        cv::calibrateCamera(objects, second, size, camera2, lens2, rotations, moves, cv::CALIB_FIX_K3);
        *error = cv::stereoCalibrate(
            objects, first, second, camera1, lens1, camera2, lens2, size, rotation, translation, essential, fundamental,
            cv::CALIB_USE_INTRINSIC_GUESS | cv::CALIB_FIX_K3, cv::TermCriteria(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 100, 1e-6));
        rig->width = width;
        rig->height = height;
        rig->left = lens(camera1, lens1);
        rig->right = lens(camera2, lens2);
        for (int i = 0; i < 9; i++)
            rig->rotation[i] = rotation.at<double>(i);
        for (int i = 0; i < 3; i++)
            rig->translation[i] = translation.at<double>(i);
    });
}

/// Maps of the rectification: the source of each pixel of the levelled pictures, and the destination of each pixel of the left one.
struct rf_rectifier {
    cv::Mat left[2], right[2], back;
};

extern "C" int rf_rectifier_open(const rf_rig *rig, int width, int height, rf_rectifier **rectifier, double *focal) {
    return catchingExceptions([&] {
        const double factor = static_cast<double>(width) / rig->width;
        const rf_lens first = scaled(rig->left, factor), second = scaled(rig->right, factor);
        const cv::Size size(width, height);
        const cv::Matx33d rotation(rig->rotation);
        const cv::Vec3d translation(rig->translation);
        cv::Mat turn1, turn2, projection1, projection2, depth;
        cv::stereoRectify(
            camera(first), distortion(first), camera(second), distortion(second), size, rotation, translation, turn1, turn2, projection1, projection2,
            depth, cv::CALIB_ZERO_DISPARITY, 0, size);
        auto opened = std::make_unique<rf_rectifier>();
        cv::initUndistortRectifyMap(camera(first), distortion(first), turn1, projection1, size, CV_16SC2, opened->left[0], opened->left[1]);
        cv::initUndistortRectifyMap(camera(second), distortion(second), turn2, projection2, size, CV_16SC2, opened->right[0], opened->right[1]);
        cv::Mat places(size, CV_32FC2);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                places.at<cv::Vec2f>(y, x) = {static_cast<float>(x), static_cast<float>(y)};
        cv::Mat levelled;
        cv::undistortPoints(places.reshape(2, width * height), levelled, camera(first), distortion(first), turn1, projection1);
        opened->back = levelled.reshape(2, height).clone();
        *focal = projection1.at<double>(0, 0);
        *rectifier = opened.release();
    });
}

extern "C" void rf_rectifier_close(rf_rectifier *rectifier) { delete rectifier; }

extern "C" int rf_rectify(const rf_rectifier *rectifier, int isRight, const rf_image *grey, rf_image *out) {
    return catchingExceptions([&] {
        const cv::Mat *maps = isRight ? rectifier->right : rectifier->left;
        cv::Mat result = mat(out);
        cv::remap(mat(grey), result, maps[0], maps[1], cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    });
}

extern "C" int rf_unrectify(const rf_rectifier *rectifier, const float *values, float *out) {
    return catchingExceptions([&] {
        const cv::Mat levelled(rectifier->back.size(), CV_32F, const_cast<float *>(values));
        cv::Mat result(rectifier->back.size(), CV_32F, out);
        cv::remap(levelled, result, rectifier->back, cv::noArray(), cv::INTER_NEAREST, cv::BORDER_REPLICATE);
    });
}
