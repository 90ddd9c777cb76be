#include "CPNGFiles.h"
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(png_image *image, char *message) {
    snprintf(message, image_file_message_size, "%s", image->message);
    png_image_free(image);
    return -1;
}

int png_file_read(const unsigned char *file, size_t count, int only_header, struct image_file_pixels *picture, char *message) {
    png_image image;
    memset(&image, 0, sizeof image);
    memset(picture, 0, sizeof *picture);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&image, file, count))
        return fail(&image, message);
    // Palettes become colours, 16 bits become 8.
    image.format &= PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_COLOR;
    picture->width = (int)image.width;
    picture->height = (int)image.height;
    picture->components = (int)PNG_IMAGE_SAMPLE_CHANNELS(image.format);
    if (only_header) {
        png_image_free(&image);
        return 0;
    }
    if ((size_t)image.width * image.height > image_file_most_pixels) {
        snprintf(message, image_file_message_size, "%d x %d are too many pixels", picture->width, picture->height);
        png_image_free(&image);
        return -1;
    }
    picture->bytes = malloc((size_t)image.width * image.height * picture->components);
    if (!picture->bytes) {
        snprintf(message, image_file_message_size, "no memory for %d x %d pixels", picture->width, picture->height);
        png_image_free(&image);
        return -1;
    }
    if (png_image_finish_read(&image, NULL, picture->bytes, 0, NULL))
        return 0;
    free(picture->bytes);
    picture->bytes = NULL;
    return fail(&image, message);
}

int png_file_write(const struct image_file_pixels *picture, struct image_file_bytes *file, char *message) {
    static const png_uint_32 formats[] = {PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB, PNG_FORMAT_RGBA};
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = (png_uint_32)picture->width;
    image.height = (png_uint_32)picture->height;
    image.format = formats[picture->components - 1];
    png_alloc_size_t count = PNG_IMAGE_PNG_SIZE_MAX(image);
    unsigned char *bytes = malloc(count);
    if (!bytes) {
        snprintf(message, image_file_message_size, "no memory for %d x %d pixels", picture->width, picture->height);
        return -1;
    }
    if (!png_image_write_to_memory(&image, bytes, &count, 0, picture->bytes, 0, NULL)) {
        free(bytes);
        return fail(&image, message);
    }
    file->bytes = bytes;
    file->count = count;
    return 0;
}
