#include "NetworkFile.hpp"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace rackfocus;

struct rf_depth_net {
    cv::dnn::Net net;
    int side;
};

namespace {

const int inputSide = 256, fewest = 16;
/// Mean and standard deviation of red, green and blue over ImageNet, which such networks are trained on.
const double means[3] = {0.485, 0.456, 0.406}, deviations[3] = {0.229, 0.224, 0.225};

cv::Mat forward(cv::dnn::Net &net, const cv::Mat &bgr) {
    const cv::Scalar mean(means[0] * 255, means[1] * 255, means[2] * 255);
    cv::Mat blob = cv::dnn::blobFromImage(bgr, 1 / 255.0, cv::Size(inputSide, inputSide), mean, true);
    for (int c = 0; c < 3; c++) {
        cv::Mat plane(inputSide, inputSide, CV_32F, blob.ptr<float>(0, c));
        plane *= 1 / deviations[c];
    }
    net.setInput(blob);
    return net.forward();
}

int sideOf(const cv::Mat &out) { return static_cast<int>(std::lround(std::sqrt(static_cast<double>(out.total())))); }

} // namespace

extern "C" int rf_depth_net_open(const char *path, rf_depth_net **net, int *side) {
    return catchingExceptions([&] {
        auto opened = std::make_unique<rf_depth_net>();
        opened->net = readingNetwork(path, [&] { return cv::dnn::readNet(path); });
        if (opened->net.getUnconnectedOutLayersNames().size() != 1)
            throw FileError("this is a model, but none of depth: it has more than one output");
        const cv::Mat out = readingNetwork(path, [&] { return forward(opened->net, cv::Mat::zeros(inputSide, inputSide, CV_8UC3)); });
        opened->side = sideOf(out);
        if (opened->side < fewest || static_cast<size_t>(opened->side) * static_cast<size_t>(opened->side) != out.total())
            throw FileError("this is a model, but none of depth: it does not give one value for each place of a 256x256 picture");
        *side = opened->side;
        *net = opened.release();
    });
}

extern "C" void rf_depth_net_close(rf_depth_net *net) { delete net; }

extern "C" int rf_depth_net_find(rf_depth_net *net, const rf_image *bgr, float *out) {
    return catchingExceptions([&] {
        const cv::Mat found = forward(net->net, mat(bgr));
        if (found.total() != static_cast<size_t>(net->side) * static_cast<size_t>(net->side))
            throw std::runtime_error("the network's output has changed its size");
        std::transform(found.ptr<float>(), found.ptr<float>() + found.total(), out, [](float value) { return std::isfinite(value) ? value : 0.f; });
    });
}
