/* parameters.h - where a network's parameters are in memory, and their initial values.
 * Dense      weights and biases layer by layer: a layer's weights, then its biases (a norm's scales, then its shifts).
 *            Gradients, momenta and what is exchanged have the same layout.
 * Tables     rows of embeddings, apart: a step touches few of them, and their gradients are rows, too.
 * Tensors    what is exchanged as a whole: a layer's weights; its biases.
 * Start      by the scheme, drawn from (seed, layer, index). Biases and shifts 0, scales 1, unless the scheme says
 *            otherwise.
 *   HE          deviation sqrt(2 / values read): arXiv 1502.01852, "MSRA"; dynprec's ResNet-50, 3LC's and Split-CNN's
 *               ResNets
 *   GLOROT      uniform, +- sqrt(6 / (values read + values written)): Glorot and Bengio, 2010
 *   LECUN       deviation sqrt(1 / values read): LeCun and others, "Efficient BackProp", 1998
 *   NORMAL      the deviation given, and the biases given: A2DTWP, section IV-B, has 0.1 (a variance of 1e-2) and
 *               biases of 0.1 or 0, Caffe's AlexNet 0.01
 *   DLRM        deviation sqrt(2 / (values read + values written)), biases' sqrt(1 / values written): DLRM's repository
 *   In every scheme tables are uniform, +- 1 / sqrt(rows of a table), and a token's row has the deviation 1 / sqrt(its
 *   values).
 * Units      floats (4 bytes) for offsets and counts. */
#ifndef NARROWS_TRAIN_NET_PARAMETERS_H
#define NARROWS_TRAIN_NET_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

enum initialization_scheme {
    INITIALIZE_HE,
    INITIALIZE_GLOROT,
    INITIALIZE_LECUN,
    INITIALIZE_NORMAL,
    INITIALIZE_DLRM,
    INITIALIZATION_SCHEMES,
};

struct initialization {
    enum initialization_scheme scheme;
    double deviation, biases; /* NORMAL */
};

enum { NO_PARAMETERS = -1 };

struct layer_place {
    int64_t weights, biases; /* among the dense ones; NO_PARAMETERS: it has none */
    int64_t table;           /* among the tables */
};

struct parameter_tensor {
    int32_t layer;
    bool biases; /* else weights */
    int64_t at, n;
};

struct parameter_map {
    struct layer_place *layers; /* [model.nlayers] */
    struct parameter_tensor *tensors;
    size_t ntensors;
    int64_t ndense, ntable;
};

int parameter_map_make(const struct model *m, struct parameter_map *out); /* E_NOMEM */
void parameter_map_free(struct parameter_map *p);                         /* accepts an all-zero one */

/* dense[0..ndense), tables[0..ntable). */
void parameters_initialize(const struct parameter_map *p, const struct model *m, const struct initialization *how,
                           uint64_t seed, float *dense, float *tables);

/* "conv1.weights", "block2.norm1.biases": into text[0..size). */
void parameter_tensor_name(const struct parameter_map *p, const struct model *m, size_t tensor, char *text,
                           size_t size);

#endif
