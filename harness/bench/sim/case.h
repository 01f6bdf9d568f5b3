/* case.h - one thing to time, and what one repetition of it found. For harness/bench/sim. */
#ifndef NARROWS_HARNESS_BENCH_SIM_CASE_H
#define NARROWS_HARNESS_BENCH_SIM_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of one repetition. */
struct sim_result {
    int64_t elapsed_ns; /* of one play: of several in a row, divided by their number */
    int64_t events;     /* in one play: what 'unit' of the case counts */
    double end_s;       /* simulated; 0: nothing is simulated to an end */
    double mean_end_s;  /* of random flows */
    int64_t peak_bytes; /* of the process, program and libraries included ... */
    int64_t idle_bytes; /* ... and what it held before it began */
    int rc;
};

struct sim_case {
    const char *kind; /* "ring" */
    int64_t size;     /* of it: ranks, flows, patches */
    const char *size_unit, *unit;
    int (*run)(const struct sim_case *c, struct sim_result *r);
    double (*expected_s)(const struct sim_case *c); /* in closed form; NULL: there is none */
    const char *peer;                               /* how the peer is asked; NULL: it is not */
    double agree; /* largest relative difference to the peer's end that is accepted; 0: not compared, it is chaotic */
    bool growth;  /* part of the figure of cost against size */
    bool minutes; /* takes them: only on request */
    const char *net;         /* of a plan, in scenarios/models; its size is a square number of patches */
    const char *const *sets; /* two of a scenario, one of a plan: what it changes in its text; NULL: nothing */
    int (*anchor)(const struct sim_case *c, struct sim_result *r); /* the same in the plain way; NULL: there is none */
};

/* The network of all rings and flows: hosts on one switch. */
extern const double star_rate_Bps, star_latency_s; /* of each link; a hop crosses two */
enum { STAR_HOSTS = 1000, RING_BYTES = 16 << 20 };

/* Of a loop or a burst, in the order of the hosts: record for record what the peer reads. */
struct star_flow {
    uint32_t src, dst;
    int64_t bytes;
};

/* 'n' flows over STAR_HOSTS hosts: as many from each, to a random other host, 64 KiB to 16 MiB. From malloc; NULL if
 * memory ran out. */
struct star_flow *star_flows(int64_t n);

int run_ring(const struct sim_case *c, struct sim_result *r);
int run_symmetric(const struct sim_case *c, struct sim_result *r);
double ring_closed_s(const struct sim_case *c);
int run_rails(const struct sim_case *c, struct sim_result *r);
double rails_closed_s(const struct sim_case *c);
int run_loop(const struct sim_case *c, struct sim_result *r);
int run_burst(const struct sim_case *c, struct sim_result *r);
int run_scratch(const struct sim_case *c, struct sim_result *r); /* a burst, all rates again after every end */
int run_iterations(const struct sim_case *c, struct sim_result *r);
int run_points(const struct sim_case *c, struct sim_result *r);
int run_break_even(const struct sim_case *c, struct sim_result *r);

/* Memory plans of one GPU of 16 GB, three quarters of the convolutions split: made; the exact placement alone; the
 * largest batch; a step as planned. */
int run_plan(const struct sim_case *c, struct sim_result *r);
int run_place(const struct sim_case *c, struct sim_result *r);
int run_largest(const struct sim_case *c, struct sim_result *r);
int run_plan_played(const struct sim_case *c, struct sim_result *r);

/* Greedy-by-size of drawn buffers, with lifetimes up to a fifth of the span, a half, and all of it; the last with equal
 * sizes; a half with gaps and alignments. */
int run_buffers(const struct sim_case *c, struct sim_result *r);
int run_buffers_half(const struct sim_case *c, struct sim_result *r);
int run_buffers_span(const struct sim_case *c, struct sim_result *r);
int run_buffers_equal(const struct sim_case *c, struct sim_result *r);
int run_buffers_gaps(const struct sim_case *c, struct sim_result *r);

/* In child.c: run the case in a process of its own. */
int child_run(const struct sim_case *c, struct sim_result *r);

/* In peer.c: its name and version, false if it was not built or cannot be started; one repetition. */
bool peer_name(char *name, size_t size);
int peer_run(const struct sim_case *c, struct sim_result *r);

#endif
