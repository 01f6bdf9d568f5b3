/* jpeg_window.h - where a crop lies in a decoded image, and the interpolation of one output row. Within harness/data/
 * only. */
#ifndef NARROWS_HARNESS_DATA_JPEG_WINDOW_H
#define NARROWS_HARNESS_DATA_JPEG_WINDOW_H

#include "harness/data/jpeg_decode.h"

struct jpeg_window {
    float top, left;
    float step; /* decoded pixels per output pixel */
};

/* In an image of so many rows and columns, which are fractions if it was decoded at a part of its size. */
struct jpeg_window jpeg_window_of(const struct jpeg_cut *cut, double rows, double columns);

/* The two neighbours of a position, both within 0 .. n - 1, and how far it is on the way to the second. */
struct jpeg_between {
    int64_t first, second;
    float part;
};

struct jpeg_between jpeg_between_of(float start, float step, int64_t at, int64_t n);

/* columns: [width] of the crop. above, below: decoded rows of pixels of cut->channels bytes. part: how far the output
 * row is on the way to the one below. to: where the output row begins in the first channel. */
void jpeg_put_row(const struct jpeg_between *columns, const struct jpeg_cut *cut, const uint8_t *above,
                  const uint8_t *below, float part, float *to);

#endif
