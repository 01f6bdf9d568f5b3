#include <stdbool.h>

/* walk.c - the copies of one pass, taken in turn by one direction of the link. */
#include "model/numbers.h"
#include "model/transfer/private.h"

/* Algorithm 1, with its balance of bytes counted in link time (so that a copy's latency counts too): a copy that joins
 * lowers it, then the step that runs raises it. All pending copies leave when it is not negative, and with the last
 * step. As printed, the balance is reset to 0 only if something was pending. Otherwise it grows: idle link time pays
 * for copies that join later, which then leave (and are waited for) while they are still under way. Clamped, idle time
 * pays for nothing. */
void walk_by_balance(struct walk *w, bool clamped)
{
    int64_t balance = 0;
    size_t joined = 0, left = 0;

    for (int32_t step = 0; step < w->nsteps; step++) {
        for (; joined < w->n && w->copies[joined].joins <= step; joined++)
            balance = -transfer_add_ps(-balance, w->copies[joined].ps);
        balance = transfer_add_ps(balance, w->ps[step * w->stride]);
        if (balance < 0 && step != w->nsteps - 1)
            continue;
        if (left < joined || clamped)
            balance = 0;
        for (; left < joined; left++)
            w->copies[left].leaves = step;
    }
}

/* Each copy leaves with the first step that ends after it does. */
void walk_by_copy(struct walk *w)
{
    int64_t now = 0, link_free = 0;
    size_t joined = 0, left = 0;

    for (int32_t step = 0; step < w->nsteps; step++) {
        for (; joined < w->n && w->copies[joined].joins <= step; joined++) {
            link_free = transfer_add_ps(max64(link_free, now), w->copies[joined].ps);
            w->copies[joined].end_ps = link_free;
        }
        now = transfer_add_ps(now, w->ps[step * w->stride]);
        for (; left < joined && (w->copies[left].end_ps <= now || step == w->nsteps - 1); left++)
            w->copies[left].leaves = step;
    }
}
