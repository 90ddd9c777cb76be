#include "SurfaceMemory.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace rackfocus {

namespace {

/// Least change of luma that shows another thing, levels: above noise and a passing shadow's edge.
const int contrast = 12;
/// Share of the holes around one that look otherwise where it hides its surface: by chance others have the same luma.
const double otherShare = 0.4;
/// Frames after which a surface that was measured replaces the one before it: somebody who walks past does not.
const int settling = 12;
/// Least shares of the map of what is before everything: known by memory, and by its shape alone.
const double hiddenShare = 1.0 / 200, unknownShare = 1.0 / 30;
/// Least share of the map of what belongs to the nearer thing beside it, and of its outline that this thing has; of a pair false
/// matches have a third.
const double attachedShare = 1.0 / 4000, attachedOutline = 0.2, attachedOutlineOfPairs = 0.5;
/// Share of the pixels around one that are measured where it is of a surface, and no match by chance.
const double surfaceShare = 0.3;
/// Radius over which holes are compared and margins are thin, as a share of the width.
const double radiusShare = 1.0 / 50;
/// Radius of the core of a hole that is told by its shape: margins of a map that was registered to its picture are thinner.
const double coreShare = 1.0 / 20;
/// Share of an outline beside the farthest of the map: a window, not somebody near.
const double farOutline = 0.8;
/// Disparity of what is too near, as a multiple of the greatest that was measured.
const float beyond = 1.5f;

struct SurfaceRow {
    float *value;
    uint8_t *look, *isKnown, *nextCount;
};

/// Takes in measured values of the surface known so far, and of pixels that have none; the number of others.
TARGET_CLONES int confirmRow(
    const float *__restrict trust, const float *__restrict disparity, const uint8_t *__restrict luma, const SurfaceRow row, float *__restrict nearest,
    int width, float step) {
    float *__restrict const value = row.value;
    uint8_t *__restrict const look = row.look, *__restrict const isKnown = row.isKnown, *__restrict const nextCount = row.nextCount;
    int others = 0;
    for (int x = 0; x < width; x++) {
        const float given = disparity[x], change = given - value[x];
        const bool isMeasured = trust[x] > 0, agrees = (isKnown[x] == 0) | ((change < step) & (change > -step)), isTaken = isMeasured & agrees;
        value[x] = isTaken ? given : value[x];
        look[x] = isTaken ? luma[x] : look[x];
        isKnown[x] = isTaken ? 1 : isKnown[x];
        nextCount[x] = isTaken ? 0 : nextCount[x];
        const float best = nearest[x];
        nearest[x] = (isMeasured & (given > best)) ? given : best;
        others += isMeasured & !agrees;
    }
    return others;
}

/// Calls a function for each of the four neighbours inside a map.
template <typename Function> void forNeighbours(int x, int y, int width, int height, Function function) {
    if (x > 0)
        function(x - 1, y);
    if (x + 1 < width)
        function(x + 1, y);
    if (y > 0)
        function(x, y - 1);
    if (y + 1 < height)
        function(x, y + 1);
}

} // namespace

void SurfaceMemory::begin(PlaneView<const float> disparity) {
    if (before.hasSize(disparity))
        return;
    for (Surface *each : {&surface, &next}) {
        each->value.resize(disparity.width, disparity.height);
        each->look.resize(disparity.width, disparity.height);
        each->count.resize(disparity.width, disparity.height);
    }
    forget();
    nearestOfColumn.clear();
    for (Plane<uint8_t> *each : {&asked, &known, &told, &same, &before, &core}) {
        each->resize(disparity.width, disparity.height);
        each->fill(0);
    }
}

/// Forgets the surfaces.
void SurfaceMemory::forget() {
    surface.count.fill(0);
    next.count.fill(0);
}

/// Takes in what is measured.
void SurfaceMemory::learn(PlaneView<const uint8_t> luma, PlaneView<const float> disparity, PlaneView<const float> trust, float step) {
    nearestOfColumn.resize(static_cast<size_t>(trust.width), 0);
    for (int y = 0; y < trust.height; y++) {
        const SurfaceRow rows = {surface.value.row(y), surface.look.row(y), surface.count.row(y), next.count.row(y)};
        if (confirmRow(trust.row(y), disparity.row(y), luma.row(y), rows, nearestOfColumn.data(), trust.width, step) == 0)
            continue;
        for (int x = 0; x < trust.width; x++)
            if (trust.at(x, y) > 0 && std::abs(disparity.at(x, y) - surface.value.at(x, y)) >= step)
                learnOther(x, y, disparity.at(x, y), luma.at(x, y), step);
    }
    nearest = *std::max_element(nearestOfColumn.begin(), nearestOfColumn.end());
}

/// Takes in a value that is not of the surface known so far.
void SurfaceMemory::learnOther(int x, int y, float value, uint8_t look, float step) {
    const bool isSame = next.count.at(x, y) > 0 && std::abs(value - next.value.at(x, y)) < step;
    next.value.at(x, y) = value;
    next.look.at(x, y) = look;
    next.count.at(x, y) = static_cast<uint8_t>(isSame ? next.count.at(x, y) + 1 : 1);
    if (next.count.at(x, y) < settling)
        return;
    surface.value.at(x, y) = value;
    surface.look.at(x, y) = look;
    surface.count.at(x, y) = 1;
    next.count.at(x, y) = 0;
}

/// Gathers the pixels that are asked for and connected with `start`, a place in the map, and clears them.
void SurfaceMemory::collect(int start) {
    const int width = asked.width, height = asked.height;
    component.assign(1, start);
    asked.row(0)[start] = 0;
    for (size_t i = 0; i < component.size(); i++)
        forNeighbours(component[i] % width, component[i] / width, width, height, [&](int x, int y) {
            if (asked.at(x, y) == 0)
                return;
            asked.at(x, y) = 0;
            component.push_back(y * width + x);
        });
}

/// Tells holes that have a surface.
void SurfaceMemory::tellHidden(PlaneView<const uint8_t> luma, PlaneView<float> disparity, PlaneView<float> trust, float step, bool isMatched) {
    const int width = trust.width, height = trust.height, radius = std::max(static_cast<int>(radiusShare * width), 1);
    int others = 0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            known.at(x, y) = (trust.at(x, y) == 0) & (surface.count.at(x, y) > 0);
            asked.at(x, y) = known.at(x, y) & (std::abs(luma.at(x, y) - surface.look.at(x, y)) > contrast);
            others += asked.at(x, y);
        }
    }
    same.fill(0);
    const bool mayHide = others > attachedShare * otherShare * width * height;
    if (mayHide) {
        knownSums.build(known.view());
        sums.build(asked.view());
    }
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            if (known.at(x, y) == 0)
                continue;
            const bool hides = mayHide && sums.around(x, y, radius) > otherShare * knownSums.around(x, y, radius);
            asked.at(x, y) = hides;
            same.at(x, y) = !hides;
            if (hides)
                continue;
            disparity.at(x, y) = surface.value.at(x, y);
            trust.at(x, y) = 1;
        }
    }
    if (!mayHide)
        return;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            core.at(x, y) = trust.at(x, y) > 0;
    sums.build(core.view());
    const double whole = (2 * radius + 1) * (2 * radius + 1);
    told.fill(0);
    bool isAnyNear = false;
    for (int place = 0; place < width * height; place++) {
        if (asked.row(0)[place] == 0)
            continue;
        collect(place);
        const double size = static_cast<double>(component.size()) / (width * height);
        beside.clear();
        int outline = 0;
        for (const int each : component)
            forNeighbours(each % width, each / width, width, height, [&](int x, int y) {
                if (trust.at(x, y) == 0)
                    return;
                if (sums.around(x, y, radius) < surfaceShare * whole)
                    return;
                outline++;
                if (disparity.at(x, y) > surface.value.row(0)[each] + step)
                    beside.push_back(disparity.at(x, y));
            });
        const bool isAttached = static_cast<double>(beside.size()) > (isMatched ? attachedOutlineOfPairs : attachedOutline) * outline;
        if (size < (isAttached ? attachedShare : hiddenShare))
            continue;
        float value = beyond * nearest;
        isAnyNear = isAnyNear || !isAttached;
        if (isAttached) {
            const auto middle = beside.begin() + static_cast<std::ptrdiff_t>(beside.size() / 2);
            std::nth_element(beside.begin(), middle, beside.end());
            value = *middle;
        }
        for (const int each : component) {
            disparity.at(each % width, each / width) = value;
            told.row(0)[each] = 1;
        }
    }
    if (isAnyNear)
        tellEnclosed(disparity, trust, radius);
    // Not before all are told: one component is no neighbour that was measured of the next.
    trustTold(trust);
}

/// Tells what looks as its surface or was measured by chance, within what is before everything.
void SurfaceMemory::tellEnclosed(PlaneView<float> disparity, PlaneView<const float> trust, int radius) {
    std::swap(asked, same);
    const int width = asked.width, height = asked.height;
    for (int place = 0; place < width * height; place++) {
        if (asked.row(0)[place] == 0)
            continue;
        collect(place);
        size_t outline = 0, near = 0;
        for (const int each : component) {
            forNeighbours(each % width, each / width, width, height, [&](int x, int y) {
                const bool isOutside = known.at(x, y) == 0 || told.at(x, y) != 0;
                outline += isOutside;
                near += isOutside && told.at(x, y) != 0 && disparity.at(x, y) == beyond * nearest;
            });
        }
        if (2 * near <= outline)
            continue;
        for (const int each : component) {
            disparity.at(each % width, each / width) = beyond * nearest;
            told.row(0)[each] = 1;
        }
    }
    sums.build(told.view());
    const double most = 0.5 * (2 * radius + 1) * (2 * radius + 1);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (trust.at(x, y) > 0 && sums.around(x, y, radius) > most)
                disparity.at(x, y) = beyond * nearest;
}

void SurfaceMemory::trustTold(PlaneView<float> trust) {
    for (int y = 0; y < trust.height; y++)
        for (int x = 0; x < trust.width; x++)
            trust.at(x, y) = told.at(x, y) != 0 ? 1 : trust.at(x, y);
}

/// Whether the component, what is left of a hole without its margin of `radius` pixels, comes in from the left, the right or below.
bool SurfaceMemory::comesIn(int radius) {
    int left = 0, right = 0, bottom = 0;
    for (const int each : component) {
        const int x = each % asked.width, y = each / asked.width;
        left += x == radius;
        right += x == asked.width - 1 - radius;
        bottom += y == asked.height - 1 - radius;
    }
    return 10 * std::max(left, right) >= asked.height || 10 * bottom >= asked.width;
}

/// Tells holes of which nothing is known, by their shape.
void SurfaceMemory::tellUnknown(PlaneView<float> disparity, PlaneView<float> trust, float step) {
    const int width = trust.width, height = trust.height, radius = std::max(static_cast<int>(coreShare * width), 1);
    const int whole = (2 * radius + 1) * (2 * radius + 1);
    float farthest = nearest;
    int unknown = 0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            known.at(x, y) = (trust.at(x, y) == 0) & (surface.count.at(x, y) == 0);
            unknown += known.at(x, y);
            farthest = trust.at(x, y) > 0 ? std::min(farthest, disparity.at(x, y)) : farthest;
        }
    }
    if (unknown < hiddenShare * width * height)
        return;
    knownSums.build(known.view());
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            asked.at(x, y) = known.at(x, y) != 0 && knownSums.around(x, y, radius) == whole;
    told.fill(0);
    for (int place = 0; place < width * height; place++) {
        if (asked.row(0)[place] == 0)
            continue;
        collect(place);
        const double size = static_cast<double>(component.size()) / (width * height);
        const auto stayed = std::count_if(component.begin(), component.end(), [&](int each) { return before.row(0)[each] != 0; });
        const bool isGoneOnWith = 2 * static_cast<size_t>(stayed) > component.size();
        if (size < (isGoneOnWith ? hiddenShare : unknownShare) || (!isGoneOnWith && !comesIn(radius)))
            continue;
        core.fill(0);
        for (const int each : component)
            core.row(0)[each] = 1;
        sums.build(core.view());
        const auto isInside = [&](int x, int y) { return known.at(x, y) != 0 && sums.around(x, y, radius) > 0; };
        int outline = 0, far = 0;
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                if (!isInside(x, y))
                    continue;
                forNeighbours(x, y, width, height, [&](int atX, int atY) {
                    outline += trust.at(atX, atY) > 0;
                    far += (trust.at(atX, atY) > 0) & (disparity.at(atX, atY) < farthest + step);
                });
            }
        }
        if (outline == 0 || far > farOutline * outline)
            continue;
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                if (!isInside(x, y))
                    continue;
                disparity.at(x, y) = beyond * nearest;
                told.at(x, y) = 1;
            }
        }
    }
    trustTold(trust);
    std::swap(before, told);
}

void SurfaceMemory::apply(PlaneView<const uint8_t> luma, PlaneView<float> disparity, PlaneView<float> trust, float step, bool isMatched) {
    begin(disparity);
    const StandingCamera::Answer answer = camera.next(luma);
    if (answer == StandingCamera::Answer::hasMoved)
        forget();
    if (answer != StandingCamera::Answer::moves)
        learn(luma, disparity, trust, step);
    if (answer == StandingCamera::Answer::stands)
        tellHidden(luma, disparity, trust, step, isMatched);
    if (!isMatched)
        tellUnknown(disparity, trust, step);
}

} // namespace rackfocus
