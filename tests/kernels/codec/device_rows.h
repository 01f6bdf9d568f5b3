/* device_rows.h - a codec's device row against its scalar row, bit for bit: payload, state, values and errors. Used on
 * a device and on an emulated one; memory goes through harness/bench/device.h. */
#ifndef NARROWS_TESTS_KERNELS_CODEC_DEVICE_ROWS_H
#define NARROWS_TESTS_KERNELS_CODEC_DEVICE_ROWS_H

#include "kernels/codec/codec.h"

struct device_row {
    const struct codec *codec;
    codec_compress_fn *compress;
    codec_decompress_fn *decompress;
    size_t largest;          /* of the tensors that the row is tried with */
    codec_reduce_fn *reduce; /* NULL: there is none */
};

/* Pulls of 3LC as a codec: its values are a model. */
struct codec device_rows_pull(void);

/* "powersgd" with rows and a rank that leave tails. */
struct codec device_rows_narrow(void);

/* Test the rows, which end with a null codec. 'order' is called before each case with a running number; it may be NULL.
 * Returns the number of failed tests. */
int device_rows_test(const struct device_row *rows, void (*order)(size_t number));

#endif
