#pragma once

#include "door.hpp"

#include <opencv2/dnn.hpp>

#include <fstream>

namespace rackfocus {

inline bool exists(const char *path) { return std::ifstream(path).good(); }

/// Reads a network; whatever OpenCV says of the file, the caller hears that it is no model.
template <typename Read> auto reading(const char *path, Read read) {
    if (!exists(path))
        throw FileError("there is no such file");
    try {
        return read();
    } catch (const cv::Exception &error) {
        throw FileError("this is no model that OpenCV " CV_VERSION " reads (" + error.err + ")");
    }
}

} // namespace rackfocus
