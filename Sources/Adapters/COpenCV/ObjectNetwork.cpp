#include "NetworkFile.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

using namespace rackfocus;

struct rf_object_net {
    cv::dnn::Net net;
    std::vector<std::string> outputs;
    bool isYOLO;
    std::vector<rf_object> objects;
};

namespace {

std::vector<cv::Mat> forward(rf_object_net *net, const cv::Mat &bgr) {
    const int side = net->isYOLO ? 320 : 352;
    cv::Mat input = cv::dnn::blobFromImage(bgr, 1 / 255.0, cv::Size(side, side), cv::Scalar(), net->isYOLO, false);
    net->net.setInput(input);
    std::vector<cv::Mat> outputs;
    net->net.forward(outputs, net->outputs);
    return outputs;
}

/// Throws where a file is shorter than its weights, which Darknet's reader does not notice.
void checkLength(const char *weights, cv::dnn::Net &net) {
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
    return catchingExceptions([&] {
        auto opened = std::make_unique<rf_object_net>();
        opened->isYOLO = cfg != nullptr;
        if (cfg && !exists(cfg))
            throw FileError("the .cfg that belongs to it is not beside it");
        opened->net = readingNetwork(weights, [&] { return cfg ? cv::dnn::readNetFromDarknet(cfg, weights) : cv::dnn::readNet(weights); });
        if (cfg)
            checkLength(weights, opened->net);
        opened->outputs = opened->net.getUnconnectedOutLayersNames();
        const auto outputs = readingNetwork(weights, [&] { return forward(opened.get(), cv::Mat::zeros(64, 64, CV_8UC3)); });
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
    rf_object_net *net, const rf_image *bgr, double threshold, const int *kinds, int kind_count, const rf_object **objects, int *count) {
    return catchingExceptions([&] {
        std::vector<rf_object> found;
        for (const cv::Mat &out : forward(net, mat(bgr))) {
            const int cells = net->isYOLO ? out.rows : out.size[2] * out.size[3];
            const size_t before = found.size();
            found.resize(before + static_cast<size_t>(cells) * static_cast<size_t>(kind_count));
            const int added = net->isYOLO
                ? rf_decode_yolo(out.ptr<float>(), out.rows, static_cast<float>(threshold), kinds, kind_count, found.data() + before)
                : rf_decode_fastestdet(
                      out.ptr<float>(), out.size[3], out.size[2], static_cast<float>(threshold), kinds, kind_count, found.data() + before);
            found.resize(before + static_cast<size_t>(added));
        }
        std::sort(found.begin(), found.end(), [](const rf_object &a, const rf_object &b) {
            return std::tie(b.score, a.kind, a.x, a.y, a.width, a.height) < std::tie(a.score, b.kind, b.x, b.y, b.width, b.height);
        });
        std::vector<rf_rect> boxes;
        std::vector<int> boxKinds, kept(found.size());
        for (const rf_object &object : found) {
            boxes.push_back({object.x, object.y, object.width, object.height});
            boxKinds.push_back(object.kind);
        }
        kept.resize(static_cast<size_t>(rf_suppress_non_maxima(boxes.data(), boxKinds.data(), static_cast<int>(boxes.size()), 0.5, kept.data())));
        net->objects.clear();
        for (int index : kept)
            net->objects.push_back(found[static_cast<size_t>(index)]);
        *objects = net->objects.data();
        *count = static_cast<int>(net->objects.size());
    });
}
