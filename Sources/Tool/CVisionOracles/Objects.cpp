#include "CVisionOracles.h"
#include "ExceptionBoundary.hpp"

#include <opencv2/calib3d.hpp>
#include <opencv2/dnn.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace rackfocus;

extern "C" void rf_oracle_minimum_barrier(const rf_image *picture, const rf_image *seeds, int count, float *out) {
    const int width = picture->width, height = picture->height, size = width * height;
    std::fill_n(out, count * size, 0.f);
    std::vector<int> highest(static_cast<size_t>(size)), lowest(highest), distance(highest);
    const auto at = [](std::vector<int> &values, int index) -> int & { return values[static_cast<size_t>(index)]; };
    for (int set = 0; set < count; set++)
        for (int channel = 0; channel < 3; channel++) {
            const auto level = [&](int index) { return int(picture->data[index / width * picture->stride + 3 * (index % width) + channel]); };
            for (int i = 0; i < size; i++) {
                const bool isSeed = seeds[set].data[i / width * seeds[set].stride + i % width] != 0;
                at(distance, i) = isSeed ? 0 : 255;
                at(highest, i) = isSeed ? level(i) : 255;
                at(lowest, i) = isSeed ? level(i) : 0;
            }
            const auto relax = [&](int index, int neighbour) {
                const int most = std::max(at(highest, neighbour), level(index)), least = std::min(at(lowest, neighbour), level(index));
                if (most - least < at(distance, index)) {
                    at(distance, index) = most - least;
                    at(highest, index) = most;
                    at(lowest, index) = least;
                }
            };
            for (int pass = 0; pass < 4; pass++)
                for (int i = 0; i < size; i++) {
                    const int index = pass % 2 == 0 ? i : size - 1 - i, step = pass % 2 == 0 ? 1 : -1;
                    if (i >= width)
                        relax(index, index - step * width);
                    if (i % width > 0)
                        relax(index, index - step);
                }
            for (int i = 0; i < size; i++)
                out[set * size + i] += float(at(distance, i));
        }
}

extern "C" int rf_oracle_palette(const rf_image *picture, float *centres) {
    return catchingExceptions([&] {
        const cv::Mat pixels = mat(picture);
        cv::Mat samples((pixels.rows + 1) / 2 * ((pixels.cols + 1) / 2), 3, CV_32F), labels, found;
        for (int y = 0, row = 0; y < pixels.rows; y += 2)
            for (int x = 0; x < pixels.cols; x += 2, row++)
                for (int c = 0; c < 3; c++)
                    samples.at<float>(row, c) = pixels.at<cv::Vec3b>(y, x)[c];
        cv::setRNGSeed(1); // k-means draws from the thread's generator
        const cv::TermCriteria rounds(cv::TermCriteria::COUNT, 5, 0);
        cv::kmeans(samples, std::min(32, samples.rows), labels, rounds, 1, cv::KMEANS_PP_CENTERS, found);
        std::copy_n(found.ptr<float>(), found.total(), centres);
    });
}

extern "C" int rf_oracle_cut(const rf_image *picture, rf_image *mask, int iterations) {
    return catchingExceptions([&] {
        cv::Mat labels = mat(mask), background, object;
        cv::setRNGSeed(1);
        cv::grabCut(mat(picture), labels, cv::Rect(), background, object, iterations, cv::GC_INIT_WITH_MASK);
        for (int y = 0; y < labels.rows; y++)
            for (int x = 0; x < labels.cols; x++)
                labels.at<uchar>(y, x) = labels.at<uchar>(y, x) & 1 ? 255 : 0;
    });
}

extern "C" int rf_oracle_motion(const float *from, const float *to, int count, rf_motion *motion) {
    return catchingExceptions([&] {
        const cv::Mat before(count, 1, CV_32FC2, const_cast<float *>(from)), after(count, 1, CV_32FC2, const_cast<float *>(to));
        cv::Mat inliers;
        cv::setRNGSeed(1);
        const cv::Mat affine = cv::estimateAffinePartial2D(before, after, inliers, cv::LMEDS);
        const cv::Scalar middle = cv::mean(before);
        const double a = affine.at<double>(0, 0), b = affine.at<double>(1, 0);
        motion->dx = a * middle[0] - b * middle[1] + affine.at<double>(0, 2) - middle[0];
        motion->dy = b * middle[0] + a * middle[1] + affine.at<double>(1, 2) - middle[1];
        motion->growth = std::hypot(a, b);
        motion->agreement = double(cv::countNonZero(inliers)) / count;
    });
}

extern "C" int rf_oracle_suppress_non_maxima(const rf_rect *boxes, const float *scores, int count, double threshold, int *kept, int *kept_count) {
    return catchingExceptions([&] {
        std::vector<cv::Rect2d> rects;
        for (int i = 0; i < count; i++)
            rects.emplace_back(boxes[i].x, boxes[i].y, boxes[i].width, boxes[i].height);
        std::vector<int> indices;
        cv::dnn::NMSBoxes(rects, std::vector<float>(scores, scores + count), 0, static_cast<float>(threshold), indices);
        std::copy(indices.begin(), indices.end(), kept);
        *kept_count = static_cast<int>(indices.size());
    });
}
