/* dive.c - several choices after one analysis, for subproblems that are costly to analyse. */
#include <stdbool.h>

#include "model/numbers.h"
#include "model/placement/exact/search.h"
#include "model/status.h"

/* The subproblem that the dive works on: the one that waits, as long as nothing has failed. */
static bool on_course(const struct search *s, int32_t maker, struct subproblem *piece)
{
    if (s->waiting < 0 || s->pieces[s->waiting].maker != maker)
        return false;
    *piece = s->pieces[s->waiting];
    return true;
}

/* The floor at a section of the subproblem. Sections outside, and those with all items placed, are walls. */
static int64_t level(const struct search *s, const struct subproblem *p, int32_t section)
{
    return section >= p->from && section < p->to && s->left[section] ? s->floor[section] : INT64_MAX;
}

static int make(struct search *s, struct frame *f, int32_t *maker, struct search_budget *budget)
{
    s->waiting = f->subproblem.below;
    *maker = (int32_t)s->nframes;
    return search_branch(s, f, budget);
}

/* The width up to which a valley is small, so that its analysis costs little. */
static int32_t widest(const struct subproblem *p)
{
    return (p->to - p->from) / 4;
}

/* Fills a small valley up to its neighbours. */
static int fill(struct search *s, int32_t from, int32_t to, int32_t *maker, struct search_budget *budget)
{
    for (struct frame f = { 0 }; from < to && on_course(s, *maker, &f.subproblem);) {
        const struct subproblem *p = &f.subproblem;
        int64_t left = level(s, p, from - 1), right = level(s, p, to);
        int rc;
        if (from < p->from || to > p->to || to - from > widest(p))
            break;
        rc = search_analyse_below(s, p, from, to, min64(left, right), &f.branching, &budget->work);
        if (rc == OUTCOME_DEAD)
            return search_fail(s, *maker, budget);
        if (rc == OUTCOME_FULL)
            break;
        if (rc == OUTCOME_WHOLE)
            rc = search_list(s, &f, &budget->work);
        if (!rc)
            rc = make(s, &f, maker, budget);
        if (rc <= 0)
            return rc;
    }
    return 1;
}

/* Sets *from and *to to the ends of a section's step. */
static void widen(const struct search *s, const struct subproblem *p, int32_t section, int32_t *from, int32_t *to)
{
    int64_t floor = s->floor[section];

    for (*from = section; level(s, p, *from - 1) == floor;)
        --*from;
    for (*to = section + 1; level(s, p, *to) == floor;)
        ++*to;
}

/* Fills the lower neighbours of a section's step, so that it becomes a valley. 1: it did; 2: they are too wide. */
enum { TOO_WIDE = 2 };
static int level_out(struct search *s, int32_t section, int32_t *maker, struct search_budget *budget)
{
    struct subproblem p;
    int64_t floor = s->floor[section];

    for (int tries = 0; tries < 4 && on_course(s, *maker, &p); tries++) {
        int32_t from, to, left, right, most = widest(&p);
        int rc;
        widen(s, &p, section, &from, &to);
        for (left = from; from - left <= most && level(s, &p, left - 1) < floor;)
            left--;
        for (right = to; right - to <= most && level(s, &p, right) < floor;)
            right++;
        if (left == from && right == to)
            return 1;
        if (from - left > most || right - to > most)
            break;
        rc = fill(s, left, from, maker, budget);
        if (rc > 0)
            rc = fill(s, to, right, maker, budget);
        if (rc <= 0)
            return rc;
    }
    return TOO_WIDE;
}

/* A branching from the analysis remains valid while its section has the floor it had then. For a tight section, which
 * can waste nothing, it remains valid for all floors. */
int search_dive(struct search *s, int32_t maker, int32_t more, struct search_budget *budget)
{
    struct frame f = { 0 };

    for (int32_t i = 0; i < s->nbranchings && more && on_course(s, maker, &f.subproblem);) {
        struct branching *branching = &s->branchings[i];
        int32_t section = branching->section, from = section, to = section;
        bool tight = !search_slack(s, section);
        int rc = 1;
        if (tight)
            rc = s->left[section] ? level_out(s, section, &maker, budget) : 1;
        if (rc <= 0)
            return rc;
        if (!s->left[section] || (tight ? rc == TOO_WIDE : s->floor[section] != branching->floor)) {
            i++;
            continue;
        }
        if (!on_course(s, maker, &f.subproblem))
            break;
        f.branching = *branching;
        if (tight)
            f.branching.rise = INT64_MAX;
        else
            widen(s, &f.subproblem, section, &from, &to);
        rc = search_list(s, &f, &budget->work);
        if (!rc && f.choices == f.end && tight)
            return search_fail(s, maker, budget);
        if (!rc && f.choices == f.end) {
            i++;
            continue;
        }
        if (!rc)
            rc = make(s, &f, &maker, budget);
        if (rc > 0)
            rc = fill(s, from, to, &maker, budget); /* what is left of the valley */
        if (rc <= 0)
            return rc;
        more--;
    }
    return 1;
}
