/* rows.h - from a codec's spans to its host rows. A codec has two functions that take the spans of an ISA and a way to
 * share the work; this makes a row of each ISA and way. For the impls.c of a codec:
 *   CODEC_HOST_FUNCTIONS(int8, int8)     int8_compress() and int8_decompress() with &int8_scalar, &int8_avx2, ...
 *   CODEC_HOST_ROWS                      the rows, best first, to stand in the table */
#ifndef NARROWS_KERNELS_SHARED_ROWS_H
#define NARROWS_KERNELS_SHARED_ROWS_H

#include "kernels/codec/codec.h"
#include "kernels/shared/share.h"
#include "kernels/shared/usable.h"

#define CODEC_HOST_FUNCTION(codec, spans, isa, name, share)                                              \
    static void compress_##name(uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,       \
                                const struct codec_params *p, void *state, void *work)                   \
    {                                                                                                    \
        codec##_compress(&spans##_##isa, share, payload, nbytes, values, n, p, state, work);             \
    }                                                                                                    \
    static void decompress_##name(float *values, size_t n, enum codec_into into, const uint8_t *payload, \
                                  size_t nbytes, const struct codec_params *p, void *work, int *fault)   \
    {                                                                                                    \
        *fault = codec##_decompress(&spans##_##isa, share, values, n, into, payload, nbytes, p, work);   \
    }
#define CODEC_HOST_ROW(text, parallel, usable, name)                              \
    {                                                                             \
        { text, IMPL_HOST, parallel, usable }, compress_##name, decompress_##name \
    }

/* The two functions of a codec, for its header: TYPE is its struct of spans. */
#define CODEC_HOST_DECLARE(codec, TYPE)                                                                              \
    void codec##_compress(const TYPE *isa, share_fn *share, uint8_t *payload, uint64_t *nbytes, const float *values, \
                          size_t n, const struct codec_params *p, void *state, void *work);                          \
    int codec##_decompress(const TYPE *isa, share_fn *share, float *values, size_t n, enum codec_into into,          \
                           const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work)

#ifdef NW_X86
#define CODEC_X86_FUNCTIONS(codec, spans, suffix, share)         \
    CODEC_HOST_FUNCTION(codec, spans, avx2, avx2##suffix, share) \
    CODEC_HOST_FUNCTION(codec, spans, avx512, avx512##suffix, share)
#define CODEC_X86_ROWS(plus, parallel, suffix)                                 \
    CODEC_HOST_ROW("avx512" plus, parallel, usable_avx512_bw, avx512##suffix), \
        CODEC_HOST_ROW("avx2" plus, parallel, usable_avx2, avx2##suffix),
#else
#define CODEC_X86_FUNCTIONS(codec, spans, suffix, share)
#define CODEC_X86_ROWS(plus, parallel, suffix)
#endif

#ifdef NW_OPENMP
#define CODEC_SPLIT_FUNCTIONS(codec, spans)                            \
    CODEC_HOST_FUNCTION(codec, spans, scalar, scalar_omp, share_split) \
    CODEC_X86_FUNCTIONS(codec, spans, _omp, share_split)
#define CODEC_SPLIT_ROWS CODEC_X86_ROWS("+omp", 1, _omp) CODEC_HOST_ROW("scalar+omp", 1, usable_always, scalar_omp),
#else
#define CODEC_SPLIT_FUNCTIONS(codec, spans)
#define CODEC_SPLIT_ROWS
#endif

#define CODEC_HOST_FUNCTIONS(codec, spans)                          \
    CODEC_SPLIT_FUNCTIONS(codec, spans)                             \
    CODEC_HOST_FUNCTION(codec, spans, scalar, scalar, share_serial) \
    CODEC_X86_FUNCTIONS(codec, spans, , share_serial)
#define CODEC_HOST_ROWS CODEC_SPLIT_ROWS CODEC_X86_ROWS("", 0, ) CODEC_HOST_ROW("scalar", 0, usable_always, scalar),

#endif
