#include "smoother.hpp"
#include "fast.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace rackfocus {

namespace {

/// As many lines as are solved at once, side by side.
const int lanes = 16;
typedef float Lanes __attribute__((vector_size(4 * lanes)));
typedef Lanes Anywhere __attribute__((aligned(4), may_alias));

const int rounds = 3;

/// What lies at one place of those lines: both maps, how strongly they are bound to the next place, and what comes back from there.
struct Place {
    Lanes first, second, bond, back;
};

/// One step of turning 16 x 16 values about their diagonal.
template <int step, size_t... i>
__attribute__((always_inline)) inline void exchange(Lanes &a, Lanes &b, std::index_sequence<i...>) {
    const Lanes first = __builtin_shufflevector(a, b, (i & step ? lanes + i - step : i)...);
    b = __builtin_shufflevector(a, b, (i & step ? lanes + i : i + step)...);
    a = first;
}

template <int step> __attribute__((always_inline)) inline void exchangeAll(Lanes *rows) {
#pragma clang loop unroll(full)
    for (int i = 0; i < lanes; i++)
        if ((i & step) == 0)
            exchange<step>(rows[i], rows[i + step], std::make_index_sequence<lanes>());
}

__attribute__((always_inline)) inline void turn(Lanes *rows) {
    exchangeAll<8>(rows);
    exchangeAll<4>(rows);
    exchangeAll<2>(rows);
    exchangeAll<1>(rows);
}

/// From `lines` of `count` values to places; `first` is that member of the first place.
FAST void spread(float *const *lines, int count, Lanes *first) {
    const int perPlace = sizeof(Place) / sizeof(Lanes), whole = count / lanes * lanes;
    for (int x = 0; x < whole; x += lanes) {
        Lanes block[lanes];
#pragma clang loop unroll(full)
        for (int i = 0; i < lanes; i++)
            block[i] = *reinterpret_cast<const Anywhere *>(lines[i] + x);
        turn(block);
#pragma clang loop unroll(full)
        for (int i = 0; i < lanes; i++)
            first[(x + i) * perPlace] = block[i];
    }
    for (int x = whole; x < count; x++)
        for (int i = 0; i < lanes; i++)
            first[x * perPlace][i] = lines[i][x];
}

/// Back from places to lines.
FAST void collect(const Lanes *first, int count, float *const *lines) {
    const int perPlace = sizeof(Place) / sizeof(Lanes), whole = count / lanes * lanes;
    for (int x = 0; x < whole; x += lanes) {
        Lanes block[lanes];
#pragma clang loop unroll(full)
        for (int i = 0; i < lanes; i++)
            block[i] = first[(x + i) * perPlace];
        turn(block);
#pragma clang loop unroll(full)
        for (int i = 0; i < lanes; i++)
            *reinterpret_cast<Anywhere *>(lines[i] + x) = block[i];
    }
    for (int x = whole; x < count; x++)
        for (int i = 0; i < lanes; i++)
            lines[i][x] = first[x * perPlace][i];
}

/// Every place is pulled to the one before and the one after it: three diagonals, solved there and back.
FAST void solve(Place *places, int count, float lambda) {
    Lanes bond = Lanes{}, back = Lanes{}, first = Lanes{}, second = Lanes{};
    for (int i = 0; i < count; i++) {
        Place &place = places[i];
        const Lanes next = place.bond * lambda, whole = 1.f / (1.f + bond + next - bond * back);
        first = place.first = (place.first + bond * first) * whole;
        second = place.second = (place.second + bond * second) * whole;
        back = place.back = next * whole;
        bond = next;
    }
    for (int i = count - 2; i >= 0; i--) {
        Place &place = places[i];
        first = place.first += place.back * first;
        second = place.second += place.back * second;
    }
}

/// The same for `count` columns side by side, where they lie.
FAST void solveColumns(
    float *__restrict first, float *__restrict second, const float *__restrict bonds, float *__restrict back, std::ptrdiff_t stride, int rows,
    int count, float lambda) {
    for (int x = 0; x < count; x++) {
        const float next = bonds[x] * lambda, whole = 1.f / (1.f + next);
        first[x] *= whole;
        second[x] *= whole;
        back[x] = next * whole;
    }
    for (int y = 1; y < rows; y++) {
        const std::ptrdiff_t row = y * stride, last = row - stride;
#pragma clang loop vectorize(assume_safety)
        for (int x = 0; x < count; x++) {
            const float bond = bonds[last + x] * lambda, next = bonds[row + x] * lambda, whole = 1.f / (1.f + bond + next - bond * back[last + x]);
            first[row + x] = (first[row + x] + bond * first[last + x]) * whole;
            second[row + x] = (second[row + x] + bond * second[last + x]) * whole;
            back[row + x] = next * whole;
        }
    }
    for (int y = rows - 2; y >= 0; y--) {
        const std::ptrdiff_t row = y * stride, next = row + stride;
#pragma clang loop vectorize(assume_safety)
        for (int x = 0; x < count; x++) {
            first[row + x] += back[row + x] * first[next + x];
            second[row + x] += back[row + x] * second[next + x];
        }
    }
}

/// Lines of a map from `y` on; the last of the picture again where it has no more.
void linesFrom(int y, cv::Mat &map, float **lines) {
    for (int i = 0; i < lanes; i++)
        lines[i] = map.ptr<float>(std::min(y + i, map.rows - 1));
}

} // namespace

struct EdgeSmoother::Memory {
    /// To the right and down.
    cv::Mat across, down, back;
    std::vector<Place> places;
};

EdgeSmoother::EdgeSmoother() : memory(new Memory) {}
EdgeSmoother::~EdgeSmoother() = default;

void EdgeSmoother::smooth(const cv::Mat &luma, float lambda, float sigma, cv::Mat &first, cv::Mat &second) {
    float likeness[256];
    for (int i = 0; i < 256; i++)
        likeness[i] = std::exp(-static_cast<float>(i) / sigma);
    cv::Mat &across = memory->across, &down = memory->down, &back = memory->back;
    for (cv::Mat *each : {&across, &down, &back})
        each->create(luma.size(), CV_32F);
    for (int y = 0; y < luma.rows; y++) {
        const uchar *row = luma.ptr<uchar>(y), *below = luma.ptr<uchar>(std::min(y + 1, luma.rows - 1));
        float *right = across.ptr<float>(y), *under = down.ptr<float>(y);
        for (int x = 0; x + 1 < luma.cols; x++)
            right[x] = likeness[std::abs(row[x] - row[x + 1])];
        for (int x = 0; x < luma.cols; x++)
            under[x] = likeness[std::abs(row[x] - below[x])];
        // The last of a line is bound to nothing.
        right[luma.cols - 1] = 0;
    }
    down.row(luma.rows - 1) = 0;
    // As many columns as stay in the cache from the first row to the last.
    const int most = 64;
    std::vector<Place> &places = memory->places;
    places.resize(static_cast<size_t>(luma.cols));
    for (int round = 0; round < rounds; round++, lambda /= 4) {
        for (int y = 0; y < luma.rows; y += lanes) {
            float *ones[lanes], *twos[lanes], *bonds[lanes];
            linesFrom(y, first, ones);
            linesFrom(y, second, twos);
            linesFrom(y, across, bonds);
            spread(ones, luma.cols, &places[0].first);
            spread(twos, luma.cols, &places[0].second);
            spread(bonds, luma.cols, &places[0].bond);
            solve(places.data(), luma.cols, lambda);
            collect(&places[0].first, luma.cols, ones);
            collect(&places[0].second, luma.cols, twos);
        }
        for (int x = 0; x < luma.cols; x += most)
            solveColumns(
                first.ptr<float>() + x, second.ptr<float>() + x, down.ptr<float>() + x, back.ptr<float>() + x,
                static_cast<std::ptrdiff_t>(first.step1()), luma.rows, std::min(most, luma.cols - x), lambda);
    }
}

} // namespace rackfocus
