#include "smoother.hpp"
#include "fast.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rackfocus {

namespace {

/// As many lines as are solved at once, side by side.
const int lanes = 16;
typedef float Lanes __attribute__((vector_size(4 * lanes)));

const int rounds = 3;

/// What lies at one place of those lines: both maps, how strongly they are bound to the next place, and what comes back from there.
struct Place {
    Lanes first, second, bond, back;
};

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

/// Solves all columns.
void solveDown(cv::Mat &first, cv::Mat &second, const cv::Mat &bonds, float lambda, std::vector<Place> &places) {
    places.resize(static_cast<size_t>(first.rows));
    for (int x = 0; x < first.cols; x += lanes) {
        const int width = std::min(lanes, first.cols - x);
        for (int y = 0; y < first.rows; y++) {
            Place &place = places[static_cast<size_t>(y)];
            std::copy_n(first.ptr<float>(y) + x, width, reinterpret_cast<float *>(&place.first));
            std::copy_n(second.ptr<float>(y) + x, width, reinterpret_cast<float *>(&place.second));
            std::copy_n(bonds.ptr<float>(y) + x, width, reinterpret_cast<float *>(&place.bond));
        }
        solve(places.data(), first.rows, lambda);
        for (int y = 0; y < first.rows; y++) {
            const Place &place = places[static_cast<size_t>(y)];
            std::copy_n(reinterpret_cast<const float *>(&place.first), width, first.ptr<float>(y) + x);
            std::copy_n(reinterpret_cast<const float *>(&place.second), width, second.ptr<float>(y) + x);
        }
    }
}

/// Solves all rows.
void solveAcross(cv::Mat &first, cv::Mat &second, const cv::Mat &bonds, float lambda, std::vector<Place> &places) {
    places.resize(static_cast<size_t>(first.cols));
    for (int y = 0; y < first.rows; y += lanes) {
        const int height = std::min(lanes, first.rows - y);
        for (int i = 0; i < height; i++) {
            const float *one = first.ptr<float>(y + i), *two = second.ptr<float>(y + i), *bond = bonds.ptr<float>(y + i);
            for (int x = 0; x < first.cols; x++) {
                Place &place = places[static_cast<size_t>(x)];
                place.first[i] = one[x];
                place.second[i] = two[x];
                place.bond[i] = bond[x];
            }
        }
        solve(places.data(), first.cols, lambda);
        for (int i = 0; i < height; i++) {
            float *one = first.ptr<float>(y + i), *two = second.ptr<float>(y + i);
            for (int x = 0; x < first.cols; x++) {
                one[x] = places[static_cast<size_t>(x)].first[i];
                two[x] = places[static_cast<size_t>(x)].second[i];
            }
        }
    }
}

} // namespace

void smoothAlongEdges(const cv::Mat &luma, float lambda, float sigma, cv::Mat &first, cv::Mat &second) {
    float likeness[256];
    for (int i = 0; i < 256; i++)
        likeness[i] = std::exp(-static_cast<float>(i) / sigma);
    // To the right and down; the last of a line is bound to nothing.
    cv::Mat right = cv::Mat::zeros(luma.size(), CV_32F), down = right.clone();
    for (int y = 0; y < luma.rows; y++) {
        const uchar *row = luma.ptr<uchar>(y), *below = luma.ptr<uchar>(std::min(y + 1, luma.rows - 1));
        float *across = right.ptr<float>(y), *along = down.ptr<float>(y);
        for (int x = 0; x + 1 < luma.cols; x++)
            across[x] = likeness[std::abs(row[x] - row[x + 1])];
        for (int x = 0; x < luma.cols && y + 1 < luma.rows; x++)
            along[x] = likeness[std::abs(row[x] - below[x])];
    }
    std::vector<Place> places;
    for (int round = 0; round < rounds; round++, lambda /= 4) {
        solveAcross(first, second, right, lambda, places);
        solveDown(first, second, down, lambda, places);
    }
}

} // namespace rackfocus
