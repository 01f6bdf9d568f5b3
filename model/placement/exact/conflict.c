/* conflict.c - why a state fails: the sections whose floors and unplaced items are enough for it. An item that does not
 * fit below a height has a witness, a section of its lifetime whose floor is as high; what happened in other sections
 * has no part in it. README.md has the rule for each kind of failure. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/numbers.h"
#include "model/placement/exact/search.h"
#include "model/status.h"

bool search_make_conflicts(struct search *s)
{
    size_t sections = (size_t)s->nsections + 1;

    s->words = s->n <= s->large ? ((size_t)s->nsections + 63) / 64 : 0;
    s->need = calloc(s->words + 1, sizeof(*s->need));
    s->worths = calloc((size_t)s->n + 1, sizeof(*s->worths));
    s->weights = calloc(sections, sizeof(*s->weights));
    s->ease = calloc(sections, sizeof(*s->ease));
    if (!s->need || !s->worths || !s->weights || !s->ease)
        return false;
    for (size_t i = 0; i < sections; i++)
        s->weights[i] = 1;
    return true;
}

/* Of every twelve variants, six let the weight count less. */
static double ease(const struct search *s, int32_t section)
{
    double root = sqrt(s->weights[section]);

    return 1 / (s->variant / 6 % 2 ? sqrt(root) : root);
}

void search_find_ease(struct search *s)
{
    for (int32_t i = 0; i < s->nsections; i++)
        s->ease[i] = ease(s, i);
}

static void add(uint64_t *set, int32_t section)
{
    if (section >= 0)
        set[section >> 6] |= (uint64_t)1 << (section & 63);
}

static bool has(const uint64_t *set, int32_t section)
{
    return set[section >> 6] >> (section & 63) & 1;
}

static void add_range(uint64_t *set, int32_t from, int32_t to)
{
    for (int32_t i = from; i < to; i++)
        add(set, i);
}

static bool meets(const uint64_t *set, int32_t from, int32_t to)
{
    int32_t first = from >> 6, last = (to - 1) >> 6;
    uint64_t low = ~(uint64_t)0 << (from & 63), high = ~(uint64_t)0 >> (63 - ((to - 1) & 63));

    if (first == last)
        return set[first] & low & high;
    if ((set[first] & low) || (set[last] & high))
        return true;
    for (int32_t w = first + 1; w < last; w++)
        if (set[w])
            return true;
    return false;
}

/* The next section before 'from' or from 'to' on whose floor is 'least' or higher, or -1: those between are lower. */
static int32_t before(const struct search *s, const struct subproblem *p, int32_t from, int64_t least)
{
    int32_t k = from - 1;

    while (k >= p->from && s->left[k] && s->floor[k] < least)
        k--;
    return k >= p->from && s->left[k] ? k : -1;
}

static int32_t after(const struct search *s, const struct subproblem *p, int32_t to, int64_t least)
{
    while (to < p->to && s->left[to] && s->floor[to] < least)
        to++;
    return to < p->to && s->left[to] ? to : -1;
}

/* Witnesses that the unplaced items of sections [from, to) do not fit below 'least', as few as there need be. An item
 * without one is taken to fit. */
static void find_witnesses(const struct search *s, const struct subproblem *p, int32_t from, int32_t to, int64_t least,
                           int32_t witness[2])
{
    int32_t left = before(s, p, from, least), right = after(s, p, to, least);
    bool left_alone = false, right_alone = false, both = false;

    for (int32_t k = p->first; k < p->first + p->count; k++) {
        const struct item *it = &s->items[s->order[k]];
        if (it->from >= to || it->to <= from)
            continue;
        bool at_left = it->from <= left, at_right = right >= 0 && it->to > right;
        left_alone |= at_left && !at_right;
        right_alone |= at_right && !at_left;
        both |= at_left && at_right;
    }
    witness[0] = left_alone || (both && !right_alone) ? left : -1;
    witness[1] = right_alone ? right : -1;
}

void search_note_witnesses(struct search *s, const struct subproblem *p, int32_t from, int32_t to)
{
    struct undo *u = &s->undo[s->nundo - 1];

    if (s->words)
        find_witnesses(s, p, from, to, s->floor[from], u->witness);
}

static void clear(struct search *s)
{
    memset(s->need, 0, s->words * sizeof(*s->need));
}

void search_blame_section(struct search *s, const struct subproblem *p, int32_t section)
{
    int32_t witness[2];

    if (!s->words)
        return;
    if (s->by != NO_WEIGHTS) {
        s->weights[section]++;
        s->ease[section] = ease(s, section);
    }
    clear(s);
    add(s->need, section);
    find_witnesses(s, p, section, section + 1, s->height - s->left[section] + s->views[section].fitting_size + 1,
                   witness);
    add(s->need, witness[0]);
    add(s->need, witness[1]);
}

void search_blame_subproblem(struct search *s, const struct subproblem *p)
{
    if (!s->words)
        return;
    clear(s);
    add_range(s->need, p->from, p->to);
}

/* An item that touches the step [from, to) but reaches beyond it: a witness that it does not lie below 'least', unless
 * the step itself or one that is there will do. */
static void blame_far(struct search *s, const struct item *it, int32_t from, int32_t to, int64_t least)
{
    int32_t left = from - 1, right = to;

    if (least <= s->floor[from])
        return;
    while (left >= it->from && s->floor[left] < least)
        left--;
    while (right < it->to && s->floor[right] < least)
        right++;
    if ((left >= it->from && has(s->need, left)) || (right < it->to && has(s->need, right)))
        return;
    add(s->need, left >= it->from ? left : right);
}

/* Its choices were all there are: each other item of the section reaches beyond its step. And its floor could not rise
 * to less than it would have: each item that another can lie on touches the step, and ends no lower. */
void search_blame_frame(struct search *s, int32_t frame)
{
    const struct frame *f = &s->frames[frame];
    const struct subproblem *p = &f->subproblem;
    int32_t section = f->branching.section, from = section, to = section + 1, witness[2];

    if (!s->words)
        return;
    int64_t floor = s->floor[section], rise = f->rise < INT64_MAX ? f->rise : floor + search_slack(s, section) + 1;
    memcpy(s->need, s->conflicts + (size_t)frame * s->words, s->words * sizeof(*s->need));
    while (from > p->from && s->left[from - 1] && s->floor[from - 1] == floor)
        from--;
    while (to < p->to && s->left[to] && s->floor[to] == floor)
        to++;
    add_range(s->need, from, to);
    find_witnesses(s, p, section, section + 1, floor + 1, witness);
    add(s->need, witness[0]);
    add(s->need, witness[1]);
    for (int32_t k = p->first; k < p->first + p->count; k++) {
        const struct item *it = &s->items[s->order[k]];
        bool touches = it->from < to && it->to > from, fits = it->from >= from && it->to <= to;
        if (touches && !fits)
            blame_far(s, it, from, to, it->from <= section && it->to > section ? rise : rise - it->size);
    }
}

void search_blame_choice(struct search *s, int32_t frame)
{
    for (size_t w = 0; w < s->words; w++)
        s->conflicts[(size_t)frame * s->words + w] |= s->need[w];
}

/* From the last change back: one that no choice made is replaced by what it follows from. */
int32_t search_culprit(struct search *s)
{
    for (size_t e = s->nundo; e-- > 0;) {
        const struct undo *u = &s->undo[e];
        if (!meets(s->need, u->from, u->to))
            continue;
        if (u->frame >= 0)
            return u->frame;
        if (u->peeled)
            add_range(s->need, u->from, u->to);
        add(s->need, u->witness[0]);
        add(s->need, u->witness[1]);
    }
    return -1;
}

bool search_add_conflict(struct search *s)
{
    size_t frame = s->nframes - 1;

    if (s->words && s->conflicts_capacity < s->frames_capacity) {
        uint64_t *bigger = realloc(s->conflicts, s->frames_capacity * s->words * sizeof(*bigger));
        if (!bigger)
            return false;
        s->conflicts = bigger;
        s->conflicts_capacity = s->frames_capacity;
    }
    if (s->words)
        memset(s->conflicts + frame * s->words, 0, s->words * sizeof(*s->conflicts));
    return true;
}
