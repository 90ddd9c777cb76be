#pragma once

#include "fast.hpp"

#include <opencv2/core.hpp>

#include <cstdint>
#include <vector>

namespace rackfocus {

/// Histograms of a grey picture's gradients, as dlib's detectors read them (Felzenszwalb et al., PAMI 2010): 31 planes of cells of 8 x 8 pixels.
class Gradients {
public:
    static const int planes = 31, cell = 8;
    /// Cells along a side of the filters. A window may hang over the picture: what is there is nothing.
    static const int taps = 10;

    void measure(const cv::Mat &picture);

    /// Places of a filter.
    int rows = 0, columns = 0;
    /// Floats from a row of cells to the next. Rows can be read in sixteens.
    int stride = 0;
    const float *plane(int index) const { return features.data() + index * (rows + taps - 1) * stride; }

    /// A filter that is a row of weights times a column of them.
    struct Filter {
        int plane;
        float row[taps], column[taps];
    };

    /// Adds what a filter says of every place to `scores`, rows x stride.
    void apply(const Filter &filter, float *scores);

private:
    void collect(const cv::Mat &picture, int cellRows, int cellColumns);

    LineVector<float> features, histograms, bins, energies, caps, scales, strengths, scratch;
    std::vector<uint8_t> directions;
};

/// A picture five sixths as large.
void shrink(const cv::Mat &picture, cv::Mat &smaller);

} // namespace rackfocus
