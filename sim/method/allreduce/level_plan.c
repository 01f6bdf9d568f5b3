/* level_plan.c - where the levels that do not play every worker are right. Everything else is refused.
 * Alike      machines of a star are alike; workers of one machine need not be, so all of its workers are played with
 *            all that they share. If the ranks of an algorithm are alike and all messages have one size (the bytes
 *            divide evenly), every step is right by symmetry, whatever shares its links.
 * Apart      where a message is always as fast as if it were alone, each worker's time is a sum that does not depend on
 *            the others'. One worker is then the last to have each of a step's buckets. The others are done with a
 *            bucket at most the time of a few bytes sooner, and so delay nobody.
 * Ragged     in a tree, in halving-doubling among a number that is no power of two, and in a ring over hops of both
 *            kinds, some ranks are done much sooner, and what they do next may delay the next bucket, unless that step
 *            has none or all wait for the end of the exchange.
 * Lockstep   where messages share links, a closed form needs them to start and arrive together in every step. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/refuse.h"
#include "model/status.h"
#include "sim/collective/tree.h"
#include "sim/method/allreduce/plan.h"
#include "sim/method/report.h"

/* What makes workers differ who do nothing but the one exchange. */
static bool ranks_alike(const struct allreduce *a)
{
    if (a->algorithm == COLLECTIVE_HALVING_DOUBLING)
        return !(a->workers & (a->workers - 1));
    return a->algorithm != COLLECTIVE_TREE;
}

static bool joins(const struct allreduce *a)
{
    return a->algorithm == COLLECTIVE_BOUND || a->algorithm == COLLECTIVE_IDEAL;
}

static bool several_a_machine(const struct allreduce *a)
{
    return a->workers > a->workers_per_machine && a->workers_per_machine > 1;
}

static bool named(const char *name)
{
    return name && *name;
}

/* The first bucket of which some is reduced and some bytes are left over; nbuckets: none. */
static size_t uneven(const struct ar_plan *p)
{
    size_t b = 0;

    if (joins(p->method) || p->method->algorithm == COLLECTIVE_TREE)
        return p->nbuckets; /* of one size by themselves, and ragged anyway */
    while (b < p->nbuckets && p->buckets[b].reduce_bytes % p->method->workers == 0 &&
           p->buckets[b].second_bytes % p->method->workers == 0)
        b++;
    return b;
}

static bool reduces(const struct ar_plan *p)
{
    for (size_t b = 0; b < p->nbuckets; b++)
        if (p->buckets[b].reduce_bytes)
            return true;
    return false;
}

static bool reduces_twice(const struct ar_plan *p)
{
    for (size_t b = 0; b < p->nbuckets; b++)
        if (p->buckets[b].second_bytes)
            return true;
    return false;
}

static bool gathers(const struct ar_plan *p)
{
    for (size_t b = 0; b < p->nbuckets; b++)
        if (p->buckets[b].gather_bytes || p->buckets[b].part_bytes)
            return true;
    return false;
}

/* Is some worker of a tree among the last to have any bucket? After an all-gather all are. */
static int tree_has_a_last(const struct ar_plan *p, bool *has)
{
    size_t n = (size_t)p->method->workers;
    bool *always = malloc(2 * n * sizeof(*always)), *last = always ? always + n : NULL;
    int rc = always ? E_OK : E_NOMEM;

    for (size_t r = 0; !rc && r < n; r++)
        always[r] = 1;
    for (size_t b = 0; !rc && b < p->nbuckets; b++) {
        const struct bucket *bucket = &p->buckets[b];
        const struct hop *hop =
            p->method->workers > p->method->workers_per_machine ? &p->shape.between : &p->shape.within;
        int64_t block = collective_block_bytes(&p->shape, bucket->reduce_bytes);
        struct tree_path path;
        if (bucket->gather_bytes || bucket->part_bytes || !bucket->reduce_bytes)
            continue;
        rc = block < 0 ? (int)block
                       : tree_longest((int64_t)n, tree_blocks(bucket->reduce_bytes, block), hop, bucket->reduce_bytes,
                                      &path, last);
        for (size_t r = 0; !rc && r < n; r++)
            always[r] &= last[r];
    }
    *has = !rc && memchr(always, 1, n * sizeof(*always));
    free(always);
    return rc;
}

static const char twice[] = "each begins with the second factor when it has the first";
static const char on_threads[] = "method.gradients.place: cpu has buckets share threads";

static const char at_their_time[] = "they sum up their parts of another bucket when each has time";

static bool coded_on_cpu(const struct ar_plan *p)
{
    return p->codes && p->method->gradients.place == CODEC_ON_CPU;
}

/* Why workers who are done with a bucket at different times would get into each other's way; NULL: they do not. */
static const char *ragged_in_the_way(const struct ar_plan *p)
{
    const struct allreduce *a = p->method;

    if (p->nbuckets > 1 && a->overlap)
        return "method.overlap has them work on one bucket while another travels";
    if (p->nbuckets > 1 && coded_on_cpu(p))
        return on_threads;
    if (p->nbuckets > 1 && p->scatters)
        return at_their_time;
    return NULL;
}

/* Why messages would not always be as fast as if each were alone; NULL: they are. */
static const char *not_apart(const struct ar_plan *p)
{
    const struct allreduce *a = p->method;

    if (several_a_machine(a) && a->level == COLLECTIVE_SYMMETRIC)
        return "workers of one machine share links";
    if (!p->apart)
        return "what workers send and receive shares links";
    if (a->streams > 1)
        return "method.streams lets buckets share links";
    if (a->offload_share > 0)
        return "method.offload_share has copies share links";
    if (p->codes && p->host_ends && a->device == COMPUTE_ON_GPU && named(p->platform.network.via))
        return "copies between GPU and CPU share platform.network.via";
    return NULL;
}

static int refuse_level(const struct ar_plan *p, const char *what, const char *hindrance, char *why, size_t nwhy)
{
    return refuse(why, nwhy, "method.level: %s takes workers for alike, but %s, and %s: expected %s",
                  level_name(p->method), what, hindrance,
                  p->method->level == COLLECTIVE_ANALYTIC ? "symmetric or flows" : "flows");
}

/* Workers who end at different times: right if they are apart, do not get into each other's way, and one is the
 * last. */
static int check_ragged(const struct ar_plan *p, const char *what, char *why, size_t nwhy)
{
    const char *hindrance = not_apart(p);
    bool has = true;
    int rc = E_OK;

    if (!hindrance)
        hindrance = ragged_in_the_way(p);
    if (!hindrance && p->method->algorithm == COLLECTIVE_TREE)
        rc = tree_has_a_last(p, &has);
    if (!has)
        hindrance = "none of them is the last to have every bucket";
    return rc || !hindrance ? rc : refuse_level(p, what, hindrance, why, nwhy);
}

static int check_ranks(const struct ar_plan *p, char *why, size_t nwhy)
{
    const struct allreduce *a = p->method;
    char what[64] = "those of a tree are not";

    if (ranks_alike(a) || !reduces(p))
        return E_OK;
    if (a->algorithm != COLLECTIVE_TREE)
        snprintf(what, sizeof(what), "those of halvings among %" PRId64 " are not", a->workers);
    if (reduces_twice(p))
        return refuse_level(p, what, twice, why, nwhy);
    return check_ragged(p, what, why, nwhy);
}

static int check_even(const struct ar_plan *p, char *why, size_t nwhy)
{
    const struct allreduce *a = p->method;
    size_t b = uneven(p);
    const char *hindrance = not_apart(p);
    char what[128];

    if (b == p->nbuckets)
        return E_OK;
    if (!hindrance && p->nbuckets > 1 && coded_on_cpu(p))
        hindrance = on_threads;
    if (!hindrance && p->nbuckets > 1 && p->scatters)
        hindrance = at_their_time;
    if (!hindrance && (!p->ring_lockstep || (a->algorithm == COLLECTIVE_HIERARCHICAL && several_a_machine(a))))
        hindrance = "not all hops take the same time";
    if (!hindrance && reduces_twice(p))
        hindrance = twice;
    if (!hindrance)
        return E_OK;
    snprintf(what, sizeof(what), "the %" PRId64 " bytes of bucket %zu do not divide evenly among %" PRId64,
             p->buckets[b].reduce_bytes % a->workers ? p->buckets[b].reduce_bytes : p->buckets[b].second_bytes, b + 1,
             a->workers);
    return refuse_level(p, what, hindrance, why, nwhy);
}

/* Halves and trees were not asked which of a machine's links they share (allreduce_hops.c): on links of both directions
 * each it does not matter. */
static bool half_duplex(const struct ar_plan *p)
{
    for (const struct link_spec *link = platform_gpu_link(&p->platform); link;
         link = platform_link(&p->platform, link->above))
        if (link->duplex == DUPLEX_HALF)
            return true;
    return false;
}

/* What each step of a closed form takes: as long as the slowest of its messages alone, or as all of them together. */
static int check_closed_form(const struct ar_plan *p, char *why, size_t nwhy)
{
    const struct allreduce *a = p->method;
    const char *what = "their messages take different times";
    bool hierarchy = a->algorithm == COLLECTIVE_HIERARCHICAL && several_a_machine(a) && reduces(p);
    bool ring = gathers(p) || (reduces(p) && !hierarchy);

    if (hierarchy && !p->lockstep)
        return refuse_level(p, what, "workers of one machine share links", why, nwhy);
    if (!ring)
        return E_OK;
    if (a->workers <= a->workers_per_machine && half_duplex(p) &&
        (a->algorithm == COLLECTIVE_TREE || a->algorithm == COLLECTIVE_HALVING_DOUBLING))
        return refuse_level(p, "what they share of a machine's half-duplex links changes from step to step",
                            "links are shared", why, nwhy);
    if (p->ring_lockstep || (joins(a) && p->apart && !gathers(p)))
        return E_OK;
    return check_ragged(p, what, why, nwhy);
}

int level_check_plan(const struct ar_plan *p, char *why, size_t nwhy)
{
    const struct allreduce *a = p->method;
    int rc = E_OK;

    if (a->algorithm == COLLECTIVE_MEASURED)
        return E_OK; /* all have the result at once */
    if (a->level == COLLECTIVE_SYMMETRIC && a->workers <= a->workers_per_machine)
        return E_OK; /* one machine: all are played */
    if (a->level == COLLECTIVE_ANALYTIC)
        rc = check_closed_form(p, why, nwhy);
    if (!rc)
        rc = check_ranks(p, why, nwhy);
    return rc ? rc : check_even(p, why, nwhy);
}
