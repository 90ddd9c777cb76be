#include "NearOccluder.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace rackfocus {

namespace {

/// Least share of the map that is taken for something too near: half a metre away a hand has twice as much, a head ten times.
const double smallestShare = 1.0 / 20;
/// Least change of luma that shows another thing, levels: above noise and a passing shadow's edge.
const int contrast = 12;
/// Share of a hole's pixels that look otherwise than what was measured there: by chance others have the same luma.
const double otherShare = 0.4;
/// Disparity of what is too near, as a multiple of the greatest that was measured.
const float beyond = 1.5f;

} // namespace

/// Gathers the pixels that are not measured any more and connected with `start`, a place in the map, and clears them.
void NearOccluder::collect(int start) {
    const int width = lost.width, height = lost.height;
    component.assign(1, start);
    lost.row(0)[start] = 0;
    for (size_t next = 0; next < component.size(); next++) {
        const int x = component[next] % width, y = component[next] / width;
        const int around[4][2] = {{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}};
        for (const auto &place : around) {
            if (place[0] < 0 || place[0] >= width || place[1] < 0 || place[1] >= height || lost.at(place[0], place[1]) == 0)
                continue;
            lost.at(place[0], place[1]) = 0;
            component.push_back(place[1] * width + place[0]);
        }
    }
}

void NearOccluder::apply(PlaneView<const uint8_t> luma, PlaneView<float> disparity, PlaneView<float> trust) {
    const int width = disparity.width, height = disparity.height;
    if (!seen.hasSize(disparity)) {
        seen.resize(width, height);
        seen.fill(0);
        lumaSeen.copy(luma);
        nearest = 0;
    }
    lost.resize(width, height);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const bool isMeasured = trust.at(x, y) > 0;
            lost.at(x, y) = !isMeasured && seen.at(x, y) > 0;
            if (!isMeasured)
                continue;
            seen.at(x, y) = disparity.at(x, y);
            lumaSeen.at(x, y) = luma.at(x, y);
            nearest = std::max(nearest, disparity.at(x, y));
        }
    }
    for (int place = 0; place < width * height; place++) {
        if (lost.row(0)[place] == 0)
            continue;
        collect(place);
        const auto size = static_cast<double>(component.size());
        const auto isOther = [&](int each) {
            const int x = each % width, y = each / width;
            return std::abs(luma.at(x, y) - lumaSeen.at(x, y)) > contrast;
        };
        if (size < smallestShare * width * height || std::count_if(component.begin(), component.end(), isOther) < otherShare * size)
            continue;
        for (const int each : component) {
            disparity.at(each % width, each / width) = beyond * nearest;
            trust.at(each % width, each / width) = 1;
        }
    }
}

} // namespace rackfocus
