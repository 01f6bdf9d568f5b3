/* norm_span.h - pack and norm in one pass, for the x86 files. The walks of kernels/copy/order.h are as far apart as the
 * blocks of the norm are long, so that every walk sums a block of its own; the lanes of all eight stay in the
 * first-level cache. A group is summed right behind its packing, while its lines are in the first-level cache.
 * Packing starts with the first weight whose bytes begin a line, 'head' weights behind the one where summing starts:
 * both go through memory at the same distance. What is left behind the last eight whole blocks is done piece by
 * piece. */
#ifndef NARROWS_KERNELS_ADT_NORM_SPAN_H
#define NARROWS_KERNELS_ADT_NORM_SPAN_H

#include "kernels/adt/span.h"
#include "kernels/l2norm/l2norm_lane.h"

_Static_assert(64 * STREAM_STEPS == L2NORM_BLOCK, "a walk is a block");
_Static_assert(64 * STREAM_BLOCK == ADT_NORM_PIECE, "the walks are a piece");

/* Step 2 of l2norm.h for 64 weights. */
typedef void adt_add_fn(double *lane, const void *weights, size_t n);

INLINE void norm_piece(uint8_t *dst, double *sums, const uint8_t *src, size_t head, int bytes_per_weight, bool nt,
                       adt_group_fn *group, adt_add_fn *add)
{
    double lane[STREAM_WALKS][L2NORM_LANES] = { { 0 } };

    for (size_t g = 0; g < STREAM_BLOCK; g++) {
        size_t i = 64 * stream_order(g, STREAM_BLOCK);
        const uint8_t *from = src + 4 * (i + head);

        if (nt)
            fetch_next(from);
        group(dst + (size_t)bytes_per_weight * (i + head), from, bytes_per_weight, nt);
        add(lane[g % STREAM_WALKS], src + 4 * i, 64);
    }
    for (size_t b = 0; b < STREAM_WALKS; b++)
        sums[b] = l2norm_fold(lane[b]);
}

/* How many weights were summed; 'head' more than those are packed. */
INLINE size_t norm_pieces(uint8_t *dst, double *sums, const uint8_t *src, size_t n, size_t head, int bytes_per_weight,
                          bool nt, adt_group_fn *group, adt_add_fn *add)
{
    size_t at = 0;

    for (; at + head + ADT_NORM_PIECE <= n; at += ADT_NORM_PIECE)
        norm_piece(dst + (size_t)bytes_per_weight * at, sums + at / L2NORM_BLOCK, src + 4 * at, head, bytes_per_weight,
                   nt, group, add);
    return at;
}

INLINE size_t norm_any(uint8_t *dst, double *sums, const uint8_t *src, size_t n, size_t head, int bytes_per_weight,
                       bool nt, adt_group_fn *group, adt_add_fn *add)
{
    return bytes_per_weight == 3   ? norm_pieces(dst, sums, src, n, head, 3, nt, group, add)
           : bytes_per_weight == 2 ? norm_pieces(dst, sums, src, n, head, 2, nt, group, add)
                                   : norm_pieces(dst, sums, src, n, head, 1, nt, group, add);
}

/* 'pack' and 'rest' do what is left. */
INLINE void pack_norm_span(uint8_t *dst, double *sums, const float *weights, size_t n, int bytes_per_weight,
                           bool stream, adt_group_fn *group, adt_add_fn *add, adt_pack_span *pack, l2norm_add *rest)
{
    const uint8_t *src = (const uint8_t *)weights;
    size_t head = adt_peel(dst, bytes_per_weight, 64), done;

    if (bytes_per_weight == 4) {
        adt_pack_norm_pieces(pack, rest, dst, sums, weights, n, bytes_per_weight, stream);
        return;
    }
    if (head == 64) { /* as in pack_span() */
        stream = 0;
        head = 0;
    }
    if (head + ADT_NORM_PIECE > n) {
        adt_pack_norm_pieces(pack, rest, dst, sums, weights, n, bytes_per_weight, stream);
        return;
    }
    adt_pack_span_scalar(dst, src, head, bytes_per_weight, 0);
    done = stream ? norm_any(dst, sums, src, n, head, bytes_per_weight, 1, group, add)
                  : norm_any(dst, sums, src, n, head, bytes_per_weight, 0, group, add);
    pack(dst + (size_t)bytes_per_weight * (done + head), src + 4 * (done + head), n - done - head, bytes_per_weight,
         stream);
    for (; done < n; done += ADT_NORM_PIECE)
        l2norm_blocks(rest, sums + done / L2NORM_BLOCK, weights + done,
                      n - done < ADT_NORM_PIECE ? n - done : ADT_NORM_PIECE);
    if (stream)
        _mm_sfence();
}

#endif
