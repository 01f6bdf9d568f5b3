/* case.h - timings of the simulator (tables sim_case, sim_sample) and of the trainer (train_case, train_sample).
 * Errors     as in store.h; a case is stored with its repetitions in one transaction. */
#ifndef NARROWS_HARNESS_STORE_CASE_H
#define NARROWS_HARNESS_STORE_CASE_H

#include <stdbool.h>
#include <stdint.h>

struct store;

struct sim_case_fact {
    const char *kind, *program, *size_unit, *event;
    int64_t size, place, events;
    bool growth;
    double end_s, expected_s; /* 0: none */
};
struct sim_sample_fact {
    int64_t elapsed_ns, peak_bytes, idle_bytes;
};
int store_sim_case(struct store *s, int64_t run_id, const struct sim_case_fact *fact,
                   const struct sim_sample_fact *samples, int nsamples);

/* One side of a case. */
struct train_case_fact {
    const char *name, *side;
    /* The side it is compared with, stored with the same repetitions; "": none. */
    const char *against;
    int threads;
    int64_t place;   /* in the order of timing */
    int64_t workers; /* of narrows */
    int64_t samples; /* of a step */
    int64_t steps;   /* of a repetition */
};
int store_train_case(struct store *s, int64_t run_id, const struct train_case_fact *fact, const int64_t *elapsed_ns,
                     int n);

#endif
