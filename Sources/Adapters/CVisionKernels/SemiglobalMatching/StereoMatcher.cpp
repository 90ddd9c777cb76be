#include "../TemporalAverage/TemporalAverage.hpp"
#include "SemiglobalMatcher.hpp"
#include "SpeckleFilter.hpp"

using namespace rackfocus;

/// Semi-global matching of a pair of streams: both pictures averaged over time, matched, and cleared of speckles.
struct rf_stereo {
    explicit rf_stereo(int range) : matcher(range) {}

    SemiglobalMatcher matcher;
    TemporalAverage left, right;
    SpeckleFilter speckles;
};

extern "C" rf_stereo *rf_stereo_create(int range) { return new rf_stereo(range); }

extern "C" void rf_stereo_destroy(rf_stereo *stereo) { delete stereo; }

extern "C" void rf_stereo_match(rf_stereo *stereo, const rf_image *left, const rf_image *right, double keep, float *disparity, float *trust) {
    const PlaneView<const uint8_t> first = stereo->left.average(lumaOf(left), keep), second = stereo->right.average(lumaOf(right), keep);
    stereo->matcher.match(first.data, second.data, first.width, first.height, disparity, trust);
    stereo->speckles.apply(PlaneView<const float>(disparity, first.width, first.height), PlaneView<float>(trust, first.width, first.height));
}
