/* threelc_trained.h - made-up training runs of 3LC's designs, through the store's interface. The same calls give the
 * same contents. */
#ifndef NARROWS_TESTS_REPORT_PAPERS_THREELC_H
#define NARROWS_TESTS_REPORT_PAPERS_THREELC_H

#include <stdbool.h>

#include "harness/store/store.h"

/* What a test wants otherwise. All zero: each claim of the report holds. */
struct threelc_trained {
    const char *variant; /* of this design, at 100 % of the steps, the following are added; NULL: of none */
    double accuracy, loss, bits, seconds;
    double overtake; /* share of the steps from which on pushes are larger than pulls; 0: 0.7 */
    bool lossy;      /* the zero-run encoding changes a loss */
    bool one_seed;   /* of each training there is one alone */
    bool quick;      /* four designs, 3lc-quick, in place of 3lc-small-table-1, -convergence and -no-zre */
};
void threelc_trained(struct store *s, const struct threelc_trained *t);

#endif
