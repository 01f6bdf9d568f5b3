/* state.c - the state of the search: which items are alike, what is placed, and how changes are undone. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/numbers.h"
#include "model/placement/exact/search.h"
#include "model/status.h"
#include "model/vec.h"

/* Items are in time order, so that those that begin in one section stand together. */
static void find_kinds(struct search *s)
{
    int32_t *latest = s->step_of; /* by 'to': the last item that ends there */

    for (int32_t i = 0; i <= s->nsections; i++)
        latest[i] = -1;
    for (int32_t i = 0, section = 0; i <= s->n; i++) {
        for (; section <= (i < s->n ? s->items[i].from : s->nsections); section++)
            s->begin[section] = i;
        if (i == s->n)
            break;
        int32_t before = latest[s->items[i].to];
        s->kind[i] = before >= 0 && s->items[before].from == s->items[i].from ? s->kind[before] : i;
        latest[s->items[i].to] = i;
    }
}

/* An item by its lifetime and size, for finding equal ones. */
struct likeness {
    int32_t kind, item;
    int64_t size;
};

static int by_likeness(const void *a, const void *b)
{
    const struct likeness *x = a, *y = b;

    if (x->kind != y->kind)
        return compare64(x->kind, y->kind);
    return x->size != y->size ? compare64(x->size, y->size) : compare64(x->item, y->item);
}

static int find_same(struct search *s)
{
    struct likeness *list = malloc(((size_t)s->n + 1) * sizeof(*list));

    if (!list)
        return E_NOMEM;
    for (int32_t i = 0; i < s->n; i++)
        list[i] = (struct likeness){ s->kind[i], i, s->items[i].size };
    qsort(list, (size_t)s->n, sizeof(*list), by_likeness);
    for (int32_t i = 0; i < s->n; i++) {
        bool same = i && list[i].kind == list[i - 1].kind && list[i].size == list[i - 1].size;
        s->same[list[i].item] = same ? list[i - 1].item : -1;
    }
    free(list);
    return E_OK;
}

struct search *search_make(const struct item *items, int32_t n, int32_t nsections, int32_t large)
{
    struct search *s = calloc(1, sizeof(*s));
    enum { LARGE = 512 };
    size_t sections = (size_t)nsections + 1, count = (size_t)n + 1, levels = 1;

    if (!s)
        return NULL;
    while ((size_t)1 << levels <= sections)
        levels++;
    s->items = items;
    s->n = n;
    s->nsections = nsections;
    s->large = large ? large : LARGE;
    int32_t **by_item[] = { &s->order, &s->place, &s->kind, &s->twin, &s->same };
    int32_t **by_section[] = { &s->begin, &s->step_of, &s->pieces_first, &s->pieces_next };
    int64_t **wide[] = { &s->floor, &s->left };
    bool there = (s->offset = calloc(count, sizeof(*s->offset))) && (s->steps = calloc(sections, sizeof(*s->steps))) &&
                 (s->branchings = calloc(sections, sizeof(*s->branchings))) &&
                 (s->views = calloc(sections, sizeof(*s->views))) &&
                 (s->highest = calloc(levels * sections, sizeof(*s->highest))) &&
                 (s->least = calloc(levels * sections, sizeof(*s->least))) && search_make_conflicts(s);
    for (size_t i = 0; i < COUNT(by_item); i++)
        there &= (*by_item[i] = calloc(count, sizeof(**by_item[i]))) != NULL;
    for (size_t i = 0; i < COUNT(by_section); i++)
        there &= (*by_section[i] = calloc(sections, sizeof(**by_section[i]))) != NULL;
    for (size_t i = 0; i < COUNT(wide); i++)
        there &= (*wide[i] = calloc(sections, sizeof(**wide[i]))) != NULL;
    if (there)
        find_kinds(s);
    if (!there || find_same(s)) {
        search_free(s);
        return NULL;
    }
    return s;
}

void search_free(struct search *s)
{
    if (!s)
        return;
    void *owned[] = { s->offset,   s->order, s->place,      s->begin,        s->kind,        s->twin,   s->same,
                      s->floor,    s->left,  s->step_of,    s->pieces_first, s->pieces_next, s->views,  s->steps,
                      s->highest,  s->least, s->branchings, s->undo,         s->pieces,      s->frames, s->choices,
                      s->failures, s->need,  s->conflicts,  s->weights,      s->ease,        s->worths };
    for (size_t i = 0; i < COUNT(owned); i++)
        free(owned[i]);
    free(s);
}

void search_reset(struct search *s, int64_t height, int variant, enum search_weights weights)
{
    s->height = height;
    s->variant = variant;
    s->by = weights;
    s->nundo = s->npieces = s->nframes = s->nchoices = 0;
    s->waiting = -1;
    items_load(s->items, s->n, s->nsections, s->left);
    memset(s->floor, 0, (size_t)s->nsections * sizeof(*s->floor));
    for (int32_t i = 0; i < s->n; i++) {
        s->order[i] = s->place[i] = i;
        s->twin[i] = -1;
    }
    search_find_worths(s);
    search_find_ease(s);
}

bool search_raise(struct search *s, int32_t from, int32_t to, int64_t floor)
{
    if (!VEC_RESERVE(s->undo, s->undo_capacity, s->nundo))
        return false;
    s->undo[s->nundo++] = (struct undo){ from, to, -1, -1, s->floor[from], -1, { -1, -1 }, false };
    for (int32_t i = from; i < to; i++)
        s->floor[i] = floor;
    return true;
}

bool search_put(struct search *s, int32_t item)
{
    const struct item *it = &s->items[item];
    int32_t *twin = &s->twin[s->kind[item]];
    int64_t floor = s->floor[it->from];

    if (!search_raise(s, it->from, it->to, floor + it->size))
        return false;
    s->undo[s->nundo - 1].item = item;
    s->undo[s->nundo - 1].twin = *twin;
    *twin = item;
    s->offset[item] = floor;
    for (int32_t i = it->from; i < it->to; i++)
        s->left[i] -= it->size;
    return true;
}

void search_undo(struct search *s, size_t n)
{
    while (s->nundo > n) {
        const struct undo *u = &s->undo[--s->nundo];
        for (int32_t i = u->from; i < u->to; i++)
            s->floor[i] = u->floor;
        if (u->item < 0)
            continue;
        for (int32_t i = u->from; i < u->to; i++)
            s->left[i] += s->items[u->item].size;
        s->twin[s->kind[u->item]] = u->twin;
    }
}

bool search_blocked(const struct search *s, int32_t item)
{
    int32_t twin = s->twin[s->kind[item]];

    return twin > item && s->floor[s->items[item].from] == s->offset[twin] + s->items[twin].size;
}
