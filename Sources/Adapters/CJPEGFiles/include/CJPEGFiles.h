#pragma once
#include <stddef.h>

/// JPEG files in memory through libjpeg, whose errors jump: nothing jumps out of these functions.

/// A picture of 8 bits a component, rows without padding, from the top.
struct image_file_pixels {
    /// Of malloc, to be freed by the caller; null where none could be read.
    unsigned char *bytes;
    int width, height;
    /// 1 is grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha (not multiplied).
    int components;
};

/// A file of malloc, to be freed by the caller.
struct image_file_bytes {
    unsigned char *bytes;
    size_t count;
};

enum { image_file_message_size = 256, image_file_most_pixels = 1 << 28 };

/// Reads a JPEG file's size, and its picture unless only the header is wanted; 0, or -1 with the library's words in `message`.
int jpeg_file_read(const unsigned char *file, size_t count, int only_header, struct image_file_pixels *picture, char *message);
/// Makes a JPEG file of a picture of 1 or 3 components; quality is 1 to 100. Gives 0, or -1 with the library's words in `message`.
int jpeg_file_write(const struct image_file_pixels *picture, int quality, struct image_file_bytes *file, char *message);
