/* formula.h - a network that is a formula, as a transport, with a clock of its own: trials take the time that they say,
 * and nothing waits. */
#ifndef NARROWS_TESTS_NETWORK_FORMULA_H
#define NARROWS_TESTS_NETWORK_FORMULA_H

#include "harness/network/trial.h"

struct formula {
    struct transport transport; /* its ranks and members are set by the test */
    double rate_Bps;
    double alone_s;       /* an empty message */
    double message_s;     /* the sender's time for each message of a stream */
    double framing_bytes; /* of each message of a stream */
    double burst_bytes;   /* of a stream: for nothing */
    double two_way;       /* share of the rate with traffic in both directions */
    double noise;         /* share by which a stream takes longer after every other doubling */
    int64_t wrong;        /* of every collective */
    int64_t offset_ns[8]; /* of each rank's clock */
    int64_t skew_ns[8];   /* after the first, of each rank leaving a barrier */
    int64_t now_ns;       /* the clock of rank 0 */
    size_t trials;
    int fail_at; /* the trial of this number, from 1, answers NW_ENOMEM; 0: none */
};

/* 100 Mbit/s, 10 us, everything else nothing. */
struct formula formula_make(int members);

/* Its transport; the formula must stay where it is. */
struct transport *formula_transport(struct formula *f);

#endif
