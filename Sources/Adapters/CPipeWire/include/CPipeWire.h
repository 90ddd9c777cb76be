// A PipeWire node that is a camera to other programs. Built without libpipewire's headers, there is none, and rf_node_is_built says so.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct rf_node rf_node;

// Pixel format that the program on the other end has chosen.
enum rf_pixel_format { RF_NV12, RF_YUY2 };

enum rf_node_state { RF_NODE_FAILED = -1, RF_NODE_UNWATCHED, RF_NODE_WATCHED };

struct rf_memory {
    uint8_t *base;
    size_t size;
    size_t stride;
    enum rf_pixel_format format;
};

// Whether the library is built with PipeWire.
int rf_node_is_built(void);

// Makes a node of class Video/Source, and waits until the daemon has it; NULL after a failure, with its errno in *failure.
rf_node *rf_node_open(const char *name, const char *description, uint32_t width, uint32_t height, uint32_t rate, uint32_t scale, int *failure);

// State now, or (milliseconds > 0) as soon as it differs from `state`, at most so much later.
enum rf_node_state rf_node_wait(rf_node *node, enum rf_node_state state, int milliseconds);

// Memory for the next picture, to be handed over by rf_node_commit; 0 where nobody watches or every buffer is in use.
int rf_node_begin(rf_node *node, struct rf_memory *memory);

// Hands over the picture of rf_node_begin; `time` in nanoseconds.
void rf_node_commit(rf_node *node, int64_t time);

// Removes the node.
void rf_node_close(rf_node *node);
