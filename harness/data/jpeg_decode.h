/* jpeg_decode.h - one JPEG from memory, cut and brought to a size. By libjpeg, where the program was built with it. */
#ifndef NARROWS_HARNESS_DATA_JPEG_DECODE_H
#define NARROWS_HARNESS_DATA_JPEG_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of the largest rectangle of this shape that fits into the image, one with 7/8 of its sides is taken: at the top left (0, 0), in the
 * middle (0.5, 0.5), at the bottom right (1, 1) of the whole image or between; then interpolated to height x width. */
struct jpeg_cut {
    int64_t channels; /* 1: grey, 3: red, green, blue */
    int64_t height, width;
    float down, right;
};

/* values: [channels, height, width], each 0 .. 255. 0, or E_DATA with "NAME: offset N: ...". The whole file is decoded, so one
 * that ends early is refused wherever the cut lies. */
int jpeg_decode(const char *name, const uint8_t *bytes, size_t n, const struct jpeg_cut *cut, float *values, char *why,
                size_t nwhy);

/* False: built without libjpeg. */
bool jpeg_usable(void);

#endif
