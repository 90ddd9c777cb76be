#pragma once

#include "ExceptionBoundary.hpp"

#include <opencv2/dnn.hpp>

#include <fstream>

namespace rackfocus {

inline bool exists(const char *path) { return std::ifstream(path).good(); }

/// Result of `read`, which reads the network at `path`; any OpenCV error in it becomes a FileError that says the file is no model.
template <typename Read> auto readingNetwork(const char *path, Read read) {
    if (!exists(path))
        throw FileError("there is no such file");
    try {
        return read();
    } catch (const cv::Exception &error) {
        throw FileError("this is no model that OpenCV " CV_VERSION " reads (" + error.err + ")");
    }
}

} // namespace rackfocus
