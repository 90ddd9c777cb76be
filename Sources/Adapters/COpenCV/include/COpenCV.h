#ifndef COPENCV_H
#define COPENCV_H

// OpenCV and dlib behind an exception boundary: plain C in front, C++17 behind, no algorithm inside. Where one of our own kernels takes part (see
// CVisionKernels.h), it runs on what the library read, resampled or solved.

#include "CVisionKernels.h"

#ifdef __cplusplus
extern "C" {
#endif

// Every function that can fail returns 0, or an rf_status; rf_error_message() then says why, on the same thread. Results that a function points to
// live until the next call with the same object.
enum { RF_OK = 0, RF_ERROR_OPENCV = 1, RF_ERROR_FILE = 2, RF_ERROR_OTHER = 3 };
const char *rf_error_message(void);

/// OpenCV's version, for example "4.6.0".
const char *rf_opencv_version(void);

/// A rectangle in pixels and how many raw windows were grouped in it.
typedef struct {
    int x, y, width, height, weight;
} rf_box;

// Resampling

/// Reduces `source` to the size of `target` by averaging areas.
int rf_reduce(const rf_image *source, rf_image *target);
/// Resamples `region` of `source` (it may reach over the border, which repeats) to the size of `target`.
int rf_sample(const rf_image *source, rf_rect region, rf_image *target);
/// Best position of `pattern` in `picture` by normalised cross-correlation, -1...1.
int rf_match(const rf_image *picture, const rf_image *pattern, int *x, int *y, double *score);

// Cascades of Haar features

typedef struct rf_cascade rf_cascade;
int rf_cascade_open(const char *path, rf_cascade **cascade);
/* The same cascade for another thread. */
int rf_cascade_copy(const rf_cascade *cascade, rf_cascade **copy);
void rf_cascade_close(rf_cascade *cascade);
/// All raw windows of `smallest`...`largest` pixels that the cascade accepts, in reading order; sizes grow by `step`.
int rf_cascade_scan(
    rf_cascade *cascade, const rf_image *image, double step, int smallest, int largest, int mirrored, const rf_box **hits, int *count);
/// Groups similar rectangles and keeps groups of more than `threshold`; in place.
int rf_group_rectangles(rf_box *boxes, int *count, int threshold, double tolerance);

// dlib's frontal face detector

/// A face: its box, its margin (> 0 where dlib itself would call it one), and where it looks: 0 front, -1 the picture's left, 1 its right; `roll` in degrees clockwise.
typedef struct {
    double x, y, width, height, score;
    int side;
    double roll;
} rf_head;

/// Version of dlib, `19.24.0`.
const char *rf_dlib_version(void);
/// The model of all detectors as bytes, for a later run of the same build; they live on. Waits until it is unpacked.
int rf_dlib_model_bytes(const uint8_t **bytes, int *count);
/// Takes the model from such bytes instead of unpacking it; before a detector is opened. RF_ERROR_FILE for bytes that are none.
int rf_dlib_model_restore(const uint8_t *bytes, int count);

typedef struct rf_dlib_faces rf_dlib_faces;
int rf_dlib_faces_open(rf_dlib_faces **finder);
void rf_dlib_faces_close(rf_dlib_faces *finder);
/// Faces of 80 pixels and more in `region` of a grey picture enlarged `scale` times and rotated by `angle` degrees anticlockwise about its middle, best
/// first. At most `levels` sizes are searched, each 1.2 times the one before. dlib's own faces have margins above a `least_score` of 0.
int rf_dlib_faces_find(
    rf_dlib_faces *finder, const rf_image *image, rf_rect region, double scale, double angle, int levels, double least_score, const rf_head **heads,
    int *count);

// People by histograms of oriented gradients

/// The upright person around (x, y) in a grey picture of which the detector is surest, at least 96 pixels high, and the detector's margin; 0 without any.
int rf_upright_figure(const rf_image *grey, double x, double y, rf_rect *figure, double *margin);

// Networks that the user gives

/// Converts luma and interleaved chroma of half the size, both resized to `bgr`, to BGR.
int rf_colours(const rf_image *luma, const rf_image *chroma, rf_image *bgr);

typedef struct rf_face_net rf_face_net;
/// YuNet of March 2022 or of March 2023, for pictures of exactly this size.
int rf_face_net_open(const char *path, int width, int height, rf_face_net **net);
void rf_face_net_close(rf_face_net *net);
/// Every face of a score of `threshold` or more, best first.
int rf_face_net_find(rf_face_net *net, const rf_image *bgr, double threshold, const rf_face **faces, int *count);

typedef struct rf_object_net rf_object_net;
/// YOLO-Fastest (`weights` and the `cfg` that belongs to it) or FastestDet (`weights` is its onnx, `cfg` null).
int rf_object_net_open(const char *weights, const char *cfg, rf_object_net **net);
void rf_object_net_close(rf_object_net *net);
/// Every object of `kinds` above `threshold`, best first, duplicates of a kind suppressed.
int rf_object_net_find(
    rf_object_net *net, const rf_image *bgr, double threshold, const int *kinds, int kind_count, const rf_object **objects, int *count);

typedef struct rf_depth_net rf_depth_net;
/// A network that takes 256 x 256 pixels and gives a square of inverse depths, `side` values each way.
int rf_depth_net_open(const char *path, rf_depth_net **net, int *side);
void rf_depth_net_close(rf_depth_net *net);
/// `out` has side * side values; larger is nearer, without unit and zero. A value that is not finite becomes 0.
int rf_depth_net_find(rf_depth_net *net, const rf_image *bgr, float *out);

// Optical flow between two pictures

typedef struct rf_flow rf_flow;
int rf_flow_open(rf_flow **flow);
void rf_flow_close(rf_flow *flow);
/// Makes `image` the current picture and the current one the previous.
int rf_flow_push(rf_flow *flow, const rf_image *image);
/// Motion of `region` from the previous picture to the current; without a previous one nothing agrees.
int rf_flow_follow(rf_flow *flow, rf_rect region, rf_motion *motion);

/// Dense flow (DIS, ultrafast) from `picture` to `earlier` of the same size: for each pixel the offset (x, y) to where it was.
int rf_dense_flow(const rf_image *picture, const rf_image *earlier, float *flow);

// A tapped object

typedef struct rf_tracker rf_tracker;
int rf_tracker_open(const rf_image *image, rf_box box, rf_tracker **tracker);
int rf_tracker_update(rf_tracker *tracker, const rf_image *image, rf_box *box, int *found);
void rf_tracker_close(rf_tracker *tracker);

typedef struct rf_cutter rf_cutter;
/// Prepares cutting objects out of a picture of three channels.
int rf_cutter_open(const rf_image *tones, rf_cutter **cutter);
void rf_cutter_close(rf_cutter *cutter);
/// Segments by minimum cut, `iterations` times with the colours found before. `mask` has a label for each pixel: 0 surely background, 1 surely object,
/// 2 and 3 probably; it receives 0 or 255. `prior` is null, or has for each pixel what speaks for the object besides its colour, in the units of
/// `rf_colour_model_log_likelihoods`; it counts where the label says probably. The result does not depend on earlier cuts, the time does.
int rf_cutter_cut(rf_cutter *cutter, rf_image *mask, const float *prior, int iterations);
/// CIE Lab of a BGR picture after a 3 x 3 median.
int rf_lab(const rf_image *bgr, rf_image *out);
/// Video-range BT.709 luma and interleaved chroma of half the size, to BGR of the size of the chroma.
int rf_bgr(const rf_image *luma, const rf_image *chroma, rf_image *bgr);
/// Half the lightness, the mean of both colours of CIE Lab, and `depth`, as three channels to cut by.
int rf_colour_depth(const rf_image *bgr, const rf_image *depth, rf_image *out);
/// Keeps of `mask` the connected component nearest to (x, y), opened and closed by 3 x 3 pixels; `size` receives its pixels.
int rf_component(rf_image *mask, int x, int y, rf_rect *bounds, int *size);

// Calibration: two cameras and a chessboard

typedef struct {
    /// In pixels: focal lengths, and the principal point with (0, 0) in the middle of the first pixel.
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
/// From `count` views of the board, one after the other; `error` receives the root mean square reprojection error in pixels.
int rf_calibrate(
    const float *left, const float *right, int count, int columns, int rows, double square, int width, int height, rf_rig *rig, double *error);

typedef struct rf_rectifier rf_rectifier;
/// For pictures of this size and the rig's aspect; `focal` receives the focal length of the rectified pictures in their pixels.
int rf_rectifier_open(const rf_rig *rig, int width, int height, rf_rectifier **rectifier, double *focal);
void rf_rectifier_close(rf_rectifier *rectifier);
/// Rectifies a picture of the left or right camera: both cameras' rows are the same then.
int rf_rectify(const rf_rectifier *rectifier, int isRight, const rf_image *grey, rf_image *out);
/// Maps values of the rectified left picture back to where the camera saw them, the nearest of each.
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
