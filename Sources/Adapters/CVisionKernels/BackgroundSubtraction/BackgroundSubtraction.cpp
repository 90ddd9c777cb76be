#include "../Common/Morphology.hpp"
#include "../Common/Plane.hpp"

#include <algorithm>
#include <limits>
#include <vector>

// Distance of a picture from a background that is known by a normal distribution of each pixel's colour.
//
// Papers: Wren et al., "Pfinder: Real-Time Tracking of the Human Body", PAMI 1997 (running distributions); Horprasert, Harwood and Davis, "A statistical
// approach for real-time robust background subtraction and shadow detection", ICCV 1999 (what is darker alone counts less).
// Names: *valley*, by how much darker than beside it the picture gets against the background; *light*, *red* and *yellow*, the means of L, a and b;
// *spread*, the squared deviation of L; *seen*, pictures that a pixel was seen in.
// Units: steps of CIE Lab in eight bits; distances in squared standard deviations.
// Cost: O(pixels * 9), and four dilations.
// Oracle: what stands before, moves over and has gone from a wall (BackgroundPlateTests).
// Changed: the best of 3 x 3 pixels counts, as no registration is exact; what is thin (black top-hat; Meyer, "Iterative image transformations for an
// automatic screening of cervical smears", 1979) is no shadow, as these are wide.

namespace {

using namespace rackfocus;

/// Pixels to each side of the square that thin things do not fill.
constexpr int reach = 2;

/// By how much darker than what is within `reach` of it each pixel is, in how much lighter the picture is than the background (black top-hat), beyond the
/// range that the background itself has there: leaves that stir are thin and dark, too. 0 where the background is not known.
void findValleys(const rf_image *picture, const float *light, const float *seen, float known, Plane<float> &valleys) {
    const float none = -255;
    const PlaneView<const float> means(light, picture->width, picture->height), counts(seen, picture->width, picture->height);
    Plane<float> gain, bright, dark, highest, lowest, closed;
    for (Plane<float> *plane : {&valleys, &gain, &bright, &dark})
        plane->resize(means.width, means.height);
    for (int y = 0; y < means.height; y++)
        for (int x = 0; x < means.width; x++) {
            const bool isKnown = counts.at(x, y) >= known;
            gain.at(x, y) = isKnown ? static_cast<float>(picture->data[y * picture->stride + 3 * x]) - means.at(x, y) : none;
            bright.at(x, y) = isKnown ? means.at(x, y) : none;
            dark.at(x, y) = isKnown ? -means.at(x, y) : none;
        }
    // Erosion is dilation of the negative.
    dilate(gain.view(), reach, highest);
    for (int y = 0; y < means.height; y++)
        for (int x = 0; x < means.width; x++)
            highest.at(x, y) = -highest.at(x, y);
    dilate(highest.view(), reach, closed);
    dilate(bright.view(), reach, highest);
    dilate(dark.view(), reach, lowest);
    for (int y = 0; y < means.height; y++)
        for (int x = 0; x < means.width; x++) {
            const float range = highest.at(x, y) + lowest.at(x, y), depth = -closed.at(x, y) - gain.at(x, y);
            valleys.at(x, y) = counts.at(x, y) >= known ? std::max(depth - range, 0.0f) : 0;
        }
}

/// A row of the background, from the column that is compared with a picture's first one on.
struct Row {
    const float *light, *red, *yellow, *spread, *seen;
};

/// Lowers the distances of a row's colours to those from the pixels of a row of the background.
TARGET_CLONES void approach(
    const float *__restrict light, const float *__restrict red, const float *__restrict yellow, const float *__restrict valley, const Row row,
    const rf_background_limits limits, int begin, int end, float *__restrict least) {
    const float brightness = limits.lightness * limits.lightness, colour = limits.colour * limits.colour;
    for (int x = begin; x < end; x++) {
        const float plain = light[x] - row.light[x], thin = std::min(valley[x], -plain);
        const float shadow = (plain + thin) * limits.shadow - thin;
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
    Plane<float> valleys;
    findValleys(picture, light, seen, limits->known, valleys);
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
                    own[0], own[1], own[2], valleys.row(y), {light + at, red + at, yellow + at, spread + at, seen + at}, *limits,
                    std::max(-offset, 0), std::min(width - offset, width), out + static_cast<std::ptrdiff_t>(y) * width);
            }
    }
}
