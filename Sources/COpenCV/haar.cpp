#include "haar.hpp"

#include "door.hpp"
#include "fast.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>

using namespace rackfocus;

namespace {

/// Windows judged side by side, and how few of them are better judged one by one.
const int block = 16, few = 2;
/// OpenCV's thresholds are this much lower than the file's.
const float slack = 1e-5f;

/// Adds up what trees say of a block of windows, each `at(i)` from the first one's sums.
template <typename Place> __attribute__((always_inline)) inline void voteOf(
    const Haar::Tree *trees, size_t count, const Haar::Corners *corners, const int *sums, Place at, const float *norms, float *votes) {
    const auto values = [&](const Haar::Corners &f, float *out) __attribute__((always_inline)) {
        const int *a = sums + f.at[0][0], *b = sums + f.at[0][1], *c = sums + f.at[0][2], *d = sums + f.at[0][3];
        const int *e = sums + f.at[1][0], *g = sums + f.at[1][1], *h = sums + f.at[1][2], *k = sums + f.at[1][3];
        const float first = f.weights[0], second = f.weights[1], third = f.weights[2];
        if (third == 0) {
            for (int i = 0; i < block; i++)
                out[i] = (first * float(a[at(i)] - b[at(i)] - c[at(i)] + d[at(i)]) + second * float(e[at(i)] - g[at(i)] - h[at(i)] + k[at(i)])) *
                    norms[i];
            return;
        }
        const int *l = sums + f.at[2][0], *m = sums + f.at[2][1], *n = sums + f.at[2][2], *o = sums + f.at[2][3];
        for (int i = 0; i < block; i++)
            out[i] = (first * float(a[at(i)] - b[at(i)] - c[at(i)] + d[at(i)]) + second * float(e[at(i)] - g[at(i)] - h[at(i)] + k[at(i)]) +
                         third * float(l[at(i)] - m[at(i)] - n[at(i)] + o[at(i)])) *
                norms[i];
    };
    float total[block] = {}, one[block], two[block];
    for (size_t t = 0; t < count; t++) {
        const Haar::Tree &tree = trees[t];
        values(corners[tree.first], one);
        const float leaf = tree.leaf, below = tree.below, above = tree.above, threshold = tree.threshold, second = tree.secondThreshold;
        if (tree.second < 0) {
            for (int i = 0; i < block; i++)
                total[i] += one[i] < threshold ? leaf : above;
            continue;
        }
        values(corners[tree.second], two);
        if (tree.isLeafBelow)
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
        votes[i] = total[i];
}

/// Of windows side by side.
FAST void voteOfRow(const Haar::Tree *trees, size_t count, const Haar::Corners *corners, const int *sums, const float *norms, float *votes) {
    voteOf(trees, count, corners, sums, [](int i) __attribute__((always_inline)) { return i; }, norms, votes);
}

/// Of windows here and there.
FAST void voteOfAny(
    const Haar::Tree *trees, size_t count, const Haar::Corners *corners, const int *sums, const int *places, const float *norms, float *votes) {
    voteOf(trees, count, corners, sums, [&](int i) __attribute__((always_inline)) { return places[i]; }, norms, votes);
}

/// One over the deviation of each window, 0 for one that shows nothing.
FAST void normalise(const int *a, const int *b, const int *c, const int *d, int squares, double area, int count, float *norms) {
    for (int i = 0; i < count; i++) {
        const double sum = a[i] - b[i] - c[i] + d[i];
        // Sums of squares may have run over; their differences have not.
        const double square = unsigned(a[i + squares]) - unsigned(b[i + squares]) - unsigned(c[i + squares]) + unsigned(d[i + squares]);
        const double spread = area * square - sum * sum;
        const float norm = float(1 / std::sqrt(spread > 1 ? spread : 1));
        norms[i] = spread > 0 && area * double(norm) < 0.1 ? norm : 0;
    }
}

/// Goes on to the next row: the sums of all pixels above and to the left of each corner, and of their squares.
FAST void sumRow(const uint8_t *pixels, int width, int *straight, int *squares) {
    unsigned sum = 0, square = 0;
    for (int x = 0; x < width; x++) {
        const unsigned pixel = pixels[x];
        sum += pixel;
        square += pixel * pixel;
        straight[x + 1] = int(unsigned(straight[x + 1]) + sum);
        squares[x + 1] = int(unsigned(squares[x + 1]) + square);
    }
}

/// The sums of the pixels in the right angle above each corner that stands on it, from those of the two rows of corners before.
FAST void tiltRow(
    const uint8_t *__restrict pixels, const uint8_t *__restrict before, bool isBefore, int width, const int *__restrict above,
    const int *__restrict higher, int *__restrict out) {
    const int more = isBefore ? 1 : 0;
    out[0] = above[1];
    for (int x = 1; x < width; x++)
        out[x] = above[x - 1] + above[x + 1] - higher[x] + pixels[x - 1] + more * before[x - 1];
    out[width] = above[width - 1] + pixels[width - 1] + more * before[width - 1];
}

/// Even places here, odd ones there.
FAST void deal(const int *__restrict line, int count, int *__restrict even, int *__restrict odd) {
    for (int x = 0; x < count / 2; x++) {
        even[x] = line[2 * x];
        odd[x] = line[2 * x + 1];
    }
    if (count % 2)
        even[count / 2] = line[count - 1];
}

} // namespace

Haar::Haar(const std::string &path) {
    const cv::FileStorage file(path, cv::FileStorage::READ);
    if (!file.isOpened())
        throw FileError("not a cascade classifier");
    read(file["cascade"]);
}

void Haar::read(const cv::FileNode &root) {
    if (std::string(root["featureType"]) != "HAAR")
        throw FileError("not a cascade of Haar features");
    side = int(root["width"]);
    for (const cv::FileNode &node : root["features"]) {
        Feature feature;
        size_t count = 0;
        for (const cv::FileNode &rect : node["rects"]) {
            if (count == 3)
                throw FileError("a Haar feature has more than three boxes");
            feature.rects[count] = cv::Rect(int(rect[0]), int(rect[1]), int(rect[2]), int(rect[3]));
            feature.weights[count++] = float(rect[4]);
        }
        feature.isTilted = int(node["tilted"]) != 0;
        hasTilted = hasTilted || feature.isTilted;
        features.push_back(feature);
    }
    for (const cv::FileNode &stage : root["stages"]) {
        const size_t begin = trees.size();
        for (const cv::FileNode &node : stage["weakClassifiers"]) {
            std::vector<double> nodes, leaves;
            node["internalNodes"] >> nodes;
            node["leafValues"] >> leaves;
            if (nodes.size() != 4 * (leaves.size() - 1) || (leaves.size() != 2 && leaves.size() != 3))
                throw FileError("a tree of the cascade has more than two nodes");
            // Left, right, feature, threshold; to the right of 0 go the places of nodes, to its left those of leaves.
            const auto leaf = [&](double place) { return float(leaves.at(size_t(-place))); };
            const bool isStump = leaves.size() == 2, isLeafBelow = nodes[0] <= 0;
            Tree tree{int(nodes[2]), -1, float(nodes[3]), 0, isLeafBelow, leaf(isLeafBelow ? nodes[0] : nodes[1]), 0, 0};
            if (isStump) {
                tree.above = leaf(nodes[1]);
            } else {
                tree.second = int(nodes[6]);
                tree.secondThreshold = float(nodes[7]);
                tree.below = leaf(nodes[4]);
                tree.above = leaf(nodes[5]);
            }
            trees.push_back(tree);
        }
        stages.push_back({begin, trees.size(), float(double(stage["stageThreshold"])) - slack});
    }
    corners.resize(features.size());
    open.resize(stages.size() + 1);
}

void Haar::place(int pace) {
    if (this->pace == pace && placedStride == stride && placedPlane == plane)
        return;
    this->pace = pace;
    placedStride = stride;
    placedPlane = plane;
    for (size_t i = 0; i < features.size(); i++) {
        const Feature &feature = features[i];
        Corners &f = corners[i];
        for (size_t j = 0; j < 3; j++) {
            const cv::Rect &r = feature.rects[j];
            f.weights[j] = feature.weights[j];
            const int base = feature.isTilted ? 2 * plane : 0;
            const cv::Point to[4] = {
                r.tl(), feature.isTilted ? cv::Point(r.x - r.height, r.y + r.height) : cv::Point(r.x + r.width, r.y),
                feature.isTilted ? cv::Point(r.x + r.width, r.y + r.width) : cv::Point(r.x, r.y + r.height),
                feature.isTilted ? cv::Point(r.x + r.width - r.height, r.y + r.width + r.height) : r.br()};
            for (int k = 0; k < 4; k++)
                f.at[j][k] = base + offset(to[k].x, to[k].y);
        }
    }
}

void Haar::load(const cv::Mat &picture, int pace) {
    place(pace);
    const int width = picture.cols;
    // A place before and one after each row of tilted sums are for those that reach over the edge.
    for (auto &row : lines)
        row.assign(size_t(width + 3), 0);
    auto &[straight, squares, tilted, above, higher] = lines;
    for (int y = 0; y <= picture.rows; y++) {
        if (y > 0)
            sumRow(picture.ptr(y - 1), width, straight.data(), squares.data());
        put(straight.data(), width + 1, y, 0);
        put(squares.data(), width + 1, y, 1);
        if (!hasTilted)
            continue;
        std::swap(higher, above);
        std::swap(above, tilted);
        if (y > 0)
            tiltRow(picture.ptr(y - 1), picture.ptr(std::max(y - 2, 0)), y > 1, width, above.data() + 1, higher.data() + 1, tilted.data() + 1);
        put(tilted.data() + 1, width + 1, y, 2);
    }
}

void Haar::put(const int *line, int count, int y, int index) {
    int *out = sums.data() + index * plane + y * stride;
    if (pace == 1)
        std::copy_n(line, count, out);
    else
        deal(line, count, out, out + stride / 2);
}

void Haar::scanRow(int y, int count) {
    const int start = y * pace * stride, inner = side - 2;
    const int *row = sums.data() + start;
    normalise(
        row + offset(1, 1), row + offset(1 + inner, 1), row + offset(1, 1 + inner), row + offset(1 + inner, 1 + inner), plane, inner * inner, count,
        norms.data());
    const auto judge = [&](const Stage &stage, int from) {
        voteOfRow(&trees[stage.begin], stage.end - stage.begin, corners.data(), row + from, &norms[size_t(from)], &votes[size_t(from)]);
    };
    for (int from = 0; from < count; from += block)
        judge(stages[0], from);
    // After a window that fails at once OpenCV leaves out the next one.
    for (size_t x = 0; x < size_t(count); x++) {
        alive[x] = norms[x] > 0 && votes[x] >= stages[0].threshold;
        if (norms[x] > 0 && !alive[x])
            alive[++x] = 0;
    }
    for (int from = 0; from < count; from += block) {
        const size_t first = size_t(from), last = size_t(std::min(from + block, count));
        long left = std::count(&alive[first], &alive[last], 1);
        size_t s = 1;
        for (; s < stages.size() && left > few; s++) {
            judge(stages[s], from);
            left = 0;
            for (size_t x = first; x < last; x++) {
                alive[x] &= votes[x] >= stages[s].threshold;
                left += alive[x];
            }
        }
        for (size_t x = first; x < last; x++)
            if (alive[x])
                open[s].push_back({start + int(x), norms[x]});
    }
}

void Haar::judgeScattered() {
    int places[block];
    float norms[block], votes[block];
    for (size_t s = 1; s < stages.size(); s++) {
        for (size_t from = 0; from < open[s].size(); from += block) {
            const size_t count = std::min(size_t(block), open[s].size() - from);
            for (size_t i = 0; i < block; i++) {
                const Window &window = open[s][from + std::min(i, count - 1)];
                places[i] = window.place;
                norms[i] = window.norm;
            }
            voteOfAny(&trees[stages[s].begin], stages[s].end - stages[s].begin, corners.data(), sums.data(), places, norms, votes);
            for (size_t i = 0; i < count; i++)
                if (votes[i] >= stages[s].threshold)
                    open[s + 1].push_back({places[i], norms[i]});
        }
        open[s].clear();
    }
}

std::vector<cv::Rect> Haar::scan(const cv::Mat &picture, double step, int smallest, int largest) {
    std::vector<float> all, scales;
    const auto size = [&](float scale) { return cvRound(float(side) * scale); };
    for (double scale = 1; cvRound(side * scale) <= std::min(picture.cols, picture.rows); scale *= step)
        all.push_back(float(scale));
    std::copy_if(all.begin(), all.end(), std::back_inserter(scales), [&](float scale) { return size(scale) >= smallest && size(scale) <= largest; });
    // Where no size fits, the next best.
    if (scales.empty() && !all.empty())
        scales.push_back(*std::min_element(all.begin(), all.end(), [&](float a, float b) {
            return std::abs(size(a) - smallest) < std::abs(size(b) - smallest);
        }));
    std::vector<cv::Rect> hits;
    for (float scale : scales) {
        const cv::Size small(cvRound(float(picture.cols) / scale), cvRound(float(picture.rows) / scale));
        if (scale == scales[0]) {
            stride = (small.width / 32 + 1) * 32;
            plane = stride * (small.height + 1);
            // A block may begin at the last window.
            sums.resize(static_cast<size_t>(3 * plane + 2 * block));
            norms.resize(static_cast<size_t>(stride + block));
            votes.resize(norms.size());
            alive.resize(norms.size());
        }
        cv::Mat reduced;
        cv::resize(picture, reduced, small, 1 / double(scale), 1 / double(scale), cv::INTER_LINEAR_EXACT);
        const int pace = scale >= 2 ? 1 : 2;
        load(reduced, pace);
        const int columns = (small.width + 1 - side + pace - 1) / pace, rows = (small.height + 1 - side + pace - 1) / pace;
        for (int y = 0; y < rows; y++)
            scanRow(y, columns);
        judgeScattered();
        std::vector<Window> &found = open[stages.size()];
        for (const Window &window : found) {
            const int x = window.place % stride * pace, y = window.place / stride;
            hits.emplace_back(cvRound(float(x) * scale), cvRound(float(y) * scale), size(scale), size(scale));
        }
        found.clear();
    }
    return hits;
}
