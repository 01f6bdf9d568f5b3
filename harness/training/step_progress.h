/* step_progress.h - tell the person at stderr how far trainings have come that run beside one another: steps done of all of them,
 * samples a second, time left; and of the one that took the newest step, its loss and last evaluation. On a terminal one line
 * that is rewritten at most ten times a second; elsewhere a line every 30 seconds, or where 5 % more are done, at most one a
 * second. NARROWS_QUIET silences it.
 * Threads    begin and end are the caller's; what lies between may be called from any thread, each with its own training_live.
 * Ownership  texts are not copied: they must live until the end. */
#ifndef NARROWS_HARNESS_TRAINING_STEP_PROGRESS_H
#define NARROWS_HARNESS_TRAINING_STEP_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct training_progress {
    pthread_mutex_t lock; /* of all below, and of what is printed */
    const char *label;
    int trainings, finished;
    int64_t steps, done, before; /* of all trainings; done, of which so many before this run */
    int64_t samples;             /* of this run */
    int64_t began_ns, shown_ns, shown_done;
    FILE *out;
    int64_t (*clock_ns)(void); /* asked under the lock */
    bool terminal, quiet, shown;
};

/* One training, as its own thread knows it. */
struct training_live {
    const char *name;
    int64_t steps, step; /* all, done */
    bool stepped;        /* in this run: there is a loss */
    double loss;
    const char *metric, *unit; /* of the last evaluation; NULL: none yet */
    double value;
};

/* 'steps' of all trainings together, those included that an earlier run did. */
void training_progress_begin(struct training_progress *p, const char *label, int trainings, int64_t steps);
void training_progress_end(struct training_progress *p); /* wipes the terminal's line */

/* A training begins; 'before' of its steps were done by an earlier run (its checkpoint). */
void training_progress_start(struct training_progress *p, struct training_live *one, const char *name, int64_t steps,
                             int64_t before);
void training_progress_step(struct training_progress *p, struct training_live *one, double loss, int64_t samples);
/* ("accuracy", 71.2, "%"), ("BLEU", 27.1, ""). */
void training_progress_evaluated(struct training_progress *p, struct training_live *one, const char *metric,
                                 double value, const char *unit);
/* A training is over; steps that it did not take, as it was good enough or failed, are not waited for. */
void training_progress_finish(struct training_progress *p, struct training_live *one);

/* --- what the tests look at --- */
/* Is it time to print, 'now_ns' on the clock that began_ns is from? */
bool training_progress_due(const struct training_progress *p, int64_t now_ns);
/* The line, without an end; cut to 'columns' characters, 0: not cut. */
void training_progress_line(const struct training_progress *p, const struct training_live *one, int64_t now_ns,
                            int columns, char *line, size_t size);

#endif
