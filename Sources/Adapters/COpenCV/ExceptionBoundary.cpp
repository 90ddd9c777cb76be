#include "ExceptionBoundary.hpp"

namespace {

thread_local std::string lastError;

// One thread per call: callers run side by side, and what OpenCV's own threads add up in any order is not the same bits twice.
const bool singleThreaded = [] {
    cv::setNumThreads(1);
    return true;
}();

} // namespace

namespace rackfocus {

void setLastError(const char *message) noexcept {
    try {
        lastError = message;
    } catch (...) {
    }
}

} // namespace rackfocus

extern "C" const char *rf_opencv_version(void) { return CV_VERSION; }

extern "C" const char *rf_error_message(void) { return lastError.c_str(); }
