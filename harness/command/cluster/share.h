/* share.h - a process's share of a sweep, played in batches, each in a database in memory that is handed on as bytes. A
 * batch is as many points as take about a second, so that little is lost with a process.
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_COMMAND_CLUSTER_SHARE_H
#define NARROWS_HARNESS_COMMAND_CLUSTER_SHARE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/run/experiment.h"

/* At the end of the bytes of a batch: how the share stands. */
struct share_note {
    size_t computed; /* points of this batch */
    int rc;
    bool last;
};

struct share {
    const struct experiment *x; /* how its points are played; its store is not looked at */
    const struct scenario_file *file;
    const size_t *points; /* in ascending order */
    size_t n;
    /* Takes 'bytes', which it frees: a database (none at an error) and a struct share_note after it. */
    void (*hand_on)(unsigned char *bytes, size_t n, void *argument);
    void *argument;
};

/* Play all of it. What was computed is handed on also where that ends with an error or is interrupted; the last note
 * has the status. */
void share_play(const struct share *s);

/* Add the bytes of a batch to the run of a store, and take their note. */
int share_take(struct store *into, int64_t run_id, const unsigned char *bytes, size_t n, struct share_note *note);

#endif
