/* work.h - something to time, and what it is compared with.
 * Time       an anchor and the works compared with it take turns: anchor, work 1, work 2, anchor, ... Each repetition
 *            is compared with the anchor right before it, so that what slows the machine for a moment slows both.
 * Bytes      that must move: read and written by the task itself. A line that an ordinary store reads first does not
 *            count.
 * Anchors    loops that do nothing but move bytes, with the same mix of reads and writes as the work.
 * Data       never zero: some processors write lines of zeros twice as fast as any other.
 * Errors     0 or a negative nw_status with the message on stderr. */
#ifndef NARROWS_HARNESS_BENCH_WORK_H
#define NARROWS_HARNESS_BENCH_WORK_H

#include <stdbool.h>
#include <stddef.h>

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

/* The anchors' loops of one implementation, over the session's own buffers. The works refer to *out. */
struct anchor_impl;
struct anchor_loops {
    struct session *s;
    const struct anchor_impl *row;
    struct work works[NANCHORS];
};
void session_anchor_loops(struct session *s, const struct anchor_impl *row, struct anchor_loops *out);

/* Memory that lives until the group is done, touched and filled with bytes that are not zero; NULL with the message
 * written if there is none. */
void *session_alloc(struct session *s, size_t nbytes);

/* Let go of every piece that the group got so far. */
void session_let_go(struct session *s);

struct impl;
/* Does this row live where the session does, is it parallel as the session is, and can it run here? */
bool session_fits(const struct session *s, const struct impl *im);

/* Should this row be timed: does it fit, and does --impl ask for it? */
bool session_wants(const struct session *s, const struct impl *im);

/* Should this peer (another library, on the host) be timed? It is, unless --impl asks for another name. */
bool session_wants_peer(const struct session *s, const char *name);

/* A group: times its rows, once for each size and number of threads. groups.c lists them. */
struct group {
    const char *name, *what;
    int (*rows)(struct session *s);
};

#endif
