#include "CPipeWire.h"

#include <errno.h>
#include <stdlib.h>

#if __has_include(<pipewire/pipewire.h>)
#include <pipewire/pipewire.h>
#include <spa/param/video/format-utils.h>
#include <spa/pod/builder.h>

struct rf_node {
    struct pw_thread_loop *loop;
    struct pw_stream *stream;
    uint32_t width, height, rate, scale;
    enum rf_pixel_format format;
    enum pw_stream_state state;
    uint64_t sequence;
    // Buffer between begin and commit.
    struct pw_buffer *buffer;
};

static size_t stride(const struct rf_node *node) {
    // GStreamer takes rows of NV12 to be multiples of four bytes long.
    return node->format == RF_NV12 ? (node->width + 3) & ~3u : (2 * node->width + 3) & ~3u;
}

static size_t size(const struct rf_node *node) { return stride(node) * node->height * (node->format == RF_NV12 ? 3 : 2) / 2; }

static void stateChanged(void *context, enum pw_stream_state old, enum pw_stream_state state, const char *error) {
    (void)old, (void)error;
    struct rf_node *node = context;
    node->state = state;
    pw_thread_loop_signal(node->loop, false);
}

// The format is agreed upon: buffers for it.
static void parameterChanged(void *context, uint32_t kind, const struct spa_pod *parameter) {
    struct rf_node *node = context;
    struct spa_video_info_raw format = {0};
    if (kind != SPA_PARAM_Format || !parameter || spa_format_video_raw_parse(parameter, &format) < 0)
        return;
    node->format = format.format == SPA_VIDEO_FORMAT_YUY2 ? RF_YUY2 : RF_NV12;
    uint8_t memory[1024];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof memory);
    const struct spa_pod *parameters[] = {
        spa_pod_builder_add_object(
            &builder, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers, SPA_PARAM_BUFFERS_buffers, SPA_POD_CHOICE_RANGE_Int(4, 2, 8),
            SPA_PARAM_BUFFERS_blocks, SPA_POD_Int(1), SPA_PARAM_BUFFERS_size, SPA_POD_Int((int)size(node)), SPA_PARAM_BUFFERS_stride,
            SPA_POD_Int((int)stride(node)), SPA_PARAM_BUFFERS_dataType, SPA_POD_CHOICE_FLAGS_Int(1 << SPA_DATA_MemFd | 1 << SPA_DATA_MemPtr)),
        spa_pod_builder_add_object(
            &builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta, SPA_PARAM_META_type, SPA_POD_Id(SPA_META_Header), SPA_PARAM_META_size,
            SPA_POD_Int(sizeof(struct spa_meta_header))),
    };
    pw_stream_update_params(node->stream, parameters, 2);
}

static const struct pw_stream_events events = {.version = PW_VERSION_STREAM_EVENTS, .state_changed = stateChanged, .param_changed = parameterChanged};

static int connectStream(struct rf_node *node) {
    uint8_t memory[1024];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof memory);
    const struct spa_pod *format = spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat, SPA_FORMAT_mediaType, SPA_POD_Id(SPA_MEDIA_TYPE_video), SPA_FORMAT_mediaSubtype,
        SPA_POD_Id(SPA_MEDIA_SUBTYPE_raw), SPA_FORMAT_VIDEO_format,
        SPA_POD_CHOICE_ENUM_Id(3, SPA_VIDEO_FORMAT_NV12, SPA_VIDEO_FORMAT_NV12, SPA_VIDEO_FORMAT_YUY2), SPA_FORMAT_VIDEO_size,
        SPA_POD_Rectangle(&SPA_RECTANGLE(node->width, node->height)), SPA_FORMAT_VIDEO_framerate,
        SPA_POD_Fraction(&SPA_FRACTION(node->rate, node->scale)));
    int result = pw_stream_connect(
        node->stream, PW_DIRECTION_OUTPUT, PW_ID_ANY, (enum pw_stream_flags)(PW_STREAM_FLAG_DRIVER | PW_STREAM_FLAG_MAP_BUFFERS), &format, 1);
    // Paused is a node that nobody watches.
    while (result >= 0 && node->state != PW_STREAM_STATE_PAUSED && node->state != PW_STREAM_STATE_STREAMING) {
        if (node->state == PW_STREAM_STATE_ERROR)
            return -ECONNREFUSED;
        if (pw_thread_loop_timed_wait(node->loop, 5) < 0)
            return -ETIMEDOUT;
    }
    return result;
}

int rf_node_is_built(void) { return 1; }

rf_node *rf_node_open(const char *name, const char *description, uint32_t width, uint32_t height, uint32_t rate, uint32_t scale, int *failure) {
    pw_init(NULL, NULL);
    struct rf_node *node = calloc(1, sizeof *node);
    *failure = ENOMEM;
    if (!node)
        return NULL;
    node->width = width, node->height = height, node->rate = rate, node->scale = scale;
    node->loop = pw_thread_loop_new("rackfocus camera", NULL);
    if (!node->loop || pw_thread_loop_start(node->loop) < 0) {
        rf_node_close(node);
        return NULL;
    }
    pw_thread_loop_lock(node->loop);
    struct pw_properties *properties = pw_properties_new(
        PW_KEY_MEDIA_CLASS, "Video/Source", PW_KEY_MEDIA_ROLE, "Camera", PW_KEY_NODE_NAME, name, PW_KEY_NODE_DESCRIPTION, description, NULL);
    errno = 0;
    node->stream = pw_stream_new_simple(pw_thread_loop_get_loop(node->loop), name, properties, &events, node);
    int result = node->stream ? connectStream(node) : -(errno ? errno : ECONNREFUSED);
    pw_thread_loop_unlock(node->loop);
    if (result >= 0)
        return node;
    *failure = -result;
    rf_node_close(node);
    return NULL;
}

static enum rf_node_state current(const struct rf_node *node) {
    return node->state == PW_STREAM_STATE_STREAMING ? RF_NODE_WATCHED : node->state == PW_STREAM_STATE_PAUSED ? RF_NODE_UNWATCHED : RF_NODE_FAILED;
}

enum rf_node_state rf_node_wait(rf_node *node, enum rf_node_state state, int milliseconds) {
    pw_thread_loop_lock(node->loop);
    struct timespec end;
    pw_thread_loop_get_time(node->loop, &end, milliseconds * 1000000LL);
    while (milliseconds > 0 && current(node) == state && pw_thread_loop_timed_wait_full(node->loop, &end) >= 0)
        continue;
    state = current(node);
    pw_thread_loop_unlock(node->loop);
    return state;
}

int rf_node_begin(rf_node *node, struct rf_memory *memory) {
    pw_thread_loop_lock(node->loop);
    node->buffer = node->state == PW_STREAM_STATE_STREAMING ? pw_stream_dequeue_buffer(node->stream) : NULL;
    struct spa_data *data = node->buffer ? node->buffer->buffer->datas : NULL;
    if (data && data->data && data->maxsize >= size(node)) {
        *memory = (struct rf_memory){data->data, size(node), stride(node), node->format};
        return 1;
    }
    if (node->buffer)
        pw_stream_queue_buffer(node->stream, node->buffer);
    pw_thread_loop_unlock(node->loop);
    return 0;
}

void rf_node_commit(rf_node *node, int64_t time) {
    struct spa_buffer *buffer = node->buffer->buffer;
    struct spa_chunk *chunk = buffer->datas->chunk;
    chunk->offset = 0, chunk->size = size(node), chunk->stride = stride(node), chunk->flags = 0;
    struct spa_meta_header *header = spa_buffer_find_meta_data(buffer, SPA_META_Header, sizeof *header);
    if (header)
        *header = (struct spa_meta_header){.pts = time, .seq = node->sequence++};
    pw_stream_queue_buffer(node->stream, node->buffer);
    pw_stream_trigger_process(node->stream);
    pw_thread_loop_unlock(node->loop);
}

void rf_node_close(rf_node *node) {
    if (node->loop)
        pw_thread_loop_stop(node->loop);
    if (node->stream)
        pw_stream_destroy(node->stream);
    if (node->loop)
        pw_thread_loop_destroy(node->loop);
    free(node);
    pw_deinit();
}

#else

int rf_node_is_built(void) { return 0; }
rf_node *rf_node_open(const char *name, const char *description, uint32_t width, uint32_t height, uint32_t rate, uint32_t scale, int *failure) {
    (void)name, (void)description, (void)width, (void)height, (void)rate, (void)scale;
    *failure = ENOSYS;
    return NULL;
}
enum rf_node_state rf_node_wait(rf_node *node, enum rf_node_state state, int milliseconds) {
    (void)node, (void)state, (void)milliseconds;
    return RF_NODE_FAILED;
}
int rf_node_begin(rf_node *node, struct rf_memory *memory) {
    (void)node, (void)memory;
    return 0;
}
void rf_node_commit(rf_node *node, int64_t time) { (void)node, (void)time; }
void rf_node_close(rf_node *node) { (void)node; }

#endif
