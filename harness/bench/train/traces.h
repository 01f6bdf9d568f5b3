/* traces.h - a results database that lives as long as a side: traces go into it as those of a point that was trained
 * do, but after every turn, so that a turn's time has all that traces cost. A turn is a point of its own, whose
 * steps count from 0.
 * Place      a folder under $TMPDIR, or /tmp. traces_make() makes it, before the side's process; that process opens
 *            the database; traces_remove() removes both when it has ended.
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_BENCH_TRAIN_TRACES_H
#define NARROWS_HARNESS_BENCH_TRAIN_TRACES_H

#include "harness/bench/train/network.h"
#include "harness/training/record.h"

struct store;

struct traces {
    char folder[256]; /* "": there are none */
    struct store *store;
    int64_t run_id;
    size_t points;
};

int traces_make(struct traces *out);
void traces_remove(struct traces *t); /* accepts an all-zero one */

int traces_open(struct traces *t);
/* All of the record, which starts over. */
int traces_put(struct traces *t, const struct network *n, const struct trainer *trainer,
               struct training_record *record);

#endif
