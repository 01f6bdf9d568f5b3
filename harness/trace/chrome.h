/* chrome.h - a timeline as Chrome trace JSON, which ui.perfetto.dev and chrome://tracing open. A process for each
 * kind of track ("gpu", "nic-out"), a thread for each track, for slots of a pool beyond the first "cpu 0 #3"; a
 * complete event for each span, with its bytes and its mean rate in the arguments.
 * Spans of the critical path have the category "critical" and say so in their arguments.
 * Units      ts and dur in microseconds with six decimals: exact picoseconds. Rates in GB/s (1e9).
 * Errors     what ferror() says of the stream. */
#ifndef NARROWS_HARNESS_TRACE_CHROME_H
#define NARROWS_HARNESS_TRACE_CHROME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/engine/timeline.h"

/* A value that changes at instants, drawn as a staircase. */
struct chrome_counter {
    const char *name, *unit;
    size_t n;
    const int64_t *at_ps; /* ascending */
    const double *values;
};

/* What goes into the file's "otherData", as it stands, besides the counts of the timeline. */
struct chrome_note {
    const char *name, *text;
};

struct chrome_options {
    const struct chrome_note *notes;
    size_t nnotes;
    bool arrows; /* from each span to those that its end let start */
    const struct chrome_counter *counters;
    size_t ncounters;
    bool load; /* also a counter for each track with transfers: the sum of the mean rates of those under way */
};

/* 0, or NW_ENOMEM. */
int chrome_write(const struct timeline *t, const struct chrome_options *o, FILE *out);

#endif
