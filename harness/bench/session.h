/* session.h - one size timed on one number of host threads, or on a device: what the groups' calls of work.h work on.
 * For harness/bench. */
#ifndef NARROWS_HARNESS_BENCH_SESSION_H
#define NARROWS_HARNESS_BENCH_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/bench/bench.h"
#include "harness/bench/work.h"
#include "harness/measure/buffer.h"

enum { SESSION_BUFFERS = 64, VARIANT = 96 };

/* What was timed so far, so that a second timing of the same continues its numbering. */
struct record {
    char kernel[48], impl[48], variant[VARIANT];
    size_t nvalues;
    int64_t reps;
};

/* Of the whole bench, through all of its sessions. */
struct ledger {
    struct record *records;
    size_t n, capacity;
};

struct session {
    const struct bench_options *o;
    const struct bench_size *size;
    const struct group *group; /* being timed */
    struct ledger *ledger;
    size_t n;                            /* values of all layers, which lie one behind the other */
    int threads;                         /* 1: rows that are not parallel; more: those that are */
    bool device;                         /* rows of IMPL_DEVICE; session_alloc() then gives device memory */
    float *change;                       /* n normal values, variance 1e-2, never zero; only to be read */
    float *state;                        /* n others, free to be changed; ANCHOR_UPDATE and _SCALE change them too */
    float *result;                       /* n others, free to be written; ANCHOR_COPY writes them */
    struct buffer host[SESSION_BUFFERS]; /* memory on the host, the group's after the session's own */
    void *on_device[SESSION_BUFFERS];    /* the same on the device */
    size_t nhost, ndevice, own_host, own_device; /* those below own_ are the session's */
    const struct anchor_impl *anchor_row;        /* the fastest that fits */
    struct anchor_loops anchor_loops;            /* of that row */
    struct work *anchors;                        /* its works, by enum anchor */
    float *anchor_result;                        /* one value */
    size_t nlines;                               /* printed: 0 means that nothing was asked for */
};

/* Buffers and anchors for one size. session_end() accepts one that failed to begin. */
int session_begin(struct session *s);
void session_end(struct session *s);

/* Time one group and release its buffers. */
int session_group(struct session *s, const struct group *g);

/* Note 'reps' more of this one. Returns how many there were before, or NW_ENOMEM. */
int64_t ledger_add(struct ledger *l, const struct work *w, const char *variant, size_t nvalues, int reps);
void ledger_free(struct ledger *l);

/* times[0] the anchor's, times[1 + i] those of works[i]: 'reps' seconds each. */
struct timing {
    struct work *against, *works;
    size_t nworks;
    double **times, *scratch; /* scratch: as many as there are repetitions */
    int reps;
    bool new_anchor; /* not timed in this session before */
};

void table_lines(struct session *s, const struct timing *t); /* print them; sorts the works' times */
int record_times(struct session *s, struct timing *t);       /* into the ledger and the store; sets new_anchor */

/* "keep=3 threads=1" */
void session_variant(const struct session *s, const struct work *w, char *text, size_t size);

#endif
