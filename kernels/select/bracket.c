/* bracket.c - a sample says between which two magnitudes the threshold must be; one pass counts what is above and lists
 * what is between; the rest is a small selection. If the sample was wrong, or more is between than the list holds,
 * all of x is counted in bins instead. */
#include <math.h>

#include "kernels/select/host.h"
#include "kernels/shared/least.h"

static size_t lanes(size_t n)
{
    return sparse_blocks(n) < SPARSE_THREADS ? sparse_blocks(n) + 1 : SPARSE_THREADS;
}

static size_t whole(size_t nbytes)
{
    return (nbytes + 127) / 64 * 64;
}

size_t select_samples(size_t n)
{
    enum { FEW = 1024 }; /* which a share of 1 / 64 would make too coarse */
    size_t wanted = n / 64 > FEW ? n / 64 : least(n / 16, FEW);

    return least(wanted, SELECT_SAMPLES);
}

static size_t most_inside(size_t n)
{
    return n / 16 + SPARSE_BLOCK;
}

/* Cut 'work' up; returns what it takes. */
static size_t layout(struct select_task *t, size_t n, size_t rough, uint8_t *work)
{
    size_t bins = lanes(n) * sizeof(struct sparse_scratch), before, sample, inside, list;

    before = bins + whole(lanes(n) * 8 * SELECT_BINS);
    sample = before + 2 * whole(8 * sparse_blocks(n));
    inside = sample + whole(4 * select_samples(n));
    list = inside + whole(4 * most_inside(n));
    if (t) {
        t->scratch = (struct sparse_scratch *)work;
        t->spare = &t->scratch->values[0][0]; /* no block is in it while lists are counted */
        t->most_spare = SPARSE_BLOCK;
        t->bins = (uint64_t *)(work + bins);
        t->before = (uint64_t *)(work + before);
        t->listed = (uint64_t *)(work + before + whole(8 * sparse_blocks(n)));
        t->sample = (uint32_t *)(work + sample);
        t->inside = (uint32_t *)(work + inside);
        t->rough = (uint32_t *)(work + list);
        t->most_inside = most_inside(n);
        t->most_rough = rough;
    }
    return list + (rough ? whole(4 * (rough + 2 * SPARSE_SLACK)) : 0);
}

size_t select_work(size_t n)
{
    return layout(NULL, n, 0, NULL);
}

/* As many as are kept and as could be listed between. */
size_t select_top_work(size_t n, size_t k)
{
    return layout(NULL, n, k + most_inside(n), NULL);
}

/* Around the place of the k-th in the sample, four standard deviations to both sides. */
static void take_bracket(struct select_task *t, const struct select_loops *loops)
{
    size_t m = select_samples(t->n);
    double share = (double)t->k / (double)t->n, middle = share * (double)m;
    double aside = 4 * sqrt(middle * (1 - share)) + 8;
    uint64_t first = middle > aside ? (uint64_t)(middle - aside) : 0, last = (uint64_t)(middle + aside);

    loops->sample(t, m);
    select_ends(t, loops, t->sample, m, first, last);
}

/* Is the threshold in the bracket, and all of it listed? Then *rank is the threshold's among its equals. */
static bool settle(struct select_task *t, const struct select_loops *loops, const struct select_counts *c,
                   uint64_t *rank, uint64_t *equal)
{
    if (t->k <= c->above)
        return 0;
    *rank = t->k - c->above;
    *equal = c->at_hi;
    t->keep.threshold = t->hi;
    if (*rank <= c->at_hi)
        return 1;
    *rank -= c->at_hi;
    if (*rank <= c->inside) {
        if (c->inside > t->most_inside)
            return 0;
        t->keep.threshold =
            select_radix(t, loops, t->inside, (size_t)c->inside, t->lo + t->ends, t->hi - t->ends, rank, equal);
        return 1;
    }
    *rank -= c->inside;
    *equal = c->at_lo;
    t->keep.threshold = t->lo;
    return *rank <= c->at_lo;
}

/* The index behind the rank-th value that equals the threshold. If those are listed, the list leads to its block. */
static uint64_t end_of_ties(const struct select_task *t, uint64_t rank, bool listed)
{
    size_t b = sparse_blocks(t->n) - 1, from = 0;

    if (listed) {
        size_t place = t->isa->find(t->inside, t->keep.threshold, rank);

        while (t->listed[b] > place)
            b--;
        from = b * SPARSE_BLOCK;
        for (size_t i = 0; i < t->listed[b]; i++)
            rank -= t->inside[i] == t->keep.threshold;
    }
    return from + t->isa->find(t->x + from, t->keep.threshold, rank) + 1;
}

void select_run(const struct select_isa *isa, const struct select_loops *loops, struct select_result *r,
                uint64_t *bitmap, float *values, const float *x, size_t n, size_t k, void *work)
{
    struct select_task t = { .isa = isa, .x = x, .n = n, .k = k, .bitmap = bitmap, .values = values };
    const uint32_t *words = (const uint32_t *)(const void *)x;
    struct select_counts c = { 0, 0, 0, 0 };
    uint64_t rank = k, equal = 0;
    bool listed = 0, known = 0, in_list = 0;

    layout(&t, n, bitmap ? k + most_inside(n) : 0, work);
    t.keep = (struct sparse_keep){ 0, SPARSE_NOTHING };
    if (k && n >= SELECT_SAMPLED_MIN) {
        take_bracket(&t, loops);
        c = loops->bracket(&t);
        known = settle(&t, loops, &c, &rank, &equal);
        listed = c.above + c.at_hi + c.inside + c.at_lo <= t.most_rough;
    }
    in_list = known && (!t.ends || (t.keep.threshold > t.lo && t.keep.threshold < t.hi));
    if (k && !known) {
        rank = k;
        listed = 0;
        t.keep.threshold = select_radix(&t, loops, words, n, 0, 0x7fffffff, &rank, &equal);
    }
    if (k)
        t.keep.tie_end = rank == equal ? n : end_of_ties(&t, rank, in_list);
    if (bitmap)
        loops->refine(&t, known && listed);
    r->keep = t.keep;
    r->above = k - (k ? rank : 0);
}
