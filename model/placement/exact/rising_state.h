/* rising_state.h - private to rising.h: its state.
 * State      'low' of an unplaced item is the lowest offset that those placed leave it; of a placed one, its offset.
 *            Offsets are given in rising order, so all to come lie at 'offset' of the level or above.
 * Level      what is left of the pool, or of an independent part of it: items list[first .. first + count), none of
 *            them alive outside of sections [from, to). */
#ifndef NARROWS_MODEL_PLACEMENT_EXACT_RISING_STATE_H
#define NARROWS_MODEL_PLACEMENT_EXACT_RISING_STATE_H

#include <stdbool.h>

#include "model/placement/private.h"

struct level {
    int32_t first, count, from, to;
    int64_t offset; /* of the item that was placed last, and its rank */
    int32_t rank;
};

/* How to undo a change: an item that rose, or was placed where it lay lowest. */
struct raised {
    int32_t item;
    bool placed;
    int64_t low; /* as it was */
};

struct rising {
    const struct pool *pool;
    int64_t height;
    int64_t *low;      /* [n] */
    int64_t *left;     /* [nsections + 1] the sum of the sizes of the unplaced */
    int64_t *least;    /* of 2^k sections from one on, the lowest address of an item: [k * (nsections + 1) + section] */
    int32_t *crossing; /* [nsections + 1] scratch */
    int32_t *list, *rank; /* [n] */
    int32_t *same;        /* [n] the item before of this lifetime, size and alignment, or -1 */
    bool *placed;         /* [n] */
    struct claim *claims; /* [n] scratch */
    struct raised *undo;
    size_t nundo, undo_capacity;
    int32_t *choices;
    size_t nchoices, choices_capacity;
};

void rising_reset(struct rising *r, int64_t height, int variant);

/* Places an item of no level at its lowest offset; those of the level rise. False: no memory. */
bool rising_put(struct rising *r, const struct level *level, int32_t item);
void rising_undo(struct rising *r, size_t nundo);

/* False: the level cannot be completed. Otherwise the lowest address at which an item may end, and whether there are
 * independent parts. */
bool rising_analyse(struct rising *r, const struct level *level, int64_t *lowest_top, bool *split);

/* Brings the items of a level into time order, so that independent parts stand together; sets the items and sections of
 * the one that begins the list. */
void rising_sort(struct rising *r, const struct level *level);
void rising_first_part(const struct rising *r, int32_t first, int32_t end, struct level *part);

#endif
