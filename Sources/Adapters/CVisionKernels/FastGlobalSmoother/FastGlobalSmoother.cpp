#include "FastGlobalSmoother.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace rackfocus {

namespace {

/// Lines solved at once, side by side.
const int lanes = 16;
typedef float Lanes __attribute__((vector_size(4 * lanes)));
typedef Lanes UnalignedLanes __attribute__((aligned(4), may_alias));

const int iterations = 3;

/// A row of the tridiagonal systems of 16 lines: both right-hand sides, the affinity to the next row, and the upper diagonal after elimination.
struct TridiagonalRow {
    Lanes first, second, edge, upper;
};

/// One butterfly of the 16 x 16 transpose: swaps blocks of `step` lanes of two rows.
template <int step, size_t... i> __attribute__((always_inline)) inline void butterfly(Lanes &a, Lanes &b, std::index_sequence<i...>) {
    const Lanes first = __builtin_shufflevector(a, b, (i & step ? lanes + i - step : i)...);
    b = __builtin_shufflevector(a, b, (i & step ? lanes + i : i + step)...);
    a = first;
}

template <int step> __attribute__((always_inline)) inline void butterflies(Lanes *rows) {
#pragma clang loop unroll(full)
    for (int i = 0; i < lanes; i++)
        if ((i & step) == 0)
            butterfly<step>(rows[i], rows[i + step], std::make_index_sequence<lanes>());
}

__attribute__((always_inline)) inline void transpose16x16(Lanes *rows) {
    butterflies<8>(rows);
    butterflies<4>(rows);
    butterflies<2>(rows);
    butterflies<1>(rows);
}

/// Scatters 16 lines of `count` values to the rows of their systems, transposed; `first` is the member of the first row that receives them.
TARGET_CLONES void scatterLines(float *const *lines, int count, Lanes *first) {
    const int lanesPerRow = sizeof(TridiagonalRow) / sizeof(Lanes), whole = count / lanes * lanes;
    for (int x = 0; x < whole; x += lanes) {
        Lanes block[lanes];
#pragma clang loop unroll(full)
        for (int i = 0; i < lanes; i++)
            block[i] = *reinterpret_cast<const UnalignedLanes *>(lines[i] + x);
        transpose16x16(block);
#pragma clang loop unroll(full)
        for (int i = 0; i < lanes; i++)
            first[(x + i) * lanesPerRow] = block[i];
    }
    for (int x = whole; x < count; x++)
        for (int i = 0; i < lanes; i++)
            first[x * lanesPerRow][i] = lines[i][x];
}

/// Gathers 16 lines back from the rows of their systems.
TARGET_CLONES void gatherLines(const Lanes *first, int count, float *const *lines) {
    const int lanesPerRow = sizeof(TridiagonalRow) / sizeof(Lanes), whole = count / lanes * lanes;
    for (int x = 0; x < whole; x += lanes) {
        Lanes block[lanes];
#pragma clang loop unroll(full)
        for (int i = 0; i < lanes; i++)
            block[i] = first[(x + i) * lanesPerRow];
        transpose16x16(block);
#pragma clang loop unroll(full)
        for (int i = 0; i < lanes; i++)
            *reinterpret_cast<UnalignedLanes *>(lines[i] + x) = block[i];
    }
    for (int x = whole; x < count; x++)
        for (int i = 0; i < lanes; i++)
            lines[i][x] = first[x * lanesPerRow][i];
}

/// Solves the tridiagonal systems of 16 lines (Min et al., eq. 8: elimination forward, eq. 9: substitution backward).
TARGET_CLONES void solveTridiagonal(TridiagonalRow *rows, int count, float lambda) {
    Lanes lower = Lanes{}, upper = Lanes{}, first = Lanes{}, second = Lanes{};
    for (int i = 0; i < count; i++) {
        TridiagonalRow &row = rows[i];
        const Lanes next = row.edge * lambda, inverse = 1.f / (1.f + lower + next - lower * upper);
        first = (row.first + lower * first) * inverse;
        second = (row.second + lower * second) * inverse;
        upper = next * inverse;
        row.first = first;
        row.second = second;
        row.upper = upper;
        lower = next;
    }
    for (int i = count - 2; i >= 0; i--) {
        TridiagonalRow &row = rows[i];
        first = row.first + row.upper * first;
        second = row.second + row.upper * second;
        row.first = first;
        row.second = second;
    }
}

/// The same for `count` neighbouring columns, in place.
TARGET_CLONES void solveColumns(
    float *__restrict first, float *__restrict second, const float *__restrict edges, float *__restrict upper, std::ptrdiff_t stride, int rows,
    int count, float lambda) {
    for (int x = 0; x < count; x++) {
        const float next = edges[x] * lambda, inverse = 1.f / (1.f + next);
        first[x] *= inverse;
        second[x] *= inverse;
        upper[x] = next * inverse;
    }
    for (int y = 1; y < rows; y++) {
        const std::ptrdiff_t row = y * stride, last = row - stride;
#pragma clang loop vectorize(assume_safety)
        for (int x = 0; x < count; x++) {
            const float lower = edges[last + x] * lambda, next = edges[row + x] * lambda;
            const float inverse = 1.f / (1.f + lower + next - lower * upper[last + x]);
            first[row + x] = (first[row + x] + lower * first[last + x]) * inverse;
            second[row + x] = (second[row + x] + lower * second[last + x]) * inverse;
            upper[row + x] = next * inverse;
        }
    }
    for (int y = rows - 2; y >= 0; y--) {
        const std::ptrdiff_t row = y * stride, next = row + stride;
#pragma clang loop vectorize(assume_safety)
        for (int x = 0; x < count; x++) {
            first[row + x] += upper[row + x] * first[next + x];
            second[row + x] += upper[row + x] * second[next + x];
        }
    }
}

/// Sixteen rows of a map from `y` on; the last again where it has no more.
void rowsFrom(int y, PlaneView<float> map, float **rows) {
    for (int i = 0; i < lanes; i++)
        rows[i] = map.row(std::min(y + i, map.height - 1));
}

} // namespace

struct FastGlobalSmoother::Memory {
    /// Affinities to the right and downwards.
    Plane<float> right, down, upper;
    std::vector<TridiagonalRow> rows;
};

FastGlobalSmoother::FastGlobalSmoother() : memory(new Memory) {}
FastGlobalSmoother::~FastGlobalSmoother() = default;

void FastGlobalSmoother::smooth(PlaneView<const uint8_t> guide, float lambda, float sigma, PlaneView<float> first, PlaneView<float> second) {
    float affinity[256];
    for (int i = 0; i < 256; i++)
        affinity[i] = std::exp(-static_cast<float>(i) / sigma);
    const int width = guide.width, height = guide.height;
    Plane<float> &right = memory->right, &down = memory->down, &upper = memory->upper;
    for (Plane<float> *each : {&right, &down, &upper})
        each->resize(width, height);
    for (int y = 0; y < height; y++) {
        const uint8_t *row = guide.row(y), *below = guide.row(std::min(y + 1, height - 1));
        float *rightRow = right.row(y), *downRow = down.row(y);
        for (int x = 0; x + 1 < width; x++)
            rightRow[x] = affinity[std::abs(row[x] - row[x + 1])];
        for (int x = 0; x < width; x++)
            downRow[x] = affinity[std::abs(row[x] - below[x])];
        // The last of a line has no next.
        rightRow[width - 1] = 0;
    }
    std::fill_n(down.row(height - 1), width, 0.f);
    // As many columns as stay in the cache from the first row to the last.
    const int block = 64;
    std::vector<TridiagonalRow> &rows = memory->rows;
    rows.resize(static_cast<size_t>(width));
    for (int i = 0; i < iterations; i++, lambda /= 4) {
        for (int y = 0; y < height; y += lanes) {
            float *firsts[lanes], *seconds[lanes], *edges[lanes];
            rowsFrom(y, first, firsts);
            rowsFrom(y, second, seconds);
            rowsFrom(y, right.view(), edges);
            scatterLines(firsts, width, &rows[0].first);
            scatterLines(seconds, width, &rows[0].second);
            scatterLines(edges, width, &rows[0].edge);
            solveTridiagonal(rows.data(), width, lambda);
            gatherLines(&rows[0].first, width, firsts);
            gatherLines(&rows[0].second, width, seconds);
        }
        for (int x = 0; x < width; x += block)
            solveColumns(
                first.data + x, second.data + x, down.row(0) + x, upper.row(0) + x, first.stride, height, std::min(block, width - x), lambda);
    }
}

} // namespace rackfocus
