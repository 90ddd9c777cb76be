#pragma once

#include "../Common/Plane.hpp"

#include <memory>

namespace rackfocus {

/// Edge-preserving smoothing of two maps along the edges of one guide picture.
///
/// Paper: Min, Choi, Lu, Ham, Sohn and Do, "Fast global image smoothing based on weighted least squares", TIP 2014: eq. 6 (the linear system of a
/// line), eq. 8 and 9 (its tridiagonal solution), algorithm 1 (alternating rows and columns).
/// Names: `lambda` and `sigma` are the paper's; `edge` is the affinity w of two neighbours, exp(-|difference| / sigma).
/// Units: levels of luma for `sigma`; the maps' own for the maps.
/// Cost: O(pixels) for each of the three iterations, whatever `lambda`.
/// Oracle: cv::ximgproc::fastGlobalSmootherFilter.
/// Changed: two maps share one factorisation; 16 rows are solved at once, transposed in registers; lambda falls by 4 with each iteration.
class FastGlobalSmoother {
public:
    FastGlobalSmoother();
    ~FastGlobalSmoother();

    /// Smooths `first` and `second` in place; all three have the same size, and the maps no gaps between rows.
    void smooth(PlaneView<const uint8_t> guide, float lambda, float sigma, PlaneView<float> first, PlaneView<float> second);

private:
    struct Memory;
    std::unique_ptr<Memory> memory;
};

} // namespace rackfocus
