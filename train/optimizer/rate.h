/* rate.h - the learning rate of each step.
 * CONSTANT     from
 * STEP         from, times 'factor' for each 'every' steps that are over (all the papers' "divided by 10 every 30
 *              epochs")
 * DROPS        from, times 'factor' for each of the shares in drops[] that step / steps has reached (Split-CNN, section
 *              5.2: at 150 and 250 of 350 epochs)
 * EXPONENTIAL  from * factor^(step / every), without stairs
 * COSINE       to + (from - to) * (1 + cos(pi * step / steps)) / 2, without restarts (arXiv 1608.03983; 3LC, section
 *              5.2)
 * Warm-up      in step s of the first 'warmup' the rate is (s + 1) / warmup of what the schedule says (arXiv
 *              1706.02677, section 2.2).
 * Steps count from 0. Pure; rounded to fp32 by who uses it. */
#ifndef NARROWS_TRAIN_OPTIMIZER_RATE_H
#define NARROWS_TRAIN_OPTIMIZER_RATE_H

#include <stdint.h>

enum rate_schedule { RATE_CONSTANT, RATE_STEP, RATE_DROPS, RATE_EXPONENTIAL, RATE_COSINE, RATE_SCHEDULES };

enum { RATE_DROPS_MOST = 16 };

struct rate {
    enum rate_schedule schedule;
    double from, to;
    double factor;
    int64_t every;
    double drops[RATE_DROPS_MOST]; /* shares, rising */
    int ndrops;
    int64_t warmup;
    int64_t steps; /* of the whole training */
};

double rate_at(const struct rate *r, int64_t step);

#endif
