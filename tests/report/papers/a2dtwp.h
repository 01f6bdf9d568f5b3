/* a2dtwp_trained.h - made-up results of A2DTWP's training runs, through the store's interface: Alexnet in batches of 64
 * from two seeds, and how T was found. The same calls give the same contents. */
#ifndef NARROWS_TESTS_REPORT_PAPERS_A2DTWP_H
#define NARROWS_TESTS_REPORT_PAPERS_A2DTWP_H

#include <stdbool.h>

struct store;

struct a2dtwp_trained {
    bool quick;     /* a2dtwp-quick alone, from one seed */
    bool paper;     /* what reaches an error as the paper trained it, too */
    bool batches;   /* in batches of 16, too, which learn and last alike */
    bool never;     /* A2DTWP does not reach the error from the second seed */
    double dearer;  /* A2DTWP's bytes and times, times 1 + this */
    double farther; /* points that A2DTWP's errors lie higher; the error is reached the later */
};

void a2dtwp_trained(struct store *s, const struct a2dtwp_trained *how);

#endif
