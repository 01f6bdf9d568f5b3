/* executed.h - facts about points that were executed for real (results_schema/facts/36_executed.sql).
 * Units      nanoseconds, bytes.
 * Errors     as in store.h. */
#ifndef NARROWS_HARNESS_STORE_MEASURED_EXECUTED_H
#define NARROWS_HARNESS_STORE_MEASURED_EXECUTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;

/* 1 if the point at this position of the run was executed in this setting and done, by whatever run, 0 if not, or
 * negative. */
int store_was_executed(struct store *s, int64_t run_id, size_t position, const char *setting);

/* 1 if this run began to execute the point at this position, 0 if not, or negative. */
int store_has_begun(struct store *s, int64_t run_id, size_t position);

/* The run has simulated the point, or listed it. */
int store_execution(struct store *s, int64_t run_id, size_t position, const char *setting, int64_t *execution_id);

struct executed_rank_fact {
    const char *role, *host;
    int64_t end_ns, sent_bytes, link_sent_bytes, link_received_bytes;
};
struct executed_fact {
    size_t nranks, repetitions;
    const char *compute, *collective, *library, *parameters, *network;
    int64_t simulated_ns, clock_error_ns, wrong; /* wrong -1: unknown */
    double load_before, load_after;
    const int64_t *step_ns;                 /* [repetitions] */
    const struct executed_rank_fact *ranks; /* [repetitions][nranks] */
};

/* What came of it, and that it is done: one transaction. */
int store_executed(struct store *s, int64_t execution_id, const struct executed_fact *f);

/* Of the executions that this run began and did not end, the newest one failed. rank -1: unknown. 1, 0 if there is
 * none, or negative. */
int store_execution_failed(struct store *s, int64_t run_id, int rank, const char *reason);

/* This run's points are predictions of a validation set. */
int store_validation_run(struct store *s, int64_t run_id, const char *set_name);

/* Median time of a step of the newest execution that was done at this position of the run. 1 and *step_ms and
 * *simulated_ms, 0 if there is none, or negative. */
int store_executed_step(struct store *s, int64_t run_id, size_t position, double *step_ms, double *simulated_ms);

#endif
