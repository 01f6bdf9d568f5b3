/* dct_runs.h - made-up training runs of DCT's report: four tables of three seeds, one of them of a killed run,
 * thresholds, life-spans. */
#ifndef NARROWS_TESTS_REPORT_PAPERS_DCT_H
#define NARROWS_TESTS_REPORT_PAPERS_DCT_H

struct store;

void dct_runs(struct store *s);
void dct_runs_quickly(struct store *s); /* thresholds alone, of one seed */

#endif
