#include "sim/parallel/pipeline.h"

int64_t pipeline_turns(const struct pipeline *p)
{
    return 2 * p->micro_batches * p->chunks;
}

static int64_t total(const struct pipeline *p)
{
    return p->micro_batches * p->chunks;
}

/* Forward turns before the first backward one. */
static int64_t warm_up(const struct pipeline *p, int64_t stage)
{
    int64_t behind = p->stages - 1 - stage, most = total(p), n;

    if (p->schedule == PIPELINE_GPIPE)
        return most;
    n = p->chunks == 1 ? behind : 2 * behind + (p->chunks - 1) * p->stages;
    return n < most ? n : most;
}

int64_t pipeline_alive(const struct pipeline *p, int64_t stage)
{
    int64_t n = warm_up(p, stage) + 1;

    return n < total(p) ? n : total(p);
}

/* Forward turn i of an interleaved stage; a backward one takes the chunks from the last. */
static struct stage_turn at(const struct pipeline *p, int64_t i, bool backward)
{
    int64_t round, within, chunk;

    if (p->chunks == 1)
        return (struct stage_turn){ i, 0, backward };
    round = i / (p->stages * p->chunks);
    within = i % (p->stages * p->chunks);
    chunk = within / p->stages;
    return (struct stage_turn){ round * p->stages + within % p->stages, backward ? p->chunks - 1 - chunk : chunk,
                                backward };
}

struct stage_turn pipeline_turn(const struct pipeline *p, int64_t stage, int64_t i)
{
    int64_t warm = warm_up(p, stage), n = total(p), steady = n - warm;

    if (i < warm)
        return at(p, i, false);
    if (p->schedule == PIPELINE_GPIPE)
        return at(p, 2 * n - 1 - i, true);
    i -= warm;
    if (i < 2 * steady)
        return at(p, i % 2 ? i / 2 : warm + i / 2, i % 2);
    return at(p, steady + (i - 2 * steady), true);
}
