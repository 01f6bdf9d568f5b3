/* played.h - the flows of wires, each started once at a given time, on all ranks or on a fold's classes: when do they
 * end? */
#ifndef NARROWS_TESTS_SIM_PARALLEL_PLAYED_H
#define NARROWS_TESTS_SIM_PARALLEL_PLAYED_H

#include "sim/parallel/fold.h"
#include "sim/platform.h"

/* A wire's flows leave so long after the start, and have their parts of so many bytes. With 'rounds' those of a ring
 * have the latency of as many rounds of it, step_ps added to each hop. */
struct started {
    enum wire wire;
    int64_t at_ps, bytes, rounds, step_ps;
};

/* One flow, by the class of its owner (its sender, or its receiver from the host). */
struct ended {
    int64_t class, wire, to, away, parts, of, latency_ps, end_ps;
};

struct ends {
    struct ended *list;
    size_t n;
};

/* Flows of all ranks on the platform's own links. Sorted, once for each class: fails where two ranks of a class differ.
 */
void play_whole(const struct platform *platform, const struct parallel *p, const struct wiring *w, const struct fold *f,
                const struct started s[], size_t n, struct ends *out);

/* Flows of the fold, sorted. */
void play_folded(const struct fold *f, const struct started s[], size_t n, struct ends *out);

#endif
