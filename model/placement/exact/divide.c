/* divide.c - the subproblems that wait to be searched, and how one is divided into independent ones. */
#include <stdlib.h>
#include <string.h>

#include "model/numbers.h"
#include "model/placement/exact/search.h"
#include "model/status.h"
#include "model/vec.h"

int search_wait(struct search *s, struct subproblem piece)
{
    if (!VEC_RESERVE(s->pieces, s->pieces_capacity, s->npieces))
        return E_NOMEM;
    piece.below = s->waiting;
    s->waiting = (int32_t)s->npieces;
    s->pieces[s->npieces++] = piece;
    return E_OK;
}

void search_swap_to(struct search *s, int32_t item, int32_t to)
{
    int32_t at = s->place[item], other = s->order[to];

    s->order[to] = item;
    s->order[at] = other;
    s->place[item] = to;
    s->place[other] = at;
}

/* The piece that begins at this section; its index is written to piece_of of its sections. */
static struct subproblem piece_at(const struct search *s, const struct subproblem *p, int32_t from, int32_t piece_of[],
                                  int32_t index)
{
    struct subproblem piece = { from, from, 0, 0, p->maker, -1, INT64_MAX };

    do {
        piece.slack = min64(piece.slack, search_slack(s, piece.to));
        piece_of[piece.to++] = index;
    } while (piece.to < p->to && s->views[piece.to - 1].crossing);
    return piece;
}

/* Groups the items by piece: those of piece k from start[k] on. */
static void gather(struct search *s, const int32_t piece_of[], int32_t npieces, const int32_t start[], int32_t next[])
{
    memcpy(next, start, (size_t)npieces * sizeof(*next));
    for (int32_t k = 0; k < npieces; k++)
        while (next[k] < start[k + 1]) {
            int32_t item = s->order[next[k]], to = piece_of[s->items[item].from];
            if (to == k)
                next[k]++;
            else
                search_swap_to(s, item, next[to]++);
        }
}

/* The tightest comes last: the top of the stack. */
static int by_slack(const void *a, const void *b)
{
    const struct subproblem *x = a, *y = b;

    return x->slack != y->slack ? compare64(y->slack, x->slack) : compare64(y->from, x->from);
}

int search_split(struct search *s, const struct subproblem *p)
{
    /* scratch: the analysis is no longer needed */
    int32_t *piece_of = s->step_of, *start = s->pieces_first, *next = s->pieces_next, npieces = 0, below = s->waiting;
    size_t first = s->npieces;

    for (int32_t i = p->from; i < p->to;) {
        struct subproblem piece;
        if (!s->left[i]) {
            i++;
            continue;
        }
        piece = piece_at(s, p, i, piece_of, npieces++);
        i = piece.to;
        if (search_wait(s, piece))
            return E_NOMEM;
    }
    memset(start, 0, ((size_t)npieces + 1) * sizeof(*start));
    for (int32_t i = p->first; i < p->first + p->count; i++)
        start[piece_of[s->items[s->order[i]].from] + 1]++;
    start[0] = p->first;
    for (int32_t k = 0; k < npieces; k++) {
        s->pieces[first + (size_t)k].first = start[k];
        s->pieces[first + (size_t)k].count = start[k + 1];
        start[k + 1] += start[k];
    }
    gather(s, piece_of, npieces, start, next);
    qsort(s->pieces + first, (size_t)npieces, sizeof(*s->pieces), by_slack);
    for (size_t k = first; k < s->npieces; k++, below = (int32_t)k - 1)
        s->pieces[k].below = below;
    return E_OK;
}
