#ifndef CVISIONKERNELS_H
#define CVISIONKERNELS_H

// Vision algorithms of our own: plain C in front, C++17 behind, no library below. Each has a folder whose header names the
// paper, the units, the cost, and its oracle: the library function or plain computation that it has to agree with. `rackfocus bench vision` times
// both; a kernel that is not 1.5 times as fast at equal results makes room for the library.
//
// Nothing here fails but by want of memory, which ends the program. Arrays have the sizes that are said; an object is used by one thread at a time.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Pixels owned by the caller: rows of `width` pixels of `channels` bytes, `stride` bytes apart.
typedef struct {
    uint8_t *data;
    int width, height, channels;
    ptrdiff_t stride;
} rf_image;

/// A rectangle in pixels.
typedef struct {
    double x, y, width, height;
} rf_rect;

// HaarCascade

/// A feature: the weighted sum of the pixels in up to three rectangles (x, y, width, height) of the window; an unused one has weight 0.
typedef struct {
    int rects[3][4];
    float weights[3];
    /// Rectangles stand on a corner (Lienhart and Maydt 2002).
    int is_tilted;
} rf_haar_feature;

/// A decision tree of one feature, or of two: one side of the first threshold is the leaf `leaf`, the other the second feature's choice between
/// `below` and `above`. With one feature (`second_feature` -1) its other leaf is `above`.
typedef struct {
    int first_feature, second_feature;
    float first_threshold, second_threshold;
    int is_leaf_below;
    float leaf, below, above;
} rf_haar_tree;

/// Trees begin..<end; a window passes whose leaves add up to `threshold` or more.
typedef struct {
    int begin, end;
    float threshold;
} rf_haar_stage;

typedef struct {
    int x, y;
} rf_point;

typedef struct rf_haar rf_haar;
/// A cascade for windows of `window` x `window` pixels; everything is copied. At least one stage, and in each at least one tree.
rf_haar *rf_haar_create(
    int window, const rf_haar_feature *features, int feature_count, const rf_haar_tree *trees, int tree_count, const rf_haar_stage *stages,
    int stage_count);
/* The same cascade for another thread. */
rf_haar *rf_haar_copy(const rf_haar *haar);
void rf_haar_destroy(rf_haar *haar);
/// Makes room for pictures of at most this size.
void rf_haar_reserve(rf_haar *haar, int width, int height);
/// Top left corners of the windows that every stage accepts, every `step` (1 or 2) pixels both ways; `windows` lives until the next call.
int rf_haar_scan(rf_haar *haar, const rf_image *grey, int step, const rf_point **windows);

// FHOG

/// A separable filter of 10 x 10 cells over one of the 31 planes of features: `row` across, `column` down.
typedef struct {
    int plane;
    float row[10], column[10];
} rf_fhog_filter;

/// Cell of a window's middle (the sixth of its ten each way), and the filters' response there.
typedef struct {
    int x, y;
    float score;
} rf_fhog_window;

typedef struct rf_fhog rf_fhog;
rf_fhog *rf_fhog_create(void);
void rf_fhog_destroy(rf_fhog *fhog);
/// Computes the features of a grey picture, for the calls of `rf_fhog_find` that follow.
void rf_fhog_compute(rf_fhog *fhog, const rf_image *grey);
/// Windows whose responses to all filters add up to `threshold` or more, row by row; `windows` lives until the next call.
int rf_fhog_find(rf_fhog *fhog, const rf_fhog_filter *filters, int count, double threshold, const rf_fhog_window **windows);
/// Reduces a grey picture to five sixths of its sides, rounded down: `target` has that size.
void rf_pyramid_down(const rf_image *source, rf_image *target);

// SemiglobalMatching

typedef struct rf_stereo rf_stereo;
rf_stereo *rf_stereo_create(void);
void rf_stereo_destroy(rf_stereo *stereo);
/// Disparity of the left picture in pixels, and a trust of 1 where both pictures agree, the match is unique and no speckle, else 0; both outputs have width * height values. `count`
/// (1...256) disparities are searched from `first` (0 or more) on. `keep` is the share of earlier pictures kept where they are the same, 0...1.
void rf_stereo_match(
    rf_stereo *stereo, const rf_image *left, const rf_image *right, int first, int count, double keep, float *disparity, float *trust);

// DisparityRefinement, HoleFilling, EdgeSharpening

typedef struct rf_refiner rf_refiner;
/// `keep` is the share of earlier frames kept where the picture is the same, 0...1; 0 for stills. With `sharpens` the map is smooth but for steps;
/// with `aligns` besides, steps that were measured beside the picture's edges move to them.
rf_refiner *rf_refiner_create(double keep, int sharpens, int aligns);
void rf_refiner_destroy(rf_refiner *refiner);
/// Filters over time, fills and (if it sharpens) sharpens `values` of a grey picture, in place. `trust` is 1 where a value was measured, else 0, and
/// then 1 where it is known from this frame or an earlier one; a value is filled in where it is 0. A map without holes and noise stays as it is.
void rf_refiner_refine(rf_refiner *refiner, const rf_image *picture, float *values, float *trust);
/// Upsamples values of `picture` to the size of `guide`, the same picture: joint bilateral upsampling, and one side of each step or the other. Writes rows
/// `top`..<`bottom` of the result, which are the same bits whichever are written together.
void rf_disparity_upsample(const float *values, const rf_image *picture, const rf_image *guide, int top, int bottom, float *out, int stride);

// AreaReduction

/// Whether `rf_area_reduce` takes these sizes: whole factors of 3...16, the same both ways.
int rf_area_reduces(const rf_image *source, const rf_image *target);
/// Means of squares of pixels, one or more channels.
void rf_area_reduce(const rf_image *source, rf_image *target);

// LightMeter

/// Measurements of the light in a picture; levels on a scale of 0 (black) to 255 (white).
typedef struct {
    double mean, p95, p99;
    /// Mean over white noise in dB; 100 where no noise was found, negative where no block could be judged.
    double signal_to_noise;
    /// Median over blocks of 16 x 16 of the standard deviation inside.
    double texture;
    /// Bits of the histogram of levels, 0...8.
    double entropy;
    /// Mean of Cr - 128.
    double redness;
} rf_light;

/// Of video-range luma and interleaved chroma; `before` is the luma of a picture of the same size shortly before, or null.
void rf_light_measure(const rf_image *luma, const rf_image *chroma, const rf_image *before, rf_light *light);

// MinimumBarrier

/// Minimum barrier distance from the non-zero pixels of each of `count` (1...5) masks, summed over three channels, 0...765; a picture of distances
/// for each mask.
void rf_minimum_barrier(const rf_image *picture, const rf_image *seeds, int count, float *out);

// ColourPalette

/// Palette of a picture of three channels: k-means of every other pixel of every other row. Returns how many centres it has, 32 or as many as samples;
/// `centres` has room for 32, of three floats each.
int rf_palette(const rf_image *picture, float *centres);

// LocalizedClassifiers

/// Alpha of the subjects in each pixel of `detail`, 0...1, by their outline and by the colours on both sides of it, and how surely the colours alone say
/// that a pixel belongs to none (`background`, 0...1). `distance` of each pixel of `tones` from the outline, in its pixels, is negative within. Both are the
/// same picture of three channels, `detail` as large or larger; `palette` are `count` of its colours, 32 at most, of three floats each.
void rf_classify_outline(
    const rf_image *tones, const rf_image *detail, const float *palette, int count, const float *distance, float *alpha, float *background);

// BackgroundSubtraction

/// Least standard deviations of lightness and of colour, part of what is only darker that counts, share of the lightness by which a shadow darkens at
/// most, and pictures in which a pixel has to have been seen to be known.
typedef struct {
    float lightness, colour, shadow, darkest, known;
} rf_background_limits;
/// For each pixel of a picture in CIE Lab the least squared distance, in standard deviations, from the background's 3 x 3 known pixels around it, infinite
/// where there are none; means of L, a and b, squared deviations of L, and the number of pictures in which each pixel was seen.
void rf_background_distances(
    const rf_image *picture, const float *light, const float *red, const float *yellow, const float *spread, const float *seen,
    const rf_background_limits *limits, float *out);

// ColourModel

typedef struct rf_colour_model rf_colour_model;
/// Assigns each pixel of a picture of three channels to the nearest of `count` palette colours (three floats each).
rf_colour_model *rf_colour_model_create(const rf_image *picture, const float *palette, int count);
void rf_colour_model_destroy(rf_colour_model *model);
/// For each pixel the log of how likely its colour is in the background against in the object, as `is_object` (0 or 1 for each pixel) has them now.
void rf_colour_model_log_likelihoods(const rf_colour_model *model, const uint8_t *is_object, double *out);
/// Weights of the edges from each pixel to its neighbour in four directions: right, below, below right, below left; width * height floats for each,
/// 0 where there is no neighbour.
void rf_neighbour_weights(const rf_image *picture, float *out);

// MedianFlow

/// Motion of a region: offset in pixels, growth (1 is none), and the share of points that agree.
typedef struct {
    double dx, dy, growth, agreement;
} rf_motion;

/// Points (x, y) on a grid of 8 x 8 in `region` that lie inside a picture of this size; how many there are (`points` has room for 128 values).
int rf_median_flow_grid(rf_rect region, int width, int height, float *points);
/// Motion of points `from`, tracked forward to `to` and from there back to `back`, where `found` is not 0.
rf_motion rf_median_flow(const float *from, const float *to, const float *back, const uint8_t *found, int count);

// ResidualMotion

/// Evidence, 0...1 for each pixel of `picture`, that it moves against the camera's affine motion. `flow` has for each pixel where it was in `earlier`,
/// less its own place (x, y); pixels whose `known` is 0.5 or more say nothing about the camera.
void rf_residual_motion(const rf_image *earlier, const rf_image *picture, const float *flow, const float *known, float *out);
/// Affine motion of the camera by the flow of `picture` to `earlier`, as a flow (`out`, x and y of each pixel), 0 where that explains the picture's edges as
/// well; pixels whose `known` is 0.5 or more say nothing about it.
void rf_camera_flow(const rf_image *earlier, const rf_image *picture, const float *flow, const float *known, float *out);
/// Carries values along a flow of their size: out(p) = values(p + flow(p)), bilinear, the border repeated.
void rf_flow_warp(const float *values, const float *flow, int width, int height, float *out);

// NetworkDecoding

/// A face with right eye, left eye, nose, right and left corner of the mouth (x, y each), in pixels.
typedef struct {
    double x, y, width, height, score;
    double landmarks[10];
} rf_face;

/// An object of one of COCO's 80 classes; fractions of the picture.
typedef struct {
    double x, y, width, height, score;
    int kind;
} rf_object;

/// Faces of YuNet of March 2023 for an input of `width` x `height` (multiples of 32), best first: `outputs` are cls, obj, bbox and kps at strides of 8,
/// 16 and 32 each. `faces` has room for the cells of all three grids; returns how many there are.
int rf_decode_yunet(const float *const *outputs, int width, int height, float threshold, rf_face *faces);
/// Objects of `kinds` in YOLO's rows of 85 values; `objects` has room for row_count * kind_count. Returns how many there are.
int rf_decode_yolo(const float *rows, int row_count, float threshold, const int *kinds, int kind_count, rf_object *objects);
/// Objects of `kinds` in FastestDet's 85 planes of cells; `objects` has room for columns * rows * kind_count. Returns how many there are.
int rf_decode_fastestdet(const float *planes, int columns, int rows, float threshold, const int *kinds, int kind_count, rf_object *objects);
/// Greedy non-maximum suppression of boxes, best first: keeps those whose intersection over union with each kept one (of the same kind, unless
/// `kinds` is null) is at most `threshold`. `kept` receives their indices and has room for all; returns how many there are.
int rf_suppress_non_maxima(const rf_rect *boxes, const int *kinds, int count, double threshold, int *kept);

#ifdef __cplusplus
}
#endif
#endif
