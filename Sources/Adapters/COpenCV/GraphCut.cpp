#include "ExceptionBoundary.hpp"

#include <opencv2/imgproc.hpp>
#include <opencv2/imgproc/detail/gcgraph.hpp>

#include <algorithm>
#include <memory>
#include <vector>

using namespace rackfocus;

/// A picture's minimum cut (OpenCV's graph), with weights by `ColourModel`.
struct rf_cutter {
    explicit rf_cutter(cv::Size size) : size(size), graph(unsigned(size.area()), unsigned(8 * size.area())), terminalWeights(size_t(size.area())) {}

    const cv::Size size;
    std::unique_ptr<rf_colour_model, void (*)(rf_colour_model *)> colours{nullptr, rf_colour_model_destroy};
    /// The flow stays from one cut to the next, which so begins near its end (Kohli and Torr, PAMI 2007).
    cv::detail::GCGraph<float> graph;
    /// Weight of each pixel's edge to the object's terminal less that to the background's, as the graph has it.
    std::vector<float> terminalWeights;
    std::vector<double> logLikelihoods;

    /// `prior` has a log-odds of the object for each pixel, or is null.
    void cut(const cv::Mat &labels, const float *prior, std::vector<uchar> &isObject);
};

namespace {

void addNeighbourEdges(const rf_image *picture, cv::detail::GCGraph<float> &graph) {
    const cv::Point directions[4] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    const int width = picture->width, height = picture->height;
    std::vector<float> weights(size_t(4 * width * height));
    rf_neighbour_weights(picture, weights.data());
    const float *weight = weights.data();
    for (const cv::Point direction : directions) {
        for (int y = 0; y + direction.y < height; y++)
            for (int x = std::max(0, -direction.x); x + std::max(0, direction.x) < width; x++) {
                const int from = y * width + x;
                graph.addEdges(from, from + direction.y * width + direction.x, weight[from], weight[from]);
            }
        weight += width * height;
    }
}

} // namespace

void rf_cutter::cut(const cv::Mat &labels, const float *prior, std::vector<uchar> &isObject) {
    const float certain = 1e4;
    rf_colour_model_log_likelihoods(colours.get(), isObject.data(), logLikelihoods.data());
    for (int y = 0, at = 0; y < labels.rows; y++)
        for (int x = 0; x < labels.cols; x++, at++) {
            const uchar label = labels.at<uchar>(y, x);
            const float uncertain = float(-logLikelihoods[size_t(at)]) + (prior ? prior[at] : 0);
            const float wanted = label == 0 ? -certain : (label == 1 ? certain : uncertain);
            const float change = wanted - terminalWeights[size_t(at)];
            graph.addTermWeights(at, std::max(change, 0.f), std::max(-change, 0.f));
            terminalWeights[size_t(at)] = wanted;
        }
    graph.maxFlow();
    for (size_t i = 0; i < isObject.size(); i++)
        isObject[i] = graph.inSourceSegment(int(i));
}

extern "C" int rf_cutter_open(const rf_image *tones, rf_cutter **cutter) {
    return catchingExceptions([&] {
        const cv::Mat picture = mat(tones);
        auto opened = std::make_unique<rf_cutter>(picture.size());
        float palette[3 * 32];
        const int colours = rf_palette(tones, palette);
        opened->colours.reset(rf_colour_model_create(tones, palette, colours));
        opened->logLikelihoods.resize(picture.total());
        for (size_t i = 0; i < picture.total(); i++)
            opened->graph.addVtx();
        addNeighbourEdges(tones, opened->graph);
        *cutter = opened.release();
    });
}

extern "C" void rf_cutter_close(rf_cutter *cutter) { delete cutter; }

extern "C" int rf_cutter_cut(rf_cutter *cutter, rf_image *mask, const float *prior, int iterations) {
    return catchingExceptions([&] {
        cv::Mat labels = mat(mask);
        if (labels.size() != cutter->size)
            throw std::runtime_error("the mask has another size than the picture");
        std::vector<uchar> isObject(labels.total());
        for (int y = 0, at = 0; y < labels.rows; y++)
            for (int x = 0; x < labels.cols; x++, at++)
                isObject[size_t(at)] = labels.at<uchar>(y, x) & 1;
        for (int i = 0; i < iterations; i++)
            cutter->cut(labels, prior, isObject);
        for (int y = 0, at = 0; y < labels.rows; y++)
            for (int x = 0; x < labels.cols; x++, at++)
                labels.at<uchar>(y, x) = isObject[size_t(at)] ? 255 : 0;
    });
}
