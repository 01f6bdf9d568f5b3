/* codec_input.h - how an input of the codec targets is read, and written by codec_seeds.c: a header, then bytes.
 *      0  1  what they are, modulo the number of kinds
 *      1  1  lowest four bits: floats to put in front of the values, so that they stand at any place; bit 7: try the
 *            parallel row too
 *      2  2  n, little-endian: the lowest byte, or all of the lowest 12 bits if the upper four are set
 *      4  4  a byte for each parameter: 0 its preset, else so many of 255 steps from the lowest to the highest
 * INPUT_SEALED takes n and the parameters as they are, 8 and 32 bytes in front of the payload. */
#ifndef NARROWS_TESTS_FUZZ_CODEC_INPUT_H
#define NARROWS_TESTS_FUZZ_CODEC_INPUT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/codec/codec.h"

enum input_kind {
    INPUT_PAYLOAD, /* a payload for this codec */
    INPUT_VALUES,  /* values to compress and decompress */
    INPUT_STREAM,  /* a whole stream */
    INPUT_SEALED,  /* a stream without its checksum, which is put right */
    INPUT_KINDS
};
enum { INPUT_AT_PARAMS = 4, INPUT_HEADER = 8, INPUT_SEAL = 40, INPUT_VALUES_MAX = 4095 };
_Static_assert(INPUT_AT_PARAMS + CODEC_PARAMS == INPUT_HEADER, "a byte for each parameter");

struct input {
    enum input_kind kind;
    size_t offset, n;
    bool parallel;
    struct codec_params params;
    const uint8_t *bytes;
    size_t nbytes;
};

static inline struct codec_params input_params(const struct codec *c, const uint8_t *steps)
{
    struct codec_params p = codec_presets(c);

    for (int i = 0; c->param[i].name; i++) {
        const struct codec_param *of = &c->param[i];
        double v = of->lowest + (of->highest - of->lowest) * steps[i] / 255;

        if (of->multiple > 0)
            v = fmax(of->lowest, of->multiple * floor(v / of->multiple));
        if (steps[i])
            p.value[i] = fmin(of->highest, v);
    }
    return p;
}

/* Of at least INPUT_HEADER bytes. */
static inline struct input input_read(const struct codec *c, const uint8_t *data, size_t size)
{
    size_t n = data[2] | (size_t)data[3] << 8;
    struct input in = { .kind = data[0] % INPUT_KINDS, .offset = data[1] % 16, .parallel = data[1] >> 7 };

    in.n = n >= 0xf000 ? n % 0x1000 : n % 0x100;
    in.params = input_params(c, data + INPUT_AT_PARAMS);
    in.bytes = data + INPUT_HEADER;
    in.nbytes = size - INPUT_HEADER;
    return in;
}

#endif
