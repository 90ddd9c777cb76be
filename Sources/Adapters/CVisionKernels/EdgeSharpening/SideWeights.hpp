#pragma once

#include <cmath>

namespace rackfocus {

/// Likeness of two values of luma that differ by `difference`, 0...1, and `prior` more: a pixel unlike another counts so much of a like one.
[[gnu::always_inline]] inline float likeness(float difference, float prior) {
    const float part = 1 - difference * difference * (1.f / (36 * 36)), positive = part > 0 ? part : 0;
    return positive * positive + prior;
}

/// Certainty that a value is one of the two sides of a step of `height` around `middle`: between them it is a blurred edge and says little.
[[gnu::always_inline]] inline float certainty(float value, float middle, float height) {
    const float distance = 2 * std::fabs(value - middle) / height, part = distance < 1 ? distance : 1;
    return part * part + 1e-3f;
}

/// Weight of a value by its distance in pixels of a window of `radius`.
inline float closeness(float distance, int radius) {
    // In eighths of a pixel.
    const float steps = std::floor(std::fabs(distance) * 8 + 0.5f);
    return std::exp(-steps * steps / (32 * static_cast<float>(radius * radius)));
}

} // namespace rackfocus
