// Camera for programs on a machine without one: preloaded, it is a V4L2 node of one format, one size and one rate, whose pictures are those of a file,
// over and over, at true speed. A frame that finds no free buffer is lost, as a driver loses it.
//
//     LD_PRELOAD=libPreloadedCamera.so CAMERA_FILE=frames.yuv CAMERA_SIZE=1280x720 rackfocus record --camera /dev/video90 …
//
// Settings of a second camera have a 2 behind their names; it is /dev/video92.
// CAMERA_NODE: path, /dev/video90 by default. CAMERA_FILE: raw pictures; without it they are grey. CAMERA_SIZE: 640x360. CAMERA_FORMAT: NV12, YUYV or Z16.
// CAMERA_RATE: frames a second, 30. CAMERA_FRAMES: number of frames that are taken from it before it is pulled out; none by default. CAMERA_AWAY: seconds
// after which it is plugged in again, once. CAMERA_LAST: number of frames after which none comes; none by default. CAMERA_SKEW: millionths by which its
// clock is slow. CAMERA_OFFSET: milliseconds by which its frames are later. CAMERA_SINK: file that the pictures go to which are shown in the output device
// /dev/video91, NV12 of any size.
// CAMERA_GAP: number of a frame that is lost; none by default.
// CAMERA_STATES: file that gets a line, `on` or `off`, when it begins and ends to stream.
// MICROPHONE_SKEW: millionths by which the clock of the microphone `preloaded` is fast, which is there where this is set. It hears 10 ms of a tone with the
// first picture and every second after it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_BUFFERS = 16 };

static struct camera {
    // Behind the names of its settings: nothing, or 2.
    const char *suffix, *node;
    int descriptor, isStreaming, count, queued, queue[MOST_BUFFERS], ready;
    struct {
        int index;
        uint32_t sequence;
    } filled[MOST_BUFFERS];
    uint32_t width, height, format, rate, size, room, sequence;
    long frames, last, gap, taken;
    uint8_t *memory, *file;
    size_t fileSize;
    int64_t start, pulledOut;
    double away, skew, offset;
} cameras[] = {{.suffix = "", .node = "/dev/video90", .descriptor = -1}, {.suffix = "2", .node = "/dev/video92", .descriptor = -1}};
static struct {
    int descriptor, file, count, queued, queue[MOST_BUFFERS];
    uint32_t width, height, room;
    uint8_t *memory;
} sink = {.descriptor = -1};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char *setting(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value ? value : otherwise;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// Setting of one camera; those of the second have a 2 behind their names.
static const char *own(const struct camera *camera, const char *name, const char *otherwise) {
    char full[64];
    snprintf(full, sizeof full, "%s%s", name, camera->suffix);
    return setting(full, otherwise);
}

// Time by the machine's clock at which a frame is there; the camera's own clock runs slower by its skew, and begins later.
static int64_t due(const struct camera *camera, uint32_t sequence) {
    if (camera->last > 0 && sequence >= camera->last)
        return INT64_MAX;
    return camera->start + (int64_t)(camera->offset * 1e6 + (sequence + 1) * (1 + camera->skew * 1e-6) * 1e9 / camera->rate);
}
static int isGone(struct camera *camera) {
    if (camera->frames <= 0 || camera->taken < camera->frames)
        return 0;
    if (!camera->pulledOut)
        camera->pulledOut = now();
    if (camera->away <= 0 || camera->isStreaming || now() < camera->pulledOut + (int64_t)(camera->away * 1e9))
        return 1;
    camera->frames = 0;
    return 0;
}
static int fail(int number) { return errno = number, -1; }

static void prepare(struct camera *camera) {
    if (camera->size)
        return;
    sscanf(own(camera, "CAMERA_SIZE", "640x360"), "%ux%u", &camera->width, &camera->height);
    const char *format = own(camera, "CAMERA_FORMAT", "NV12");
    camera->format = !strcmp(format, "YUYV") ? V4L2_PIX_FMT_YUYV : !strcmp(format, "Z16") ? V4L2_PIX_FMT_Z16 : V4L2_PIX_FMT_NV12;
    camera->size = camera->width * camera->height * (camera->format == V4L2_PIX_FMT_NV12 ? 3 : 4) / 2;
    camera->skew = atof(own(camera, "CAMERA_SKEW", "0"));
    camera->offset = atof(own(camera, "CAMERA_OFFSET", "0"));
    camera->room = (camera->size + 4095) & ~4095u;
    camera->rate = atoi(own(camera, "CAMERA_RATE", "30"));
    camera->frames = atol(own(camera, "CAMERA_FRAMES", "0"));
    camera->last = atol(own(camera, "CAMERA_LAST", "0"));
    camera->gap = atol(own(camera, "CAMERA_GAP", "-1"));
    camera->away = atof(own(camera, "CAMERA_AWAY", "0"));
    int file = open(own(camera, "CAMERA_FILE", "/nonexistent"), O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file >= 0 && !fstat(file, &status) && status.st_size >= camera->size) {
        camera->fileSize = status.st_size;
        camera->file = mmap(NULL, camera->fileSize, PROT_READ, MAP_PRIVATE, file, 0);
    }
}

static void describe(const struct camera *camera, struct v4l2_format *format) {
    struct v4l2_pix_format *picture = &format->fmt.pix;
    memset(picture, 0, sizeof *picture);
    picture->width = camera->width, picture->height = camera->height, picture->pixelformat = camera->format;
    picture->field = V4L2_FIELD_NONE, picture->colorspace = V4L2_COLORSPACE_REC709;
    picture->bytesperline = camera->format == V4L2_PIX_FMT_NV12 ? camera->width : 2 * camera->width;
    picture->sizeimage = camera->size;
}

// Fills free buffers with the frames whose time has come; those that find none are lost.
static void fillBuffers(struct camera *camera) {
    for (; camera->isStreaming && !isGone(camera) && due(camera, camera->sequence) <= now(); camera->sequence++) {
        if (!camera->queued || camera->sequence == camera->gap)
            continue;
        int index = camera->queue[0];
        memmove(camera->queue, camera->queue + 1, sizeof(int) * --camera->queued);
        camera->filled[camera->ready].index = index;
        camera->filled[camera->ready++].sequence = camera->sequence;
    }
}

static int take(struct camera *camera, struct v4l2_buffer *buffer) {
    fillBuffers(camera);
    if (!camera->ready)
        return fail(isGone(camera) ? ENODEV : EAGAIN);
    int index = camera->filled[0].index;
    uint32_t sequence = camera->filled[0].sequence;
    memmove(camera->filled, camera->filled + 1, sizeof camera->filled[0] * --camera->ready);
    camera->taken++;
    uint8_t *picture = camera->memory + (size_t)camera->room * index;
    if (camera->file) {
        memcpy(picture, camera->file + (size_t)camera->size * (sequence % (camera->fileSize / camera->size)), camera->size);
    } else {
        memset(picture, 128, camera->size);
    }
    int64_t time = due(camera, sequence);
    buffer->index = index, buffer->bytesused = buffer->length = camera->size, buffer->sequence = sequence;
    buffer->timestamp.tv_sec = time / 1000000000, buffer->timestamp.tv_usec = time % 1000000000 / 1000;
    buffer->flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC, buffer->field = V4L2_FIELD_NONE;
    return 0;
}

static void note(const char *state) {
    FILE *file = fopen(setting("CAMERA_STATES", "/dev/null"), "a");
    if (file)
        fputs(state, file), fclose(file);
}

static int answer(struct camera *camera, unsigned long request, void *argument) {
    switch (request) {
    case VIDIOC_QUERYCAP: {
        struct v4l2_capability *capability = argument;
        memset(capability, 0, sizeof *capability);
        strcpy((char *)capability->driver, "preloaded");
        snprintf((char *)capability->card, sizeof capability->card, "Preloaded Camera%s", camera->suffix);
        snprintf((char *)capability->bus_info, sizeof capability->bus_info, "platform:preloaded%s", camera->suffix);
        capability->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
        capability->capabilities = capability->device_caps | V4L2_CAP_DEVICE_CAPS;
        return isGone(camera) ? fail(ENODEV) : 0;
    }
    case VIDIOC_ENUM_FMT: {
        struct v4l2_fmtdesc *format = argument;
        if (format->index || format->type != V4L2_BUF_TYPE_VIDEO_CAPTURE)
            return fail(EINVAL);
        format->pixelformat = camera->format;
        return 0;
    }
    case VIDIOC_ENUM_FRAMESIZES: {
        struct v4l2_frmsizeenum *size = argument;
        if (size->index)
            return fail(EINVAL);
        size->type = V4L2_FRMSIZE_TYPE_DISCRETE;
        size->discrete.width = camera->width, size->discrete.height = camera->height;
        return 0;
    }
    case VIDIOC_ENUM_FRAMEINTERVALS: {
        struct v4l2_frmivalenum *interval = argument;
        if (interval->index)
            return fail(EINVAL);
        interval->type = V4L2_FRMIVAL_TYPE_DISCRETE;
        interval->discrete.numerator = 1, interval->discrete.denominator = camera->rate;
        return 0;
    }
    case VIDIOC_G_FMT:
    case VIDIOC_S_FMT:
        describe(camera, argument);
        return 0;
    case VIDIOC_REQBUFS: {
        struct v4l2_requestbuffers *wanted = argument;
        if (wanted->count > MOST_BUFFERS)
            wanted->count = MOST_BUFFERS;
        if (camera->memory)
            munmap(camera->memory, (size_t)camera->room * camera->count);
        camera->count = wanted->count, camera->queued = camera->ready = 0, camera->memory = NULL;
        if (!camera->count)
            return 0;
        if (ftruncate(camera->descriptor, (off_t)camera->room * camera->count))
            return -1;
        camera->memory = mmap(NULL, (size_t)camera->room * camera->count, PROT_READ | PROT_WRITE, MAP_SHARED, camera->descriptor, 0);
        return camera->memory == MAP_FAILED ? -1 : 0;
    }
    case VIDIOC_QUERYBUF: {
        struct v4l2_buffer *buffer = argument;
        if (buffer->index >= (unsigned)camera->count)
            return fail(EINVAL);
        buffer->length = camera->size, buffer->m.offset = camera->room * buffer->index;
        return 0;
    }
    case VIDIOC_QBUF:
        fillBuffers(camera);
        if (isGone(camera))
            return fail(ENODEV);
        camera->queue[camera->queued++] = ((struct v4l2_buffer *)argument)->index;
        return 0;
    case VIDIOC_DQBUF:
        return take(camera, argument);
    case VIDIOC_STREAMON:
        note("on\n");
        camera->isStreaming = 1, camera->start = now(), camera->sequence = 0, camera->taken = 0;
        return 0;
    case VIDIOC_STREAMOFF:
        if (camera->isStreaming)
            note("off\n");
        camera->isStreaming = camera->queued = camera->ready = 0;
        return 0;
    }
    return fail(ENOTTY);
}

static int answerSink(unsigned long request, void *argument) {
    switch (request) {
    case VIDIOC_QUERYCAP: {
        struct v4l2_capability *capability = argument;
        memset(capability, 0, sizeof *capability);
        capability->device_caps = V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_STREAMING;
        capability->capabilities = capability->device_caps | V4L2_CAP_DEVICE_CAPS;
        return 0;
    }
    case VIDIOC_S_FMT: {
        struct v4l2_pix_format *picture = &((struct v4l2_format *)argument)->fmt.pix;
        sink.width = picture->width, sink.height = picture->height;
        sink.room = (sink.width * sink.height * 3 / 2 + 4095) & ~4095u;
        picture->pixelformat = V4L2_PIX_FMT_NV12, picture->bytesperline = sink.width;
        return 0;
    }
    case VIDIOC_REQBUFS: {
        struct v4l2_requestbuffers *wanted = argument;
        if (wanted->count > MOST_BUFFERS)
            wanted->count = MOST_BUFFERS;
        if (sink.memory)
            munmap(sink.memory, (size_t)sink.room * sink.count);
        sink.count = wanted->count, sink.queued = 0, sink.memory = NULL;
        if (!sink.count)
            return 0;
        if (ftruncate(sink.descriptor, (off_t)sink.room * sink.count))
            return -1;
        sink.memory = mmap(NULL, (size_t)sink.room * sink.count, PROT_READ, MAP_SHARED, sink.descriptor, 0);
        return sink.memory == MAP_FAILED ? -1 : 0;
    }
    case VIDIOC_QUERYBUF: {
        struct v4l2_buffer *buffer = argument;
        buffer->length = sink.room, buffer->m.offset = sink.room * buffer->index;
        return 0;
    }
    case VIDIOC_QBUF: {
        struct v4l2_buffer *buffer = argument;
        size_t size = sink.width * sink.height * 3 / 2;
        if (write(sink.file, sink.memory + (size_t)sink.room * buffer->index, size) != (ssize_t)size)
            return -1;
        sink.queue[sink.queued++] = buffer->index;
        return 0;
    }
    case VIDIOC_DQBUF:
        if (!sink.queued)
            return fail(EAGAIN);
        ((struct v4l2_buffer *)argument)->index = sink.queue[0];
        memmove(sink.queue, sink.queue + 1, sizeof(int) * --sink.queued);
        return 0;
    case VIDIOC_STREAMON:
    case VIDIOC_STREAMOFF:
        return 0;
    }
    return fail(ENOTTY);
}

static struct camera *named(const char *path) {
    for (struct camera *camera = cameras; camera < cameras + 2; camera++)
        if (!strcmp(path, own(camera, "CAMERA_NODE", camera->node)))
            return camera;
    return NULL;
}

static struct camera *opened(int descriptor) {
    for (struct camera *camera = cameras; camera < cameras + 2; camera++)
        if (descriptor >= 0 && descriptor == camera->descriptor)
            return camera;
    return NULL;
}

#define NEXT(name) \
    static __typeof__(&name) next; \
    if (!next) \
    next = (__typeof__(next))dlsym(RTLD_NEXT, #name)

int open64(const char *path, int flags, ...) {
    NEXT(open64);
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    if (getenv("CAMERA_SINK") && !strcmp(path, "/dev/video91")) {
        sink.file = next(getenv("CAMERA_SINK"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        return sink.descriptor = memfd_create("sink", MFD_CLOEXEC);
    }
    struct camera *camera = named(path);
    if (!camera)
        return next(path, flags, mode);
    prepare(camera);
    if (isGone(camera))
        return fail(ENOENT);
    // One descriptor streams at a time; another one that only asks gets the same answers.
    int descriptor = memfd_create("camera", MFD_CLOEXEC);
    if (camera->descriptor < 0)
        camera->descriptor = descriptor;
    return descriptor;
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    return open64(path, flags, mode);
}

int ioctl(int descriptor, unsigned long request, ...) {
    NEXT(ioctl);
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    int isSink = descriptor >= 0 && descriptor == sink.descriptor;
    struct camera *camera = opened(descriptor);
    if (!isSink && !camera)
        return next(descriptor, request, argument);
    pthread_mutex_lock(&lock);
    int result = isSink ? answerSink(request, argument) : answer(camera, request, argument);
    pthread_mutex_unlock(&lock);
    return result;
}

int poll(struct pollfd *wanted, nfds_t count, int milliseconds) {
    NEXT(poll);
    struct camera *camera = count == 1 ? opened(wanted->fd) : NULL;
    if (!camera)
        return next(wanted, count, milliseconds);
    int64_t end = now() + milliseconds * 1000000LL;
    if (!camera->isStreaming)
        return usleep(milliseconds * 1000), 0;
    int64_t ready = isGone(camera) || camera->ready ? 0 : due(camera, camera->sequence);
    int64_t rest = (ready < end ? ready : end) - now();
    if (rest > 0)
        nanosleep(&(struct timespec){rest / 1000000000, rest % 1000000000}, NULL);
    wanted->revents = ready <= end ? POLLIN : 0;
    return ready <= end;
}

int close(int descriptor) {
    NEXT(close);
    struct camera *camera = opened(descriptor);
    if (camera)
        camera->descriptor = -1, camera->isStreaming = 0;
    return next(descriptor);
}

// ALSA, of which the handle of the microphone is this.
typedef struct snd_pcm snd_pcm_t;
static struct {
    int64_t start, read;
    unsigned channels, rate;
} microphone;
static snd_pcm_t *const handle = (snd_pcm_t *)&microphone;

// Samples that the microphone has taken up to now.
static int64_t heard(void) {
    double skew = atof(setting("MICROPHONE_SKEW", "0"));
    return (now() - microphone.start) / 1e9 * microphone.rate * (1 + skew * 1e-6);
}

int snd_pcm_open(snd_pcm_t **pcm, const char *name, int stream, int mode) {
    NEXT(snd_pcm_open);
    if (!getenv("MICROPHONE_SKEW") || strcmp(name, "preloaded"))
        return next ? next(pcm, name, stream, mode) : -ENOENT;
    *pcm = handle;
    return 0;
}

int snd_pcm_set_params(snd_pcm_t *pcm, int format, int access, unsigned channels, unsigned rate, int resample, unsigned latency) {
    NEXT(snd_pcm_set_params);
    if (pcm != handle)
        return next(pcm, format, access, channels, rate, resample, latency);
    microphone.channels = channels, microphone.rate = rate;
    return 0;
}

int snd_pcm_start(snd_pcm_t *pcm) {
    NEXT(snd_pcm_start);
    if (pcm != handle)
        return next(pcm);
    microphone.start = now(), microphone.read = 0;
    return 0;
}

long snd_pcm_avail_update(snd_pcm_t *pcm) {
    NEXT(snd_pcm_avail_update);
    return pcm == handle ? heard() - microphone.read : next(pcm);
}

long snd_pcm_readi(snd_pcm_t *pcm, void *buffer, unsigned long count) {
    NEXT(snd_pcm_readi);
    if (pcm != handle)
        return next(pcm, buffer, count);
    while (heard() < microphone.read + (int64_t)count)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    pthread_mutex_lock(&lock);
    int64_t first = cameras->start ? due(cameras, 0) : INT64_MAX;
    pthread_mutex_unlock(&lock);
    double skew = atof(setting("MICROPHONE_SKEW", "0"));
    float *samples = buffer;
    for (unsigned long i = 0; i < count; i++) {
        int64_t time = microphone.start + (microphone.read + i) / (microphone.rate * (1 + skew * 1e-6)) * 1e9;
        int isLoud = time >= first && (time - first) % 1000000000 < 10000000;
        for (unsigned channel = 0; channel < microphone.channels; channel++)
            *samples++ = isLoud ? (i / 24 % 2 ? 0.5f : -0.5f) : 0;
    }
    microphone.read += count;
    return count;
}

int snd_pcm_close(snd_pcm_t *pcm) {
    NEXT(snd_pcm_close);
    return pcm == handle ? 0 : next(pcm);
}
