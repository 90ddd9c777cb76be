#include "CJPEGFiles.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

/// The library's error manager, and the way out of its calls.
struct error_exit {
    struct jpeg_error_mgr manager;
    jmp_buf exit;
    char *message;
};

static void leave(j_common_ptr codec) {
    struct error_exit *error = (struct error_exit *)codec->err;
    char text[JMSG_LENGTH_MAX];
    error->manager.format_message(codec, text);
    snprintf(error->message, image_file_message_size, "%s", text);
    longjmp(error->exit, 1);
}

static void keep_quiet(j_common_ptr codec) { (void)codec; }

static struct jpeg_error_mgr *prepare(struct error_exit *error, char *message) {
    jpeg_std_error(&error->manager);
    error->manager.error_exit = leave;
    error->manager.output_message = keep_quiet;
    error->message = message;
    return &error->manager;
}

int jpeg_file_read(const unsigned char *file, size_t count, int only_header, struct image_file_pixels *picture, char *message) {
    struct jpeg_decompress_struct codec;
    struct error_exit error;
    memset(picture, 0, sizeof *picture);
    codec.err = prepare(&error, message);
    if (setjmp(error.exit)) {
        jpeg_destroy_decompress(&codec);
        free(picture->bytes);
        picture->bytes = NULL;
        return -1;
    }
    jpeg_create_decompress(&codec);
    jpeg_mem_src(&codec, file, count);
    jpeg_read_header(&codec, TRUE);
    codec.out_color_space = codec.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    picture->width = (int)codec.image_width;
    picture->height = (int)codec.image_height;
    picture->components = codec.num_components == 1 ? 1 : 3;
    if (only_header) {
        jpeg_destroy_decompress(&codec);
        return 0;
    }
    if ((size_t)codec.image_width * codec.image_height > image_file_most_pixels) {
        snprintf(message, image_file_message_size, "%d x %d are too many pixels", picture->width, picture->height);
        longjmp(error.exit, 1);
    }
    jpeg_start_decompress(&codec);
    size_t stride = (size_t)codec.output_width * codec.output_components;
    picture->bytes = malloc(stride * codec.output_height);
    if (!picture->bytes) {
        snprintf(message, image_file_message_size, "no memory for %d x %d pixels", picture->width, picture->height);
        longjmp(error.exit, 1);
    }
    while (codec.output_scanline < codec.output_height) {
        unsigned char *row = picture->bytes + stride * codec.output_scanline;
        jpeg_read_scanlines(&codec, &row, 1);
    }
    jpeg_finish_decompress(&codec);
    jpeg_destroy_decompress(&codec);
    return 0;
}

int jpeg_file_write(const struct image_file_pixels *picture, int quality, struct image_file_bytes *file, char *message) {
    struct jpeg_compress_struct codec;
    struct error_exit error;
    unsigned char *bytes = NULL;
    unsigned long count = 0;
    codec.err = prepare(&error, message);
    if (setjmp(error.exit)) {
        // Only for want of memory; what the library wrote so far is its own.
        jpeg_destroy_compress(&codec);
        return -1;
    }
    jpeg_create_compress(&codec);
    jpeg_mem_dest(&codec, &bytes, &count);
    codec.image_width = (JDIMENSION)picture->width;
    codec.image_height = (JDIMENSION)picture->height;
    codec.input_components = picture->components;
    codec.in_color_space = picture->components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&codec);
    jpeg_set_quality(&codec, quality, TRUE);
    jpeg_start_compress(&codec, TRUE);
    size_t stride = (size_t)picture->width * picture->components;
    while (codec.next_scanline < codec.image_height) {
        JSAMPROW row = picture->bytes + stride * codec.next_scanline;
        jpeg_write_scanlines(&codec, &row, 1);
    }
    jpeg_finish_compress(&codec);
    jpeg_destroy_compress(&codec);
    file->bytes = bytes;
    file->count = count;
    return 0;
}
