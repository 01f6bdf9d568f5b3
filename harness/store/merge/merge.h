/* merge.h - the facts of some databases added to another.
 * Sameness   runs, points, timings and records are numbered by each database; what tells them apart is a run's whole
 *            row, a point's and a timing's key, a record's digest (fact_tables.h). What both have must be equal to the
 *            bit: a difference is NW_EDB after a message with both files, the point, the measure and both values.
 * Order      a point that several computed belongs to the run that began first. The numbers of runs grow with the time
 *            at which they began, in whatever order files are merged.
 * Errors     as in store.h. One transaction: what fails leaves the database as it was. */
#ifndef NARROWS_HARNESS_STORE_MERGE_MERGE_H
#define NARROWS_HARNESS_STORE_MERGE_MERGE_H

#include <stddef.h>
#include <stdint.h>

struct store;

struct merge_counts {
    size_t runs, points; /* that were added */
    size_t present;      /* points that were there */
};

/* Add all facts of the files to 'into': none of them 'into' itself. They are brought up to this program's schema first,
 * or refused (store_open_readonly()). counts[i] is of paths[i]. Where runs are older than some that are there, these
 * are numbered again, which needs the database for itself: NW_EDB if another process has it open. */
int store_merge(struct store *into, const char *const *paths, size_t n, struct merge_counts *counts);

/* What the runs of 'from' computed, as if the run 'run_id' of 'into' had computed it. What they list is left out: that
 * run lists its points itself. */
int store_adopt(struct store *into, int64_t run_id, struct store *from, struct merge_counts *counts);

#endif
