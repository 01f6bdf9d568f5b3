/* timers.c - when a rank has to look at its acts again: the earliest first. */
#include "harness/exec/rank/private.h"

void set_timer(struct performing *p, int64_t at_ns, int32_t act)
{
    size_t i = p->ntimers++;

    while (i && p->timers[(i - 1) / 2].at_ns > at_ns) {
        p->timers[i] = p->timers[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    p->timers[i] = (struct timer){ at_ns, act };
}

struct timer next_timer(struct performing *p)
{
    struct timer first = p->timers[0], last = p->timers[--p->ntimers];
    size_t i = 0;

    for (size_t child; (child = 2 * i + 1) < p->ntimers; i = child) {
        if (child + 1 < p->ntimers && p->timers[child + 1].at_ns < p->timers[child].at_ns)
            child++;
        if (p->timers[child].at_ns >= last.at_ns)
            break;
        p->timers[i] = p->timers[child];
    }
    p->timers[i] = last;
    return first;
}
