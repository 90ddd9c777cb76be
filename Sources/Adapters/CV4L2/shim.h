#include <errno.h>
#include <libv4l-plugin.h>
#include <libv4lconvert.h>
#include <linux/videodev2.h>
#include <string.h>
#include <sys/ioctl.h>

// Requests, which are function-like macros and hidden from Swift.
static const unsigned long RF_QUERYCAP = VIDIOC_QUERYCAP;
static const unsigned long RF_ENUM_FMT = VIDIOC_ENUM_FMT;
static const unsigned long RF_ENUM_FRAMESIZES = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long RF_ENUM_FRAMEINTERVALS = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long RF_ENUMINPUT = VIDIOC_ENUMINPUT;
static const unsigned long RF_G_INPUT = VIDIOC_G_INPUT;
static const unsigned long RF_G_FMT = VIDIOC_G_FMT;
static const unsigned long RF_S_FMT = VIDIOC_S_FMT;
static const unsigned long RF_G_PARM = VIDIOC_G_PARM;
static const unsigned long RF_S_PARM = VIDIOC_S_PARM;
static const unsigned long RF_G_DV_TIMINGS = VIDIOC_G_DV_TIMINGS;
static const unsigned long RF_REQBUFS = VIDIOC_REQBUFS;
static const unsigned long RF_QUERYBUF = VIDIOC_QUERYBUF;
static const unsigned long RF_QBUF = VIDIOC_QBUF;
static const unsigned long RF_DQBUF = VIDIOC_DQBUF;
static const unsigned long RF_STREAMON = VIDIOC_STREAMON;
static const unsigned long RF_STREAMOFF = VIDIOC_STREAMOFF;
static const unsigned long RF_QUERYCTRL = VIDIOC_QUERYCTRL;
static const unsigned long RF_G_CTRL = VIDIOC_G_CTRL;
static const unsigned long RF_S_CTRL = VIDIOC_S_CTRL;

static inline int rf_ioctl(int descriptor, unsigned long request, void *argument) { return ioctl(descriptor, request, argument); }

// Format of single-planar and multi-planar pictures alike: the latter lie in a packed union.
struct rf_format {
    unsigned int width, height, pixelformat, field, planes;
    unsigned int stride[3], size[3];
    unsigned int colorspace, ycbcr_enc, quantization;
};

static inline struct rf_format rf_get_format(const struct v4l2_format *from) {
    struct rf_format to;
    memset(&to, 0, sizeof to);
    if (V4L2_TYPE_IS_MULTIPLANAR(from->type)) {
        const struct v4l2_pix_format_mplane *p = &from->fmt.pix_mp;
        to.width = p->width, to.height = p->height, to.pixelformat = p->pixelformat, to.field = p->field;
        to.planes = p->num_planes < 1 ? 1 : p->num_planes > 3 ? 3 : p->num_planes;
        for (unsigned int i = 0; i < to.planes; i++) {
            to.stride[i] = p->plane_fmt[i].bytesperline;
            to.size[i] = p->plane_fmt[i].sizeimage;
        }
        to.colorspace = p->colorspace, to.ycbcr_enc = p->ycbcr_enc, to.quantization = p->quantization;
    } else {
        const struct v4l2_pix_format *p = &from->fmt.pix;
        to.width = p->width, to.height = p->height, to.pixelformat = p->pixelformat, to.field = p->field;
        to.planes = 1, to.stride[0] = p->bytesperline, to.size[0] = p->sizeimage;
        to.colorspace = p->colorspace;
        if (p->priv == V4L2_PIX_FMT_PRIV_MAGIC)
            to.ycbcr_enc = p->ycbcr_enc, to.quantization = p->quantization;
    }
    // Defaults made explicit; of a JPEG picture they are those of JFIF.
    if (to.ycbcr_enc == V4L2_YCBCR_ENC_DEFAULT)
        to.ycbcr_enc = V4L2_MAP_YCBCR_ENC_DEFAULT(to.colorspace);
    if (to.quantization == V4L2_QUANTIZATION_DEFAULT)
        to.quantization = to.colorspace == V4L2_COLORSPACE_JPEG ? V4L2_QUANTIZATION_FULL_RANGE : V4L2_QUANTIZATION_LIM_RANGE;
    return to;
}

static inline void rf_ask_format(struct v4l2_format *to, unsigned int width, unsigned int height, unsigned int pixelformat) {
    if (V4L2_TYPE_IS_MULTIPLANAR(to->type)) {
        to->fmt.pix_mp.width = width, to->fmt.pix_mp.height = height, to->fmt.pix_mp.pixelformat = pixelformat;
        to->fmt.pix_mp.field = V4L2_FIELD_ANY;
        memset(to->fmt.pix_mp.plane_fmt, 0, sizeof to->fmt.pix_mp.plane_fmt);
    } else {
        to->fmt.pix.width = width, to->fmt.pix.height = height, to->fmt.pix.pixelformat = pixelformat;
        to->fmt.pix.field = V4L2_FIELD_ANY, to->fmt.pix.bytesperline = 0, to->fmt.pix.sizeimage = 0;
    }
}

// Duration of a frame by digital video timings, in pixels and pixels a second; false where there are none.
static inline int rf_timing(const struct v4l2_dv_timings *timings, unsigned long long *pixels, unsigned long long *clock) {
    const struct v4l2_bt_timings *bt = &timings->bt;
    if (timings->type != V4L2_DV_BT_656_1120 || !bt->pixelclock)
        return 0;
    *pixels = (unsigned long long)V4L2_DV_BT_FRAME_WIDTH(bt) * V4L2_DV_BT_FRAME_HEIGHT(bt), *clock = bt->pixelclock;
    return 1;
}

// A converter that asks no device anything and leaves no setting behind.
static void *rf_no_device(int descriptor) { return NULL; }
static void rf_no_close(void *device) {}
static int rf_no_ioctl(void *device, int descriptor, unsigned long request, void *argument) {
    if (request == VIDIOC_QUERYCAP)
        return memset(argument, 0, sizeof(struct v4l2_capability)), 0;
    return errno = ENOTTY, -1;
}
static ssize_t rf_no_read(void *device, int descriptor, void *buffer, size_t size) { return errno = ENOTTY, -1; }
static ssize_t rf_no_write(void *device, int descriptor, const void *buffer, size_t size) { return errno = ENOTTY, -1; }
static const struct libv4l_dev_ops rf_no_ops = {rf_no_device, rf_no_close, rf_no_ioctl, rf_no_read, rf_no_write, 0, 0, 0, 0, 0, 0, 0};
static inline struct v4lconvert_data *rf_converter(void) { return v4lconvert_create_with_dev_ops(-1, NULL, &rf_no_ops); }

// Controls, which are sums of macros.
static const unsigned int RF_CID_GAIN = V4L2_CID_GAIN;
static const unsigned int RF_CID_POWER_LINE_FREQUENCY = V4L2_CID_POWER_LINE_FREQUENCY;
static const unsigned int RF_CID_AUTO_WHITE_BALANCE = V4L2_CID_AUTO_WHITE_BALANCE;
static const unsigned int RF_CID_RED_BALANCE = V4L2_CID_RED_BALANCE;
static const unsigned int RF_CID_BLUE_BALANCE = V4L2_CID_BLUE_BALANCE;
static const unsigned int RF_CID_EXPOSURE_AUTO = V4L2_CID_EXPOSURE_AUTO;
static const unsigned int RF_CID_EXPOSURE_ABSOLUTE = V4L2_CID_EXPOSURE_ABSOLUTE;
static const unsigned int RF_CID_FOCUS_AUTO = V4L2_CID_FOCUS_AUTO;
static const unsigned int RF_CID_FOCUS_ABSOLUTE = V4L2_CID_FOCUS_ABSOLUTE;
static const unsigned int RF_CID_ZOOM_ABSOLUTE = V4L2_CID_ZOOM_ABSOLUTE;
static const unsigned int RF_CID_WHITE_BALANCE_TEMPERATURE = V4L2_CID_WHITE_BALANCE_TEMPERATURE;
static const unsigned int RF_CID_EXPOSURE_AUTO_PRIORITY = V4L2_CID_EXPOSURE_AUTO_PRIORITY;
static const unsigned int RF_CID_FLASH_LED_MODE = V4L2_CID_FLASH_LED_MODE;
static const unsigned int RF_CID_FLASH_TORCH_INTENSITY = V4L2_CID_FLASH_TORCH_INTENSITY;

// Tags of a single-planar format as BT.709 in video range.
static inline void rf_tag_bt709(struct v4l2_format *format) {
    format->fmt.pix.field = V4L2_FIELD_NONE, format->fmt.pix.colorspace = V4L2_COLORSPACE_REC709;
    format->fmt.pix.priv = V4L2_PIX_FMT_PRIV_MAGIC, format->fmt.pix.ycbcr_enc = V4L2_YCBCR_ENC_709;
    format->fmt.pix.quantization = V4L2_QUANTIZATION_LIM_RANGE;
}
