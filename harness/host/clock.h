/* clock.h - the time on this host. */
#ifndef NARROWS_HARNESS_HOST_CLOCK_H
#define NARROWS_HARNESS_HOST_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_read_ns(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Since some moment in the past, never backwards: for durations. */
static inline int64_t clock_ns(void)
{
    return clock_read_ns(CLOCK_MONOTONIC);
}

static inline double clock_s(void)
{
    return 1e-9 * (double)clock_ns();
}

/* Since 1970, UTC: for dates. */
static inline int64_t clock_wall_ns(void)
{
    return clock_read_ns(CLOCK_REALTIME);
}

#endif
