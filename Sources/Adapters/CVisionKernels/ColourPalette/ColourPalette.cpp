#include "../Common/TargetClones.hpp"
#include "../include/CVisionKernels.h"

#include <algorithm>
#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <vector>

// Palette of a picture: k-means of the colours of every other pixel of every other row.
//
// Papers: Lloyd, "Least squares quantization in PCM", IEEE Trans. Information Theory 28(2), 1982; Arthur and Vassilvitskii, "k-means++: the advantages
// of careful seeding", SODA 2007, as cv::kmeans has them: three candidates for each centre, five rounds, a cluster without samples takes the sample
// that is farthest from the centre of the largest one.
// Names: *sample*, *centre*, *label* of a sample: the index of its centre.
// Units: levels 0...255 of three channels.
// Cost: O(samples * centres). An eighth of OpenCV 4.6's processor time.
// Oracle: cv::kmeans with KMEANS_PP_CENTERS after cv::setRNGSeed(1); the same bits.
// Changed: channels lie apart and a loop goes over the samples, not over the three channels of one. Squared distances and sums of levels are whole
// numbers below 2^24 while centres are samples, so that any order adds up to the same.

namespace {

const int mostCentres = 32, candidates = 3, rounds = 5;
/// Samples whose distances are added up at a time, where the first at which a sum is reached is looked for, and side by side.
const int blockSize = 64, laneCount = 16;

/// cv::RNG (Marsaglia, multiply with carry), seeded with 1.
struct Generator {
    uint64_t state = 1;

    uint32_t next() {
        state = static_cast<uint64_t>(static_cast<uint32_t>(state)) * 4164903690u + static_cast<uint32_t>(state >> 32);
        return static_cast<uint32_t>(state);
    }

    /// 0...1
    double nextShare() {
        const uint64_t high = next();
        return static_cast<double>(high << 32 | next()) * 5.4210108624275221700372640043497e-20;
    }
};

/// A plane for each channel.
struct Samples {
    std::vector<float> planes[3];
    int count = 0;

    explicit Samples(const rf_image *picture) {
        count = (picture->width + 1) / 2 * ((picture->height + 1) / 2);
        for (auto &plane : planes)
            plane.reserve(static_cast<size_t>(count));
        for (int y = 0; y < picture->height; y += 2)
            for (int x = 0; x < picture->width; x += 2)
                for (int c = 0; c < 3; c++)
                    planes[c].push_back(picture->data[y * picture->stride + 3 * x + c]);
    }

    void copy(int at, float *centre) const {
        for (int c = 0; c < 3; c++)
            centre[c] = planes[c][static_cast<size_t>(at)];
    }
};

/// Squared distances from a sample, at most those from the samples before, where there are any; returns their sum. Behind the last, up to whole
/// blocks, they are 0.
TARGET_CLONES double measure(
    const float *a, const float *b, const float *c, int count, const float *centre, const float *before, float *distances, float *sums) {
    for (int i = 0; i < count; i++) {
        const float x = a[i] - centre[0], y = b[i] - centre[1], z = c[i] - centre[2];
        const float distance = x * x + y * y + z * z;
        distances[i] = before ? std::min(distance, before[i]) : distance;
    }
    double sum = 0;
    for (int block = 0; block * blockSize < count; block++) {
        float lanes[laneCount] = {};
        for (int i = block * blockSize; i < (block + 1) * blockSize; i += laneCount)
            for (int lane = 0; lane < laneCount; lane++)
                lanes[lane] += distances[i + lane];
        sums[block] = 0;
        for (const float lane : lanes)
            sums[block] += lane;
        sum += static_cast<double>(sums[block]);
    }
    return sum;
}

/// The label of each sample.
TARGET_CLONES void assign(
    const float *a, const float *b, const float *c, int count, const float *centres, int centreCount, float *least, int *labels) {
    for (int i = 0; i < count; i++) {
        least[i] = FLT_MAX;
        labels[i] = 0;
    }
    for (int k = 0; k < centreCount; k++) {
        const float *centre = centres + 3 * k;
        for (int i = 0; i < count; i++) {
            const float x = a[i] - centre[0], y = b[i] - centre[1], z = c[i] - centre[2];
            const float distance = x * x + y * y + z * z;
            labels[i] = least[i] > distance ? k : labels[i];
            least[i] = least[i] > distance ? distance : least[i];
        }
    }
}

/// Distances of all samples to the nearest centre so far, and their sums by blocks and altogether.
struct Spread {
    int count;
    std::vector<float> distances, sums;
    double sum = 0;

    explicit Spread(int count)
        : count(count), distances(static_cast<size_t>(rackfocus::roundUp(count, blockSize))), sums(distances.size() / blockSize) {}

    void add(const Samples &samples, const float *centre, const Spread *before) {
        sum = measure(
            samples.planes[0].data(), samples.planes[1].data(), samples.planes[2].data(), samples.count, centre,
            before ? before->distances.data() : nullptr, distances.data(), sums.data());
    }

    /// The first sample up to which distances add up to `part`; subtractions of whole numbers from a larger number are exact.
    int sampleAt(double part) const {
        int block = 0;
        while ((block + 1) * blockSize < count && part - sums[static_cast<size_t>(block)] > 0)
            part -= sums[static_cast<size_t>(block++)];
        int at = block * blockSize;
        for (; at < count - 1; at++) {
            part -= distances[static_cast<size_t>(at)];
            if (part <= 0)
                break;
        }
        return at;
    }
};

/// Chooses samples as centres (k-means++).
void seed(const Samples &samples, int count, float *centres) {
    Generator generator;
    Spread spread(samples.count), best(samples.count), candidate(samples.count);
    samples.copy(static_cast<int>(generator.next() % static_cast<uint32_t>(samples.count)), centres);
    spread.add(samples, centres, nullptr);
    for (int k = 1; k < count; k++) {
        best.sum = DBL_MAX;
        for (int i = 0; i < candidates; i++) {
            const int at = spread.sampleAt(generator.nextShare() * spread.sum);
            float centre[3];
            samples.copy(at, centre);
            candidate.add(samples, centre, &spread);
            if (candidate.sum < best.sum) {
                std::swap(candidate, best);
                samples.copy(at, centres + 3 * k);
            }
        }
        std::swap(spread, best);
    }
}

/// Moves to an empty cluster the sample that is farthest from the centre of the largest one. `sums` of the levels of each cluster.
void fill(int empty, const Samples &samples, std::vector<int> &counts, std::vector<float> &sums, std::vector<int> &labels) {
    const int largest = static_cast<int>(std::max_element(counts.begin(), counts.end()) - counts.begin());
    float *from = &sums[static_cast<size_t>(3 * largest)], *to = &sums[static_cast<size_t>(3 * empty)], centre[3];
    const float scale = 1.f / static_cast<float>(counts[static_cast<size_t>(largest)]);
    for (int c = 0; c < 3; c++)
        centre[c] = from[c] * scale;
    float most = 0, sample[3];
    int farthest = 0;
    for (int i = 0; i < samples.count; i++) {
        if (labels[static_cast<size_t>(i)] != largest)
            continue;
        samples.copy(i, sample);
        const float x = sample[0] - centre[0], y = sample[1] - centre[1], z = sample[2] - centre[2];
        const float distance = x * x + y * y + z * z;
        if (most <= distance) {
            most = distance;
            farthest = i;
        }
    }
    counts[static_cast<size_t>(largest)]--;
    counts[static_cast<size_t>(empty)]++;
    labels[static_cast<size_t>(farthest)] = empty;
    samples.copy(farthest, sample);
    for (int c = 0; c < 3; c++) {
        from[c] -= sample[c];
        to[c] += sample[c];
    }
}

/// Moves centres to the means of their samples; returns the largest squared way.
double move(const Samples &samples, int count, std::vector<int> &labels, float *centres) {
    std::vector<int> counts(static_cast<size_t>(count));
    std::vector<float> sums(static_cast<size_t>(3 * count));
    for (int i = 0; i < samples.count; i++) {
        const int k = labels[static_cast<size_t>(i)];
        counts[static_cast<size_t>(k)]++;
        for (int c = 0; c < 3; c++)
            sums[static_cast<size_t>(3 * k + c)] += samples.planes[c][static_cast<size_t>(i)];
    }
    for (int k = 0; k < count; k++)
        if (counts[static_cast<size_t>(k)] == 0)
            fill(k, samples, counts, sums, labels);
    double most = 0;
    for (int k = 0; k < count; k++) {
        const float scale = 1.f / static_cast<float>(counts[static_cast<size_t>(k)]);
        double way = 0;
        for (int c = 0; c < 3; c++) {
            const float mean = sums[static_cast<size_t>(3 * k + c)] * scale;
            const double step = mean - centres[3 * k + c];
            way += step * step;
            centres[3 * k + c] = mean;
        }
        most = std::max(most, way);
    }
    return most;
}

} // namespace

extern "C" int rf_palette(const rf_image *picture, float *centres) {
    const Samples samples(picture);
    const int count = std::min(mostCentres, samples.count);
    seed(samples, count, centres);
    std::vector<float> least(static_cast<size_t>(samples.count));
    std::vector<int> labels(static_cast<size_t>(samples.count));
    double way = DBL_MAX;
    for (int round = 1; round < (count == 1 ? 2 : rounds) && way > static_cast<double>(FLT_EPSILON) * FLT_EPSILON; round++) {
        assign(
            samples.planes[0].data(), samples.planes[1].data(), samples.planes[2].data(), samples.count, centres, count, least.data(), labels.data());
        way = move(samples, count, labels, centres);
    }
    return count;
}
