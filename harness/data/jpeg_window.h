/* jpeg_window.h - where a cut lies in a decoded image, and one row of what is put out, by interpolation. Within harness/data/ only. */
#ifndef NARROWS_HARNESS_DATA_JPEG_WINDOW_H
#define NARROWS_HARNESS_DATA_JPEG_WINDOW_H

#include "harness/data/jpeg_decode.h"

struct jpeg_window {
    float top, left;
    float step; /* decoded pixels for one that is put out */
};

/* In an image of so many rows and columns, no whole numbers if it was decoded at a part of its size. */
struct jpeg_window jpeg_window_of(const struct jpeg_cut *cut, double rows, double columns);

/* The two neighbours of a place, both within 0 .. n - 1, and how far it is on the way to the second. */
struct jpeg_between {
    int64_t first, second;
    float part;
};

struct jpeg_between jpeg_between_of(float start, float step, int64_t at, int64_t n);

/* columns: [width] of the cut; above, below: the rows, pixel after pixel of cut->channels bytes; part: how far the row is on the way to
 * the one below; to: where the row begins in the first channel. */
void jpeg_put_row(const struct jpeg_between *columns, const struct jpeg_cut *cut, const uint8_t *above,
                  const uint8_t *below, float part, float *to);

#endif
