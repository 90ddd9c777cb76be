// Camera for programs on a machine without one: preloaded, it is a V4L2 node of one format, one size and one rate, whose pictures are those of a file,
// over and over, at true speed. A frame that finds no free buffer is lost, as a driver loses it.
//
//     LD_PRELOAD=libPreloadedCamera.so CAMERA_FILE=frames.yuv CAMERA_SIZE=1280x720 rackfocus record --camera /dev/video90 …
//
// CAMERA_NODE: path, /dev/video90 by default. CAMERA_FILE: raw pictures; without it they are grey. CAMERA_SIZE: 640x360. CAMERA_FORMAT: NV12 or YUYV.
// CAMERA_RATE: frames a second, 30. CAMERA_FRAMES: number of frames after which it is pulled out; none by default. CAMERA_SINK: file that the pictures
// go to which are shown in the output device /dev/video91, NV12 of any size.
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

static struct {
    int descriptor, isStreaming, count, queued, queue[MOST_BUFFERS], ready;
    struct {
        int index;
        uint32_t sequence;
    } filled[MOST_BUFFERS];
    uint32_t width, height, format, rate, size, room, sequence;
    long frames;
    uint8_t *memory, *file;
    size_t fileSize;
    int64_t start;
} camera = {.descriptor = -1};
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

static int64_t due(uint32_t sequence) { return camera.start + (int64_t)(sequence + 1) * 1000000000LL / camera.rate; }
static int isGone(void) { return camera.frames > 0 && camera.sequence >= camera.frames; }
static int fail(int number) { return errno = number, -1; }

static void prepare(void) {
    if (camera.size)
        return;
    sscanf(setting("CAMERA_SIZE", "640x360"), "%ux%u", &camera.width, &camera.height);
    int isYUYV = !strcmp(setting("CAMERA_FORMAT", "NV12"), "YUYV");
    camera.format = isYUYV ? V4L2_PIX_FMT_YUYV : V4L2_PIX_FMT_NV12;
    camera.size = camera.width * camera.height * (isYUYV ? 4 : 3) / 2;
    camera.room = (camera.size + 4095) & ~4095u;
    camera.rate = atoi(setting("CAMERA_RATE", "30"));
    camera.frames = atol(setting("CAMERA_FRAMES", "0"));
    int file = open(setting("CAMERA_FILE", "/nonexistent"), O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file >= 0 && !fstat(file, &status) && status.st_size >= camera.size) {
        camera.fileSize = status.st_size;
        camera.file = mmap(NULL, camera.fileSize, PROT_READ, MAP_PRIVATE, file, 0);
    }
}

static void describe(struct v4l2_format *format) {
    struct v4l2_pix_format *picture = &format->fmt.pix;
    memset(picture, 0, sizeof *picture);
    picture->width = camera.width, picture->height = camera.height, picture->pixelformat = camera.format;
    picture->field = V4L2_FIELD_NONE, picture->colorspace = V4L2_COLORSPACE_REC709;
    picture->bytesperline = camera.format == V4L2_PIX_FMT_YUYV ? 2 * camera.width : camera.width;
    picture->sizeimage = camera.size;
}

// Fills free buffers with the frames whose time has come; those that find none are lost.
static void fillBuffers(void) {
    for (; camera.isStreaming && !isGone() && due(camera.sequence) <= now(); camera.sequence++) {
        if (!camera.queued)
            continue;
        int index = camera.queue[0];
        memmove(camera.queue, camera.queue + 1, sizeof(int) * --camera.queued);
        camera.filled[camera.ready].index = index;
        camera.filled[camera.ready++].sequence = camera.sequence;
    }
}

static int take(struct v4l2_buffer *buffer) {
    fillBuffers();
    if (!camera.ready)
        return fail(isGone() ? ENODEV : EAGAIN);
    int index = camera.filled[0].index;
    uint32_t sequence = camera.filled[0].sequence;
    memmove(camera.filled, camera.filled + 1, sizeof camera.filled[0] * --camera.ready);
    uint8_t *picture = camera.memory + (size_t)camera.room * index;
    if (camera.file) {
        memcpy(picture, camera.file + (size_t)camera.size * (sequence % (camera.fileSize / camera.size)), camera.size);
    } else {
        memset(picture, 128, camera.size);
    }
    int64_t time = due(sequence);
    buffer->index = index, buffer->bytesused = buffer->length = camera.size, buffer->sequence = sequence;
    buffer->timestamp.tv_sec = time / 1000000000, buffer->timestamp.tv_usec = time % 1000000000 / 1000;
    buffer->flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC, buffer->field = V4L2_FIELD_NONE;
    return 0;
}

static int answer(unsigned long request, void *argument) {
    switch (request) {
    case VIDIOC_QUERYCAP: {
        struct v4l2_capability *capability = argument;
        memset(capability, 0, sizeof *capability);
        strcpy((char *)capability->driver, "preloaded");
        strcpy((char *)capability->card, "Preloaded Camera");
        strcpy((char *)capability->bus_info, "platform:preloaded");
        capability->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
        capability->capabilities = capability->device_caps | V4L2_CAP_DEVICE_CAPS;
        return isGone() ? fail(ENODEV) : 0;
    }
    case VIDIOC_ENUM_FMT: {
        struct v4l2_fmtdesc *format = argument;
        if (format->index || format->type != V4L2_BUF_TYPE_VIDEO_CAPTURE)
            return fail(EINVAL);
        format->pixelformat = camera.format;
        return 0;
    }
    case VIDIOC_ENUM_FRAMESIZES: {
        struct v4l2_frmsizeenum *size = argument;
        if (size->index)
            return fail(EINVAL);
        size->type = V4L2_FRMSIZE_TYPE_DISCRETE;
        size->discrete.width = camera.width, size->discrete.height = camera.height;
        return 0;
    }
    case VIDIOC_ENUM_FRAMEINTERVALS: {
        struct v4l2_frmivalenum *interval = argument;
        if (interval->index)
            return fail(EINVAL);
        interval->type = V4L2_FRMIVAL_TYPE_DISCRETE;
        interval->discrete.numerator = 1, interval->discrete.denominator = camera.rate;
        return 0;
    }
    case VIDIOC_G_FMT:
    case VIDIOC_S_FMT:
        describe(argument);
        return 0;
    case VIDIOC_REQBUFS: {
        struct v4l2_requestbuffers *wanted = argument;
        if (wanted->count > MOST_BUFFERS)
            wanted->count = MOST_BUFFERS;
        if (camera.memory)
            munmap(camera.memory, (size_t)camera.room * camera.count);
        camera.count = wanted->count, camera.queued = camera.ready = 0, camera.memory = NULL;
        if (!camera.count)
            return 0;
        if (ftruncate(camera.descriptor, (off_t)camera.room * camera.count))
            return -1;
        camera.memory = mmap(NULL, (size_t)camera.room * camera.count, PROT_READ | PROT_WRITE, MAP_SHARED, camera.descriptor, 0);
        return camera.memory == MAP_FAILED ? -1 : 0;
    }
    case VIDIOC_QUERYBUF: {
        struct v4l2_buffer *buffer = argument;
        if (buffer->index >= (unsigned)camera.count)
            return fail(EINVAL);
        buffer->length = camera.size, buffer->m.offset = camera.room * buffer->index;
        return 0;
    }
    case VIDIOC_QBUF:
        fillBuffers();
        if (isGone())
            return fail(ENODEV);
        camera.queue[camera.queued++] = ((struct v4l2_buffer *)argument)->index;
        return 0;
    case VIDIOC_DQBUF:
        return take(argument);
    case VIDIOC_STREAMON:
        camera.isStreaming = 1, camera.start = now(), camera.sequence = 0;
        return 0;
    case VIDIOC_STREAMOFF:
        camera.isStreaming = camera.queued = camera.ready = 0;
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
    if (strcmp(path, setting("CAMERA_NODE", "/dev/video90")))
        return next(path, flags, mode);
    prepare();
    if (isGone())
        return fail(ENOENT);
    // One descriptor streams at a time; another one that only asks gets the same answers.
    int descriptor = memfd_create("camera", MFD_CLOEXEC);
    if (camera.descriptor < 0)
        camera.descriptor = descriptor;
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
    if (!isSink && (descriptor < 0 || descriptor != camera.descriptor))
        return next(descriptor, request, argument);
    pthread_mutex_lock(&lock);
    int result = isSink ? answerSink(request, argument) : answer(request, argument);
    pthread_mutex_unlock(&lock);
    return result;
}

int poll(struct pollfd *wanted, nfds_t count, int milliseconds) {
    NEXT(poll);
    if (count != 1 || wanted->fd < 0 || wanted->fd != camera.descriptor)
        return next(wanted, count, milliseconds);
    int64_t end = now() + milliseconds * 1000000LL;
    if (!camera.isStreaming)
        return usleep(milliseconds * 1000), 0;
    int64_t ready = isGone() || camera.ready ? 0 : due(camera.sequence);
    int64_t rest = (ready < end ? ready : end) - now();
    if (rest > 0)
        nanosleep(&(struct timespec){rest / 1000000000, rest % 1000000000}, NULL);
    wanted->revents = ready <= end ? POLLIN : 0;
    return ready <= end;
}

int close(int descriptor) {
    NEXT(close);
    if (descriptor >= 0 && descriptor == camera.descriptor)
        camera.descriptor = -1, camera.isStreaming = 0;
    return next(descriptor);
}
