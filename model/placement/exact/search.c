/* search.c - the tree search itself: frames, backtracking, and the table of states that failed. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/placement/exact/search.h"
#include "model/status.h"
#include "model/vec.h"

/* Two hashes of all that decides whether a subproblem can be completed: 127 bits make a collision practically
 * impossible. */
static void key_of(const struct search *s, const struct subproblem *p, uint64_t key[2])
{
    uint64_t a = mix64((uint64_t)p->from << 32 | (uint32_t)p->to) ^ mix64((uint64_t)s->height), b = mix64(a);

    for (int32_t i = p->first; i < p->first + p->count; i++) {
        int32_t item = s->order[i];
        uint64_t h = mix64((uint64_t)item * 2 + search_blocked(s, item));
        a += h;
        b ^= mix64(h);
    }
    for (int32_t i = p->from; i < p->to; i++) {
        uint64_t h = mix64((uint64_t)s->floor[i] ^ (uint64_t)i << 40);
        a += h;
        b = (b ^ h) * 0x9e3779b97f4a7c15;
    }
    key[0] = a | 1;
    key[1] = b;
}

static bool is_known(const struct search *s, const uint64_t key[2])
{
    return s->nfailures && !memcmp(s->failures[key[1] % s->nfailures].key, key, sizeof(s->failures->key));
}

/* Remembers that this state fails. After as many entries as slots, an empty table 16 times as large replaces the old
 * one. */
static int learn(struct search *s, const uint64_t key[2])
{
    enum { FEW = 1 << 12, MANY = 1 << 20 };

    if (!key[0])
        return E_OK;
    if (!s->nfailures || (s->nlearnt++ > s->nfailures && s->nfailures < MANY)) {
        size_t bigger = s->nfailures ? 16 * s->nfailures : FEW;
        struct failure *table = calloc(bigger, sizeof(*table));
        if (!table)
            return E_NOMEM;
        free(s->failures);
        s->failures = table;
        s->nfailures = bigger;
    }
    memcpy(s->failures[key[1] % s->nfailures].key, key, sizeof(s->failures->key));
    return E_OK;
}

/* Makes the next choice of a frame; its subproblem then waits. 1; 0: there is none left. */
static int advance(struct search *s, int32_t index, struct search_budget *budget)
{
    struct frame *f = &s->frames[index];
    struct subproblem rest = f->subproblem;

    s->nframes = (size_t)index + 1;
    search_undo(s, (size_t)f->nundo);
    s->npieces = (size_t)f->npieces;
    s->waiting = f->waiting;
    s->nchoices = (size_t)f->end;
    rest.maker = index;
    budget->nodes++;
    if (f->next < f->end) {
        int32_t item = search_take(s, f);
        budget->work += (uint64_t)(f->end - f->next + s->items[item].to - s->items[item].from);
        if (!search_put(s, item))
            return E_NOMEM;
        s->undo[s->nundo - 1].frame = index;
        search_swap_to(s, item, rest.first + --rest.count);
    } else if (f->branching.rise < INT64_MAX) {
        int64_t to = f->branching.rise;
        f->branching.rise = INT64_MAX;
        if (!search_raise(s, f->branching.section, f->branching.section + 1, to))
            return E_NOMEM;
        s->undo[s->nundo - 1].frame = index;
    } else {
        return 0;
    }
    return rest.count && search_wait(s, rest) ? E_NOMEM : 1;
}

/* Frames after the culprit have no part in the conflict and are dropped with the choices left to them. */
int search_fail(struct search *s, int32_t maker, struct search_budget *budget)
{
    for (int32_t at = maker; (at = s->words ? search_culprit(s) : at) >= 0;) {
        int rc;
        search_blame_choice(s, at);
        rc = advance(s, at, budget);
        if (rc)
            return rc;
        if (learn(s, s->frames[at].key))
            return E_NOMEM;
        search_blame_frame(s, at);
        at = s->frames[at].subproblem.maker;
    }
    return 0;
}

int search_branch(struct search *s, struct frame *f, struct search_budget *budget)
{
    int rc;

    if (!VEC_RESERVE(s->frames, s->frames_capacity, s->nframes))
        return E_NOMEM;
    f->rise = f->branching.rise;
    f->nundo = (int32_t)s->nundo;
    f->waiting = s->waiting;
    f->npieces = (int32_t)s->npieces;
    s->frames[s->nframes++] = *f;
    if (!search_add_conflict(s))
        return E_NOMEM;
    rc = advance(s, (int32_t)s->nframes - 1, budget);
    if (rc)
        return rc;
    if (s->words && learn(s, f->key))
        return E_NOMEM;
    search_blame_frame(s, (int32_t)s->nframes - 1);
    return search_fail(s, (int32_t)s->nframes - 1, budget);
}

static bool is_flat(const struct search *s, const struct subproblem *p)
{
    for (int32_t i = p->from + 1; i < p->to; i++)
        if (s->floor[i] != s->floor[p->from])
            return false;
    return true;
}

/* An item as long as the subproblem, or -1. Sections at its ends with all items placed are cut off first. */
static int32_t find_filling(const struct search *s, struct subproblem *p)
{
    while (p->from < p->to && !s->left[p->from])
        p->from++;
    while (p->from < p->to && !s->left[p->to - 1])
        p->to--;
    for (int32_t i = p->from < p->to ? s->begin[p->from] : s->n; i < s->n && s->items[i].from == p->from; i++)
        if (s->items[i].to == p->to && search_has(s, p, i))
            return i;
    return -1;
}

/* An item that spans a whole flat subproblem can always be the lowest: what lies below it in a placement can be moved
 * on top of it. */
static int peel(struct search *s, struct subproblem *p, struct search_budget *budget)
{
    if (!is_flat(s, p))
        return E_OK;
    for (int32_t item; (item = find_filling(s, p)) >= 0; budget->nodes++) {
        if (!search_put(s, item))
            return E_NOMEM;
        s->undo[s->nundo - 1].peeled = true;
        search_swap_to(s, item, p->first + --p->count);
        budget->work += (uint64_t)(p->to - p->from);
    }
    return E_OK;
}

static int visit(struct search *s, struct subproblem *piece, struct search_budget *budget)
{
    struct frame f = { 0 };
    int32_t more, maker;
    int rc = peel(s, piece, budget);

    if (rc || !piece->count)
        return rc ? rc : 1;
    f.subproblem = *piece;
    more = piece->count > s->large ? (int32_t)((int64_t)piece->count * 8 / s->large) : 0;
    rc = search_analyse(s, piece, more, &budget->work);

    if (rc < 0)
        return rc;
    budget->work += (uint64_t)(piece->to - piece->from + piece->count);
    if (rc == OUTCOME_SPLIT)
        return search_split(s, piece) ? E_NOMEM : 1;
    if (rc == OUTCOME_DEAD)
        return search_fail(s, piece->maker, budget);
    f.branching = s->branchings[0];
    key_of(s, piece, f.key);
    if (is_known(s, f.key)) {
        search_blame_subproblem(s, piece);
        return search_fail(s, piece->maker, budget);
    }
    rc = search_list(s, &f, &budget->work);
    if (rc)
        return rc;
    maker = (int32_t)s->nframes;
    rc = search_branch(s, &f, budget);
    return rc > 0 && more ? search_dive(s, maker, more, budget) : rc;
}

int search_run(struct search *s, int64_t height, int variant, enum search_weights weights, struct search_budget *budget,
               int64_t offset[])
{
    struct subproblem all = { 0, s->nsections, 0, s->n, -1, -1, 0 };
    int rc;

    search_reset(s, height, variant, weights);
    budget->work += (uint64_t)(s->n + s->nsections);
    rc = s->n && search_wait(s, all) ? E_NOMEM : 1;
    while (rc > 0 && s->waiting >= 0) {
        struct subproblem piece = s->pieces[s->waiting];
        if (budget_is_stopped(budget) || budget_is_spent(budget))
            return SEARCH_STOPPED;
        s->waiting = piece.below;
        rc = visit(s, &piece, budget);
    }
    if (rc < 0)
        return rc;
    if (!rc)
        return SEARCH_NONE;
    memcpy(offset, s->offset, (size_t)s->n * sizeof(*offset));
    return SEARCH_FOUND;
}
