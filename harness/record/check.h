/* check.h - does this program's trainer still do what a record says? The first steps of every recorded training run are
 * trained again, with the schedule of the whole run and without evaluations, several runs at a time; nothing is stored.
 * It shows  that these steps have the same facts, bit for bit after the record's rounding (compare.h): code and
 *           scenario still compute the same so far. What acts only later - a learning rate's drop, AWP, a change of
 *           precision - and evaluations are not checked. That the scenario file is what was trained is known where the
 *           point's key is the recorded one; else by what the record has of the point (match.h).
 * Errors    harness status; the message has been printed. NW_EINTR after a signal. What differs is no error. */
#ifndef NARROWS_HARNESS_RECORD_CHECK_H
#define NARROWS_HARNESS_RECORD_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/record/head.h"

struct record_checking {
    const char *path;
    int32_t steps; /* of each training run, at least 1 */
    int jobs;      /* threads, at least 1 */
};

/* What differs, and what does not fit, a line each to 'out'; at the end what was checked. True to *same if every
 * training run of the file agrees; its digest to digest[]. */
int record_check(const struct record_checking *c, FILE *out, bool *same, char digest[RECORD_DIGEST + 1]);

#endif
