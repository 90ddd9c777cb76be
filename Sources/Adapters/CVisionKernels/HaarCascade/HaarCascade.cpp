#include "HaarCascade.hpp"

#include <algorithm>
#include <cmath>

using namespace rackfocus;

namespace {

/// Windows judged side by side, and how many left of them are better judged in another block.
const int block = 16, sparse = 5;

/// Sums of the trees' leaves for a block of windows whose values in `sums` lie side by side.
TARGET_CLONES void evaluateStage(
    const rf_haar_tree *trees, int count, const HaarCascade::FeatureLayout *layouts, const int *sums, const float *norms, float *totals) {
    const auto evaluateFeature = [&](const HaarCascade::FeatureLayout &f, float *out) __attribute__((always_inline)) {
        const int *a = sums + f.corners[0][0], *b = sums + f.corners[0][1], *c = sums + f.corners[0][2], *d = sums + f.corners[0][3];
        const int *e = sums + f.corners[1][0], *g = sums + f.corners[1][1], *h = sums + f.corners[1][2], *k = sums + f.corners[1][3];
        const float first = f.weights[0], second = f.weights[1], third = f.weights[2];
        if (third == 0) {
            for (int i = 0; i < block; i++)
                out[i] = (first * float(a[i] - b[i] - c[i] + d[i]) + second * float(e[i] - g[i] - h[i] + k[i])) * norms[i];
            return;
        }
        const int *l = sums + f.corners[2][0], *m = sums + f.corners[2][1], *n = sums + f.corners[2][2], *o = sums + f.corners[2][3];
        for (int i = 0; i < block; i++)
            out[i] =
                (first * float(a[i] - b[i] - c[i] + d[i]) + second * float(e[i] - g[i] - h[i] + k[i]) + third * float(l[i] - m[i] - n[i] + o[i])) *
                norms[i];
    };
    float total[block] = {}, one[block], two[block];
    for (int t = 0; t < count; t++) {
        const rf_haar_tree &tree = trees[t];
        evaluateFeature(layouts[tree.first_feature], one);
        const float leaf = tree.leaf, below = tree.below, above = tree.above, threshold = tree.first_threshold, second = tree.second_threshold;
        if (tree.second_feature < 0) {
            for (int i = 0; i < block; i++)
                total[i] += one[i] < threshold ? leaf : above;
            continue;
        }
        evaluateFeature(layouts[tree.second_feature], two);
        if (tree.is_leaf_below)
            for (int i = 0; i < block; i++) {
                const float other = two[i] < second ? below : above;
                total[i] += one[i] < threshold ? leaf : other;
            }
        else
            for (int i = 0; i < block; i++) {
                const float other = two[i] < second ? below : above;
                total[i] += one[i] < threshold ? other : leaf;
            }
    }
    for (int i = 0; i < block; i++)
        totals[i] = total[i];
}

typedef int Four __attribute__((vector_size(4 * sizeof(int)), aligned(sizeof(int)), may_alias));

/// The first `count` values from each of a block's windows on, transposed: each value of all windows side by side, the next `step` blocks behind. In
/// squares of 4 x 4: wider vectors would have to cross 128 bits, three instructions each with AVX2.
void transpose(const int *sums, const int *offsets, int count, int step, int *out) {
    for (int x = 0; x < count; x += 4)
        for (int i = 0; i < block; i += 4) {
            const auto four = [&](int window) { return *reinterpret_cast<const Four *>(sums + offsets[i + window] + x); };
            const Four a = four(0), b = four(1), c = four(2), d = four(3);
            const Four acLow = __builtin_shufflevector(a, c, 0, 4, 1, 5), acHigh = __builtin_shufflevector(a, c, 2, 6, 3, 7);
            const Four bdLow = __builtin_shufflevector(b, d, 0, 4, 1, 5), bdHigh = __builtin_shufflevector(b, d, 2, 6, 3, 7);
            const Four values[4] = {
                __builtin_shufflevector(acLow, bdLow, 0, 4, 1, 5), __builtin_shufflevector(acLow, bdLow, 2, 6, 3, 7),
                __builtin_shufflevector(acHigh, bdHigh, 0, 4, 1, 5), __builtin_shufflevector(acHigh, bdHigh, 2, 6, 3, 7)};
            for (int column = 0; column < std::min(4, count - x); column++)
                *reinterpret_cast<Four *>(out + (x + column) * step * block + i) = values[column];
        }
}

/// Rejects windows of a block whose sums are below the stage's threshold; the number of those that are left.
TARGET_CLONES int reject(const float *totals, float threshold, uint8_t *isAccepted) {
    int left = 0;
    for (int i = 0; i < block; i++) {
        isAccepted[i] &= totals[i] >= threshold ? 1 : 0;
        left += isAccepted[i];
    }
    return left;
}

/// One over the standard deviation of each window; 0 for a window without contrast, which is rejected.
TARGET_CLONES void normalise(const int *a, const int *b, const int *c, const int *d, int squares, double area, int count, float *norms) {
    for (int i = 0; i < count; i++) {
        const double sum = a[i] - b[i] - c[i] + d[i];
        // Sums of squares may have overflowed; their differences have not.
        const double square = unsigned(a[i + squares]) - unsigned(b[i + squares]) - unsigned(c[i + squares]) + unsigned(d[i + squares]);
        const double variance = area * square - sum * sum;
        const float norm = float(1 / std::sqrt(variance > 1 ? variance : 1));
        norms[i] = variance > 0 && area * double(norm) < 0.1 ? norm : 0;
    }
}

/// Advances a row of both integral images, of pixels and of their squares, by a row of pixels.
TARGET_CLONES void integrateRow(const uint8_t *pixels, int width, int *straight, int *squares) {
    unsigned sum = 0, square = 0;
    for (int x = 0; x < width; x++) {
        const unsigned pixel = pixels[x];
        sum += pixel;
        square += pixel * pixel;
        straight[x + 1] = int(unsigned(straight[x + 1]) + sum);
        squares[x + 1] = int(unsigned(squares[x + 1]) + square);
    }
}

/// A row of the tilted integral image (Lienhart and Maydt 2002, eq. 5) from the two rows before it.
TARGET_CLONES void integrateTiltedRow(
    const uint8_t *__restrict pixels, const uint8_t *__restrict before, bool isBefore, int width, const int *__restrict above,
    const int *__restrict higher, int *__restrict out) {
    const int more = isBefore ? 1 : 0;
    out[0] = above[1];
    for (int x = 1; x < width; x++)
        out[x] = above[x - 1] + above[x + 1] - higher[x] + pixels[x - 1] + more * before[x - 1];
    out[width] = above[width - 1] + pixels[width - 1] + more * before[width - 1];
}

/// Separates even and odd columns.
TARGET_CLONES void deinterleave(const int *__restrict line, int count, int *__restrict even, int *__restrict odd) {
    for (int x = 0; x < count / 2; x++) {
        even[x] = line[2 * x];
        odd[x] = line[2 * x + 1];
    }
    if (count % 2)
        even[count / 2] = line[count - 1];
}

} // namespace

HaarCascade::HaarCascade(
    int window, const rf_haar_feature *features, int featureCount, const rf_haar_tree *trees, int treeCount, const rf_haar_stage *stages,
    int stageCount)
    : side(window), features(features, features + featureCount), trees(trees, trees + treeCount), stages(stages, stages + stageCount) {
    hasTilted = std::any_of(features, features + featureCount, [](const rf_haar_feature &feature) { return feature.is_tilted != 0; });
    const int across = side + 1;
    layoutFeatures(
        across * across * block, [&](int x, int y) { return (y * across + x) * block; }, blockLayouts);
    blockSums.resize(size_t((hasTilted ? 2 : 1) * across * across * block));
    pending.resize(this->stages.size() + 1);
}

void HaarCascade::reserve(int width, int height) {
    stride = (width / 32 + 1) * 32;
    plane = stride * (height + 1);
    // A block may begin at the last window.
    sums.resize(static_cast<size_t>(3 * plane + 2 * block));
    norms.resize(static_cast<size_t>(stride + block));
    totals.resize(norms.size());
    isAccepted.resize(norms.size());
}

void HaarCascade::layoutFeatures(int step) {
    if (columnStep == step && layoutStride == stride && layoutPlane == plane)
        return;
    columnStep = step;
    layoutStride = stride;
    layoutPlane = plane;
    layoutFeatures(
        2 * plane, [&](int x, int y) { return offset(x, y); }, layouts);
}

template <typename Offset> void HaarCascade::layoutFeatures(int tilted, Offset offset, std::vector<FeatureLayout> &layouts) const {
    layouts.resize(features.size());
    for (size_t i = 0; i < features.size(); i++) {
        const rf_haar_feature &feature = features[i];
        FeatureLayout &layout = layouts[i];
        const int base = feature.is_tilted ? tilted : 0;
        for (size_t j = 0; j < 3; j++) {
            const int x = feature.rects[j][0], y = feature.rects[j][1], width = feature.rects[j][2], height = feature.rects[j][3];
            layout.weights[j] = feature.weights[j];
            const rf_point upright[4] = {{x, y}, {x + width, y}, {x, y + height}, {x + width, y + height}};
            const rf_point turned[4] = {{x, y}, {x - height, y + height}, {x + width, y + width}, {x + width - height, y + width + height}};
            for (int k = 0; k < 4; k++) {
                const rf_point corner = feature.is_tilted ? turned[k] : upright[k];
                layout.corners[j][k] = base + offset(corner.x, corner.y);
            }
        }
    }
}

void HaarCascade::integrate(PlaneView<const uint8_t> picture) {
    const int width = picture.width;
    // A place before and one after each row of tilted sums are for those that reach over the edge.
    for (auto &row : rows)
        row.assign(size_t(width + 3), 0);
    auto &[straight, squares, tilted, above, higher] = rows;
    for (int y = 0; y <= picture.height; y++) {
        if (y > 0)
            integrateRow(picture.row(y - 1), width, straight.data(), squares.data());
        storeRow(straight.data(), width + 1, y, 0);
        storeRow(squares.data(), width + 1, y, 1);
        if (!hasTilted)
            continue;
        std::swap(higher, above);
        std::swap(above, tilted);
        if (y > 0)
            integrateTiltedRow(
                picture.row(y - 1), picture.row(std::max(y - 2, 0)), y > 1, width, above.data() + 1, higher.data() + 1, tilted.data() + 1);
        storeRow(tilted.data() + 1, width + 1, y, 2);
    }
}

void HaarCascade::storeRow(const int *row, int count, int y, int integral) {
    int *out = sums.data() + integral * plane + y * stride;
    if (columnStep == 1)
        std::copy_n(row, count, out);
    else
        deinterleave(row, count, out, out + stride / 2);
}

void HaarCascade::scanRow(int y, int count) {
    const int start = y * columnStep * stride, inner = side - 2;
    const int *row = sums.data() + start;
    normalise(
        row + offset(1, 1), row + offset(1 + inner, 1), row + offset(1, 1 + inner), row + offset(1 + inner, 1 + inner), plane, inner * inner, count,
        norms.data());
    const auto judge = [&](const rf_haar_stage &stage, int from) {
        evaluateStage(&trees[size_t(stage.begin)], stage.end - stage.begin, layouts.data(), row + from, &norms[size_t(from)], &totals[size_t(from)]);
    };
    for (int from = 0; from < count; from += block)
        judge(stages[0], from);
    // As in OpenCV, a window that the first stage rejects takes the next one with it.
    for (size_t x = 0; x < size_t(count); x++) {
        isAccepted[x] = norms[x] > 0 && totals[x] >= stages[0].threshold;
        if (norms[x] > 0 && !isAccepted[x])
            isAccepted[++x] = 0;
    }
    std::fill_n(&isAccepted[size_t(count)], block, 0);
    for (size_t from = 0; from < size_t(count); from += block) {
        long left = std::count(&isAccepted[from], &isAccepted[from + block], 1);
        size_t s = 1;
        for (; s < stages.size() && left > sparse; s++) {
            judge(stages[s], int(from));
            left = reject(&totals[from], stages[s].threshold, &isAccepted[from]);
        }
        for (size_t x = from; left > 0 && x < from + block; x++)
            if (isAccepted[x])
                pending[s].push_back({start + int(x), norms[x]});
    }
}

void HaarCascade::gather(const int *offsets) {
    const int across = side + 1;
    int *out = blockSums.data();
    for (int integral = 0; integral < (hasTilted ? 3 : 1); integral += 2)
        for (int y = 0; y < across; y++, out += across * block)
            for (int phase = 0; phase < columnStep; phase++)
                for (int x = phase; x < across; x += block * columnStep)
                    transpose(
                        sums.data() + integral * plane + offset(x, y), offsets, (across - x + columnStep - 1) / columnStep, columnStep,
                        out + x * block);
}

void HaarCascade::judgePending() {
    int offsets[block];
    float blockNorms[block], blockTotals[block];
    uint8_t isLeft[block];
    for (size_t s = 1; s < stages.size(); s++) {
        for (size_t from = 0; from < pending[s].size(); from += block) {
            const size_t count = std::min(size_t(block), pending[s].size() - from);
            for (size_t i = 0; i < block; i++) {
                const Window &window = pending[s][from + std::min(i, count - 1)];
                offsets[i] = window.offset;
                blockNorms[i] = window.norm;
                isLeft[i] = i < count;
            }
            gather(offsets);
            size_t next = s;
            for (int left = block; next < stages.size() && left > sparse; next++) {
                const rf_haar_stage &stage = stages[next];
                evaluateStage(&trees[size_t(stage.begin)], stage.end - stage.begin, blockLayouts.data(), blockSums.data(), blockNorms, blockTotals);
                left = reject(blockTotals, stage.threshold, isLeft);
            }
            for (size_t i = 0; i < count; i++)
                if (isLeft[i])
                    pending[next].push_back({offsets[i], blockNorms[i]});
        }
        pending[s].clear();
    }
}

const std::vector<rf_point> &HaarCascade::scan(PlaneView<const uint8_t> picture, int step) {
    accepted.clear();
    layoutFeatures(step);
    integrate(picture);
    const int columns = (picture.width + 1 - side + step - 1) / step, rowCount = (picture.height + 1 - side + step - 1) / step;
    for (int y = 0; y < rowCount; y++)
        scanRow(y, columns);
    judgePending();
    std::vector<Window> &found = pending[stages.size()];
    for (const Window &window : found)
        accepted.push_back({window.offset % stride * step, window.offset / stride});
    found.clear();
    return accepted;
}

struct rf_haar {
    HaarCascade cascade;
};

extern "C" rf_haar *rf_haar_create(
    int window, const rf_haar_feature *features, int feature_count, const rf_haar_tree *trees, int tree_count, const rf_haar_stage *stages,
    int stage_count) {
    return new rf_haar{HaarCascade(window, features, feature_count, trees, tree_count, stages, stage_count)};
}

extern "C" rf_haar *rf_haar_copy(const rf_haar *haar) { return new rf_haar{haar->cascade}; }

extern "C" void rf_haar_destroy(rf_haar *haar) { delete haar; }

extern "C" void rf_haar_reserve(rf_haar *haar, int width, int height) { haar->cascade.reserve(width, height); }

extern "C" int rf_haar_scan(rf_haar *haar, const rf_image *grey, int step, const rf_point **windows) {
    const std::vector<rf_point> &found = haar->cascade.scan(lumaOf(grey), step);
    *windows = found.data();
    return static_cast<int>(found.size());
}
