#include "CVisionOracles.h"
#include "ExceptionBoundary.hpp"

#include <dlib/image_processing/frontal_face_detector.h>
#include <dlib/image_transforms.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

using namespace rackfocus;

struct rf_oracle_faces {
    dlib::frontal_face_detector detector = dlib::get_frontal_face_detector();
    std::vector<rf_head> heads;
};

namespace {

dlib::array2d<unsigned char> copied(const rf_image *grey) {
    dlib::array2d<unsigned char> out(grey->height, grey->width);
    for (int y = 0; y < grey->height; y++)
        std::copy_n(grey->data + y * grey->stride, grey->width, &out[y][0]);
    return out;
}

} // namespace

extern "C" int rf_oracle_faces_open(rf_oracle_faces **finder) {
    return catchingExceptions([&] { *finder = new rf_oracle_faces(); });
}

extern "C" void rf_oracle_faces_close(rf_oracle_faces *finder) { delete finder; }

extern "C" int rf_oracle_faces_find(rf_oracle_faces *finder, const rf_image *grey, const rf_head **heads, int *count) {
    return catchingExceptions([&] {
        std::vector<dlib::rect_detection> faces;
        finder->detector(copied(grey), faces, 0);
        finder->heads.clear();
        for (const dlib::rect_detection &face : faces) {
            const double width = double(face.rect.width()), height = double(face.rect.height());
            const double x = double(face.rect.left() + face.rect.right()) / 2, y = double(face.rect.top() + face.rect.bottom()) / 2;
            finder->heads.push_back({x - width / 2, y - height / 2, width, height, face.detection_confidence, 0, 0});
        }
        *heads = finder->heads.data();
        *count = static_cast<int>(finder->heads.size());
    });
}

extern "C" int rf_oracle_pyramid_down(const rf_image *source, rf_image *target) {
    return catchingExceptions([&] {
        dlib::array2d<unsigned char> smaller;
        dlib::pyramid_down<6>()(copied(source), smaller);
        if (smaller.nc() != target->width || smaller.nr() != target->height)
            throw std::runtime_error("the target has another size than dlib's");
        for (int y = 0; y < target->height; y++)
            std::copy_n(&smaller[y][0], target->width, target->data + y * target->stride);
    });
}
