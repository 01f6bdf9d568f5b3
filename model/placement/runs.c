/* runs.c - the union of addresses in use with further ones. */
#include "model/placement/runs.h"

#include <string.h>

#include "model/numbers.h"
#include "model/vec.h"

const struct run *runs_add(struct runs *r, int64_t from, int64_t to, int64_t least)
{
    const struct run *last;
    size_t at, gone;

    if (!VEC_RESERVE(r->list, r->capacity, r->n))
        return NULL;
    at = (size_t)(runs_above(r->list, r->list + r->n, from - least) - r->list);
    for (last = r->list + at; last < r->list + r->n && last->from < to + least; last++) {
        r->covered -= last->to - last->from;
        from = min64(last->from, from);
        to = max64(last->to, to);
    }
    gone = (size_t)(last - r->list) - at;
    memmove(r->list + at + 1, r->list + at + gone, (r->n - at - gone) * sizeof(*r->list));
    r->list[at] = (struct run){ from, to };
    r->n += 1 - gone;
    r->covered += to - from;
    return r->list + at;
}
