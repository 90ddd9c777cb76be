#pragma once

#include <algorithm>
#include <vector>

namespace rackfocus {

/// What two boxes have in common, as a part of what they cover together.
template <typename Box> double overlap(const Box &a, const Box &b) {
    const double width = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
    const double height = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
    if (width <= 0 || height <= 0)
        return 0;
    return width * height / (a.width * a.height + b.width * b.height - width * height);
}

/// Of those that are one thing found twice, the first.
template <typename Found, typename IsDouble> std::vector<Found> distinct(const std::vector<Found> &found, const IsDouble &isDouble) {
    std::vector<Found> kept;
    for (const Found &one : found)
        if (std::none_of(kept.begin(), kept.end(), [&](const Found &other) { return isDouble(other, one); }))
            kept.push_back(one);
    return kept;
}

} // namespace rackfocus
