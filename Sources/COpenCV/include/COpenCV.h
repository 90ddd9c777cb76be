#ifndef COPENCV_H
#define COPENCV_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Every function that can fail returns 0, or an rf_status; rf_error_message() then says why, on the same thread.
enum { RF_OK = 0, RF_ERROR_OPENCV = 1, RF_ERROR_FILE = 2, RF_ERROR_OTHER = 3 };
const char *rf_error_message(void);

/// OpenCV's version, for example "4.6.0".
const char *rf_opencv_version(void);

/// Pixels owned by the caller: rows of `width` pixels of `channels` bytes, `stride` bytes apart.
typedef struct {
    uint8_t *data;
    int width, height, channels;
    ptrdiff_t stride;
} rf_image;

/// A rectangle in pixels and how many raw hits stand behind it.
typedef struct {
    int x, y, width, height, weight;
} rf_box;

typedef struct {
    double x, y, width, height;
} rf_rect;

/// Shrinks `source` to the size of `target` by averaging areas.
int rf_reduce(const rf_image *source, rf_image *target);
/// Samples `region` of `source` (it may reach over the edge, which repeats) to the size of `target`.
int rf_sample(const rf_image *source, rf_rect region, rf_image *target);
/// Best place of `pattern` in `picture` by normalised correlation, -1...1.
int rf_match(const rf_image *picture, const rf_image *pattern, int *x, int *y, double *score);

// Cascades

typedef struct rf_cascade rf_cascade;
int rf_cascade_open(const char *path, rf_cascade **cascade);
void rf_cascade_close(rf_cascade *cascade);
/// All raw hits with windows of `smallest`...`largest` pixels, in reading order; at most `capacity`, `count` says how many there were.
int rf_cascade_scan(
    rf_cascade *cascade, const rf_image *image, double step, int smallest, int largest, int mirrored, rf_box *boxes, int capacity, int *count);
/// Unites hits that mean the same, keeps those with at least `threshold` behind them; in place.
int rf_group(rf_box *boxes, int *count, int threshold, double tolerance);

// Faces by dlib's histograms of gradients

/// A face: its box, how sure (> 0), and which way it looks: 0 front, -1 the picture's left, 1 its right; `roll` in degrees clockwise.
typedef struct {
    double x, y, width, height, score;
    int side;
    double roll;
} rf_head;

typedef struct rf_hog rf_hog;
int rf_hog_open(rf_hog **hog);
void rf_hog_close(rf_hog *hog);
/// Faces of 80 pixels and more in `region` of a grey picture enlarged `scale` times and turned `angle` degrees anticlockwise about its middle.
/// At most `levels` sizes are searched, each 1.2 times the one before.
int rf_hog_find(
    rf_hog *hog, const rf_image *image, rf_rect region, double scale, double angle, int levels, rf_head *heads, int capacity, int *count);

// Networks that the user gives

/// `bgr` receives the colours of a picture: luma and interleaved chroma of half the size, both scaled to the size of `bgr`.
int rf_colours(const rf_image *luma, const rf_image *chroma, rf_image *bgr);

/// A face with right eye, left eye, nose, right and left corner of the mouth (x, y each), in pixels.
typedef struct {
    double x, y, width, height, score;
    double marks[10];
} rf_face;

typedef struct rf_face_net rf_face_net;
/// YuNet of March 2022 or of March 2023, for pictures of exactly this size.
int rf_face_net_open(const char *path, int width, int height, rf_face_net **net);
void rf_face_net_close(rf_face_net *net);
int rf_face_net_find(rf_face_net *net, const rf_image *bgr, double threshold, rf_face *faces, int capacity, int *count);

/// An object of COCO's 80 classes; fractions of the picture.
typedef struct {
    double x, y, width, height, score;
    int kind;
} rf_object;

typedef struct rf_object_net rf_object_net;
/// YOLO-Fastest (`weights` and the `cfg` that belongs to it) or FastestDet (`weights` is its onnx, `cfg` null).
int rf_object_net_open(const char *weights, const char *cfg, rf_object_net **net);
void rf_object_net_close(rf_object_net *net);
/// Every candidate of `kinds` above `threshold`, overlapping ones of one kind reduced to the best.
int rf_object_net_find(
    rf_object_net *net, const rf_image *bgr, double threshold, const int *kinds, int kind_count, rf_object *objects, int capacity, int *count);

typedef struct rf_depth_net rf_depth_net;
/// A network that takes 256 x 256 pixels and gives a square of inverse depths, `side` values each way.
int rf_depth_net_open(const char *path, rf_depth_net **net, int *side);
void rf_depth_net_close(rf_depth_net *net);
/// `out` has side * side values; larger is nearer, without unit and zero. What is no number becomes 0.
int rf_depth_net_find(rf_depth_net *net, const rf_image *bgr, float *out);

// Motion between two pictures

typedef struct rf_flow rf_flow;
int rf_flow_open(rf_flow **flow);
void rf_flow_close(rf_flow *flow);
/// Makes `image` the current picture and the current one the previous.
int rf_flow_push(rf_flow *flow, const rf_image *image);
/// How `region` moved from the previous picture to the current: offset, growth, and the share of points that agree (0 without a previous picture).
int rf_flow_follow(rf_flow *flow, rf_rect region, double *dx, double *dy, double *growth, double *agreement);

// A tapped object

typedef struct rf_tracker rf_tracker;
int rf_tracker_open(const rf_image *image, rf_box box, rf_tracker **tracker);
int rf_tracker_update(rf_tracker *tracker, const rf_image *image, rf_box *box, int *found);
void rf_tracker_close(rf_tracker *tracker);

typedef struct rf_cutter rf_cutter;
/// Prepares cutting objects out of a picture of three channels.
int rf_cutter_open(const rf_image *tones, rf_cutter **cutter);
void rf_cutter_close(rf_cutter *cutter);
/// `mask` says of each pixel: 0 surely background, 1 surely object, 2 and 3 probably; receives 0 or 255 by colours and the least cut between them.
/// A cut like the one before takes less time; whatever that was, the same comes out.
int rf_cutter_cut(rf_cutter *cutter, rf_image *mask, int iterations);
/// How much a way from the non-zero pixels of `seeds` has to rise and fall, summed over three channels, for each of `count` (1…5) sets of seeds;
/// `out` has a value for each pixel of each.
int rf_barriers(const rf_image *tones, const rf_image *seeds, int count, float *out);
/// CIE Lab of a BGR picture without specks.
int rf_lab(const rf_image *bgr, rf_image *out);
/// Video-range BT.709 luma and interleaved chroma of half the size, to BGR of the size of the chroma.
int rf_bgr(const rf_image *luma, const rf_image *chroma, rf_image *bgr);
/// Half the lightness, the mean of both colours of CIE Lab, and `depth`, as three channels to cut by.
int rf_colour_depth(const rf_image *bgr, const rf_image *depth, rf_image *out);
/// Keeps of `mask` what hangs together with the non-zero pixel nearest to (x, y), closes pinholes; `size` receives its pixels.
int rf_component(rf_image *mask, int x, int y, rf_rect *bounds, int *size);

// Stereo

typedef struct rf_stereo rf_stereo;
/// `range` in pixels of the pictures to come, a multiple of 32, at most 256.
int rf_stereo_open(int range, rf_stereo **stereo);
void rf_stereo_close(rf_stereo *stereo);
/// Disparity of the left picture in pixels, and where it was seen by both eyes (1, else 0); both outputs have width * height floats.
/// `keep` is the share of the last pictures kept where they are the same, 0...1.
int rf_stereo_match(rf_stereo *stereo, const rf_image *left, const rf_image *right, double keep, float *out, float *trusted);

// Disparity made fit for a lens

typedef struct rf_refiner rf_refiner;
/// `keep` is the share of the last frames kept where the picture is the same, 0...1; 0 for stills. What `sharpens` is smooth but for jumps, and those
/// lie on the picture's edges.
int rf_refiner_open(double keep, int sharpens, rf_refiner **refiner);
void rf_refiner_close(rf_refiner *refiner);
/// Steadies and fills, and maybe sharpens, `values` of a picture, in place. `trust` (0 or 1) says which were measured, and then which are known from this
/// frame or earlier ones; a value is filled in where it is 0. What has neither holes nor noise stays as it is.
int rf_refiner_refine(rf_refiner *refiner, const rf_image *picture, float *values, float *trust);
/// Enlarges values of `picture` to the size of `guide`, the same picture: between pixels that differ, the more alike one counts, and
/// where two surfaces meet each pixel is on one of them.
int rf_disparity_enlarge(const float *values, const rf_image *picture, const rf_image *guide, float *out);
/// Fills values whose trust is 0, in place, along the edges of `guide`, which has their size.
int rf_disparity_fill(float *values, const float *trust, const rf_image *guide);

// Light

/// What a picture tells of the light; levels on a scale of 0 (black) to 255 (white).
typedef struct {
    double mean, p95, p99;
    /// Mean against noise in dB; 100 where no noise was found, negative where no block could be judged.
    double signal_to_noise;
    /// Median over blocks of 16 x 16 of the standard deviation inside.
    double texture;
    /// Bits of the histogram of levels, 0...8.
    double entropy;
    /// How much redder than grey the picture is: the mean of Cr - 128.
    double redness;
} rf_light;

/// Of video-range luma and interleaved chroma.
int rf_meter(const rf_image *luma, const rf_image *chroma, rf_light *light);

// Calibration: two cameras and a chessboard

typedef struct {
    /// In pixels: focal lengths, and the centre with (0, 0) in the middle of the first pixel.
    double focal[2], centre[2];
    /// k1, k2, p1, p2, k3 of Brown's model.
    double distortion[5];
} rf_lens;

/// A point X of the left camera is rotation * X + translation in the right one; rows of the matrix follow each other, units are the square's.
typedef struct {
    int width, height;
    rf_lens left, right;
    double rotation[9], translation[3];
} rf_rig;

/// The inner corners of a chessboard, row by row, as pairs of x and y; `corners` has 2 * columns * rows values.
int rf_board_find(const rf_image *grey, int columns, int rows, float *corners, int *found);
/// From `count` views of the board, one after the other; `error` receives the root mean square of what is left, in pixels.
int rf_calibrate(
    const float *left, const float *right, int count, int columns, int rows, double square, int width, int height, rf_rig *rig, double *error);

typedef struct rf_rectifier rf_rectifier;
/// For pictures of this size and the rig's aspect; `focal` receives the focal length of the levelled pictures in their pixels.
int rf_rectifier_open(const rf_rig *rig, int width, int height, rf_rectifier **rectifier, double *focal);
void rf_rectifier_close(rf_rectifier *rectifier);
/// Levels a picture of the left or right camera, so that the eyes' rows are the same.
int rf_rectify(const rf_rectifier *rectifier, int isRight, const rf_image *grey, rf_image *out);
/// Values of the levelled left picture where the camera saw them, the nearest of each.
int rf_unrectify(const rf_rectifier *rectifier, const float *values, float *out);

// Drawing: coverage 0...255 on a one-channel mask, coordinates in 1/16 pixel

int rf_draw_line(rf_image *mask, int x0, int y0, int x1, int y1, int thickness);
/// `x`, `y`: left end of the baseline in pixels.
int rf_draw_text(rf_image *mask, const char *text, int x, int y, double scale, int thickness);
int rf_text_size(const char *text, double scale, int thickness, int *width, int *height, int *below);

#ifdef __cplusplus
}
#endif
#endif
