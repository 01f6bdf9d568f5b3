/* norm.c - pack and norm in one pass over memory, for what packs but does not sum: two passes over a piece that the
 * second-level cache holds. */
#include "kernels/adt/host.h"

void adt_pack_norm_pieces(adt_pack_span *span, l2norm_add *add, uint8_t *dst, double *sums, const float *weights,
                          size_t n, int bytes_per_weight, bool stream)
{
    for (size_t at = 0; at < n; at += ADT_NORM_PIECE) {
        size_t take = n - at < ADT_NORM_PIECE ? n - at : ADT_NORM_PIECE;

        l2norm_blocks(add, sums + at / L2NORM_BLOCK, weights + at, take);
        span(dst + (size_t)bytes_per_weight * at, weights + at, take, bytes_per_weight, stream);
    }
}

void adt_pack_norm(const struct adt_span *s, uint8_t *dst, double *sums, const float *weights, size_t n,
                   int bytes_per_weight, bool stream)
{
    if (s->pack_norm)
        s->pack_norm(dst, sums, weights, n, bytes_per_weight, stream);
    else
        adt_pack_norm_pieces(s->pack, s->add, dst, sums, weights, n, bytes_per_weight, stream);
}
