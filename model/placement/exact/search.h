/* placement_search.h - private to the tree search: its state, and what one look at it tells.
 * State      every section has a floor: no item that is still to be placed will lie below it there. An item is placed only into
 *            a valley, sections of one floor between higher ones, and onto that floor. Where no item can stand on a floor, it rises;
 *            what that wastes is taken from the section's slack, and less than none ends a branch.
 * Choice     for one section of a valley: which of the items that fit lies on its floor, or none of them. The choices exclude
 *            each other and leave out nothing that matters: of all placements of some height there is one in which every item
 *            lies on the ground or on another one.
 * Stretch    a run of sections that no item leaves which is still to be placed. Stretches are searched independently: one
 *            that fails ends the others, too. */
#ifndef NARROWS_SIM_MEMORY_PLACEMENT_SEARCH_H
#define NARROWS_SIM_MEMORY_PLACEMENT_SEARCH_H

#include "model/placement/private.h"

/* Sections of one floor, as far as they go. */
struct step {
    int32_t from, to;
    int64_t floor;
    int64_t lowest_top; /* where an item that meets it ends, at the lowest; INT64_MAX: none does */
};

/* What to undo: a range that had this floor; the item that was placed there, or -1. */
struct undo {
    int32_t from, to, item;
    int32_t twin; /* as it was */
    int64_t floor;
};

/* Items order[first .. first + count), alive only in [from, to). 'maker': the frame whose choice made it, or -1. */
struct stretch {
    int32_t from, to, first, count, maker;
    int32_t below; /* in the pile of stretches that wait: the next one, or -1 */
    int64_t slack; /* the least of its sections */
};

/* A section to choose for, and where its floor would rise if no item lies on it; INT64_MAX: one must. */
struct fork {
    int64_t ways, slack, rise, floor;
    int32_t section;
};

/* What a look finds in a section. */
struct glance {
    int64_t far, far_back;     /* the least offset of the items that do not fit into its step */
    int64_t fitting_size;      /* the sum of the sizes of those that do ... */
    int32_t fitting, crossing; /* ... and how many; items that cross into the next section */
};

struct frame {
    struct stretch stretch;
    struct fork fork;
    int32_t choices, end, next;      /* in the list of choices */
    int32_t nundo, waiting, npieces; /* as it was before the choice */
    uint64_t key[2];                 /* of the stretch; 0: none */
};

struct failure {
    uint64_t key[2];
};

struct search {
    const struct item *items;
    int32_t n, nsections;
    int64_t height;
    int variant;
    int32_t large;          /* more items of a stretch are many */
    int64_t *offset;        /* [n] */
    int32_t *order, *place; /* [n] a permutation of the items, and where in it each is */
    int32_t *begin;         /* [nsections + 1] the first item of each section */
    int32_t *kind, *twin;   /* [n] items of one lifetime have one kind; of each kind the item placed last, or -1 */
    int32_t *same;          /* [n] the item before of this lifetime and size, or -1 */
    int64_t *floor, *left;  /* [nsections] of what is placed; bytes that are not */
    /* One look at a stretch, by section. */
    int32_t *step_of;
    struct glance *glances;
    int32_t *pieces_first, *pieces_next; /* scratch of a split */
    struct step *steps;
    int64_t *highest, *least; /* of 2^k steps from one on: [k * (nsections + 1) + step] */
    int32_t nsteps;
    struct fork *forks;
    int32_t nforks;
    struct undo *undo;
    size_t nundo, undo_room;
    struct stretch *pieces;
    size_t npieces, pieces_room;
    int32_t waiting; /* the pile's top, or -1 */
    struct frame *frames;
    size_t nframes, frames_room;
    int32_t *choices;
    size_t nchoices, choices_room;
    struct failure *failures; /* [nfailures] stretches that cannot be completed, by their keys */
    size_t nfailures, nlearnt;
};

/* One look. Raises floors as far as they must rise. WHOLE: 'forks' are the sections to choose for, the first the one with the
 * fewest ways on, the others (about 'most') for when many choices are made at one look. Or E_NOMEM. */
enum outcome { OUTCOME_DEAD, OUTCOME_SPLIT, OUTCOME_WHOLE, OUTCOME_FULL };
int search_look(struct search *s, const struct stretch *piece, int32_t most, uint64_t *work);

/* A look at sections [from, to) of the piece, what lies beside them reaching up to 'wall' at least: the best fork below it, or FULL if
 * there is none left. */
int search_look_below(struct search *s, const struct stretch *piece, int32_t from, int32_t to, int64_t wall,
                      struct fork *best, uint64_t *work);

/* A frame for this stretch and fork, its choices listed, and the first of them made, or another one of an earlier frame. 1; 0: there is
 * none. The same where 'maker' turned out to lead nowhere. */
int search_branch(struct search *s, struct frame *f, struct search_budget *budget);
int search_fail(struct search *s, int32_t maker, struct search_budget *budget);

/* A large stretch costs much to look at, so that one look serves for many choices, as many as 'more' of them after the one
 * of frame 'maker'. Answers as search_branch(). */
int search_dive(struct search *s, int32_t maker, int32_t more, struct search_budget *budget);

/* Changes of the state, all undone by search_undo(). False: no memory. */
_Bool search_raise(struct search *s, int32_t from, int32_t to, int64_t floor);
_Bool search_put(struct search *s, int32_t item);
void search_undo(struct search *s, size_t n);
void search_reset(struct search *s, int64_t height, int variant);

/* The pile of stretches. E_NOMEM. */
int search_wait(struct search *s, struct stretch piece);
int search_split(struct search *s, const struct stretch *piece); /* after a look that said so */
void search_swap_to(struct search *s, int32_t item, int32_t to);

/* Two of one lifetime, one on the other, could be swapped: only one of both orders is tried. */
_Bool search_blocked(const struct search *s, int32_t item);

/* The items that may lie on the floor of the frame's section, listed; the best of those left, taken. */
int search_list(struct search *s, struct frame *f, uint64_t *work);
int32_t search_take(struct search *s, struct frame *f);

static inline _Bool search_has(const struct search *s, const struct stretch *p, int32_t item)
{
    return s->place[item] >= p->first && s->place[item] < p->first + p->count;
}

static inline int64_t search_slack(const struct search *s, int32_t section)
{
    return s->height - s->floor[section] - s->left[section];
}

static inline uint64_t search_mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

#endif
