/* internal.h - what the files of the library share: what a coder is made of, and what is checked of arguments before a
 * codec sees them. The numbers of errors and classes are those of the kernels. */
#ifndef NARROWS_LIBRARY_INTERNAL_H
#define NARROWS_LIBRARY_INTERNAL_H

#include <stdbool.h>

#include "kernels/codec/codec.h"
#include "library/narrows.h"

static inline const struct codec *coder_codec(const narrows_coder *coder)
{
    return (const struct codec *)coder->codec;
}

/* The row of a coder as coder_set() leaves it, with its parameters in *params; NULL for any other. */
const struct codec_impl *coder_row(const narrows_coder *coder, struct codec_params *params);

/* Choose the row that 'flags', which are known, ask for. NARROWS_ABSENT: there is none; *coder is unchanged. */
int coder_set(narrows_coder *coder, const struct codec *codec, const struct codec_params *params, unsigned flags);
bool coder_flags_are_known(unsigned flags);

/* What a call is about. */
struct call {
    const struct codec *codec;
    const struct codec_impl *row;
    struct codec_params params;
    size_t n;
};

/* NARROWS_ARGUMENT if the coder was not chosen, or not for this kind of memory; NARROWS_COUNT for too many values;
 * NARROWS_ABSENT for device memory in a build without CUDA. */
int call_begin(struct call *call, const narrows_coder *coder, enum impl_memory where, size_t n);

/* Memory that the caller passed. */
struct buffer {
    const void *at;
    size_t nbytes, align;
};

/* NARROWS_ARGUMENT for a NULL that should have bytes, for an end that wraps around and for an overlap;
 * NARROWS_MISALIGNED. */
int buffers_check(const struct buffer *buffers, int count);

/* The same for the buffers of encoding, the payload behind 'head' bytes of 'payload', and of decoding. 'nbytes' and
 * 'error' point to numbers of sizes 8 and 4; 'error' may be NULL. */
int call_check_encode(const struct call *call, const void *payload, size_t head, const void *nbytes,
                      const float *values, const void *state, const void *work);
int call_check_decode(const struct call *call, const float *values, const void *payload, size_t nbytes,
                      const void *work, const int *error);

#endif
