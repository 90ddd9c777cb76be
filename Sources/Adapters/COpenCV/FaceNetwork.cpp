#include "NetworkFile.hpp"

#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect/face.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace rackfocus;

struct rf_face_net {
    /// YuNet of March 2022, which OpenCV 4.6 decodes; or nothing.
    cv::Ptr<cv::FaceDetectorYN> detector;
    /// YuNet of March 2023, which OpenCV 4.6 runs but does not decode.
    cv::dnn::Net net;
    std::vector<rf_face> faces;

    void find(const cv::Mat &bgr, double threshold);
};

namespace {

/// The network halves the picture five times.
const int divisor = 32;
const double largestOverlap = 0.3;
const int topK = 5000;

std::vector<std::string> outputNames2023() {
    std::vector<std::string> names;
    for (const char *head : {"cls_", "obj_", "bbox_", "kps_"})
        for (const char *stride : {"8", "16", "32"})
            names.push_back(std::string(head) + stride);
    return names;
}

cv::Mat padded(const cv::Mat &bgr) {
    cv::Mat out;
    const int right = (divisor - bgr.cols % divisor) % divisor, below = (divisor - bgr.rows % divisor) % divisor;
    cv::copyMakeBorder(bgr, out, 0, below, 0, right, cv::BORDER_CONSTANT);
    return out;
}

std::vector<rf_face> find2022(cv::FaceDetectorYN &detector, const cv::Mat &bgr, double threshold) {
    cv::Mat rows;
    detector.setScoreThreshold(static_cast<float>(threshold));
    detector.detect(bgr, rows);
    std::vector<rf_face> faces;
    for (int i = 0; i < rows.rows; i++) {
        const float *row = rows.ptr<float>(i);
        rf_face face = {row[0], row[1], row[2], row[3], row[14], {}};
        std::copy_n(row + 4, 10, face.landmarks);
        faces.push_back(face);
    }
    return faces;
}

std::vector<rf_face> find2023(cv::dnn::Net &net, const cv::Mat &bgr, double threshold) {
    const cv::Mat picture = padded(bgr);
    net.setInput(cv::dnn::blobFromImage(picture));
    std::vector<cv::Mat> outputs;
    net.forward(outputs, outputNames2023());
    const float *values[12];
    int cells = 0;
    for (int level = 0; level < 3; level++) {
        const int stride = 8 << level, count = picture.cols / stride * (picture.rows / stride);
        const int widths[4] = {1, 1, 4, 10};
        for (int head = 0; head < 4; head++) {
            const cv::Mat &output = outputs[size_t(3 * head + level)];
            if (int(output.total()) != widths[head] * count)
                throw FileError("this is a model, but not YuNet: its outputs do not have YuNet's sizes");
            values[3 * head + level] = output.ptr<float>();
        }
        cells += count;
    }
    std::vector<rf_face> faces(static_cast<size_t>(cells));
    faces.resize(size_t(rf_decode_yunet(values, picture.cols, picture.rows, float(threshold), faces.data())));
    std::vector<rf_rect> boxes;
    for (const rf_face &face : faces)
        boxes.push_back({face.x, face.y, face.width, face.height});
    std::vector<int> kept(faces.size());
    kept.resize(size_t(rf_suppress_non_maxima(boxes.data(), nullptr, int(boxes.size()), largestOverlap, kept.data())));
    std::vector<rf_face> result;
    for (int index : kept)
        result.push_back(faces[size_t(index)]);
    return result;
}

} // namespace

void rf_face_net::find(const cv::Mat &bgr, double threshold) {
    faces = detector ? find2022(*detector, bgr, threshold) : find2023(net, bgr, threshold);
}

extern "C" int rf_face_net_open(const char *path, int width, int height, rf_face_net **net) {
    return catchingExceptions([&] {
        auto opened = std::make_unique<rf_face_net>();
        opened->net = readingNetwork(path, [&] { return cv::dnn::readNet(path); });
        const auto outputs = opened->net.getUnconnectedOutLayersNames();
        const auto has = [&](const std::string &name) { return std::find(outputs.begin(), outputs.end(), name) != outputs.end(); };
        const std::vector<std::string> names = outputNames2023();
        if (has("loc") && has("conf") && has("iou"))
            opened->detector = readingNetwork(
                path, [&] { return cv::FaceDetectorYN::create(path, "", cv::Size(width, height), 0.9f, static_cast<float>(largestOverlap), topK); });
        else if (!std::all_of(names.begin(), names.end(), has))
            throw FileError("this is a model, but not YuNet: its outputs are neither loc, conf and iou nor cls_8 to kps_32");
        readingNetwork(path, [&] { opened->find(cv::Mat::zeros(height, width, CV_8UC3), 0.9); });
        *net = opened.release();
    });
}

extern "C" void rf_face_net_close(rf_face_net *net) { delete net; }

extern "C" int rf_face_net_find(rf_face_net *net, const rf_image *bgr, double threshold, const rf_face **faces, int *count) {
    return catchingExceptions([&] {
        net->find(mat(bgr), threshold);
        *faces = net->faces.data();
        *count = static_cast<int>(net->faces.size());
    });
}
