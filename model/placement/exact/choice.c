/* choice.c - the items that may lie on the floor of a section, and the order in which they are tried. */
#include "model/placement/exact/search.h"
#include "model/status.h"
#include "model/vec.h"

int search_list(struct search *s, struct frame *f, uint64_t *work)
{
    int32_t section = f->branching.section, from = section, to = section + 1;
    int64_t floor = s->floor[section];

    while (from > f->subproblem.from && s->floor[from - 1] == floor)
        from--;
    while (to < f->subproblem.to && s->floor[to] == floor)
        to++;
    f->choices = f->next = (int32_t)s->nchoices;
    for (int32_t i = s->begin[from]; i < s->begin[section + 1]; i++) {
        int32_t same = s->same[i];
        if (s->items[i].to <= section || s->items[i].to > to || !search_has(s, &f->subproblem, i) ||
            (same >= 0 && search_has(s, &f->subproblem, same)) || search_blocked(s, i))
            continue;
        if (!VEC_RESERVE(s->choices, s->choices_capacity, s->nchoices))
            return E_NOMEM;
        s->choices[s->nchoices++] = i;
    }
    *work += (uint64_t)(to - from + s->begin[section + 1] - s->begin[from]);
    f->end = (int32_t)s->nchoices;
    return E_OK;
}

/* Long ones first, mostly: what spans many sections fits into few places. A section counts by its weight. */
static double worth(const struct search *s, int32_t item)
{
    const struct item *it = &s->items[item];
    double size = (double)it->size, duration = it->to - it->from, luck = 1;

    if (s->by != NO_WEIGHTS) {
        duration = 0;
        for (int32_t i = it->from; i < it->to; i++)
            duration += s->weights[i];
    }
    if (s->variant >= 3)
        luck += (double)(mix64((uint64_t)item << 32 | (uint32_t)s->variant) >> 40) / (1 << 24);
    switch (s->variant % 3) {
    case 0: return luck * duration;
    case 1: return luck * duration * size;
    default: return luck * size;
    }
}

void search_find_worths(struct search *s)
{
    for (int32_t i = 0; i < s->n; i++)
        s->worths[i] = worth(s, i);
}

int32_t search_take(struct search *s, struct frame *f)
{
    int32_t best = f->next, item;
    double best_worth = -1;

    for (int32_t i = f->next; i < f->end; i++) {
        int32_t a = s->choices[i], b = s->choices[best];
        double w = s->worths[a];
        if (w > best_worth || (w == best_worth && (s->items[a].size > s->items[b].size ||
                                                   (s->items[a].size == s->items[b].size && a < b)))) {
            best_worth = w;
            best = i;
        }
    }
    item = s->choices[best];
    s->choices[best] = s->choices[f->next];
    s->choices[f->next++] = item;
    return item;
}
