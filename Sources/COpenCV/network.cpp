#include "distinct.hpp"
#include "network.hpp"

#include <opencv2/dnn.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <tuple>

using namespace rackfocus;

namespace {

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

} // namespace

extern "C" int rf_colours(const rf_image *luma, const rf_image *chroma, rf_image *bgr) {
    return guarded([&] {
        cv::Mat out = mat(bgr), y, uv;
        const cv::Size size(out.cols & ~1, out.rows & ~1);
        const auto shrink = [](const cv::Mat &from, cv::Mat &to, cv::Size wanted) {
            if (from.size() == wanted)
                to = from;
            else
                cv::resize(from, to, wanted, 0, 0, wanted.width < from.cols ? cv::INTER_AREA : cv::INTER_LINEAR);
        };
        shrink(mat(luma), y, size);
        shrink(mat(chroma), uv, size / 2);
        cv::Mat colours;
        cv::cvtColorTwoPlane(y, uv, colours, cv::COLOR_YUV2BGR_NV12);
        cv::copyMakeBorder(colours, out, 0, out.rows - size.height, 0, out.cols - size.width, cv::BORDER_REPLICATE);
    });
}

struct rf_object_net {
    cv::dnn::Net net;
    std::vector<std::string> outputs;
    bool isYOLO;
};

namespace {

/// A row for each box: middle, size, objectness, classes.
void decodeYOLO(const cv::Mat &rows, float threshold, const std::vector<int> &kinds, std::vector<rf_object> &found) {
    for (int i = 0; i < rows.rows; i++) {
        const float *row = rows.ptr<float>(i);
        for (int kind : kinds)
            if (row[5 + kind] > threshold)
                found.push_back({row[0] - row[2] / 2, row[1] - row[3] / 2, row[2], row[3], row[5 + kind], kind});
    }
}

/// One grid of cells: objectness, offset, size, classes, a plane each.
void decodeFastestDet(const cv::Mat &blob, float threshold, const std::vector<int> &kinds, std::vector<rf_object> &found) {
    const int rows = blob.size[2], columns = blob.size[3];
    const float *planes = blob.ptr<float>();
    const auto at = [&](int plane, int y, int x) { return planes[(plane * rows + y) * columns + x]; };
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            for (int kind : kinds) {
                const float score = std::pow(std::max(at(0, y, x), 0.f), 0.6f) * std::pow(std::max(at(5 + kind, y, x), 0.f), 0.4f);
                if (!(score > threshold))
                    continue;
                const float w = sigmoid(at(3, y, x)), h = sigmoid(at(4, y, x));
                const float cx = (static_cast<float>(x) + std::tanh(at(1, y, x))) / static_cast<float>(columns);
                const float cy = (static_cast<float>(y) + std::tanh(at(2, y, x))) / static_cast<float>(rows);
                found.push_back({cx - w / 2, cy - h / 2, w, h, score, kind});
            }
}

std::vector<cv::Mat> forward(rf_object_net *net, const cv::Mat &bgr) {
    const int side = net->isYOLO ? 320 : 352;
    cv::Mat input = cv::dnn::blobFromImage(bgr, 1 / 255.0, cv::Size(side, side), cv::Scalar(), net->isYOLO, false);
    net->net.setInput(input);
    std::vector<cv::Mat> outputs;
    net->net.forward(outputs, net->outputs);
    return outputs;
}

/// Darknet's reader takes what a file lacks for weights all the same.
void checkWhole(const char *weights, cv::dnn::Net &net) {
    const size_t header = 16;
    size_t values = 0;
    for (const std::string &name : net.getLayerNames()) {
        const cv::Ptr<cv::dnn::Layer> layer = net.getLayer(net.getLayerId(name));
        // A region's sizes of boxes come from the .cfg.
        if (layer->type != "Region")
            for (const cv::Mat &blob : layer->blobs)
                values += blob.total();
    }
    if (std::filesystem::file_size(weights) < header + values * sizeof(float))
        throw FileError("it ends before its last weight: it is cut short, or the .cfg beside it is another model's");
}

} // namespace

extern "C" int rf_object_net_open(const char *weights, const char *cfg, rf_object_net **net) {
    return guarded([&] {
        auto opened = std::make_unique<rf_object_net>();
        opened->isYOLO = cfg != nullptr;
        if (cfg && !exists(cfg))
            throw FileError("the .cfg that belongs to it is not beside it");
        opened->net = reading(weights, [&] { return cfg ? cv::dnn::readNetFromDarknet(cfg, weights) : cv::dnn::readNet(weights); });
        if (cfg)
            checkWhole(weights, opened->net);
        opened->outputs = opened->net.getUnconnectedOutLayersNames();
        const auto outputs = reading(weights, [&] { return forward(opened.get(), cv::Mat::zeros(64, 64, CV_8UC3)); });
        const bool fits = std::all_of(outputs.begin(), outputs.end(), [&](const cv::Mat &out) {
            return opened->isYOLO ? out.dims == 2 && out.cols == 85 : out.dims == 4 && out.size[1] == 85;
        });
        if (outputs.empty() || !fits)
            throw FileError("this is a model, but neither YOLO-Fastest nor FastestDet: it does not tell COCO's 80 classes");
        *net = opened.release();
    });
}

extern "C" void rf_object_net_close(rf_object_net *net) { delete net; }

extern "C" int rf_object_net_find(
    rf_object_net *net, const rf_image *bgr, double threshold, const int *kinds, int kind_count, rf_object *objects, int capacity, int *count) {
    return guarded([&] {
        std::vector<rf_object> found;
        const std::vector<int> wanted(kinds, kinds + kind_count);
        for (const cv::Mat &out : forward(net, mat(bgr)))
            (net->isYOLO ? decodeYOLO : decodeFastestDet)(out, static_cast<float>(threshold), wanted, found);
        std::sort(found.begin(), found.end(), [](const rf_object &a, const rf_object &b) {
            return std::tie(b.score, a.kind, a.x, a.y, a.width, a.height) < std::tie(a.score, b.kind, b.x, b.y, b.width, b.height);
        });
        const std::vector<rf_object> kept =
            distinct(found, [](const rf_object &a, const rf_object &b) { return a.kind == b.kind && overlap(a, b) > 0.5; });
        *count = static_cast<int>(kept.size());
        std::copy_n(kept.begin(), std::min(*count, capacity), objects);
    });
}
