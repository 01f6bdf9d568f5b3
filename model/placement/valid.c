/* valid.c - checks a placement: finds buffers that overlap in time and space. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/numbers.h"
#include "model/placement/placement.h"

/* The addresses [from, to) that a buffer uses in [lower, upper), a time between two gaps or a gap with a window. */
struct span {
    int64_t lower, upper, from, to;
    size_t buffer;
};

/* The beginning or end of a span. */
struct event {
    int64_t at;
    size_t span;
    bool begins;
};

/* Ends before beginnings, then in the order of the buffers. */
static int in_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    if (x->at != y->at)
        return compare64(x->at, y->at);
    return x->begins != y->begins ? x->begins - y->begins : compare64((int64_t)x->span, (int64_t)y->span);
}

/* Span 'index' of a buffer, of 1 + 2 * ngaps: the times before, in and after each gap. False if it uses nothing. */
static bool span_of(const struct buffer *b, size_t index, struct span *out)
{
    const struct buffer_gap *gap = index / 2 < b->ngaps ? &b->gaps[index / 2] : NULL;

    *out = (struct span){ index < 2 ? b->lower : b->gaps[index / 2 - 1].upper, gap ? gap->lower : b->upper, b->offset,
                          b->offset + b->bytes, 0 };
    if (gap && index % 2)
        *out = (struct span){ gap->lower, gap->upper, b->offset + gap->from, b->offset + gap->to, 0 };
    return out->lower < out->upper && out->from < out->to;
}

static bool overlap(const struct span *x, const struct span *y)
{
    return x->lower < y->upper && y->lower < x->upper && x->from < y->to && y->from < x->to;
}

bool placement_overlap(const struct buffer *a, const struct buffer *b, int64_t *at)
{
    struct span x, y;

    for (size_t i = 0; i <= 2 * a->ngaps; i++)
        for (size_t j = 0; span_of(a, i, &x) && j <= 2 * b->ngaps; j++)
            if (span_of(b, j, &y) && overlap(&x, &y)) {
                *at = max64(x.lower, y.lower);
                return true;
            }
    return false;
}

static bool report(size_t i, size_t j, size_t *a, size_t *b)
{
    *a = i < j ? i : j;
    *b = i < j ? j : i;
    return false;
}

/* The fallback if there is no memory for a sweep. */
static bool compare_all(const struct buffer *buffers, size_t n, size_t *a, size_t *b)
{
    int64_t at;

    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (placement_overlap(&buffers[i], &buffers[j], &at))
                return report(i, j, a, b);
    return true;
}

/* How many of those alive, in the order of their addresses, begin below 'at'. */
static size_t below(const struct span *spans, const size_t alive[], size_t n, int64_t at)
{
    size_t low = 0;

    while (low < n) {
        size_t middle = low + (n - low) / 2;
        if (spans[alive[middle]].from < at)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

/* Those alive do not overlap, so that a new one overlaps one of its two neighbours or none. */
static bool sweep(const struct span *spans, const struct event *events, size_t nevents, size_t alive[], size_t *a,
                  size_t *b)
{
    size_t n = 0;

    for (size_t e = 0; e < nevents; e++) {
        size_t i = events[e].span, at = below(spans, alive, n, spans[i].from);
        if (!events[e].begins) {
            memmove(alive + at, alive + at + 1, (--n - at) * sizeof(*alive));
            continue;
        }
        if (at && overlap(&spans[alive[at - 1]], &spans[i]))
            return report(spans[alive[at - 1]].buffer, spans[i].buffer, a, b);
        if (at < n && overlap(&spans[alive[at]], &spans[i]))
            return report(spans[alive[at]].buffer, spans[i].buffer, a, b);
        memmove(alive + at + 1, alive + at, (n++ - at) * sizeof(*alive));
        alive[at] = i;
    }
    return true;
}

static bool is_aligned(const struct buffer *b, int64_t alignment)
{
    return (alignment <= 1 || b->offset % alignment == 0) && (b->alignment <= 1 || b->offset % b->alignment == 0);
}

bool placement_valid(const struct buffer *buffers, size_t n, int64_t alignment, size_t *a, size_t *b)
{
    struct span *spans, span;
    struct event *events;
    size_t *alive, nspans = 0, most = 0;
    bool valid;

    for (size_t i = 0; i < n; i++) {
        if (buffers[i].offset < 0 || buffers[i].offset > INT64_MAX - buffers[i].bytes ||
            !is_aligned(&buffers[i], alignment))
            return report(i, i, a, b);
        most += 1 + 2 * buffers[i].ngaps;
    }
    spans = malloc((most + 1) * sizeof(*spans));
    events = malloc((2 * most + 1) * sizeof(*events));
    alive = malloc((most + 1) * sizeof(*alive));
    for (size_t i = 0; spans && events && i < n; i++)
        for (size_t k = 0; k <= 2 * buffers[i].ngaps; k++)
            if (span_of(&buffers[i], k, &span)) {
                span.buffer = i;
                events[2 * nspans] = (struct event){ span.lower, nspans, 1 };
                events[2 * nspans + 1] = (struct event){ span.upper, nspans, 0 };
                spans[nspans++] = span;
            }
    if (spans && events && alive) {
        qsort(events, 2 * nspans, sizeof(*events), in_time);
        valid = sweep(spans, events, 2 * nspans, alive, a, b);
    } else {
        valid = compare_all(buffers, n, a, b);
    }
    free(spans);
    free(events);
    free(alive);
    return valid;
}
