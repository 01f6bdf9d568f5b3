/* summary.h - what follows the table of a run: a sentence for each variant, notes on what was assumed and on what
 * does not fit, and the published cells that the points are compared with.
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_REPORT_ANSWER_SUMMARY_H
#define NARROWS_HARNESS_REPORT_ANSWER_SUMMARY_H

#include "harness/report/answer/answer.h"
#include "harness/run/fit/calibration.h"
#include "harness/scenario/scenario.h"

/* A run that has just ended. */
struct answered_run {
    const struct scenario_file *file;
    struct store *store;
    struct calibrations *calibrations;
    int64_t run_id;
    const size_t *points; /* the points that were computed; NULL: all of the file's */
    size_t npoints;
};

/* Where each variant is a twentieth faster than the baseline: of a run of one place on the axes the bandwidth from
 * which it is, of the link that binds the baseline, else the network's, else the GPUs'. It is left out where finding
 * it would take longer than some seconds. Of a sweep, at how many places. */
int answer_sentences(const struct answered_run *w, const struct answer *a, FILE *out);

/* Each once: codecs without given rates, shares of a datasheet left at 1, too little memory, idle GPUs, batches that do
 * not divide evenly. */
int answer_notes(const struct answered_run *w, const struct answer *a, FILE *out);

/* A line for each published cell that a point covers: the paper's value, that of narrows, the difference. */
int answer_cells(const struct answered_run *w, FILE *out);

#endif
