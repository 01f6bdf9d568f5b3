/* series.h - everything that was timed, repetition by repetition, in the order of timing.
 * Ownership  series_free() releases the times. */
#ifndef NARROWS_HARNESS_NETWORK_SERIES_H
#define NARROWS_HARNESS_NETWORK_SERIES_H

#include "harness/network/trial.h"

/* The repetitions of one trial. */
struct timed {
    struct trial trial;
    int64_t *ns;  /* [repetition][flow], or [repetition][rank] of a barrier: 'width' times a repetition */
    size_t width; /* 1 but for streams and barriers */
    size_t repetitions;
    int64_t wrong; /* collectives */
};

struct series {
    struct timed *list;
    size_t n, capacity;
};

/* Perform a trial and append its times; those of a stream that was tried before are further repetitions of that.
 * The status of the transport, or NW_ENOMEM. *out (which may be NULL) is the entry, until the next call. */
int series_perform(struct series *s, const struct transport *by, const struct trial *t, const struct timed **out);
/* Is it the stream of this trial, with so many bytes? */
bool series_is(const struct timed *a, const struct trial *t, int64_t bytes);
void series_free(struct series *s);

/* Of the repetitions: the median, the least and the most of each one's slowest flow, in nanoseconds. */
struct timed_summary {
    double median_ns, least_ns, most_ns;
};
struct timed_summary timed_summary(const struct timed *t);

/* Median time of one flow. */
double timed_flow_ns(const struct timed *t, size_t flow);

/* The first entry with this pattern, peer and number of bytes; NULL if there is none. */
const struct timed *series_find(const struct series *s, enum pattern p, int peer, int64_t bytes);

#endif
