#ifndef CVISIONORACLES_H
#define CVISIONORACLES_H

// Oracles of the kernels in CVisionKernels: the functions of OpenCV and dlib that the kernels replace, or plain computations where no library has the
// algorithm. Only benchmarks and tests link them. Kernels that stand behind no C function have one here, for the same input.
//
// Functions that return int return an rf_status of COpenCV.h; rf_error_message() then says why. Maps have width * height values without gaps; an
// object is used by one thread at a time.

#include "COpenCV.h"
#include "CVisionKernels.h"

#ifdef __cplusplus
extern "C" {
#endif

// HaarCascade

typedef struct rf_oracle_cascade rf_oracle_cascade;
int rf_oracle_cascade_open(const char *path, rf_oracle_cascade **cascade);
void rf_oracle_cascade_close(rf_oracle_cascade *cascade);
/// Raw windows of cv::CascadeClassifier::detectMultiScale, minNeighbors 0, in reading order; `hits` live until the next call.
int rf_oracle_cascade_scan(rf_oracle_cascade *cascade, const rf_image *grey, double step, int smallest, int largest, const rf_box **hits, int *count);

// FHOG

typedef struct rf_oracle_faces rf_oracle_faces;
int rf_oracle_faces_open(rf_oracle_faces **finder);
void rf_oracle_faces_close(rf_oracle_faces *finder);
/// Faces of dlib::get_frontal_face_detector, best first; side and roll are left 0. `heads` live until the next call.
int rf_oracle_faces_find(rf_oracle_faces *finder, const rf_image *grey, const rf_head **heads, int *count);
/// dlib::pyramid_down<6>; `target` has five sixths of the sides, rounded down.
int rf_oracle_pyramid_down(const rf_image *source, rf_image *target);

// SemiglobalMatching

/// cv::StereoSGBM (MODE_SGBM: five paths, blocks of 3 x 3, penalties as in OpenCV's sample) with left-right check and its speckle filter.
/// `disparity` in pixels; `trust` 1 where there is one, else 0.
int rf_oracle_stereo_match(const rf_image *left, const rf_image *right, int range, float *disparity, float *trust);
/// The same in both directions, and cv::ximgproc::DisparityWLSFilter as in OpenCV's sample: disparity everywhere, in pixels. The pair is widened by the
/// range on the left, or nothing would be found there.
int rf_oracle_stereo_disparity(const rf_image *left, const rf_image *right, int range, float *disparity);
/// SpeckleFilter: sets trust to 0 in place. `disparity` in pixels.
void rf_kernel_remove_speckles(const float *disparity, int width, int height, float *trust);
/// cv::filterSpeckles: sets speckles to `unknown` in place. `disparity` in sixteenths of a pixel.
int rf_oracle_remove_speckles(int16_t *disparity, int width, int height, int16_t unknown);

// FastGlobalSmoother

/// FastGlobalSmoother: two maps along the edges of one picture, in place.
void rf_kernel_smooth(const rf_image *guide, float lambda, float sigma, float *first, float *second);
/// cv::ximgproc::FastGlobalSmootherFilter, made once and applied to both maps in place.
int rf_oracle_smooth(const rf_image *guide, float lambda, float sigma, float *first, float *second);

// EdgeSharpening

/// Erosion and dilation with a square of 2 `radius` + 1 values: minima and maxima, which live until this thread's next call.
void rf_kernel_extrema(const float *values, int width, int height, int radius, const float **minima, const float **maxima);
/// cv::morphologyEx with the same square.
int rf_oracle_extrema(const float *values, int width, int height, int radius, float *minima, float *maxima);
/// RampSharpener, in place.
void rf_kernel_sharpen(const rf_image *picture, float *values);
/// cv::ximgproc::jointBilateralFilter over as large a window.
int rf_oracle_sharpen(const rf_image *picture, const float *values, float *out);
/// WeightedModeFilter of measured values, in place.
void rf_kernel_select_mode(const rf_image *picture, float *values);
/// cv::ximgproc::weightedMedianFilter of values in 255 steps.
int rf_oracle_weighted_median(const rf_image *picture, const float *values, float *out);
/// cv::resize (bilinear) to the guide's size, then cv::ximgproc::jointBilateralFilter.
int rf_oracle_upsample(const float *values, const rf_image *picture, const rf_image *guide, float *out);

// HoleFilling, DisparityRefinement

/// HoleFiller without its smoothing; `out` lives until this thread's next call.
void rf_kernel_fill(const float *values, const float *trust, int width, int height, const float **out);
/// Eight rays walked from each hole to the nearest value, and the second lowest of them.
void rf_oracle_fill(const float *values, const float *trust, int width, int height, float *out);
/// Confidence-weighted smoothing as in cv::ximgproc::DisparityWLSFilter: values * trust over trust, both by its fast global smoother.
int rf_oracle_refine(const rf_image *picture, const float *values, const float *trust, float *out);

// AreaReduction

/// cv::resize with INTER_AREA.
int rf_oracle_area_reduce(const rf_image *source, rf_image *target);

// LightMeter

/// The same measurements by cv::calcHist, cv::mean, cv::meanStdDev and cv::filter2D.
int rf_oracle_light_measure(const rf_image *luma, const rf_image *chroma, rf_light *light);

// TemporalAverage

typedef struct rf_kernel_average rf_kernel_average;
rf_kernel_average *rf_kernel_average_create(void);
void rf_kernel_average_destroy(rf_kernel_average *average);
/// TemporalAverage of the pictures so far; `out` lives until the next call.
void rf_kernel_average_add(rf_kernel_average *average, const rf_image *luma, double keep, const uint8_t **out);
typedef struct rf_oracle_average rf_oracle_average;
int rf_oracle_average_create(rf_oracle_average **average);
void rf_oracle_average_destroy(rf_oracle_average *average);
/// The same filter by cv::blur, cv::absdiff, cv::compare and arithmetic on whole pictures.
int rf_oracle_average_add(rf_oracle_average *average, const rf_image *luma, double keep, uint8_t *out);

// MinimumBarrier

/// Algorithm 1 of Zhang 2015, a mask, a channel and a pixel at a time.
void rf_oracle_minimum_barrier(const rf_image *picture, const rf_image *seeds, int count, float *out);

// ColourPalette

/// cv::kmeans of the same samples, from the same seed.
int rf_oracle_palette(const rf_image *picture, float *centres);

// ColourModel

/// cv::grabCut; labels and result in `mask` as in rf_cutter_cut.
int rf_oracle_cut(const rf_image *picture, rf_image *mask, int iterations);

// MedianFlow

/// cv::estimateAffinePartial2D (least median of squares); dx and dy are those of the points' centroid.
int rf_oracle_motion(const float *from, const float *to, int count, rf_motion *motion);

// NetworkDecoding

/// cv::dnn::NMSBoxes; `kept` has room for all.
int rf_oracle_suppress_non_maxima(const rf_rect *boxes, const float *scores, int count, double threshold, int *kept, int *kept_count);

#ifdef __cplusplus
}
#endif
#endif
