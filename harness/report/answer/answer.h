/* answer.h - the answer of a run of simulated points, read from the view 'answer': how much faster than the baseline
 * each point is, what limits it, what it sends, whether it fits. A line for each point, shorter where several
 * combinations are compared (run_table.h prints all digits).
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_REPORT_ANSWER_ANSWER_H
#define NARROWS_HARNESS_REPORT_ANSWER_ANSWER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct store;

#define ANSWER_PAYS 1.05 /* speedup from which a variant counts as paying: 5 % */

/* A point's line. Numbers that the method does not report are NaN. */
struct answer_row {
    int64_t position, combination;
    char *variant, *place, *bound_by; /* to be freed */
    bool is_baseline;
    double step_ms, samples_per_s, speedup, scaling, bound_share, exposed_ms, wire_bytes, memory_bytes,
        memory_limit_bytes, gpus, idle_gpus;
};

struct answer {
    struct answer_row *rows;
    size_t n;
    bool more; /* there are more than requested */
};

/* The first 'most' points of the run, in the scenario's order; answer_free() also after an error. */
int answer_read(struct store *s, int64_t run_id, size_t most, struct answer *out);
void answer_free(struct answer *a);

bool answer_swept(const struct answer *a); /* more than one combination of axes */

/* The first 'most' rows. */
int answer_table(const struct answer *a, size_t most, FILE *out);

/* A line for each variant but the baseline: at how many combinations it is how much faster. 'target': the speedup that
 * counts as paying. */
void answer_sum_up(const struct answer *a, double target, FILE *out);

#endif
