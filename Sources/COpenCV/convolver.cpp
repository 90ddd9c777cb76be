#include "convolver.hpp"

#include "door.hpp"

#include <algorithm>
#include <map>

using namespace rackfocus;

namespace {

typedef float Lanes __attribute__((vector_size(64), aligned(4)));
/// Pixels computed at once, and planes of the result.
const int lanes = 16, block = 2 * lanes, group = 4, stretch = 8 * block;

/// Weighted sums of planes of pixels: `count` of them, a multiple of `block`, `group` sums at once.
FAST void mixPlanes(
    const float *in, size_t inStep, int inCount, const float *weights, const float *biases, float *const *out, int count, bool isRectified) {
    for (int x = 0; x < count; x += block) {
        Lanes sums[group][2];
#pragma clang loop unroll(full)
        for (int g = 0; g < group; g++)
            sums[g][0] = sums[g][1] = Lanes{} + biases[g];
        const float *at = in + x;
        const float *weight = weights;
        for (int i = 0; i < inCount; i++, at += inStep, weight += group) {
            const Lanes a = *reinterpret_cast<const Lanes *>(at), b = *reinterpret_cast<const Lanes *>(at + lanes);
#pragma clang loop unroll(full)
            for (int g = 0; g < group; g++) {
                sums[g][0] += a * weight[g];
                sums[g][1] += b * weight[g];
            }
        }
#pragma clang loop unroll(full)
        for (int g = 0; g < group; g++)
            for (int half = 0; half < 2; half++) {
                Lanes sum = sums[g][half];
                if (isRectified)
                    sum = sum > 0 ? sum : Lanes{};
                *reinterpret_cast<Lanes *>(out[g] + x + half * lanes) = sum;
            }
    }
}

/// A row of a plane out of three; beside it is nothing.
FAST void spreadRow(const float *above, const float *row, const float *below, const float *w, float bias, int count, bool isRectified, float *out) {
    const float a = w[0], b = w[1], c = w[2], d = w[3], e = w[4], f = w[5], g = w[6], h = w[7], i = w[8];
    const auto go = [&](int from, int to, auto at) __attribute__((always_inline)) {
        for (int x = from; x < to; x++) {
            const float sum = ((at(above, x - 1) * a + at(above, x) * b) + (at(above, x + 1) * c + at(row, x - 1) * d)) +
                ((at(row, x) * e + at(row, x + 1) * f) + (at(below, x - 1) * g + at(below, x) * h)) + (at(below, x + 1) * i + bias);
            out[x] = isRectified && !(sum > 0) ? 0 : sum;
        }
    };
    const auto inside = [](const float *from, int x) __attribute__((always_inline)) { return from[x]; };
    const auto anywhere = [&](const float *from, int x) __attribute__((always_inline)) { return x < 0 || x >= count ? 0 : from[x]; };
    go(0, 1, anywhere);
    go(1, count - 1, inside);
    go(count > 1 ? count - 1 : 1, count, anywhere);
}

FAST void maximumRow(const float *upper, const float *lower, int count, float *out) {
    for (int x = 0; x < count; x++) {
        const float a = upper[2 * x] > upper[2 * x + 1] ? upper[2 * x] : upper[2 * x + 1];
        const float b = lower[2 * x] > lower[2 * x + 1] ? lower[2 * x] : lower[2 * x + 1];
        out[x] = a > b ? a : b;
    }
}

/// Every other pixel's value of each channel.
FAST void takeOther(const uint8_t *row, int count, float *out) {
    for (int x = 0; x < count; x++)
        out[x] = float(row[6 * x]);
}

} // namespace

Convolver::Convolver(cv::dnn::Net &net) {
    const auto refuse = [](const std::string &name) { throw FileError("this is a model, but not YuNet: its layer " + name + " is of another kind"); };
    std::map<std::string, size_t> made;
    results.resize(1);
    for (const std::string &name : net.getLayerNames()) {
        const int id = net.getLayerId(name);
        const cv::Ptr<cv::dnn::Layer> layer = net.getLayer(id);
        const std::string from = net.getLayerInputs(id).at(0)->name;
        const bool isFirst = results.size() == 1;
        if (!isFirst && made.find(from) == made.end())
            continue;
        const size_t input = isFirst ? 0 : made[from];
        if (layer->type == "ReLU") {
            steps[input - 1].isRectified = true;
            made[name] = input;
            continue;
        }
        if (layer->type == "Permute") {
            lasts.push_back(input);
            continue;
        }
        Step step{Step::shrink, input, {}, {}};
        if (layer->type == "Convolution") {
            const cv::Mat weights = layer->blobs.at(0), biases = layer->blobs.at(1);
            const int side = weights.size[2], depth = weights.size[1];
            if (weights.dims != 4 || weights.size[3] != side || !(side == 1 || (side == 3 && (isFirst ? depth == 3 : depth == 1))))
                refuse(name);
            step.kind = isFirst ? Step::first : (side == 1 ? Step::mix : Step::spread);
            step.weights.assign(weights.ptr<float>(), weights.ptr<float>() + weights.total());
            step.biases.assign(biases.ptr<float>(), biases.ptr<float>() + biases.total());
        } else if (layer->type != "Pooling") {
            refuse(name);
        }
        steps.push_back(step);
        results.emplace_back();
        made[name] = results.size() - 1;
    }
    for (Step &step : steps) {
        if (step.kind != Step::first && step.kind != Step::mix)
            continue;
        // By groups of results, and within them by what they are made of.
        const size_t count = step.biases.size(), depth = step.weights.size() / count, groups = (count + group - 1) / group;
        std::vector<float> sorted(groups * depth * group);
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < depth; j++)
                sorted[(i / group * depth + j) * group + i % group] = step.weights[i * depth + j];
        step.weights = sorted;
    }
}

void Planes::resize(int count, int width, int height) {
    this->count = count;
    this->width = width;
    this->height = height;
    step = upToLanes(width * height, block) + block;
    values.resize(size_t(count) * size_t(step));
}

void Convolver::mixInto(const Step &step, const float *in, int inStep, int depth, Planes &out, int from, int count) {
    scratch.resize(stretch);
    float *planes[group];
    // What is read is read for all results at once, while it is near.
    for (int x = 0; x < count; x += stretch)
        for (int first = 0; first < out.count; first += group) {
            float biases[group] = {};
            for (int i = 0; i < group; i++) {
                // What a group has too many goes nowhere.
                const bool isThere = first + i < out.count;
                planes[i] = isThere ? out.plane(first + i) + from + x : scratch.data();
                biases[i] = isThere ? step.biases[size_t(first + i)] : 0;
            }
            mixPlanes(
                in + x, size_t(inStep), depth, &step.weights[size_t(first * depth)], biases, planes, upToLanes(std::min(count - x, stretch), block),
                step.isRectified);
        }
}

void Convolver::begin(const Step &step, const cv::Mat &bgr, Planes &out) {
    cv::Mat bordered;
    cv::copyMakeBorder(bgr, bordered, 1, 2, 1, 2, cv::BORDER_CONSTANT);
    out.resize(int(step.biases.size()), (bgr.cols + 1) / 2, (bgr.rows + 1) / 2);
    const int length = upToLanes(out.width, block), depth = 27;
    taken.resize(size_t(depth * length));
    for (int y = 0; y < out.height; y++) {
        for (int channel = 0, i = 0; channel < 3; channel++)
            for (int dy = 0; dy < 3; dy++)
                for (int dx = 0; dx < 3; dx++, i++)
                    takeOther(bordered.ptr(2 * y + dy) + 3 * dx + channel, out.width, &taken[size_t(i * length)]);
        mixInto(step, taken.data(), length, depth, out, y * out.width, out.width);
    }
}

void Convolver::mix(const Step &step, const Planes &in, Planes &out) {
    out.resize(int(step.biases.size()), in.width, in.height);
    mixInto(step, in.values.data(), in.step, in.count, out, 0, in.width * in.height);
}

void Convolver::spread(const Step &step, const Planes &in, Planes &out) {
    out.resize(in.count, in.width, in.height);
    taken.assign(size_t(in.width), 0);
    for (int i = 0; i < in.count; i++) {
        const auto row = [&](int y) { return y < 0 || y >= in.height ? taken.data() : in.plane(i) + y * in.width; };
        for (int y = 0; y < in.height; y++)
            spreadRow(
                row(y - 1), row(y), row(y + 1), &step.weights[size_t(9 * i)], step.biases[size_t(i)], in.width, step.isRectified,
                out.plane(i) + y * in.width);
    }
}

void Convolver::shrink(const Planes &in, Planes &out) {
    out.resize(in.count, in.width / 2, in.height / 2);
    for (int i = 0; i < in.count; i++)
        for (int y = 0; y < out.height; y++) {
            const float *upper = in.plane(i) + 2 * y * in.width;
            maximumRow(upper, upper + in.width, out.width, out.plane(i) + y * out.width);
        }
}

std::vector<const Planes *> Convolver::run(const cv::Mat &bgr) {
    for (size_t i = 0; i < steps.size(); i++) {
        const Step &step = steps[i];
        const Planes &in = results[step.input];
        Planes &out = results[i + 1];
        switch (step.kind) {
        case Step::first:
            begin(step, bgr, out);
            break;
        case Step::mix:
            mix(step, in, out);
            break;
        case Step::spread:
            spread(step, in, out);
            break;
        case Step::shrink:
            shrink(in, out);
            break;
        }
    }
    std::vector<const Planes *> outputs;
    for (size_t last : lasts)
        outputs.push_back(&results[last]);
    return outputs;
}
