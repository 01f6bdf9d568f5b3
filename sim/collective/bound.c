/* bound.c - the least that any allreduce moves over a rank's link, as one transfer to the next rank. This gives the
 * time only: no algorithm of one transfer reduces anything. */
#include "model/status.h"
#include "sim/collective/build.h"
#include "sim/collective/steps.h"

/* Nobody has the result before all have sent: whose next rank is on the same machine is not done sooner. */
static int to_the_next(struct build *b, int64_t bytes)
{
    int64_t n = b->place->ranks;

    for (int64_t r = 0; r < n; r++) {
        int task = build_transfer(b, r, (r + 1) % n, (struct part){ .bytes = bytes }, 0);
        build_wait(b, task, b->ready[r]);
        if (b->ready[(r + 1) % n] != b->ready[r])
            build_wait(b, task, b->ready[(r + 1) % n]);
        b->held[r].sent = b->held[r].got = task; /* whom the next one waits for is in ready[] */
    }
    build_join(b);
    return E_OK;
}

int build_bound(struct build *b, int64_t bytes)
{
    return to_the_next(b, bound_bytes(b->place->ranks, bytes));
}

int build_ideal(struct build *b, int64_t bytes)
{
    return bytes > INT64_MAX / 2 ? E_RANGE : to_the_next(b, 2 * bytes);
}
