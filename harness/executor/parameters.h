/* parameters.h - what REAL needs in addition to tensors: weights, gradients, the statistics of batch norms, labels and
 * the loss; their layout and initial values.
 * Layout     one array: the weights layer by layer (weights, then biases; a batch norm's scales, then its shifts),
 *            the gradients in the same order, the statistics (mean, then inverse deviation) of each batch norm and
 *            patch, labels, the loss.
 * Start      He's deviation, sqrt(2 / inputs), drawn as the sum of four bytes, which needs no library's logarithm and
 *            so gives the same bits everywhere. In a residual block it is divided by the root of the number of sums,
 *            so that depth alone makes nothing overflow. Biases and shifts are small, scales near 1. All drawn from
 *            (seed, layer, index).
 * Units      floats (4 bytes) for offsets and counts. */
#ifndef NARROWS_HARNESS_EXECUTOR_PARAMETERS_H
#define NARROWS_HARNESS_EXECUTOR_PARAMETERS_H

#include <stdint.h>

#include "sim/plan/plan.h"

struct layer_parameters {
    int64_t weights, biases; /* offsets among the weights */
    int64_t statistics;      /* offset among the statistics */
};

struct parameters {
    struct layer_parameters *layers; /* [model.nlayers] */
    int64_t nweights;                /* with biases; as many gradients */
    int64_t nstatistics, nlabels;
    int64_t total; /* length of the array */
};

int parameters_make(const struct memory_plan *plan, struct parameters *out); /* NW_ENOMEM */
void parameters_free(struct parameters *p);

/* weights[0..nweights). */
void parameters_draw(const struct parameters *p, const struct model *m, uint64_t seed, float *weights);
void images_draw(uint64_t seed, float *images, int64_t n); /* mean 0, deviation 1 */
void labels_draw(uint64_t seed, int32_t *labels, int64_t n, int64_t classes);

#endif
