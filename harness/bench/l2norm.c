/* l2norm.c - the norms that AWP watches, one per layer. */
#include "kernels/l2norm/l2norm.h"

#include "harness/bench/session.h"
#include "harness/status.h"

static void norms_of_layers(struct session *s, const struct work *w)
{
    const struct l2norm_impl *im = w->row;
    size_t at = 0;

    for (size_t i = 0; i < s->o->nsizes; at += s->o->sizes[i++])
        im->run(s->scratch, (const float *)s->from + at, s->o->sizes[i], s->scratch + 1);
}

int l2norm_rows(struct session *s)
{
    for (const struct l2norm_impl *im = l2norm_impls; im->impl.name; im++) {
        struct work norm = { "l2norm", im->impl.name, 0, 4.0 * (double)s->n, norms_of_layers, im };
        _Bool here = s->device ? im->impl.where == IMPL_DEVICE
                               : im->impl.where == IMPL_HOST && im->impl.parallel == (s->threads > 1);
        int rc;

        if (!here || !session_wants(s, im->impl.name) || !im->impl.usable())
            continue;
        rc = session_time(s, &norm, 1);
        if (rc)
            return rc;
    }
    return NW_OK;
}
