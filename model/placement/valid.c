/* valid.c - checks a placement: finds buffers that overlap in time and space. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/numbers.h"
#include "model/placement/placement.h"

/* The beginning or end of the lifetime of a buffer that occupies memory. */
struct event {
    int64_t at;
    size_t buffer;
    bool begins;
};

/* Ends before beginnings, then in the order of the buffers. */
static int in_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    if (x->at != y->at)
        return compare64(x->at, y->at);
    return x->begins != y->begins ? x->begins - y->begins : compare64((int64_t)x->buffer, (int64_t)y->buffer);
}

static bool occupies(const struct buffer *b)
{
    return b->bytes > 0 && b->upper > b->lower;
}

static bool overlap(const struct buffer *x, const struct buffer *y)
{
    return occupies(x) && occupies(y) && x->lower < y->upper && y->lower < x->upper &&
           x->offset < y->offset + y->bytes && y->offset < x->offset + x->bytes;
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
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (overlap(&buffers[i], &buffers[j]))
                return report(i, j, a, b);
    return true;
}

/* How many of those alive, in the order of their offsets, begin below 'at'. */
static size_t below(const struct buffer *buffers, const size_t alive[], size_t n, int64_t at)
{
    size_t low = 0;

    while (low < n) {
        size_t middle = low + (n - low) / 2;
        if (buffers[alive[middle]].offset < at)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

/* Those alive do not overlap, so that a new one overlaps one of its two neighbours or none. */
static bool sweep(const struct buffer *buffers, const struct event *events, size_t nevents, size_t alive[], size_t *a,
                  size_t *b)
{
    size_t n = 0;

    for (size_t e = 0; e < nevents; e++) {
        size_t i = events[e].buffer, at = below(buffers, alive, n, buffers[i].offset);
        if (!events[e].begins) {
            memmove(alive + at, alive + at + 1, (--n - at) * sizeof(*alive));
            continue;
        }
        if (at && overlap(&buffers[alive[at - 1]], &buffers[i]))
            return report(alive[at - 1], i, a, b);
        if (at < n && overlap(&buffers[alive[at]], &buffers[i]))
            return report(alive[at], i, a, b);
        memmove(alive + at + 1, alive + at, (n++ - at) * sizeof(*alive));
        alive[at] = i;
    }
    return true;
}

bool placement_valid(const struct buffer *buffers, size_t n, int64_t alignment, size_t *a, size_t *b)
{
    struct event *events;
    size_t *alive, nevents = 0;
    bool valid;

    for (size_t i = 0; i < n; i++)
        if (buffers[i].offset < 0 || buffers[i].offset > INT64_MAX - buffers[i].bytes ||
            (alignment > 1 && buffers[i].offset % alignment))
            return report(i, i, a, b);
    events = malloc((2 * n + 1) * sizeof(*events));
    alive = malloc((n + 1) * sizeof(*alive));
    if (!events || !alive) {
        free(events);
        free(alive);
        return compare_all(buffers, n, a, b);
    }
    for (size_t i = 0; i < n; i++)
        if (occupies(&buffers[i])) {
            events[nevents++] = (struct event){ buffers[i].lower, i, 1 };
            events[nevents++] = (struct event){ buffers[i].upper, i, 0 };
        }
    qsort(events, nevents, sizeof(*events), in_time);
    valid = sweep(buffers, events, nevents, alive, a, b);
    free(events);
    free(alive);
    return valid;
}
