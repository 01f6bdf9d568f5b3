/* offload.h - what the two files of the group "offload" share. */
#ifndef NARROWS_HARNESS_BENCH_GROUP_OFFLOAD_H
#define NARROWS_HARNESS_BENCH_GROUP_OFFLOAD_H

#include "harness/bench/session.h"
#include "harness/offload/offload.h"

enum {
    SCHEDULE_LAYERS = 64, /* the ends of a schedule, where nothing overlaps, are a part in so many */
    VALUES_MIN = 1 << 20  /* with less, waking a thread is what would be timed */
};

/* Of the host's link: two lanes of PCIe 3.0, and well below what memory copies. */
#define HOST_LINK_BYTES_S 2e9
#define HOST_LINK_LATENCY_NS 5000

struct bench_offload {
    struct session *s;
    struct backend *backend;
    struct offload *o;
    uint8_t *home;  /* pinned, as large as the values */
    float *weights; /* the values, on the host */
    char link_text[16];
    int failed; /* inside a run, which cannot say it */
};

/* Wait for what was started, and remember what went wrong. */
void bench_offload_wait(struct bench_offload *b, int rc, int64_t ticket);

/* The best of a few runs. */
double bench_offload_seconds(struct work *w);

/* offload_schedule.c */
int time_schedules(struct bench_offload *b);

#endif
