/* parameters.h - what REAL has besides tensors: weights and their gradients, batch norms' statistics, labels, the loss; where each
 * lies, and what it is at first.
 * Layout     one run of values: weights layer by layer (weights, then biases; a batch norm's scales, then its shifts), gradients
 *            in the same order, statistics (mean, then inverse deviation) of every batch norm and patch, labels, the loss.
 * Start      He's deviation, sqrt(2 / values read), drawn as the sum of four bytes: that needs no library's logarithm, so the same
 *            bits come out anywhere. In a residual block it is divided by the root of the number of sums, so that depth alone
 *            lets nothing overflow. Biases and shifts are small, scales near 1. All from (seed, layer, index).
 * Units      floats (4 bytes) for offsets and counts. */
#ifndef NARROWS_HARNESS_EXECUTOR_PARAMETERS_H
#define NARROWS_HARNESS_EXECUTOR_PARAMETERS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/plan/plan.h"

struct layer_parameters {
    int64_t weights, biases, statistics; /* offsets: among the weights, likewise, among the statistics */
};

struct parameters {
    struct layer_parameters *layers; /* [model.nlayers] */
    int64_t nweights;                /* with biases; as many gradients */
    int64_t nstatistics, nlabels;
    int64_t total; /* of the whole run */
};

int parameters_make(const struct memory_plan *plan, struct parameters *out); /* NW_ENOMEM */
void parameters_free(struct parameters *p);

/* weights[0..nweights). */
void parameters_draw(const struct parameters *p, const struct model *m, uint64_t seed, float *weights);
void images_draw(uint64_t seed, float *images, int64_t n); /* mean 0, deviation 1 */
void labels_draw(uint64_t seed, int32_t *labels, int64_t n, int64_t classes);

#endif
