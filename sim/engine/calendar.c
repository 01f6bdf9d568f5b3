#include "sim/engine/calendar.h"

#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "model/vec.h"

static bool earlier(const struct notice *a, const struct notice *b)
{
    return a->at_ps != b->at_ps ? a->at_ps < b->at_ps : a->sequence < b->sequence;
}

int calendar_post(struct calendar *c, int64_t at_ps, uint32_t kind, uint32_t subject, uint64_t version)
{
    struct notice n = { .at_ps = at_ps, .sequence = c->posted, .kind = kind, .subject = subject, .version = version };

    if (at_ps < 0)
        return E_INVAL;
    if (!VEC_RESERVE(c->heap, c->capacity, c->count))
        return E_NOMEM;
    c->posted++;
    size_t i = c->count++;
    for (size_t up; i && earlier(&n, &c->heap[up = (i - 1) / 2]); i = up)
        c->heap[i] = c->heap[up];
    c->heap[i] = n;
    return E_OK;
}

bool calendar_next(struct calendar *c, struct notice *out)
{
    if (!c->count)
        return false;
    *out = c->heap[0];
    struct notice last = c->heap[--c->count];
    size_t i = 0;
    for (size_t down; (down = 2 * i + 1) < c->count; i = down) {
        if (down + 1 < c->count && earlier(&c->heap[down + 1], &c->heap[down]))
            down++;
        if (!earlier(&c->heap[down], &last))
            break;
        c->heap[i] = c->heap[down];
    }
    c->heap[i] = last;
    return true;
}

bool calendar_peek(const struct calendar *c, int64_t *at_ps)
{
    if (c->count)
        *at_ps = c->heap[0].at_ps;
    return c->count > 0;
}

void calendar_clear(struct calendar *c)
{
    free(c->heap);
    memset(c, 0, sizeof(*c));
}
