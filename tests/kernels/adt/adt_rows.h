/* adt_rows.h - every way to pack that can be tried on this host: the public rows, and each span with streaming
 * stores. */
#ifndef NARROWS_TESTS_ADT_ROWS_H
#define NARROWS_TESTS_ADT_ROWS_H

#include <stdio.h>

#include "kernels/adt/host.h"
#include "tests/kernels/impl_wanted.h"

struct adt_row {
    char name[32];
    _Bool parallel;
    adt_pack_fn *pack;
    adt_unpack_fn *unpack;
    adt_pack_span *stream_pack; /* in place of pack where set */
    adt_unpack_span *stream_unpack;
    adt_pack_norm_fn *pack_norm;
    adt_pack_norm_span *stream_pack_norm;
};

static inline void row_pack(const struct adt_row *r, uint8_t *dst, const void *src, size_t n, int keep)
{
    if (r->stream_pack)
        r->stream_pack(dst, src, n, keep, 1);
    else
        r->pack(dst, src, n, keep);
}

static inline void row_unpack(const struct adt_row *r, void *dst, const uint8_t *src, size_t n, int keep)
{
    if (r->stream_unpack)
        r->stream_unpack(dst, src, n, keep, 1);
    else
        r->unpack(dst, src, n, keep);
}

static inline void row_pack_norm(const struct adt_row *r, uint8_t *dst, double *norm, const float *weights, size_t n,
                                 int keep, double *work)
{
    if (r->stream_pack_norm) {
        r->stream_pack_norm(dst, work, weights, n, keep, 1);
        l2norm_finish(norm, work, (n + L2NORM_BLOCK - 1) / L2NORM_BLOCK);
    } else {
        r->pack_norm(dst, norm, weights, n, keep, work);
    }
}

/* Fills rows[] with those that are wanted; none: impl_none_wanted() says so. */
static inline size_t adt_rows(struct adt_row *rows, size_t max)
{
    size_t n = 0;

    for (const struct adt_impl *im = adt_impls; im->impl.name; im++)
        if (impl_is_wanted(&im->impl, IMPL_HOST) && n < max) {
            rows[n] = (struct adt_row){
                .parallel = im->impl.parallel, .pack = im->pack, .unpack = im->unpack, .pack_norm = im->pack_norm
            };
            snprintf(rows[n++].name, sizeof(rows->name), "%s", im->impl.name);
        }
    for (const struct adt_span *s = adt_spans; s->name; s++) {
        const struct impl im = { s->name, IMPL_HOST, 0, s->usable };

        if (impl_is_wanted(&im, IMPL_HOST) && n < max) {
            rows[n] = (struct adt_row){ .stream_pack = s->pack,
                                        .stream_unpack = s->unpack,
                                        .stream_pack_norm = s->pack_norm };
            snprintf(rows[n++].name, sizeof(rows->name), "%s (streaming)", s->name);
        }
    }
    return n;
}

#endif
