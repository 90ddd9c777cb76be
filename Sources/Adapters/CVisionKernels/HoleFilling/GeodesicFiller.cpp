#include "GeodesicFiller.hpp"
#include "../Common/Morphology.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace rackfocus {

namespace {

const float none = std::numeric_limits<float>::infinity();
/// Way of the nearer surface ahead of that behind it, and how far around surfaces are compared; shares of the map's width.
const float handicapShare = 1.f / 20, reachShare = 1.f / 50;
const float diagonal = 1.41421356f;

} // namespace

void GeodesicFiller::scan(PlaneView<float> disparity, PlaneView<const float> trust, PlaneView<const uint8_t> luma, bool isDownwards) {
    const int width = disparity.width, height = disparity.height, step = isDownwards ? 1 : -1;
    for (int j = 0; j < height; j++) {
        const int y = isDownwards ? j : height - 1 - j, above = y - step;
        for (int i = 0; i < width; i++) {
            const int x = isDownwards ? i : width - 1 - i;
            if (trust.at(x, y) > 0)
                continue;
            const int own = luma.at(x, y);
            float best = way.at(x, y), value = disparity.at(x, y);
            const auto reach = [&](int otherX, int otherY, float length) {
                const float through = way.at(otherX, otherY) + length * static_cast<float>(1 + std::abs(own - luma.at(otherX, otherY)));
                if (through >= best)
                    return;
                best = through;
                value = disparity.at(otherX, otherY);
            };
            const int before = x - step, after = x + step;
            if (before >= 0 && before < width)
                reach(before, y, 1);
            if (above >= 0 && above < height) {
                reach(x, above, 1);
                if (before >= 0 && before < width)
                    reach(before, above, diagonal);
                if (after >= 0 && after < width)
                    reach(after, above, diagonal);
            }
            way.at(x, y) = best;
            disparity.at(x, y) = value;
        }
    }
}

void GeodesicFiller::fill(PlaneView<float> disparity, PlaneView<const float> trust, PlaneView<const uint8_t> luma, float step) {
    const int width = disparity.width, height = disparity.height;
    way.resize(width, height);
    measured.resize(width, height);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const bool isMeasured = trust.at(x, y) > 0;
            measured.at(x, y) = isMeasured ? disparity.at(x, y) : none;
            disparity.at(x, y) = isMeasured ? disparity.at(x, y) : 0;
        }
    }
    const auto share = [&](float of) { return std::max(of * static_cast<float>(width), 1.f); };
    erodeAndDilate(measured.view(), static_cast<int>(share(reachShare)), low, high);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            way.at(x, y) = trust.at(x, y) == 0 ? none : disparity.at(x, y) - low.at(x, y) > step ? share(handicapShare) : 0;
    for (int round = 0; round < 2; round++) {
        scan(disparity, trust, luma, true);
        scan(disparity, trust, luma, false);
    }
}

} // namespace rackfocus
