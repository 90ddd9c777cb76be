#include "../Common/Plane.hpp"

#include <algorithm>
#include <limits>
#include <vector>

// Distance of a picture from a background that is known by a normal distribution of each pixel's colour.
//
// Papers: Wren et al., "Pfinder: Real-Time Tracking of the Human Body", PAMI 1997 (running distributions); Horprasert, Harwood and Davis, "A statistical
// approach for real-time robust background subtraction and shadow detection", ICCV 1999 (what is darker alone counts less).
// Names: *light*, *red* and *yellow*, the means of L, a and b; *spread*, the squared deviation of L; *seen*, pictures that a pixel was seen in.
// Units: steps of CIE Lab in eight bits; distances in squared standard deviations.
// Cost: O(pixels * 9).
// Oracle: what stands before, moves over and has gone from a wall (BackgroundPlateTests).
// Changed: the best of 3 x 3 pixels counts, as no registration is exact.

namespace {

/// A row of the background, from the column that is compared with a picture's first one on.
struct Row {
    const float *light, *red, *yellow, *spread, *seen;
};

/// Lowers the distances of a row's colours to those from the pixels of a row of the background.
TARGET_CLONES void approach(
    const float *__restrict light, const float *__restrict red, const float *__restrict yellow, const Row row, const rf_background_limits limits,
    int begin, int end, float *__restrict least) {
    const float brightness = limits.lightness * limits.lightness, colour = limits.colour * limits.colour;
    for (int x = begin; x < end; x++) {
        const float plain = light[x] - row.light[x], shadow = plain * limits.shadow;
        const bool isShadow = (plain < 0) & (plain > -limits.darkest * row.light[x]);
        const float step = isShadow ? shadow : plain, a = red[x] - row.red[x], b = yellow[x] - row.yellow[x];
        const float distance = step * step / (brightness + row.spread[x]) + (a * a + b * b) / (colour + 0.3f * row.spread[x]);
        const bool isLess = (row.seen[x] >= limits.known) & (distance < least[x]);
        least[x] = isLess ? distance : least[x];
    }
}

} // namespace

extern "C" void rf_background_distances(
    const rf_image *picture, const float *light, const float *red, const float *yellow, const float *spread, const float *seen,
    const rf_background_limits *limits, float *out) {
    const int width = picture->width, height = picture->height;
    std::vector<float> colours(3 * static_cast<size_t>(width));
    float *own[3] = {colours.data(), colours.data() + width, colours.data() + 2 * width};
    std::fill_n(out, static_cast<size_t>(width) * static_cast<size_t>(height), std::numeric_limits<float>::infinity());
    for (int y = 0; y < height; y++) {
        const uint8_t *pixels = picture->data + y * picture->stride;
        for (int x = 0; x < width; x++)
            for (int i = 0; i < 3; i++)
                own[i][x] = pixels[3 * x + i];
        for (int row = std::max(y - 1, 0); row <= std::min(y + 1, height - 1); row++)
            for (int offset = -1; offset <= 1; offset++) {
                const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(row) * width + offset;
                approach(
                    own[0], own[1], own[2], {light + at, red + at, yellow + at, spread + at, seen + at}, *limits, std::max(-offset, 0),
                    std::min(width - offset, width), out + static_cast<std::ptrdiff_t>(y) * width);
            }
    }
}
