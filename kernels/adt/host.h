/* host.h - how the host implementations fit together; for kernels/adt and its tests.
 * A span is one thread's share. 'stream' asks for stores that bypass the caches: right when the result is too large to
 * stay in them, wrong when it is read again at once. The serial rows decide by their own length, the parallel rows by
 * the whole, so that more threads do not change the kind of store. */
#ifndef NARROWS_KERNELS_ADT_HOST_H
#define NARROWS_KERNELS_ADT_HOST_H

#include "kernels/adt/adt.h"
#include "kernels/l2norm/host.h"

typedef void adt_pack_span(uint8_t *dst, const void *src, size_t n, int bytes_per_weight, bool stream);
typedef void adt_unpack_span(void *dst, const uint8_t *src, size_t n, int bytes_per_weight, bool stream);
/* sums[] gets the sum of squares of every L2NORM_BLOCK weights. */
typedef void adt_pack_norm_span(uint8_t *dst, double *sums, const float *weights, size_t n, int bytes_per_weight,
                                bool stream);

/* 1 MiB of weights, half of a current core's second-level cache: source and destination together no longer fit. */
enum { ADT_STREAM_MIN = 1 << 18 };

adt_pack_span adt_pack_span_scalar, adt_pack_span_avx2_paper, adt_pack_span_avx2, adt_pack_span_avx512;
adt_pack_span adt_pack_span_neon, adt_pack_span_vsx;
adt_unpack_span adt_unpack_span_scalar, adt_unpack_span_avx2_paper, adt_unpack_span_avx2, adt_unpack_span_avx512;
adt_unpack_span adt_unpack_span_neon, adt_unpack_span_vsx;
adt_pack_norm_span adt_pack_norm_span_avx2, adt_pack_norm_span_avx512;

/* Weights that belong together where they are packed and summed in one pass: the blocks of L2NORM_WALKS walks. */
enum { ADT_NORM_PIECE = L2NORM_WALKS * L2NORM_BLOCK };

/* The functions of an instruction set: the 'with' of its rows. */
struct adt_span {
    adt_pack_span *pack;
    adt_unpack_span *unpack;
    l2norm_add *add;
    adt_pack_norm_span *pack_norm; /* NULL: by way of the others */
};

/* Piece by piece, small enough for the caches: first summed, then packed. */
void adt_pack_norm_pieces(adt_pack_span *span, l2norm_add *add, uint8_t *dst, double *sums, const float *weights,
                          size_t n, int bytes_per_weight, bool stream);
/* The span's own way, or a piece at a time. */
void adt_pack_norm(const struct adt_span *s, uint8_t *dst, double *sums, const float *weights, size_t n,
                   int bytes_per_weight, bool stream);

/* Weights to handle one by one until 'address' + size * count is a multiple of 'line' (a power of two, at most 64), or
 * 64 if no count reaches it. */
static inline size_t adt_peel(const void *address, int size, uintptr_t line)
{
    size_t count = 0;

    while (count < 64 && ((uintptr_t)address + (uintptr_t)size * count) % line)
        count++;
    return count;
}

#endif
