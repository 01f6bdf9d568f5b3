#include "sim/parallel/colour.h"

#include <stdlib.h>
#include <string.h>

/* splitmix64's finish of a combination: colours are equal by chance once in 2^64. */
uint64_t colour_mix(uint64_t a, uint64_t b)
{
    uint64_t z = a * 0x9e3779b97f4a7c15 + b + 0xbf58476d1ce4e5b9;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static uint64_t end_colour(const struct colours *c, int64_t rank)
{
    return rank == RANK_HOST ? 1 : c->rank[rank];
}

static void colour_flows(struct colours *c)
{
    for (size_t i = 0; i < c->wiring->nflows; i++) {
        const struct wire_flow *f = &c->wiring->flows[i];
        uint64_t z = colour_mix(f->wire, (uint64_t)c->ways[i].latency_ps);
        z = colour_mix(colour_mix(z, (uint64_t)f->parts), (uint64_t)f->of);
        z = colour_mix(colour_mix(z, end_colour(c, f->from)), end_colour(c, f->to));
        for (size_t k = 0; k < c->ways[i].n; k++)
            z = colour_mix(z, c->channel[c->hops[c->ways[i].first + k]]);
        c->flow[i] = z;
    }
}

/* Sums do not depend on the order of what is added. A channel counts the places that it has on flows' ways, lest both
 * directions of a link be alike, and what is behind them. */
static void colour_next(struct colours *c)
{
    const struct wiring *w = c->wiring;

    memset(c->next_rank, 0, c->nranks * sizeof(*c->next_rank));
    memset(c->next_channel, 0, c->nchannels * sizeof(*c->next_channel));
    for (size_t i = 0; i < w->nflows; i++) {
        const struct wire_flow *f = &w->flows[i];
        if (f->from != RANK_HOST)
            c->next_rank[f->from] += colour_mix(c->flow[i], 1);
        if (f->to != RANK_HOST)
            c->next_rank[f->to] += colour_mix(c->flow[i], 2);
        for (size_t k = 0; k < c->ways[i].n; k++)
            c->next_channel[c->hops[c->ways[i].first + k]] += colour_mix(c->flow[i], 3 + k);
    }
    for (size_t g = 0; g < w->ngroups; g++) {
        const struct wire_group *group = &w->groups[g];
        uint64_t sum = 0;
        if (wire_is_point(group->wire))
            continue;
        for (int64_t i = 0; i < group->n; i++)
            sum += colour_mix(c->rank[w->members[group->first + (size_t)i]], 4);
        sum = colour_mix(sum, group->wire);
        for (int64_t i = 0; i < group->n; i++)
            c->next_rank[w->members[group->first + (size_t)i]] += colour_mix(sum, 5);
    }
    for (size_t r = 0; r < c->nranks; r++)
        c->rank[r] = colour_mix(c->rank[r], c->next_rank[r]);
    for (size_t i = 0; i < c->nchannels; i++)
        c->channel[i] = colour_mix(c->channel[i], c->next_channel[i]);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static size_t distinct(struct colours *c, const uint64_t *colours, size_t n)
{
    size_t count = n > 0;

    memcpy(c->sorted, colours, n * sizeof(*colours));
    qsort(c->sorted, n, sizeof(*colours), by_value);
    for (size_t i = 1; i < n; i++)
        count += c->sorted[i] != c->sorted[i - 1];
    return count;
}

void colours_refine(struct colours *c)
{
    size_t ranks = 0, channels = 0;

    for (;;) {
        size_t more_ranks = distinct(c, c->rank, c->nranks), more_channels = distinct(c, c->channel, c->nchannels);
        colour_flows(c);
        if (more_ranks == ranks && more_channels == channels)
            return;
        ranks = more_ranks;
        channels = more_channels;
        colour_next(c);
    }
}
