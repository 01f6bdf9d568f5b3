/* codec.h - a codec: a way to send a tensor of fp32 values in fewer bytes. A codec is one row of one table, which
 * commands, trainer, records, tests and fuzzers walk.
 * Shapes     'n' values in order; a payload is the bytes that cross the wire, without the header of stream.h.
 * State      what a codec keeps of a tensor from one step to the next (unsent changes, a threshold): state_size()
 *            bytes, owned by the caller, one for each tensor and direction. All zero bytes is a fresh state.
 * Work       scratch of one call: work_size() bytes, owned by the caller; nothing in it outlives the call.
 * Alignment  payload, state and work start on a 64-byte boundary, values on that of a float. Nothing is written outside
 *            payload[0 .. payload_bound()), state, work and values[0 .. n), and nothing is read outside of the inputs.
 * Bits       payload, state and values are the same, bit for bit, for every implementation and number of threads.
 * Errors     compressing has none: NaN and infinities are defined in each codec's own header. Decompressing checks
 *            the whole payload: after an error 'values' are unchanged.
 * Devices    a device row returns before its work is done; all its pointers, nbytes and error included, are to device
 *            memory. */
#ifndef NARROWS_KERNELS_CODEC_H
#define NARROWS_KERNELS_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/shared/impl.h"

enum { CODEC_PARAMS = 4, CODEC_ALIGN = 64 };

/* The largest number of values of a tensor. No size computed from it overflows. */
#define CODEC_MAX_VALUES ((size_t)1 << 40)

/* The number of a codec in the header of a stream. A number is never used again for another codec. */
enum codec_id {
    CODEC_ID_3LC = 1,
    CODEC_ID_3LC_QUARTIC,
    CODEC_ID_8BIT,
    CODEC_ID_STOCH3,
    CODEC_ID_1BIT,
    CODEC_ID_LOCAL,
    CODEC_ID_FP32,
    CODEC_ID_BF16,
    CODEC_ID_FP16,
    CODEC_ID_ADT,
    CODEC_ID_DCT,
    CODEC_ID_SPARSIFY,
    CODEC_ID_DCT_MP,
    CODEC_ID_QSGD,
    CODEC_ID_RANDOMK,
    CODEC_ID_TERNGRAD,
    CODEC_ID_NATURAL,
    CODEC_ID_POWERSGD,
    CODEC_ID_BLOCKWISE,
    CODEC_ID_PLUGINS = 0x8000, /* from here on: of codecs that are not in this table; their names give them */
};

/* What was wrong with a stream. codec_error_text() in stream.h gives the text. */
enum codec_error {
    CODEC_OK,
    CODEC_SHORT,     /* shorter than its header says */
    CODEC_LONG,      /* bytes are left over */
    CODEC_FOREIGN,   /* not a stream of narrows, or of a later version */
    CODEC_UNKNOWN,   /* a codec that is not in the table */
    CODEC_PARAMETER, /* a parameter outside of its range */
    CODEC_COUNT,     /* not the number of values that the caller expects, or more than there can be */
    CODEC_CHECKSUM,  /* damaged */
    CODEC_CONTENT,   /* the checksum is right, but this codec cannot have written the payload */
};

/* How payloads of several workers become one sum. */
enum codec_class {
    CODEC_REDUCIBLE, /* payloads are arrays of numbers that an allreduce can add, and what all workers have alike */
    CODEC_REDUCIBLE_TWICE, /* in two rounds, each an array of numbers that an allreduce can add: powersgd.h */
    CODEC_GATHERED,        /* every payload has to reach every receiver, which decompresses and adds */
    CODEC_SCATTERED,       /* cut into parts; each part is reduced by its owner (codec_impl.reduce) and gathered */
};

struct codec_param {
    const char *name, *unit, *what;
    double lowest, highest, preset;
    double multiple; /* only multiples of it, 1: whole numbers; 0: any number */
};

/* Values in the order of codec.param; unused ones are 0. */
struct codec_params {
    double value[CODEC_PARAMS];
};

enum codec_into { CODEC_STORE, CODEC_ADD }; /* values = decoded, or values += decoded */

/* 'im' is the row's (kernels/shared/impl.h); *nbytes: the payload's size. */
typedef void codec_compress_fn(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                               const struct codec_params *p, void *state, void *work);
/* *error: an enum codec_error. 'state' is not needed: the payload is complete. */
typedef void codec_decompress_fn(const struct impl *im, float *values, size_t n, enum codec_into into,
                                 const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work,
                                 int *error);

/* Payloads of the same n values from several senders: 'count' of 'nbytes' each, at least one, the first byte of one
 * 'stride' bytes behind that of the one before: a multiple of CODEC_ALIGN. A device's struct is in host memory. */
struct codec_terms {
    const uint8_t *payloads;
    size_t stride, nbytes, count;
};
/* The sum of the values of all terms as one payload: what decompressing the terms one after another, adding, and
 * compressing the sum of fp32 gives, bit for bit. Checks all terms first: after an error 'payload' and *nbytes are
 * unchanged. 'payload' overlaps no term. */
typedef void codec_reduce_fn(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const struct codec_terms *terms,
                             size_t n, const struct codec_params *p, void *work, int *error);

struct codec_impl {
    struct impl impl;
    codec_compress_fn *compress;
    codec_decompress_fn *decompress;
    codec_reduce_fn *reduce; /* of CODEC_SCATTERED, else NULL */
};

/* The device row of a codec: CODEC_DEVICE(int8) declares int8_compress_cuda() and int8_decompress_cuda(),
 * CODEC_REDUCING_DEVICE(int8) int8_reduce_cuda() too. */
#define CODEC_DEVICE(codec)                         \
    IMPL_C codec_compress_fn codec##_compress_cuda; \
    IMPL_C codec_decompress_fn codec##_decompress_cuda
#define CODEC_REDUCING_DEVICE(codec) \
    CODEC_DEVICE(codec);             \
    IMPL_C codec_reduce_fn codec##_reduce_cuda

/* For a payload of 'nbytes' that should have 'want' bytes: CODEC_OK, CODEC_SHORT or CODEC_LONG. */
static inline enum codec_error codec_size_error(size_t nbytes, size_t want)
{
    return nbytes == want ? CODEC_OK : nbytes < want ? CODEC_SHORT : CODEC_LONG;
}

typedef size_t codec_size_fn(size_t n, const struct codec_params *p);

/* The sizes that most codecs have: no bytes, and one fp32 word for each value. */
codec_size_fn codec_no_bytes, codec_words;

#ifndef __cplusplus /* device code needs what is above; a codec's row is a matter of C */
struct codec {
    const char *name;
    uint16_t id; /* an enum codec_id */
    const char *what, *source;
    enum codec_class class;
    struct codec_param param[CODEC_PARAMS + 1];            /* ends with a null name */
    codec_size_fn *payload_bound, *state_size, *work_size; /* work_size serves both directions */
    const struct codec_impl *impls;
    /* The same for model pulls that need no separate difference; NULL if the codec has none. 'values' is the model;
     * 'state' (n values, aligned to a float) is the receivers' copy of it. Compressing updates 'state' with the same
     * bits as decompressing gives the receivers. */
    const struct codec_impl *pulls;
};

/* All codecs, in the order in which they are listed; ends with NULL. */
extern const struct codec *const codecs[];

/* NULL if there is none of that name. */
const struct codec *codec_find(const char *name);

struct codec_params codec_presets(const struct codec *c);

/* CODEC_OK, or CODEC_PARAMETER with *which set to the parameter that is out of range, not whole or not a number. */
enum codec_error codec_check(const struct codec *c, const struct codec_params *p, int *which);

/* The best usable row, among the parallel or the serial ones of the host; 'name' as in "avx2" picks one (NULL: any).
 * NULL if there is none. */
const struct codec_impl *codec_choose(const struct codec *c, const char *name, bool parallel);
const struct codec_impl *codec_choose_pull(const struct codec *c, const char *name, bool parallel);
#endif

#endif
