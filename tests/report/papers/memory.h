/* memory_runs.h - made-up runs of the scenarios about memory plans that Split-CNN's report reads, through the store's
 * interface. The same calls give the same contents, and no two measures of a point are alike. */
#ifndef NARROWS_TESTS_REPORT_PAPERS_MEMORY_H
#define NARROWS_TESTS_REPORT_PAPERS_MEMORY_H

#include "harness/store/store.h"

/* All of them: the scenarios of Figures 1, 8, 9, 10 and 11, of the cliff and of placements. */
void memory_runs(struct store *s);

/* The least that can be drawn: of each figure's scenario one variant, with one operation, at one place. */
void memory_runs_least(struct store *s);

#endif
