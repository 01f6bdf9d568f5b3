/* claims_view.h - what the view claim says of a paper's conclusions. */
#ifndef NARROWS_TESTS_REPORT_PAPERS_CLAIMS_H
#define NARROWS_TESTS_REPORT_PAPERS_CLAIMS_H

#include "harness/store/store.h"

/* Of claims 1 to n, of training runs of that size or of none: the verdict of those in 'failing' (ends with 0) must be
 * 'instead', of the others 'holds', and there are no more. */
void claims_view_expect(struct store *s, const char *paper, const char *size, const char *why, int n,
                        const int *failing, const char *instead);

#endif
