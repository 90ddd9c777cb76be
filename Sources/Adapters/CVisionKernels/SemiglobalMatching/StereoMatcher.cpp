#include "../TemporalAverage/TemporalAverage.hpp"
#include "SemiglobalMatcher.hpp"
#include "SpeckleFilter.hpp"

using namespace rackfocus;

/// Semi-global matching of a pair of streams: both pictures averaged over time, matched, and cleared of speckles.
struct rf_stereo {
    SemiglobalMatcher matcher;
    TemporalAverage left, right;
    SpeckleFilter speckles;
};

extern "C" rf_stereo *rf_stereo_create(void) { return new rf_stereo(); }

extern "C" void rf_stereo_destroy(rf_stereo *stereo) { delete stereo; }

extern "C" void rf_stereo_match(
    rf_stereo *stereo, const rf_image *left, const rf_image *right, int first, int count, double keep, float *disparity, float *trust) {
    const PlaneView<const uint8_t> leftLuma = stereo->left.average(lumaOf(left), keep), rightLuma = stereo->right.average(lumaOf(right), keep);
    stereo->matcher.match(leftLuma, rightLuma, {first, count}, disparity, trust);
    stereo->speckles.apply(
        PlaneView<const float>(disparity, leftLuma.width, leftLuma.height), PlaneView<float>(trust, leftLuma.width, leftLuma.height));
}
