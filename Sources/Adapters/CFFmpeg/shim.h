#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/avutil.h>
#include <libavutil/cpu.h>
#include <libavutil/display.h>
#include <libavutil/hwcontext.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/tx.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <sys/vfs.h>

// C macros that Swift cannot see.
static inline int rf_averror(int code) { return AVERROR(code); }
static const int RF_AVERROR_EOF = AVERROR_EOF;
static const int RF_AVERROR_INVALIDDATA = AVERROR_INVALIDDATA;
static const int64_t RF_AV_NOPTS_VALUE = AV_NOPTS_VALUE;

// The magic number of the file system a file lies in, which Swift's Glibc module cannot ask for; -1 with errno.
static inline long rf_file_system(int descriptor) {
    struct statfs system;
    return fstatfs(descriptor, &system) == 0 ? (long)system.f_type : -1;
}
