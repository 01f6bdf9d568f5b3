/* adt_rows.h - every way to pack that can be tried on this host: the public rows, and each span with streaming
 * stores. */
#ifndef NARROWS_TESTS_ADT_ROWS_H
#define NARROWS_TESTS_ADT_ROWS_H

#include <stdio.h>

#include "kernels/adt/host.h"
#include "tests/kernels/impl_wanted.h"

struct adt_row {
    char name[32];
    const struct adt_impl *im;
    /* NULL, or what is run with streaming stores instead of the row. */
    const struct adt_span *stream;
};

static inline void row_pack(const struct adt_row *r, uint8_t *dst, const void *src, size_t n, int bytes_per_weight)
{
    if (r->stream)
        r->stream->pack(dst, src, n, bytes_per_weight, true);
    else
        r->im->pack(&r->im->impl, dst, src, n, bytes_per_weight);
}

static inline void row_unpack(const struct adt_row *r, void *dst, const uint8_t *src, size_t n, int bytes_per_weight)
{
    if (r->stream)
        r->stream->unpack(dst, src, n, bytes_per_weight, true);
    else
        r->im->unpack(&r->im->impl, dst, src, n, bytes_per_weight);
}

static inline void row_pack_norm(const struct adt_row *r, uint8_t *dst, double *norm, const float *weights, size_t n,
                                 int bytes_per_weight, double *work)
{
    if (r->stream) {
        adt_pack_norm(r->stream, dst, work, weights, n, bytes_per_weight, true);
        l2norm_finish(norm, work, (n + L2NORM_BLOCK - 1) / L2NORM_BLOCK);
    } else {
        r->im->pack_norm(&r->im->impl, dst, norm, weights, n, bytes_per_weight, work);
    }
}

/* Fills rows[] with those that are wanted, each serial one a second time to stream; none: impl_none_wanted() says
 * so. */
static inline size_t adt_rows(struct adt_row *rows, size_t max)
{
    size_t n = 0;

    for (const struct adt_impl *im = adt_impls; im->impl.name; im++)
        for (int stream = 0; stream <= !im->impl.parallel; stream++)
            if (impl_is_wanted(&im->impl, IMPL_HOST) && n < max) {
                rows[n] = (struct adt_row){ .im = im, .stream = stream ? im->impl.with : NULL };
                snprintf(rows[n++].name, sizeof(rows->name), "%s%s", im->impl.name, stream ? " (streaming)" : "");
            }
    return n;
}

#endif
