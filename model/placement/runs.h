/* runs.h - private to the placement: addresses in use, as sorted intervals that do not touch. */
#ifndef NARROWS_MODEL_PLACEMENT_RUNS_H
#define NARROWS_MODEL_PLACEMENT_RUNS_H

#include <stddef.h>
#include <stdint.h>

struct run {
    int64_t from, to;
};

struct runs {
    struct run *list;
    size_t n, capacity;
    int64_t covered; /* addresses in use */
};

/* The union with [from, to); what is then left free on one of its sides becomes part of it if it is shorter than
 * 'least', which is 1 or more. Returns the run that [from, to) became part of, NULL if there is no memory. */
const struct run *runs_add(struct runs *r, int64_t from, int64_t to, int64_t least);

/* The first run that ends above 'at'. */
static inline const struct run *runs_above(const struct run *list, const struct run *end, int64_t at)
{
    while (list < end) {
        const struct run *middle = list + (end - list) / 2;
        if (middle->to <= at)
            list = middle + 1;
        else
            end = middle;
    }
    return list;
}

/* The same for one that is probably near. */
static inline const struct run *runs_soon_above(const struct run *list, const struct run *end, int64_t at)
{
    enum { NEAR = 8 };
    ptrdiff_t step = NEAR;

    for (int i = 0; i < NEAR; i++, list++)
        if (list == end || list->to > at)
            return list;
    for (; step < end - list && list[step].to <= at; step *= 2)
        list += step;
    return runs_above(list, step < end - list ? list + step : end, at);
}

#endif
