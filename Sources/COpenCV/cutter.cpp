#include "door.hpp"

#include <opencv2/imgproc.hpp>
#include <opencv2/imgproc/detail/gcgraph.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

using namespace rackfocus;

struct rf_cutter {
    explicit rf_cutter(cv::Size size) : size(size), graph(unsigned(size.area()), unsigned(8 * size.area())), lean(size_t(size.area())) {}

    /// Which of the picture's few colours each pixel has.
    std::vector<int> colour;
    /// How alike the colours are; each row adds up to 1.
    std::vector<double> likeness;
    int colours = 0;
    const cv::Size size;
    /// What flows between the pixels stays from one cut to the next, which so begins near its end (Kohli and Torr, PAMI 2007).
    cv::detail::GCGraph<float> graph;
    /// How much each pixel is drawn to the object, as the graph knows it.
    std::vector<float> lean;
};

namespace {

const int mostColours = 32;
/// To the right, below, and on both diagonals below.
const cv::Point neighbours[4] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};

/// Reduces the picture to its few colours (k-means over every other pixel of every other row).
void quantise(const cv::Mat &picture, rf_cutter &cutter) {
    cv::Mat samples((picture.rows + 1) / 2 * ((picture.cols + 1) / 2), 3, CV_32F), labels, centres;
    int row = 0;
    for (int y = 0; y < picture.rows; y += 2)
        for (int x = 0; x < picture.cols; x += 2, row++)
            for (int c = 0; c < 3; c++)
                samples.at<float>(row, c) = picture.at<cv::Vec3b>(y, x)[c];
    cutter.colours = std::min(mostColours, samples.rows);
    cv::setRNGSeed(1); // k-means draws from the thread's generator
    cv::kmeans(samples, cutter.colours, labels, cv::TermCriteria(cv::TermCriteria::COUNT, 5, 0), 1, cv::KMEANS_PP_CENTERS, centres);
    const auto apart = [](const float *a, const float *b) {
        return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
    };
    cutter.colour.resize(picture.total());
    for (int y = 0, at = 0; y < picture.rows; y++)
        for (int x = 0; x < picture.cols; x++, at++) {
            const cv::Vec3b pixel = picture.at<cv::Vec3b>(y, x);
            const float own[3] = {float(pixel[0]), float(pixel[1]), float(pixel[2])};
            float least = std::numeric_limits<float>::max();
            for (int k = 0; k < cutter.colours; k++) {
                const float distance = apart(own, centres.ptr<float>(k));
                if (distance < least) {
                    least = distance;
                    cutter.colour[size_t(at)] = k;
                }
            }
        }
    // Colours as near as the nearest ones are share their votes.
    std::vector<double> distances(size_t(cutter.colours * cutter.colours)), nearest;
    for (int a = 0; a < cutter.colours; a++) {
        double least = 1e9;
        for (int b = 0; b < cutter.colours; b++) {
            const double distance = apart(centres.ptr<float>(a), centres.ptr<float>(b));
            distances[size_t(a * cutter.colours + b)] = distance;
            if (a != b)
                least = std::min(least, distance);
        }
        nearest.push_back(least);
    }
    std::nth_element(nearest.begin(), nearest.begin() + long(nearest.size() / 2), nearest.end());
    const double reach = std::clamp(nearest[nearest.size() / 2], 20.0, 1e6);
    cutter.likeness.resize(distances.size());
    for (int a = 0; a < cutter.colours; a++) {
        double sum = 0;
        for (int b = 0; b < cutter.colours; b++)
            sum += cutter.likeness[size_t(a * cutter.colours + b)] = std::exp(-distances[size_t(a * cutter.colours + b)] / reach);
        for (int b = 0; b < cutter.colours; b++)
            cutter.likeness[size_t(a * cutter.colours + b)] /= sum;
    }
}

/// Calls `body` with each pixel and its neighbour in a direction.
template <class Body> void forNeighbours(cv::Size size, cv::Point direction, Body body) {
    for (int y = 0; y + direction.y < size.height; y++)
        for (int x = std::max(0, -direction.x); x + std::max(0, direction.x) < size.width; x++)
            body(cv::Point(x, y), cv::Point(x, y) + direction);
}

/// Binds pixels to their neighbours, the more the more alike they are, as GrabCut does (Rother et al. 2004).
void bind(const cv::Mat &picture, rf_cutter &cutter) {
    const float strength = 50;
    const auto difference = [&](cv::Point a, cv::Point b) {
        const cv::Vec3i step = cv::Vec3i(picture.at<cv::Vec3b>(a)) - cv::Vec3i(picture.at<cv::Vec3b>(b));
        return step.dot(step);
    };
    double sum = 0;
    int count = 0;
    for (const cv::Point direction : neighbours)
        forNeighbours(cutter.size, direction, [&](cv::Point a, cv::Point b) {
            sum += difference(a, b);
            count++;
        });
    const double scale = 1 / (2 * sum / std::max(count, 1) + 1e-9);
    for (int i = 0; i < cutter.size.area(); i++)
        cutter.graph.addVtx();
    for (const cv::Point direction : neighbours) {
        const double most = strength * (direction.dot(direction) < 2 ? 1 : std::sqrt(0.5));
        forNeighbours(cutter.size, direction, [&](cv::Point a, cv::Point b) {
            const float weight = float(most * std::exp(-scale * float(difference(a, b))));
            cutter.graph.addEdges(a.y * cutter.size.width + a.x, b.y * cutter.size.width + b.x, weight, weight);
        });
    }
}

/// For each colour what it costs to call it object, against background: from how often it is either now.
std::vector<double> tastes(const rf_cutter &cutter, const std::vector<uchar> &isObject) {
    const double weight = 3, leastShare = 1e-4;
    const size_t n = size_t(cutter.colours);
    std::vector<double> counts[2] = {std::vector<double>(n), std::vector<double>(n)}, shares[2] = {counts[0], counts[0]};
    double all[2] = {1e-9, 1e-9};
    for (size_t i = 0; i < isObject.size(); i++) {
        counts[isObject[i]][size_t(cutter.colour[i])]++;
        all[isObject[i]]++;
    }
    for (int side = 0; side < 2; side++)
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++)
                shares[side][b] += counts[side][a] * cutter.likeness[a * n + b] / all[side];
    std::vector<double> result(n);
    for (size_t k = 0; k < n; k++)
        result[k] = weight * (std::log(shares[0][k] + leastShare) - std::log(shares[1][k] + leastShare));
    return result;
}

/// Cuts by what is known of each pixel and by the colours of what is object and background so far.
void cut(rf_cutter &cutter, const cv::Mat &labels, std::vector<uchar> &isObject) {
    const float certain = 1e4;
    const std::vector<double> taste = tastes(cutter, isObject);
    for (int y = 0, at = 0; y < labels.rows; y++)
        for (int x = 0; x < labels.cols; x++, at++) {
            const uchar label = labels.at<uchar>(y, x);
            const float wanted = label == 0 ? -certain : (label == 1 ? certain : float(-taste[size_t(cutter.colour[size_t(at)])]));
            const float change = wanted - cutter.lean[size_t(at)];
            cutter.graph.addTermWeights(at, std::max(change, 0.f), std::max(-change, 0.f));
            cutter.lean[size_t(at)] = wanted;
        }
    cutter.graph.maxFlow();
    for (size_t i = 0; i < isObject.size(); i++)
        isObject[i] = cutter.graph.inSourceSegment(int(i));
}

} // namespace

extern "C" int rf_cutter_open(const rf_image *tones, rf_cutter **cutter) {
    return guarded([&] {
        const cv::Mat picture = mat(tones);
        auto opened = std::make_unique<rf_cutter>(picture.size());
        quantise(picture, *opened);
        bind(picture, *opened);
        *cutter = opened.release();
    });
}

extern "C" void rf_cutter_close(rf_cutter *cutter) { delete cutter; }

extern "C" int rf_cutter_cut(rf_cutter *cutter, rf_image *mask, int iterations) {
    return guarded([&] {
        cv::Mat labels = mat(mask);
        if (labels.size() != cutter->size)
            throw std::runtime_error("the mask has another size than the picture");
        std::vector<uchar> isObject(labels.total());
        for (int y = 0, at = 0; y < labels.rows; y++)
            for (int x = 0; x < labels.cols; x++, at++)
                isObject[size_t(at)] = labels.at<uchar>(y, x) & 1;
        for (int i = 0; i < iterations; i++)
            cut(*cutter, labels, isObject);
        for (int y = 0, at = 0; y < labels.rows; y++)
            for (int x = 0; x < labels.cols; x++, at++)
                labels.at<uchar>(y, x) = isObject[size_t(at)] ? 255 : 0;
    });
}
