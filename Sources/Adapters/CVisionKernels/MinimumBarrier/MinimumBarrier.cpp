#include "../include/CVisionKernels.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

// Minimum barrier distance from seed masks.
//
// Paper: Zhang, Sclaroff, Lin, Shen, Price and Měch, "Minimum barrier salient object detection at 80 FPS", ICCV 2015, eq. 3 and algorithm 1 (FastMBD:
// raster and inverse raster scans); the distance by Strand, Ciesielski, Malmberg and Saha, CVIU 2013.
// Names: U and L of the paper are `highest` and `lowest` on the path so far, D is `distance`.
// Units: levels 0...255 of each of three channels, which are added up. Four scans, from alternate corners.
// Cost: O(pixels), for up to five masks at once.
// Oracle: the paper's algorithm, a channel and a pixel at a time; no library has it.
// Changed: up to five masks and three channels lie side by side in one register; four scans instead of three.

namespace {

/// Three channels for each of up to five masks.
const int lanes = 16;
typedef uint8_t Lanes __attribute__((vector_size(lanes)));

/// A pixel: its levels, its distance, and the extrema of the path it came by; before there is a path: 255, of 0 and 255.
struct Pixel {
    Lanes own, distance, lowest, highest;

    /// Takes the path over a neighbour where its barrier is lower (algorithm 1, lines 6 to 12).
    void relax(const Pixel &neighbour) {
        const Lanes most = neighbour.highest > own ? neighbour.highest : own, least = neighbour.lowest < own ? neighbour.lowest : own;
        const Lanes barrier = most - least;
        const auto isLower = barrier < distance;
        distance = isLower ? barrier : distance;
        lowest = isLower ? least : lowest;
        highest = isLower ? most : highest;
    }
};

/// A raster scan from the top left, or an inverse one from the bottom right.
void scan(std::vector<Pixel> &pixels, int width, bool isInverse) {
    const int count = int(pixels.size()), step = isInverse ? -1 : 1;
    for (int i = 0; i < count; i++) {
        Pixel &pixel = pixels[size_t(isInverse ? count - 1 - i : i)];
        if (i >= width)
            pixel.relax(*(&pixel - step * width));
        if (i % width > 0)
            pixel.relax(*(&pixel - step));
    }
}

} // namespace

extern "C" void rf_minimum_barrier(const rf_image *picture, const rf_image *seeds, int count, float *out) {
    const size_t size = size_t(picture->width) * size_t(picture->height);
    std::vector<Pixel> pixels(size);
    for (int y = 0, at = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++, at++) {
            uint8_t own[lanes] = {}, isSeed[lanes] = {};
            for (int lane = 0; lane < 3 * count; lane++) {
                own[lane] = picture->data[y * picture->stride + 3 * x + lane % 3];
                isSeed[lane] = seeds[lane / 3].data[y * seeds[lane / 3].stride + x] ? 255 : 0;
            }
            Lanes level, seed;
            std::memcpy(&level, own, lanes);
            std::memcpy(&seed, isSeed, lanes);
            pixels[size_t(at)] = {level, ~seed, level & seed, level | ~seed};
        }
    for (int pass = 0; pass < 4; pass++)
        scan(pixels, picture->width, pass % 2 != 0);
    for (int set = 0; set < count; set++)
        for (size_t i = 0; i < size; i++)
            out[size_t(set) * size + i] = float(pixels[i].distance[3 * set] + pixels[i].distance[3 * set + 1] + pixels[i].distance[3 * set + 2]);
}
