/* train_case.h - timings of the trainer: tables train_case and train_sample. Errors as in store.h. */
#ifndef NARROWS_HARNESS_STORE_TRAIN_CASE_H
#define NARROWS_HARNESS_STORE_TRAIN_CASE_H

#include <stdint.h>

struct store;

struct train_case_fact {
    const char *name, *side;
    const char *against; /* the side it is compared with, stored with the same repetitions; "": none */
    int threads;
    int64_t place;   /* in the order of timing */
    int64_t workers; /* of narrows */
    int64_t samples; /* of a step */
    int64_t steps;   /* of a repetition */
};

/* One side of a case with its repetitions, in one transaction. */
int store_train_case(struct store *s, int64_t run_id, const struct train_case_fact *fact, const int64_t *elapsed_ns,
                     int n);

#endif
