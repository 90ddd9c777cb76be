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

/// Sets the text of `rf_error_message` for this thread.
void setLastError(const char *message) noexcept;

/// Runs `body` and turns any C++ exception into a status, so that none reaches C or Swift.
template <typename Body> int catchingExceptions(Body body) noexcept {
    try {
        body();
        return RF_OK;
    } catch (const cv::Exception &error) {
        setLastError(error.what());
        return RF_ERROR_OPENCV;
    } catch (const FileError &error) {
        setLastError(error.what());
        return RF_ERROR_FILE;
    } catch (const std::exception &error) {
        setLastError(error.what());
        return RF_ERROR_OTHER;
    } catch (...) {
        setLastError("unknown C++ exception");
        return RF_ERROR_OTHER;
    }
}

/// The caller's pixels as a matrix, nothing copied.
inline cv::Mat mat(const rf_image *image) {
    return cv::Mat(image->height, image->width, CV_8UC(image->channels), image->data, static_cast<size_t>(image->stride));
}

/// A one-channel matrix as the kernels' image, nothing copied.
inline rf_image imageOf(const cv::Mat &grey) { return {grey.data, grey.cols, grey.rows, grey.channels(), static_cast<ptrdiff_t>(grey.step)}; }

} // namespace rackfocus
