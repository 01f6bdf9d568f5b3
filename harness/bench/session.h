/* session.h - something to time, what it is compared with, and one size of it timed on one number of host threads, or
 * on a device. For harness/bench.
 * Time       an anchor and the works compared with it take turns: anchor, work 1, work 2, anchor, ... Each repetition
 *            is compared with the anchor right before it, so that what slows the machine for a moment slows both.
 * Bytes      that must move: read and written by the task itself. A line that an ordinary store reads first does not
 *            count.
 * Anchors    loops that do nothing but move bytes, with the same mix of reads and writes as the work.
 * Data       never zero: some processors write lines of zeros twice as fast as any other.
 * Errors     0 or a negative nw_status with the message on stderr. */
#ifndef NARROWS_HARNESS_BENCH_SESSION_H
#define NARROWS_HARNESS_BENCH_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/bench/bench.h"
#include "harness/measure/buffer.h"

struct anchor_impl;
struct impl;
struct session;

enum anchor {
    ANCHOR_COPY,   /* non-temporal copy: reads 4 and writes 4 bytes a value */
    ANCHOR_UPDATE, /* y += x: reads 8, writes 4 */
    ANCHOR_SCALE,  /* y *= s in place: reads 4, writes 4 */
    ANCHOR_READ,   /* largest magnitude: reads 4 */
    NANCHORS
};

struct work {
    const char *kernel; /* "zre-encode" */
    const char *impl;   /* the row's name, or the peer's: "avx512+omp", "zstd -1" */
    char variant[48];   /* "keep=3", "density=5%"; "" for none */
    double nbytes;      /* that must move */
    double flops;       /* where rates are counted in FLOP and not in bytes, else 0 */
    double bits;        /* a value on the wire, for codecs; 0 for none. Read after the timing, so 'run' may fill it */
    void (*before)(struct work *w); /* outside of the clock, before each repetition; may be NULL */
    void (*run)(struct work *w);
    void *arg; /* theirs */
};

/* The anchors' loops of one implementation, over the session's own buffers. The works refer to *out. */
struct anchor_loops {
    struct session *s;
    const struct anchor_impl *row;
    struct work works[NANCHORS];
};

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

/* --- for the groups --- */

/* Time 'against' and the works in turn, store the samples, print a line each. */
int session_time(struct session *s, struct work *against, struct work *works, size_t nworks);

/* A loop of an implementation, and the anchor that it is compared with. */
struct loop {
    const char *kernel;
    enum anchor anchor;
    double nbytes, bits; /* a value */
    void (*run)(struct work *w);
    void (*before)(struct work *w);
};

/* Time the loops one after another, each against its anchor. */
int session_loops(struct session *s, const struct loop *loops, size_t n, const char *impl, const char *variant,
                  void *arg);

void session_anchor_loops(struct session *s, const struct anchor_impl *row, struct anchor_loops *out);

/* Memory that lives until the group is done, touched and filled with bytes that are not zero; NULL with the message
 * written if there is none. */
void *session_alloc(struct session *s, size_t nbytes);

/* Let go of every piece that the group got so far. */
void session_let_go(struct session *s);

/* Does this row live where the session does, is it parallel as the session is, and can it run here? */
bool session_fits(const struct session *s, const struct impl *im);

/* Should this row be timed: does it fit, and does --impl ask for it? */
bool session_wants(const struct session *s, const struct impl *im);

/* Should this peer (another library, on the host) be timed? It is, unless --impl asks for another name. */
bool session_wants_peer(const struct session *s, const char *name);

/* --- for the bench --- */

/* Buffers and anchors for one size. session_end() accepts one that failed to begin. */
int session_begin(struct session *s);
void session_end(struct session *s);

/* Time one group and release its buffers. */
int session_group(struct session *s, const struct group *g);

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

#endif
