#include "../Common/Plane.hpp"

#include <cmath>
#include <vector>

// Localized classifiers of the colours on both sides of an outline: what looks like the subject's side and not like the other one belongs to the subject,
// also where the outline misses it; where both sides look alike the outline stands.
//
// Paper: Bai, Wang, Simons and Sapiro, "Video SnapCut: Robust Video Object Cutout Using Localized Classifiers", SIGGRAPH 2009: local colour models,
// their confidence (eq. 2), and the shape prior whose width grows with it (eq. 5).
// Names: *membership* of a colour in the centres of a palette, 32 shares; *cell*, a square of pixels for which memberships of either side are added up;
// *shape*, how much the outline counts.
// Units: steps of CIE Lab in eight bits; distances in pixels of the small picture.
// Cost: O(pixels * 32); of the large picture, those near the outline.
// Oracle: drawn things whose outline is known (LocalizedClassifiersTests).
// Changed: windows are a Gaussian on a grid of cells in place of squares along the outline; colour models are shares of a palette's centres, of which
// each colour belongs to several, in place of mixtures of normal distributions.

namespace {

using namespace rackfocus;

constexpr int centres = 32, laneCount = 16;
/// Pixels of the small picture along a cell, and standard deviation of a window, in cells.
constexpr int cellSize = 4;
constexpr float window = 3.5f;
/// Weights of squared steps of lightness and of colour, and squared steps by which memberships fall to 1/e.
constexpr float lightness = 0.49f, colour = 4, softness = 128;
/// Pixels within the outline from which on a sample is one of its side, and those in which it becomes one; the same beyond.
constexpr float inner = 0.5f, innerRise = 1.5f, outer = 1, outerRise = 3;
/// Share of a colour that neither side has.
constexpr float unseen = 0.004f;
/// Standard deviation of the distances at which colours are tried out, and the least of them.
constexpr float trial = 4, nearest = 0.75f;
/// Confidence from which on colours count, and distances up to which they do without and with it.
constexpr float unsure = 0.5f, narrow = 0.75f, wide = 12.5f;
/// Farthest that colours count beyond and within the outline, and farthest from it that they are sampled.
constexpr float reach = 9, depth = 6, farthest = 30;
/// Share of the picture that a part which colours take or give has at least: reflections are holes of none.
constexpr float island = 0.002f;

/// Share of each centre in a colour: 1 in all.
__attribute__((always_inline)) inline void findMembership(const float *palette, const float *tone, float *membership) {
    float least[laneCount], sums[laneCount] = {};
    for (int k = 0; k < centres; k++) {
        const float x = palette[k] - tone[0], y = palette[centres + k] - tone[1], z = palette[2 * centres + k] - tone[2];
        membership[k] = lightness * x * x + colour * (y * y + z * z);
    }
    for (int lane = 0; lane < laneCount; lane++)
        least[lane] = std::min(membership[lane], membership[laneCount + lane]);
    float low = least[0];
    for (int lane = 1; lane < laneCount; lane++)
        low = std::min(low, least[lane]);
    for (int first = 0; first < centres; first += laneCount)
        for (int lane = 0; lane < laneCount; lane++) {
            // exp(-x) as (1 - x / 8) to the power of 8.
            const float base = std::max(1 - (membership[first + lane] - low) * (1 / (8 * softness)), 0.0f), square = base * base;
            membership[first + lane] = square * square * square * square;
            sums[lane] += membership[first + lane];
        }
    float sum = 0;
    for (const float lane : sums)
        sum += lane;
    const float share = 1 / sum;
    for (int k = 0; k < centres; k++)
        membership[k] *= share;
}

/// Adds the memberships of a row to its cells, by how surely each pixel lies within (`inside`) or beyond the outline.
TARGET_CLONES void addRow(const float *palette, const float *tones, const float *distance, int width, float *inside, float *outside) {
    alignas(64) float membership[centres];
    for (int x = 0; x < width; x++) {
        const float own = std::min(std::max((-distance[x] - inner) / innerRise, 0.0f), 1.0f);
        const float other = std::min(std::max((distance[x] - outer) / outerRise, 0.0f), 1.0f);
        if (own + other <= 0 || std::abs(distance[x]) > farthest)
            continue;
        findMembership(palette, tones + 3 * x, membership);
        const int cell = x / cellSize * (centres + 1);
        for (int k = 0; k < centres; k++) {
            inside[cell + k] += membership[k] * own;
            outside[cell + k] += membership[k] * other;
        }
        inside[cell + centres] += own;
        outside[cell + centres] += other;
    }
}

/// Adds `count` values, weighted.
TARGET_CLONES void add(float weight, const float *__restrict from, int count, float *__restrict to) {
    for (int i = 0; i < count; i++)
        to[i] += weight * from[i];
}

/// Cells of `channels` values each, row after row.
struct Grid {
    int columns, rows, channels;
    std::vector<float> values;

    Grid(int columns, int rows, int channels)
        : columns(columns), rows(rows), channels(channels), values(static_cast<size_t>(columns * rows * channels)) {}

    float *at(int x, int y) { return values.data() + static_cast<std::ptrdiff_t>(y * columns + x) * channels; }

    /// Weights each cell and those about it by their distance, nothing lying beyond the border.
    void blur() {
        const int radius = static_cast<int>(2.5f * window);
        std::vector<float> across(values.size()), weights;
        for (int i = 0; i <= radius; i++) {
            const float distance = static_cast<float>(i) / window;
            weights.push_back(std::exp(-distance * distance / 2));
        }
        for (int y = 0; y < rows; y++)
            for (int i = -radius; i <= radius; i++) {
                const int from = std::max(i, 0), count = columns - std::abs(i);
                if (count > 0)
                    add(weights[static_cast<size_t>(std::abs(i))], at(from, y), count * channels, across.data() + (at(from - i, y) - values.data()));
            }
        std::fill(values.begin(), values.end(), 0.0f);
        for (int y = 0; y < rows; y++)
            for (int row = std::max(y - radius, 0); row <= std::min(y + radius, rows - 1); row++)
                add(weights[static_cast<size_t>(std::abs(y - row))], across.data() + (at(0, row) - values.data()), columns * channels, at(0, y));
    }
};

/// A place between two cells or pixels.
struct Between {
    int first, second;
    float share;

    Between(int index, int count, int own) {
        const float at = (static_cast<float>(index) + 0.5f) / static_cast<float>(count) * static_cast<float>(own) - 0.5f;
        first = std::min(std::max(static_cast<int>(std::floor(at)), 0), own - 1);
        second = std::min(first + 1, own - 1);
        share = std::min(std::max(at - static_cast<float>(first), 0.0f), 1.0f);
    }
};

/// Likelihood of the subject for a colour, 0...1, by that of the centres in four cells.
TARGET_CLONES float likelihood(
    const float *palette, const float *tone, const float *a, const float *b, const float *c, const float *d, float across, float down) {
    alignas(64) float membership[centres];
    float sums[laneCount] = {};
    findMembership(palette, tone, membership);
    for (int first = 0; first < centres; first += laneCount)
        for (int lane = 0; lane < laneCount; lane++) {
            const int k = first + lane;
            const float upper = a[k] + (b[k] - a[k]) * across, lower = c[k] + (d[k] - c[k]) * across;
            sums[lane] += membership[k] * (upper + (lower - upper) * down);
        }
    float sum = 0;
    for (const float lane : sums)
        sum += lane;
    return sum;
}

/// Whether colours count at a distance from the outline.
inline bool isNear(float distance) { return std::abs(distance) < (distance < 0 ? depth : reach); }

/// Gives parts of less than `least` connected pixels, none of which leads on to where the outline alone counts, back to their side of it.
void removeIslands(Plane<float> &mask, Plane<float> &distance, int least, float *background) {
    const int width = mask.width, count = width * mask.height;
    float *values = mask.row(0);
    const float *places = distance.row(0);
    std::vector<char> isOpen(static_cast<size_t>(count));
    for (int at = 0; at < count; at++)
        isOpen[static_cast<size_t>(at)] = isNear(places[at]);
    std::vector<int> part;
    for (int start = 0; start < count; start++) {
        if (!isOpen[static_cast<size_t>(start)])
            continue;
        const bool isSubject = values[start] >= 0.5f;
        bool leadsOn = false;
        part.assign(1, start);
        isOpen[static_cast<size_t>(start)] = 0;
        for (size_t next = 0; next < part.size(); next++) {
            const int at = part[next], x = at % width;
            const int beside[] = {x > 0 ? at - 1 : at, x + 1 < width ? at + 1 : at, at - width, at + width};
            for (const int other : beside) {
                if (other < 0 || other >= count || (values[other] >= 0.5f) != isSubject)
                    continue;
                leadsOn |= !isNear(places[other]);
                if (isOpen[static_cast<size_t>(other)]) {
                    isOpen[static_cast<size_t>(other)] = 0;
                    part.push_back(other);
                }
            }
        }
        if (leadsOn || static_cast<int>(part.size()) >= least)
            continue;
        for (const int at : part) {
            const float side = places[at] < 0 ? 1 : 0;
            values[at] = side;
            background[at] *= 1 - side;
        }
    }
}

/// The means of 3 x 3 pixels, weighted by a Gaussian.
void smooth(Plane<float> &plane, float *out) {
    const float middle = 0.58f, side = 0.21f;
    Plane<float> across;
    across.resize(plane.width, plane.height);
    for (int y = 0; y < plane.height; y++)
        for (int x = 0; x < plane.width; x++)
            across.at(x, y) = middle * plane.at(x, y) + side * (plane.at(std::max(x - 1, 0), y) + plane.at(std::min(x + 1, plane.width - 1), y));
    for (int y = 0; y < plane.height; y++) {
        const float *above = across.row(std::max(y - 1, 0)), *own = across.row(y), *below = across.row(std::min(y + 1, plane.height - 1));
        for (int x = 0; x < plane.width; x++)
            out[static_cast<std::ptrdiff_t>(y) * plane.width + x] = middle * own[x] + side * (above[x] + below[x]);
    }
}

} // namespace

extern "C" void rf_classify_outline(
    const rf_image *tones, const rf_image *detail, const float *palette, int count, const float *distance, float *alpha, float *background) {
    const int columns = (tones->width + cellSize - 1) / cellSize, rows = (tones->height + cellSize - 1) / cellSize;
    // A plane for each channel; centres that are none are far from every colour.
    std::vector<float> planes(3 * centres, 1e4f), row(3 * static_cast<size_t>(std::max(tones->width, detail->width)));
    for (int k = 0; k < count; k++)
        for (int c = 0; c < 3; c++)
            planes[static_cast<size_t>(c * centres + k)] = palette[3 * k + c];
    Grid inside(columns, rows, centres + 1), outside(columns, rows, centres + 1);
    for (int y = 0; y < tones->height; y++) {
        for (size_t i = 0; i < 3 * static_cast<size_t>(tones->width); i++)
            row[i] = tones->data[y * tones->stride + static_cast<std::ptrdiff_t>(i)];
        addRow(
            planes.data(), row.data(), distance + static_cast<std::ptrdiff_t>(y) * tones->width, tones->width, inside.at(0, y / cellSize),
            outside.at(0, y / cellSize));
    }
    inside.blur();
    outside.blur();
    // From sums to the likelihood of the subject for each centre.
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            float *own = inside.at(x, y), *other = outside.at(x, y);
            const float owns = own[centres] + 1e-3f, others = other[centres] + 1e-3f;
            for (int k = 0; k < centres; k++) {
                const float share = own[k] / owns;
                own[k] = (share + unseen) / (share + other[k] / others + 2 * unseen);
            }
        }

    Plane<float> signedDistance, result;
    signedDistance.resize(detail->width, detail->height);
    result.resize(detail->width, detail->height);
    std::vector<Between> pixels, cells;
    for (int x = 0; x < detail->width; x++) {
        pixels.emplace_back(x, detail->width, tones->width);
        cells.emplace_back(x, detail->width, columns);
    }
    // Errors of the classifiers and their weights.
    Grid trials(columns, rows, 2);
    for (int y = 0; y < detail->height; y++) {
        const Between line(y, detail->height, tones->height), cell(y, detail->height, rows);
        const float *above = distance + static_cast<std::ptrdiff_t>(line.first) * tones->width;
        const float *below = distance + static_cast<std::ptrdiff_t>(line.second) * tones->width;
        for (int x = 0; x < detail->width; x++) {
            const Between &pixel = pixels[static_cast<size_t>(x)], &column = cells[static_cast<size_t>(x)];
            const float upper = above[pixel.first] + (above[pixel.second] - above[pixel.first]) * pixel.share;
            const float lower = below[pixel.first] + (below[pixel.second] - below[pixel.first]) * pixel.share;
            const float place = upper + (lower - upper) * line.share, far = std::abs(place), side = place < 0 ? 1 : 0;
            signedDistance.at(x, y) = place;
            result.at(x, y) = side;
            if (!isNear(place))
                continue;
            const uint8_t *bytes = detail->data + y * detail->stride + 3 * x;
            const float tone[3] = {static_cast<float>(bytes[0]), static_cast<float>(bytes[1]), static_cast<float>(bytes[2])};
            result.at(x, y) = likelihood(
                planes.data(), tone, inside.at(column.first, cell.first), inside.at(column.second, cell.first), inside.at(column.first, cell.second),
                inside.at(column.second, cell.second), column.share, cell.share);
            if (far > nearest) {
                const float weight = std::exp(-far * far / (trial * trial));
                float *sums = trials.at(column.share < 0.5f ? column.first : column.second, cell.share < 0.5f ? cell.first : cell.second);
                sums[0] += weight * std::abs(result.at(x, y) - side);
                sums[1] += weight;
            }
        }
    }
    trials.blur();
    std::fill_n(background, static_cast<size_t>(detail->width) * static_cast<size_t>(detail->height), 0.0f);
    for (int y = 0; y < detail->height; y++) {
        const Between cell(y, detail->height, rows);
        for (int x = 0; x < detail->width; x++) {
            const float place = signedDistance.at(x, y), far = std::abs(place), side = place < 0 ? 1 : 0;
            if (!isNear(place))
                continue;
            const Between &column = cells[static_cast<size_t>(x)];
            float error = 0, weight = 1e-3f;
            for (int corner = 0; corner < 4; corner++) {
                const float share = (corner % 2 ? column.share : 1 - column.share) * (corner / 2 ? cell.share : 1 - cell.share);
                const float *sums = trials.at(corner % 2 ? column.second : column.first, corner / 2 ? cell.second : cell.first);
                error += share * sums[0];
                weight += share * sums[1];
            }
            const float confidence = std::min(std::max((1 - error / weight - unsure) / (1 - unsure), 0.0f), 1.0f);
            const float width = narrow + (wide - narrow) * confidence, shape = 1 - std::exp(-far * far / (width * width));
            const float likely = result.at(x, y);
            background[static_cast<std::ptrdiff_t>(y) * detail->width + x] = (1 - shape) * std::max(1 - 2 * likely, 0.0f);
            result.at(x, y) = shape * side + (1 - shape) * likely;
        }
    }
    const int least = static_cast<int>(island * static_cast<float>(detail->width * detail->height));
    removeIslands(result, signedDistance, least, background);
    smooth(result, alpha);
}
