/* clock.h - how far the clocks of the ranks are apart. Machines count clock_ns() from different moments, so a moment of
 * rank r is offset_ns[r] later on its clock than on rank 0's.
 * Method     rank 0 asks, the other answers with its clock, many times; the exchange that took least bounds the offset
 *            best: the answer was given at some moment between question and return, so the middle is wrong by half of
 *            the round trip at most.
 * Units      nanoseconds. */
#ifndef NARROWS_HARNESS_MPI_CLOCK_H
#define NARROWS_HARNESS_MPI_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/* Sent and back on the asking rank's clock, there on the other's. */
struct clock_exchange {
    int64_t sent_ns, there_ns, back_ns;
};

struct clock_offset {
    int64_t offset_ns; /* the other's clock less the asking rank's */
    int64_t error_ns;  /* it is wrong by no more, as long as neither clock drifts meanwhile */
};

/* From n >= 1 exchanges. */
struct clock_offset clock_offset_of(const struct clock_exchange *list, size_t n);

/* At a moment between (or near) two estimates, if the clocks drift evenly. All moments are rank 0's. The error is the
 * larger of the two. */
struct clock_offset clock_offset_at(struct clock_offset before, int64_t before_ns, struct clock_offset after,
                                    int64_t after_ns, int64_t at_ns);

/* Estimate the offset of every rank against rank 0, by 'rounds' >= 1 exchanges each. Every rank of the world calls it,
 * and gets all: out[0..ranks). NW_ENOMEM; NW_EENV in a program without MPI. */
int world_clocks(int rounds, struct clock_offset *out);

#endif
