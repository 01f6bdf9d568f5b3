/* sim_case.h - timings of the simulator itself: tables sim_case and sim_sample. Errors as in store.h. */
#ifndef NARROWS_HARNESS_STORE_SIM_CASE_H
#define NARROWS_HARNESS_STORE_SIM_CASE_H

#include <stdint.h>

struct store;

struct sim_case_fact {
    const char *kind, *program, *size_unit, *event;
    int64_t size, place, events;
    _Bool growth;
    double end_s, expected_s; /* 0: none */
};

struct sim_sample_fact {
    int64_t elapsed_ns, peak_bytes, idle_bytes;
};

/* The case with its repetitions, in one transaction. */
int store_sim_case(struct store *s, int64_t run_id, const struct sim_case_fact *fact,
                   const struct sim_sample_fact *samples, int nsamples);

#endif
