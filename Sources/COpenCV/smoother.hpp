#pragma once

#include <opencv2/core.hpp>

#include <memory>

namespace rackfocus {

/// Spreads two maps (32-bit floats) along the edges of a picture at once: fast global smoothing (Min et al., TIP 2014) in three rounds.
class EdgeSmoother {
public:
    EdgeSmoother();
    ~EdgeSmoother();

    /// `lambda` says how far they are spread, `sigma` which step of luma counts as an edge.
    void smooth(const cv::Mat &luma, float lambda, float sigma, cv::Mat &first, cv::Mat &second);

private:
    struct Memory;
    std::unique_ptr<Memory> memory;
};

} // namespace rackfocus
