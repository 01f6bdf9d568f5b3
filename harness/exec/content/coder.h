/* coder.h - the real codec that a simulated one stands for, with its state for one tensor and one direction.
 * Format     what is encoded is a sealed stream (kernels/codec/stream.h): its checksum is verified where it is decoded.
 * Ownership  coder_close() releases; an all-zero coder codes nothing.
 * Errors     a nw_status; decoding damaged bytes is NW_EIO, the message printed. */
#ifndef NARROWS_HARNESS_EXEC_CONTENT_CODER_H
#define NARROWS_HARNESS_EXEC_CONTENT_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/codec/codec.h"
#include "sim/codec/codec_spec.h"

struct coder {
    const struct codec *codec; /* NULL: values travel as they are */
    const struct codec_impl *row;
    struct codec_params params;
    size_t n;       /* values */
    uint8_t *state; /* NULL until it encodes for the first time, and where the codec has none */
    uint8_t *stream, *work;
    uint8_t *aligned; /* where a stream that begins anywhere is decoded from: codecs expect a boundary of 64 bytes */
    size_t naligned;
    size_t nstream; /* bytes of what was encoded last */
};

/* 'seed' tells codecs that draw numbers apart. NW_EINPUT for a format that has no kernel (a user's own ratio). */
int coder_open(const struct codec_spec *spec, int64_t values, uint64_t seed, struct coder *out);
void coder_close(struct coder *c);

/* The most bytes that a tensor of so many values may have on its way. */
int64_t coder_most(const struct codec_spec *spec, int64_t values);

/* Into c->stream, c->nstream bytes. E_NOMEM as NW_ENOMEM. */
int coder_encode(struct coder *c, const float *values);

/* A stream of another rank's coder for the same tensor. */
int coder_decode(struct coder *c, const uint8_t *stream, size_t nbytes, enum codec_into into, float *values);

/* A payload without a stream: one that is the sum of several ranks'. */
int coder_decode_payload(struct coder *c, const uint8_t *payload, size_t nbytes, float *values);

#endif
