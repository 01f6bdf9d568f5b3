#include "sim/collective/steps.h"

#include <math.h>

#include "model/status.h"
#include "sim/collective/split.h"
#include "sim/collective/tree.h"

/* Twice as many must be countable. */
static const int64_t most_bytes = (int64_t)1 << 60;

/* Are two ranks on one machine? */
static bool shape_within(const struct collective_shape *s)
{
    return s->ranks > 1 && s->ranks_per_machine > 1;
}

/* Are there two machines? */
static bool shape_between(const struct collective_shape *s)
{
    return s->ranks > s->ranks_per_machine;
}

const struct hop *shape_hop(const struct collective_shape *s)
{
    return shape_between(s) ? &s->between : &s->within;
}

/* What the fabric lets a division be off (fabric/completion.c): without it an exact number of picoseconds would at
 * times become one more. */
static const double slack_ps = 1e-3, slack = 1e-15;

int64_t hop_ps(const struct hop *h, int64_t bytes)
{
    double ps = ((double)bytes + (double)h->framing_bytes) * 1e12 / h->rate_Bps;

    if (ps > 9e18 - (double)h->latency_ps)
        return E_RANGE;
    return h->latency_ps + (int64_t)fmax(ceil(ps - slack_ps - slack * ps), 0);
}

static bool hop_usable(const struct hop *h)
{
    return h->rate_Bps > 0 && isfinite(h->rate_Bps) && h->latency_ps >= 0 && h->framing_bytes >= 0;
}

static int check(const struct collective_shape *s, int64_t bytes)
{
    if (s->ranks < 1 || s->ranks_per_machine < 1 || bytes < 0 || s->block_bytes < 0)
        return E_INVAL;
    if ((shape_within(s) && !hop_usable(&s->within)) || (shape_between(s) && !hop_usable(&s->between)))
        return E_INVAL;
    return bytes > most_bytes ? E_RANGE : E_OK;
}

/* Ranks that are not all alike in their hops. */
static bool mixed(const struct collective_shape *s)
{
    return shape_within(s) && shape_between(s);
}

/* Nothing for a count of 0. */
static void steps_add(struct steps *s, int64_t count, int64_t bytes, enum step_hop hop)
{
    if (count > 0)
        s->list[s->n++] = (struct step){ .count = count, .bytes = bytes, .hop = hop };
}

static void ring(const struct collective_shape *s, int64_t bytes, struct steps *out)
{
    steps_add(out, 2 * (s->ranks - 1), split_most(bytes, s->ranks), STEP_NEXT);
}

static void hierarchical(const struct collective_shape *s, int64_t bytes, struct steps *out)
{
    int64_t within = s->ranks < s->ranks_per_machine ? s->ranks : s->ranks_per_machine, machines = s->ranks / within;
    int64_t shard = split_most(bytes, within);

    steps_add(out, within - 1, shard, STEP_WITHIN);
    steps_add(out, 2 * (machines - 1), split_most(shard, machines), STEP_ACROSS);
    steps_add(out, within - 1, shard, STEP_WITHIN);
}

/* The low half is the longer one, and rank 0 receives or sends it in every step: it is on the longest path. */
static void halving_doubling(const struct collective_shape *s, int64_t bytes, struct steps *out)
{
    int64_t core = (int64_t)1 << (63 - __builtin_clzll((unsigned long long)s->ranks)), fold = s->ranks > core;

    steps_add(out, fold, bytes, STEP_ACROSS);
    for (int64_t half = core / 2; half; half /= 2)
        steps_add(out, 1, split_offset(bytes, core, half), STEP_ACROSS);
    for (int64_t half = 1; half < core; half *= 2)
        steps_add(out, 1, split_offset(bytes, core, half), STEP_ACROSS);
    steps_add(out, fold, bytes, STEP_ACROSS);
}

static int tree(const struct collective_shape *s, int64_t bytes, struct steps *out)
{
    int64_t block = s->block_bytes ? s->block_bytes : collective_block_bytes(s, bytes);
    struct tree_path path;
    int rc =
        block < 0 ? (int)block : tree_longest(s->ranks, tree_blocks(bytes, block), shape_hop(s), bytes, &path, NULL);

    if (rc)
        return rc;
    steps_add(out, path.longer, path.bytes, STEP_ACROSS);
    steps_add(out, path.shorter, path.bytes - 1, STEP_ACROSS);
    return E_OK;
}

/* 2 (n - 1) / n of the bytes, rounded up. */
int64_t bound_bytes(int64_t ranks, int64_t bytes)
{
    __int128 twice = 2 * (__int128)(ranks - 1) * bytes;

    return (int64_t)((twice + ranks - 1) / ranks);
}

int steps_of(enum collective_algorithm a, const struct collective_shape *s, int64_t bytes, struct steps *out)
{
    int rc = check(s, bytes);

    out->n = 0;
    if (rc || s->ranks == 1)
        return rc;
    if (a == COLLECTIVE_HIERARCHICAL && s->ranks > s->ranks_per_machine && s->ranks % s->ranks_per_machine)
        return E_INVAL;
    if ((a == COLLECTIVE_TREE || a == COLLECTIVE_HALVING_DOUBLING) && mixed(s))
        return E_INVAL;
    if (!bytes)
        return E_OK;
    switch (a) {
    case COLLECTIVE_RING: ring(s, bytes, out); return E_OK;
    case COLLECTIVE_TREE: return tree(s, bytes, out);
    case COLLECTIVE_HALVING_DOUBLING: halving_doubling(s, bytes, out); return E_OK;
    case COLLECTIVE_HIERARCHICAL: hierarchical(s, bytes, out); return E_OK;
    case COLLECTIVE_BOUND: steps_add(out, 1, bound_bytes(s->ranks, bytes), STEP_NEXT); return E_OK;
    case COLLECTIVE_IDEAL: steps_add(out, 1, 2 * bytes, STEP_NEXT); return E_OK;
    default: return E_INVAL;
    }
}

int steps_of_allgather(const struct collective_shape *s, int64_t bytes, struct steps *out)
{
    int rc = check(s, bytes);

    out->n = 0;
    if (!rc && bytes)
        steps_add(out, s->ranks - 1, bytes, STEP_NEXT);
    return rc;
}

/* Ranks of a machine would send to each other in some of the steps, and to other machines in the others. */
int steps_of_alltoall(const struct collective_shape *s, int64_t bytes, struct steps *out)
{
    int rc = check(s, bytes);

    out->n = 0;
    if (!rc && mixed(s))
        return E_INVAL;
    if (!rc && bytes)
        steps_add(out, s->ranks - 1, bytes, STEP_ACROSS);
    return rc;
}

static int64_t step_ps(const struct step *step, const struct collective_shape *s)
{
    int64_t ps = step->hop == STEP_WITHIN ? hop_ps(&s->within, step->bytes) : hop_ps(shape_hop(s), step->bytes);

    if (step->hop == STEP_NEXT && mixed(s) && ps >= 0) {
        int64_t within_ps = hop_ps(&s->within, step->bytes);
        ps = within_ps < 0 || within_ps > ps ? within_ps : ps;
    }
    return ps;
}

/* What of a step crosses a machine's NIC. */
static int64_t step_crossing(const struct step *step, const struct collective_shape *s)
{
    return shape_between(s) && step->hop != STEP_WITHIN ? step->bytes + s->between.framing_bytes : 0;
}

/* Over all steps, what 'each' says of one of them; or a negative status. */
static int64_t sum_of(const struct steps *s, const struct collective_shape *shape,
                      int64_t (*each)(const struct step *step, const struct collective_shape *s))
{
    int64_t sum = 0;

    for (size_t i = 0; i < s->n; i++) {
        int64_t all, one = each(&s->list[i], shape);
        if (one < 0)
            return one;
        if (__builtin_mul_overflow(one, s->list[i].count, &all) || __builtin_add_overflow(sum, all, &sum))
            return E_RANGE;
    }
    return sum;
}

int64_t collective_allreduce_ps(enum collective_algorithm a, const struct collective_shape *s, int64_t bytes)
{
    struct steps steps;
    int rc = steps_of(a, s, bytes, &steps);

    return rc ? rc : sum_of(&steps, s, step_ps);
}

int64_t collective_allgather_ps(const struct collective_shape *s, int64_t bytes)
{
    struct steps steps;
    int rc = steps_of_allgather(s, bytes, &steps);

    return rc ? rc : sum_of(&steps, s, step_ps);
}

int64_t collective_alltoall_ps(const struct collective_shape *s, int64_t bytes)
{
    struct steps steps;
    int rc = steps_of_alltoall(s, bytes, &steps);

    return rc ? rc : sum_of(&steps, s, step_ps);
}

int64_t collective_allreduce_crossing(enum collective_algorithm a, const struct collective_shape *s, int64_t bytes)
{
    struct steps steps;
    int rc = steps_of(a, s, bytes, &steps);

    return rc ? rc : sum_of(&steps, s, step_crossing);
}

int64_t collective_allgather_crossing(const struct collective_shape *s, int64_t bytes)
{
    struct steps steps;
    int rc = steps_of_allgather(s, bytes, &steps);

    return rc ? rc : sum_of(&steps, s, step_crossing);
}

int64_t collective_alltoall_crossing(const struct collective_shape *s, int64_t bytes)
{
    struct steps steps;
    int rc = steps_of_alltoall(s, bytes, &steps);

    return rc ? rc : sum_of(&steps, s, step_crossing);
}
