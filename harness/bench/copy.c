/* copy.c - the copies themselves: the best of them is the anchor, the others show what it is worth. */
#include "kernels/copy/copy.h"

#include "harness/bench/anchor.h"
#include "harness/bench/device.h"
#include "harness/bench/session.h"
#include "harness/status.h"

static void copy_on_host(struct session *s, const struct work *w)
{
    const struct copy_impl *im = w->row;

    im->run(s->to, s->from, 4 * s->n);
}

static void copy_on_device(struct session *s, const struct work *w)
{
    (void)w;
    device_copy(s->to, s->from, 4 * s->n);
}

static _Bool fits(const struct session *s, const struct copy_impl *im)
{
    return im->impl.parallel == (s->threads > 1) && im->impl.usable();
}

void anchor_choose(struct session *s)
{
    const struct copy_impl *im = copy_impls;

    if (!s->device)
        while (!fits(s, im)) /* ends: memcpy is usable everywhere, with threads wherever there is OpenMP */
            im++;
    s->anchor = (struct work){ .kernel = "copy",
                               .impl = s->device ? "cudaMemcpy" : im->impl.name,
                               .nbytes = 8.0 * (double)s->n,
                               .run = s->device ? copy_on_device : copy_on_host,
                               .row = im };
}

int copy_rows(struct session *s)
{
    for (const struct copy_impl *im = copy_impls; !s->device && im->impl.name; im++) {
        struct work other = { "copy", im->impl.name, 0, 8.0 * (double)s->n, copy_on_host, im };
        int rc = fits(s, im) && im != s->anchor.row ? session_time(s, &other, 1) : NW_OK;

        if (rc)
            return rc;
    }
    return NW_OK;
}
