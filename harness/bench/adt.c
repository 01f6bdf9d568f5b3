/* adt.c - Bitpack and Bitunpack, layer by layer as ADT does it. Unpacking reads the bytes of the weights themselves:
 * what they say does not change what it costs. */
#include "kernels/adt/adt.h"

#include "harness/bench/session.h"
#include "harness/status.h"

static void pack_layers(struct session *s, const struct work *w)
{
    const struct adt_impl *im = w->row;
    size_t at = 0;

    for (size_t i = 0; i < s->o->nsizes; at += s->o->sizes[i++])
        im->pack((uint8_t *)s->to + at * (size_t)w->keep, (const uint8_t *)s->from + 4 * at, s->o->sizes[i], w->keep);
}

static void unpack_layers(struct session *s, const struct work *w)
{
    const struct adt_impl *im = w->row;
    size_t at = 0;

    for (size_t i = 0; i < s->o->nsizes; at += s->o->sizes[i++])
        im->unpack((uint8_t *)s->to + 4 * at, (const uint8_t *)s->from + at * (size_t)w->keep, s->o->sizes[i], w->keep);
}

int adt_rows(struct session *s)
{
    for (int keep = 1; keep <= 4; keep++)
        for (const struct adt_impl *im = adt_impls; im->impl.name; im++) {
            double nbytes = (double)s->n * (4 + keep);
            struct work both[2] = { { "adt_pack", im->impl.name, keep, nbytes, pack_layers, im },
                                    { "adt_unpack", im->impl.name, keep, nbytes, unpack_layers, im } };
            _Bool here = s->device ? im->impl.where == IMPL_DEVICE
                                   : im->impl.where == IMPL_HOST && im->impl.parallel == (s->threads > 1);
            int rc;

            if ((s->o->keep && s->o->keep != keep) || !here || !session_wants(s, im->impl.name) || !im->impl.usable())
                continue;
            rc = session_time(s, both, 2);
            if (rc)
                return rc;
        }
    return NW_OK;
}
