#pragma once

#include "COpenCV.h"

#include <opencv2/core.hpp>

#include <exception>
#include <stdexcept>
#include <string>

namespace rackfocus {

/// A file that is missing or is not what it should be.
struct FileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

void remember(const char *message) noexcept;

/// Runs `body`; no C++ exception gets past.
template <typename Body> int guarded(Body body) noexcept {
    try {
        body();
        return RF_OK;
    } catch (const cv::Exception &error) {
        remember(error.what());
        return RF_ERROR_OPENCV;
    } catch (const FileError &error) {
        remember(error.what());
        return RF_ERROR_FILE;
    } catch (const std::exception &error) {
        remember(error.what());
        return RF_ERROR_OTHER;
    } catch (...) {
        remember("unknown C++ exception");
        return RF_ERROR_OTHER;
    }
}

/// The caller's pixels as a matrix, nothing copied.
inline cv::Mat mat(const rf_image *image) {
    return cv::Mat(image->height, image->width, CV_8UC(image->channels), image->data, static_cast<size_t>(image->stride));
}

} // namespace rackfocus
