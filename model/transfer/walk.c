#include <stdbool.h>

#include "model/transfer/private.h"

/* Algorithm 1, its balance of bytes counted as the time that the link needs for them (so that a copy's latency counts too): a
 * copy that joins is a loss, a step that runs a gain, in this order; all that is pending leaves at once as soon as the balance is not
 * negative, or with the last step.
 * As printed, the balance is set to 0 only where something was pending. While nothing is, it grows: time in which the link had nothing
 * to carry pays for copies that join later, which are then waited for although they are still under way. Clamped, idle time
 * pays for nothing: a balance of 0 or more says that the link is idle. */
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

/* Each copy by itself: the link takes them in turn, and one leaves with the first step that ends when it is over. */
void walk_by_copy(struct walk *w)
{
    int64_t now = 0, link_free = 0;
    size_t joined = 0, left = 0;

    for (int32_t step = 0; step < w->nsteps; step++) {
        for (; joined < w->n && w->copies[joined].joins <= step; joined++) {
            link_free = transfer_add_ps(link_free > now ? link_free : now, w->copies[joined].ps);
            w->copies[joined].end_ps = link_free;
        }
        now = transfer_add_ps(now, w->ps[step * w->stride]);
        for (; left < joined && (w->copies[left].end_ps <= now || step == w->nsteps - 1); left++)
            w->copies[left].leaves = step;
    }
}
