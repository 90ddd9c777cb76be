#pragma once
#include "CJPEGFiles.h"

// PNG files in memory through libpng, with the values of the JPEG ones; nothing jumps out of these functions.

/// Reads a PNG file's size, and its picture unless only the header is wanted; 0, or -1 with the library's words in `message`.
int png_file_read(const unsigned char *file, size_t count, int only_header, struct image_file_pixels *picture, char *message);
/// Makes a PNG file of a picture. Gives 0, or -1 with the library's words in `message`.
int png_file_write(const struct image_file_pixels *picture, struct image_file_bytes *file, char *message);
