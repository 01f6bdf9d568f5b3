/* step_progress.h - report on stderr how far concurrent training runs are: steps done of all runs, samples a second,
 * time left; and for the run that took the newest step, its loss and last evaluation. On a terminal, one line that is
 * rewritten at most ten times a second. Elsewhere a line every 30 seconds, or when 5 % more are done, but at most one
 * a second. NARROWS_QUIET switches it off.
 * Threads    begin and end are the caller's; the other functions may be called from any thread, each with its own
 *            training_live.
 * Ownership  texts are not copied: they must live until the end. */
#ifndef NARROWS_HARNESS_TRAINING_STEP_PROGRESS_H
#define NARROWS_HARNESS_TRAINING_STEP_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct training_progress {
    pthread_mutex_t lock; /* for all below, and for printing */
    const char *label;
    int runs, finished;
    int64_t steps, done, before; /* of all runs; done; done by earlier processes */
    int64_t samples;             /* of this process */
    int64_t began_ns, shown_ns, shown_done;
    FILE *out;
    int64_t (*clock_ns)(void); /* called under the lock */
    bool terminal, quiet, shown;
};

/* One run, as its own thread knows it. */
struct training_live {
    const char *name;
    int64_t steps, step; /* all, done */
    bool stepped;        /* in this process, so there is a loss */
    double loss;
    const char *metric, *unit; /* of the last evaluation; NULL: none yet */
    double value;
};

/* 'steps' of all runs together, including those that an earlier process did. */
void training_progress_begin(struct training_progress *p, const char *label, int runs, int64_t steps);
void training_progress_end(struct training_progress *p); /* wipes the terminal's line */

/* A run begins; an earlier process did 'before' of its steps (its checkpoint). */
void training_progress_start(struct training_progress *p, struct training_live *one, const char *name, int64_t steps,
                             int64_t before);
void training_progress_step(struct training_progress *p, struct training_live *one, double loss, int64_t samples);
/* ("accuracy", 71.2, "%"), ("BLEU", 27.1, ""). */
void training_progress_evaluated(struct training_progress *p, struct training_live *one, const char *metric,
                                 double value, const char *unit);
/* A run is over. Steps that it did not take, since it failed, no longer count. */
void training_progress_finish(struct training_progress *p, struct training_live *one);

/* --- for tests --- */
/* Is it time to print? 'now_ns' is of clock_ns(). */
bool training_progress_due(const struct training_progress *p, int64_t now_ns);
/* The line, without an end; cut to 'columns' characters, 0: not cut. */
void training_progress_line(const struct training_progress *p, const struct training_live *one, int64_t now_ns,
                            int columns, char *line, size_t size);

#endif
