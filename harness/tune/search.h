/* search.h - every layout of a space in closed form, and the best of them.
 * Order      blocks are taken in waves, on all threads. Only what is slower than the worst of the best of all waves
 *            before, or of the block itself, is pruned, so neither the best nor the counts depend on the number of
 *            threads; of equally fast layouts the one with the smaller number comes first.
 * Kept       each finished block is stored, and not computed again: a search that was stopped goes on.
 * Errors     harness status; the message has been printed. NW_EINTR if a signal asked to stop. */
#ifndef NARROWS_HARNESS_TUNE_SEARCH_H
#define NARROWS_HARNESS_TUNE_SEARCH_H

#include "harness/store/tuned.h"
#include "harness/tune/layouts.h"

struct search_options {
    int jobs;   /* threads */
    size_t top; /* how many of the best are wanted, at most TUNED_MOST */
    bool all;   /* prune nothing */
};

struct search_result {
    struct tuned_block total; /* with the best of all */
    size_t blocks, present;   /* blocks; of them, found in the database */
    double seconds;
};

int tune_search(const struct layouts *s, const struct search_options *o, struct search_result *out);

#endif
