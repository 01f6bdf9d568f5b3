/* session.h - one bench in progress: where the weights are, what they are compared with, and what was timed so far. */
#ifndef NARROWS_HARNESS_BENCH_SESSION_H
#define NARROWS_HARNESS_BENCH_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "harness/bench/bench.h"

struct session;

/* Something to time. 'nbytes' must move. */
struct work {
    const char *kernel, *impl;
    int keep; /* 0: none is kept or dropped */
    double nbytes;
    void (*run)(struct session *s, const struct work *w);
    const void *row; /* of the kernel's table of implementations */
};

/* Where the weights live and which clock counts: a number of host threads, or a device. */
struct session {
    const struct bench_options *o;
    size_t n; /* weights of all layers */
    void *from, *to;
    double *scratch; /* l2norm_work(n) doubles and one for the result */
    _Bool device;
    int threads;
    struct work anchor;
    int64_t anchor_reps; /* stored so far: their repetitions are numbered through the session */
    double *anchor_s;    /* the same, in seconds */
    size_t anchor_room;
};

/* Time anchor, works[0], works[1], ... in turn, store the samples, print a line for each. */
int session_time(struct session *s, const struct work *works, size_t nworks);

/* The anchor's own line, over all of its repetitions. */
void session_print_anchor(struct session *s);
void session_print_head(const struct session *s);

/* Does --impl ask for this one? */
_Bool session_wants(const struct session *s, const char *impl);

/* The groups: each times its rows that live where the session does. */
int copy_rows(struct session *s);
int adt_rows(struct session *s);
int l2norm_rows(struct session *s);

#endif
