// Random pictures, maps and boxes through the C functions of the kernels, OpenCV and dlib, each in memory of exactly its size, so that the address sanitizer sees every step beyond.
// An error is an answer; a crash is none. `c-api [ROUNDS] [SEED]`

#include "COpenCV.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

namespace {

std::mt19937 dice;

int roll(int limit) { return static_cast<int>(dice() % static_cast<unsigned>(limit)); }

/// Any number that a box may be made of; the wild ones now and then.
double number(double from, double to) {
    const double wild[] = {0, 1, -5, 1e6, -1e6, 1e300, 1e-9, std::nan(""), std::numeric_limits<double>::infinity()};
    return roll(6) == 0 ? wild[roll(9)] : from + (to - from) * roll(10000) / 10000;
}

struct Picture {
    std::vector<uint8_t> bytes;
    rf_image image;

    Picture(int width, int height, int channels) : bytes(static_cast<size_t>(width * height * channels)) {
        const int kind = roll(5), base = roll(256);
        for (size_t i = 0; i < bytes.size(); i++)
            bytes[i] = static_cast<uint8_t>(
                kind == 0       ? base
                    : kind == 1 ? roll(256)
                    : kind == 2 ? i / 7
                    : kind == 3 ? (i % 32 < 16) * 255
                                : i * i / 64);
        image = {bytes.data(), width, height, channels, width * channels};
    }
};

struct Map {
    std::vector<float> values;

    explicit Map(const Picture &picture) : values(static_cast<size_t>(picture.image.width * picture.image.height)) {
        const float wild[] = {0, 1, -3, 1e30f, NAN, INFINITY, -INFINITY, 0.5f};
        const bool isWild = roll(2) == 0;
        for (float &value : values)
            value = isWild ? wild[roll(8)] : static_cast<float>(roll(1000)) / 100;
    }
    float *data() { return values.data(); }
};

rf_rect anyRect() { return {number(-50, 150), number(-50, 150), number(0, 120), number(0, 120)}; }

void searches(Picture &luma, rf_cascade *cascade, rf_dlib_faces *faces) {
    const rf_box *hits = nullptr;
    int count = 0;
    if (rf_cascade_scan(cascade, &luma.image, 1.1, 1 + roll(60), 1 + roll(200), roll(2), &hits, &count) == RF_OK) {
        std::vector<rf_box> boxes(hits, hits + count);
        rf_group_rectangles(boxes.data(), &count, roll(4), 0.2);
    }
    const rf_head *heads = nullptr;
    rf_dlib_faces_find(faces, &luma.image, anyRect(), number(0, 4), number(-180, 180), 1 + roll(4), number(-3, 0), &heads, &count);
}

void motion(int width, int height) {
    rf_flow *flow = nullptr;
    rf_flow_open(&flow);
    rf_motion motion;
    for (int i = 0; i < 3; i++) {
        Picture picture(width + (roll(5) == 0 ? 2 : 0), height, 1);
        rf_flow_push(flow, &picture.image);
        rf_flow_follow(flow, anyRect(), &motion);
    }
    rf_flow_close(flow);
    Picture earlier(width, height, 1), later(width, height, 1);
    std::vector<float> offsets(static_cast<size_t>(2 * width) * static_cast<size_t>(height));
    rf_dense_flow(&later.image, &earlier.image, offsets.data());
    Map known(later), moved(later), warped(later);
    rf_residual_motion(&earlier.image, &later.image, offsets.data(), known.data(), moved.data());
    std::vector<float> camera(offsets.size());
    rf_camera_flow(&earlier.image, &later.image, offsets.data(), known.data(), camera.data());
    rf_flow_warp(moved.data(), offsets.data(), width, height, warped.data());
    Picture picture(width, height, 1);
    const int x = roll(width), y = roll(height);
    rf_box box = {x, y, 1 + roll(width - x), 1 + roll(height - y), 1};
    rf_tracker *tracker = nullptr;
    if (rf_tracker_open(&picture.image, box, &tracker) != RF_OK)
        return;
    int found = 0;
    Picture next(width, height, 1);
    rf_tracker_update(tracker, &next.image, &box, &found);
    rf_tracker_close(tracker);
}

void taps(int width, int height) {
    Picture bgr(width, height, 3), out(width, height, 3), seeds(width, height, 1), mask(width, height, 1);
    Map far(mask);
    rf_lab(&bgr.image, &out.image);
    rf_colour_depth(&bgr.image, &seeds.image, &out.image);
    rf_minimum_barrier(&bgr.image, &seeds.image, 1, far.data());
    rf_rect bounds;
    int size = 0;
    rf_component(&mask.image, roll(2 * width) - width / 2, roll(2 * height) - height / 2, &bounds, &size);
    rf_cutter *cutter = nullptr;
    if (rf_cutter_open(&bgr.image, &cutter) != RF_OK)
        return;
    for (uint8_t &label : seeds.bytes)
        label = static_cast<uint8_t>(roll(4));
    rf_cutter_cut(cutter, &seeds.image, nullptr, 1 + roll(3));
    Picture other(width + 1, height, 1);
    rf_cutter_cut(cutter, &other.image, nullptr, 1);
    rf_cutter_close(cutter);
}

void depth(int width, int height) {
    rf_stereo *stereo = rf_stereo_create();
    for (int i = 0; i < 3; i++) {
        Picture left(width, height, 1), right(width, height, 1);
        Map out(left), trust(left);
        rf_stereo_match(stereo, &left.image, &right.image, roll(2) * roll(200), 1 + roll(256), roll(2) ? 0.8 : roll(2), out.data(), trust.data());
    }
    rf_stereo_destroy(stereo);
    Picture small(width, height, 1), guide(1 + roll(3 * width), 1 + roll(3 * height), 1);
    Map values(small), large(guide);
    const int top = roll(guide.image.height);
    rf_disparity_upsample(values.data(), &small.image, &guide.image, top, top + roll(guide.image.height - top + 1), large.data(), guide.image.width);
    rf_refiner *refiner = rf_refiner_create(roll(2) ? 0.8 : roll(2), roll(2), roll(2));
    for (int i = 0; i < 3; i++) {
        Picture picture(width, height, 1);
        Map measured(picture), known(picture);
        for (size_t j = 0; j < static_cast<size_t>(width) * static_cast<size_t>(height); j++)
            known.data()[j] = static_cast<float>(roll(2));
        rf_refiner_refine(refiner, &picture.image, measured.data(), known.data());
    }
    rf_refiner_destroy(refiner);
}

void figures(int width, int height) {
    Picture lab(width, height, 3), grey(width, height + roll(100), 1);
    Map light(lab), red(lab), yellow(lab), spread(lab), seen(lab), out(lab);
    const auto limit = [](float most) { return most * static_cast<float>(roll(100)) / 100; };
    const rf_background_limits limits = {limit(10), limit(10), limit(1), limit(1), limit(10)};
    rf_background_distances(&lab.image, light.data(), red.data(), yellow.data(), spread.data(), seen.data(), &limits, out.data());
    Picture detail(width + roll(width + 1), height + roll(height + 1), 3);
    Map distance(lab), alpha(detail), background(detail);
    std::vector<float> palette(3 * 32);
    const int colours = rf_palette(&lab.image, palette.data());
    rf_classify_outline(&lab.image, &detail.image, palette.data(), colours, distance.data(), alpha.data(), background.data());
    rf_rect figure;
    double margin;
    rf_upright_figure(&grey.image, number(-50, 150), number(-50, 150), &figure, &margin);
}

void sizes(Picture &luma, Picture &chroma) {
    Picture target(1 + roll(100), 1 + roll(100), 1), colours(1 + roll(100), 1 + roll(100), 3), pattern(1 + roll(20), 1 + roll(20), 1);
    rf_reduce(&luma.image, &target.image);
    const int factor = 1 + roll(18), channels = 1 + roll(2);
    Picture large(factor * target.image.width, factor * target.image.height, channels), small(target.image.width, target.image.height, channels);
    rf_reduce(&large.image, &small.image);
    rf_rect region = anyRect();
    // Sampled boxes surround something seen: finite, and not much larger than the picture.
    if (std::isfinite(region.x + region.y) && region.width < 200 && region.height < 200 && std::abs(region.x) < 1e5 && std::abs(region.y) < 1e5)
        rf_sample(&luma.image, region, &target.image);
    rf_bgr(&luma.image, &chroma.image, &colours.image);
    if (colours.image.width > 1 && colours.image.height > 1)
        rf_colours(&luma.image, &chroma.image, &colours.image);
    int x, y;
    double score;
    rf_match(&luma.image, &pattern.image, &x, &y, &score);
    rf_light light;
    rf_light_measure(&luma.image, &chroma.image, nullptr, &light);
    rf_light_measure(&luma.image, &chroma.image, &luma.image, &light);
}

} // namespace

int main(int count, char **arguments) {
    const int rounds = count > 1 ? std::atoi(arguments[1]) : 300, seed = count > 2 ? std::atoi(arguments[2]) : 1;
    rf_cascade *cascade = nullptr;
    rf_dlib_faces *faces = nullptr;
    if (rf_cascade_open("/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt2.xml", &cascade) != RF_OK ||
        rf_dlib_faces_open(&faces) != RF_OK) {
        std::printf("%s\n", rf_error_message());
        return 1;
    }
    for (int round = 0; round < rounds; round++) {
        dice.seed(static_cast<unsigned>(seed + round));
        std::printf("\rseed %d", seed + round);
        std::fflush(stdout);
        const int width = 1 + roll(roll(3) ? 200 : 20), height = 1 + roll(roll(3) ? 150 : 20);
        Picture luma(width, height, 1), chroma((width + 1) / 2, (height + 1) / 2, 2);
        sizes(luma, chroma);
        searches(luma, cascade, faces);
        motion(width, height);
        taps(width, height);
        depth(width, height);
        figures(width, height);
    }
    rf_dlib_faces_close(faces);
    rf_cascade_close(cascade);
    std::printf("\r%d rounds of random pictures and boxes, no crash\n", rounds);
}
