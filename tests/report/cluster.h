/* cluster.h - small databases with made-up results of the cluster papers and of a sweep, through the store's interface.
 * The same calls give the same contents, and no two measures of a point are alike, so that a swapped column shows. */
#ifndef NARROWS_TESTS_REPORT_CLUSTER_H
#define NARROWS_TESTS_REPORT_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/store/store.h"

/* 3lc-table-1, all designs at three bandwidths, or the first 'npoints' of its points, as a killed run leaves them; 0:
 * all. One of its cells is fitted. */
void cluster_threelc(struct store *s, size_t npoints);

/* dct-section-3-3, dct-figure-7a-curve and dct-figure-7c. */
void cluster_dct(struct store *s, bool curves);

/* splitcnn-fig11 and the cell that the paper prints. */
void cluster_splitcnn(struct store *s);

/* A scenario of this name: variants fp16 (the baseline), 3lc and 10% sparse over bandwidths x densities, and if
 * 'workers' also x 4 and 16 workers, zipped with a batch of 256 and 1024. Step times are such that each variant is the
 * fastest somewhere. */
struct cluster_sweep {
    const char *name;
    size_t nbandwidths, ndensities; /* at most 4, 3; 1: not swept, though one bandwidth is listed */
    bool workers;
    size_t npoints; /* of them; 0: all */
    bool no_baseline;
    double slower; /* times that the others take as long; 0: once */
};
void cluster_sweep(struct store *s, const struct cluster_sweep *c);

#endif
