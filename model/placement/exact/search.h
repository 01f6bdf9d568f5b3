/* search.h - private to the tree search: its state and operations. README.md explains the mathematics.
 * State      each section has a floor: no unplaced item will lie below it there. An item is placed only in a valley
 *            (adjacent sections of one floor between higher ones), on its floor. Where no item can stand on a floor,
 *            the floor rises; what that wastes is taken from the section's slack, and a negative slack ends a branch.
 * Branching  on one section of a valley: which of the items that fit lies on its floor there, or none of them. The
 *            choices exclude each other, and together they cover every height that is possible.
 * Subproblem adjacent sections that no unplaced item leaves. Subproblems are independent: if one fails, so do the
 *            others.
 * Conflict   sections whose floors and unplaced items alone make the state fail. The search returns to the last choice
 *            that changed one of them. */
#ifndef NARROWS_MODEL_PLACEMENT_EXACT_SEARCH_H
#define NARROWS_MODEL_PLACEMENT_EXACT_SEARCH_H

#include <stdbool.h>

#include "model/placement/private.h"

/* A maximal run of sections with one floor. */
struct step {
    int32_t from, to;
    int64_t floor;
    int64_t lowest_top; /* lowest possible top of an item that touches it; INT64_MAX: none does */
};

/* How to undo a change: the range had this floor; the item that was placed there, or -1. And why it was made: a choice
 * of a frame, or -1; then it follows from the floors of two other sections (-1: of fewer), or of all in the range. */
struct undo {
    int32_t from, to, item;
    int32_t twin; /* as it was */
    int64_t floor;
    int32_t frame, witness[2];
    bool peeled;
};

/* Items order[first .. first + count), alive only in [from, to). 'maker': the frame whose choice created it, or -1. */
struct subproblem {
    int32_t from, to, first, count, maker;
    int32_t below; /* the next one on the stack of subproblems that wait, or -1 */
    int64_t slack; /* the smallest of its sections */
};

/* A section to branch on. 'rise': its floor if no item lies on it; INT64_MAX: one must. 'ways': how many choices there
 * are. */
struct branching {
    int64_t ways, slack, rise, floor;
    int32_t section;
};

/* What the analysis finds in a section. */
struct section_view {
    int64_t far, far_back;     /* the lowest possible offset of the items that do not fit in its step */
    int64_t fitting_size;      /* the sum of the sizes of the items that do */
    int32_t fitting, crossing; /* items that fit in its step; items that are alive in the next section, too */
};

struct frame {
    struct subproblem subproblem;
    struct branching branching;
    int64_t rise;                    /* of the branching, before the floor rose */
    int32_t choices, end, next;      /* in the list of choices */
    int32_t nundo, waiting, npieces; /* as it was before the choice */
    uint64_t key[2];                 /* of the subproblem; 0: none */
};

struct failure {
    uint64_t key[2];
};

struct search {
    const struct item *items;
    int32_t n, nsections;
    int64_t height;
    int variant;
    enum search_weights by;
    int32_t large;          /* a subproblem of more items is large: see search_dive() */
    int64_t *offset;        /* [n] */
    int32_t *order, *place; /* [n] a permutation of the items, and where in it each is */
    int32_t *begin;         /* [nsections + 1] the first item of each section */
    int32_t *kind, *twin;   /* [n] items of one lifetime have one kind; the item of each kind placed last, or -1 */
    int32_t *same;          /* [n] the item before of this lifetime and size, or -1 */
    int64_t *floor, *left;  /* [nsections] floor of each; sum of the sizes of its unplaced items */
    /* The analysis of a subproblem. */
    int32_t *step_of;
    struct section_view *views;
    int32_t *pieces_first, *pieces_next; /* scratch of a split */
    struct step *steps;
    int64_t *highest, *least; /* of 2^k steps from one on: [k * (nsections + 1) + step] */
    int32_t nsteps;
    struct branching *branchings;
    int32_t nbranchings;
    struct undo *undo;
    size_t nundo, undo_capacity;
    struct subproblem *pieces;
    size_t npieces, pieces_capacity;
    int32_t waiting; /* top of the stack of subproblems, or -1 */
    struct frame *frames;
    size_t nframes, frames_capacity;
    int32_t *choices;
    size_t nchoices, choices_capacity;
    struct failure *failures; /* [nfailures] subproblems that cannot be completed, by their keys */
    size_t nfailures, nlearnt;
    /* Conflicts, as sets of sections of so many words; 0: a pool too large for them. */
    size_t words;
    uint64_t *need;      /* [words] of the present failure */
    uint64_t *conflicts; /* [frames_capacity * words] of the choices of each frame that failed */
    size_t conflicts_capacity;
    double *weights; /* [nsections] one more than how often each failed */
    double *ease;    /* [nsections] one above a root of it, the second or the fourth */
    double *worths;  /* [n] the order in which items are tried, highest first */
};

/* Analyses a subproblem and raises floors as far as they must rise. DEAD: it cannot be completed. SPLIT: it is divided
 * into independent ones. WHOLE: 'branchings' are the sections to branch on, the one with the fewest choices first;
 * about 'most' others follow, for search_dive(). Or E_NOMEM. */
enum outcome { OUTCOME_DEAD, OUTCOME_SPLIT, OUTCOME_WHOLE, OUTCOME_FULL };
int search_analyse(struct search *s, const struct subproblem *piece, int32_t most, uint64_t *work);

/* The same for sections [from, to) of the piece, between neighbours of height 'wall' or more: the best branching below
 * the wall, or FULL if there is none left. */
int search_analyse_below(struct search *s, const struct subproblem *piece, int32_t from, int32_t to, int64_t wall,
                         struct branching *best, uint64_t *work);

/* Pushes a frame whose choices are listed and makes its first choice; if it has none, backtracks to the next choice of
 * an earlier frame. search_fail() backtracks from the conflict, or from 'maker', whose present choice failed, if there
 * are no conflicts. 1; 0: no choice is left anywhere. */
int search_branch(struct search *s, struct frame *f, struct search_budget *budget);
int search_fail(struct search *s, int32_t maker, struct search_budget *budget);

/* Conflicts, of a pool that is not large; of another each of these does nothing. The first three begin the set of the
 * present failure: of a section that would have to waste more than its slack, of a whole subproblem, of a frame without
 * a choice left. */
bool search_make_conflicts(struct search *s); /* false: no memory */
void search_blame_section(struct search *s, const struct subproblem *p, int32_t section);
void search_blame_subproblem(struct search *s, const struct subproblem *p);
void search_blame_frame(struct search *s, int32_t frame);
void search_blame_choice(struct search *s, int32_t frame); /* the present failure is one of this frame's choice */
int32_t search_culprit(struct search *s);                  /* the frame of the last choice in the conflict, or -1 */
bool search_add_conflict(struct search *s); /* an empty set for the frame pushed last; false: no memory */
/* The floors of the piece's sections [from, to) just rose: which others made them. */
void search_note_witnesses(struct search *s, const struct subproblem *p, int32_t from, int32_t to);

/* Makes up to 'more' choices after that of frame 'maker' without another analysis, which is costly for a large
 * subproblem. Returns as search_branch(). */
int search_dive(struct search *s, int32_t maker, int32_t more, struct search_budget *budget);

/* Changes of the state, all undone by search_undo(). False: no memory. */
bool search_raise(struct search *s, int32_t from, int32_t to, int64_t floor);
bool search_put(struct search *s, int32_t item);
void search_undo(struct search *s, size_t n);
void search_reset(struct search *s, int64_t height, int variant, enum search_weights weights);

/* The stack of subproblems. E_NOMEM. */
int search_wait(struct search *s, struct subproblem piece);
int search_split(struct search *s, const struct subproblem *piece); /* after OUTCOME_SPLIT */
void search_swap_to(struct search *s, int32_t item, int32_t to);

/* Two items of one lifetime, one on the other, can be swapped: only one of both orders is tried. */
bool search_blocked(const struct search *s, int32_t item);

/* Lists the items that may lie on the floor of the frame's section; takes the best of those left. */
int search_list(struct search *s, struct frame *f, uint64_t *work);
int32_t search_take(struct search *s, struct frame *f);
void search_find_worths(struct search *s); /* of the variant, as is the ease of sections */
void search_find_ease(struct search *s);

static inline bool search_has(const struct search *s, const struct subproblem *p, int32_t item)
{
    return s->place[item] >= p->first && s->place[item] < p->first + p->count;
}

static inline int64_t search_slack(const struct search *s, int32_t section)
{
    return s->height - s->floor[section] - s->left[section];
}

#endif
