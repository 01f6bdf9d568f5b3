/* jpeg_decode.h - decode a JPEG in memory, crop it and resize the crop. By libjpeg, where the program was built with
 * it. */
#ifndef NARROWS_HARNESS_DATA_JPEG_DECODE_H
#define NARROWS_HARNESS_DATA_JPEG_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The crop has the shape height x width and 7/8 of the sides of the largest such rectangle that fits into the image.
 * It lies at the top left (0, 0), in the middle (0.5, 0.5), at the bottom right (1, 1) of the image or between, and
 * is interpolated to height x width. */
struct jpeg_cut {
    int64_t channels; /* 1: grey, 3: red, green, blue */
    int64_t height, width;
    float down, right;
};

/* values: [channels, height, width], each 0 .. 255. 0, or E_DATA with "NAME: offset N: ...". The whole file is
 * decoded, so one that ends early is refused wherever the crop lies. */
int jpeg_decode(const char *name, const uint8_t *bytes, size_t n, const struct jpeg_cut *cut, float *values, char *why,
                size_t nwhy);

/* False if the program was built without libjpeg. */
bool jpeg_usable(void);

#endif
