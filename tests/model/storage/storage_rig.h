/* storage_rig.h - shared by storage_test.c and storage_compute_test.c. */
#ifndef NARROWS_TESTS_MODEL_STORAGE_STORAGE_RIG_H
#define NARROWS_TESTS_MODEL_STORAGE_STORAGE_RIG_H

#include "tests/draw.h"
#include "tests/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "model/storage/storage.h"
#include "tests/model/graph/graph_nets.h"
#include "tests/model/graph/graph_player.h"

static const struct split_net unsplit = { .rows = 1, .columns = 1 };

static const struct storage_options sharing = { .in_place = 1, .share_sums = 1 };

struct built {
    struct model m;
    struct graph g;
    struct storage_list s;
};

static inline void assign(struct built *b, const struct split_net *split, int64_t batch,
                          const struct graph_options *options, const struct storage_options *storage)
{
    char why[200] = "";

    if (graph_build(&b->m, split, batch, options, &b->g, why, sizeof(why)) != E_OK)
        fail_msg("%s", why);
    assert_int_equal(storage_assign(&b->g, storage, &b->s), E_OK);
}

static inline void release(struct built *b)
{
    storage_free(&b->s);
    graph_free(&b->g);
}

static inline struct built infer(struct layer_spec *list, size_t n)
{
    struct model_spec spec = {
        .name = "m", .channels = 4, .height = 8, .width = 8, .classes = 10, .layers = list, .nlayers = n
    };
    struct built b = { .s = { 0 } };
    char why[200] = "";

    if (model_infer(&spec, &b.m, why, sizeof(why)) != E_OK)
        fail_msg("%s", why);
    return b;
}

static inline int32_t find(const struct built *b, const char *name)
{
    char text[64];

    for (int32_t i = 0; i < (int32_t)b->g.noperations; i++) {
        graph_operation_name(&b->g, &unsplit, i, text, sizeof(text));
        if (!strcmp(text, name))
            return i;
    }
    fail_msg("no operation %s", name);
    return NO_OPERATION;
}

static inline const struct operation *named(const struct built *b, const char *name)
{
    return &b->g.operations[find(b, name)];
}

/* What the definition keeps, from the model alone (not split, nothing computed again): every tensor that backward
 * reads, and what OUTPUTS adds. */
static inline int64_t kept_bytes(const struct model *m, enum generated generated)
{
    int n = (int)m->nlayers;
    bool *error = calloc(m->nlayers, sizeof(*error)), *kept = calloc(m->nlayers, sizeof(*kept));
    int64_t bytes = 0;

    for (int l = 0; l < n; l++) {
        const struct layer *k = &m->layers[l];
        bool cudnn = generated == GENERATED_CUDNN, x = false, y = 0;
        error[l] = k->weights + k->shared_weights + k->biases + k->table_values > 0 ||
                   (k->input >= 0 && error[k->input]) || (k->second >= 0 && error[k->second]);
        if (!error[l])
            continue;
        switch (k->kind) {
        case LAYER_CONV:
        case LAYER_FC:
        case LAYER_CLASSIFIER:
        case LAYER_BATCHNORM:
        case LAYER_INTERACTION:
        case LAYER_LINEAR:
        case LAYER_LAYERNORM:
        case LAYER_RMSNORM:
        case LAYER_GELU:
        case LAYER_SILU:
        case LAYER_PRODUCT:
        case LAYER_ATTENTION: x = 1; break;
        case LAYER_MAXPOOL: x = 1, y = cudnn; break;
        case LAYER_AVGPOOL: x = y = cudnn; break;
        case LAYER_RELU: x = cudnn, y = 1; break;
        case LAYER_SIGMOID: x = cudnn && l < n - 1, y = 1; break; /* at the end it begins with y */
        case LAYER_TANH:
        case LAYER_SOFTMAX: y = 1; break;
        default: break;
        }
        int last = l; /* a dropout behind a ReLU tells what it was */
        for (int d = l + 1; k->kind == LAYER_RELU && generated == GENERATED_STORED && d < n; d++) {
            int readers = 0;
            for (int r = 0; r < n; r++)
                readers += (m->layers[r].input == last) + (m->layers[r].second == last);
            if (m->layers[d].kind == LAYER_DROPOUT && m->layers[d].input == last && readers == 1)
                last = d;
        }
        if (x && k->input >= 0)
            kept[k->input] = 1;
        if ((k->kind == LAYER_ATTENTION || k->kind == LAYER_PRODUCT) && k->second >= 0)
            kept[k->second] = 1;
        if (y || generated == GENERATED_OUTPUTS)
            kept[last] = 1;
    }
    for (int l = 0; l < n; l++)
        bytes += kept[l] ? 4 * m->layers[l].activations : 0;
    free(error);
    free(kept);
    return bytes;
}

static struct layer_spec block_path[] = {
    { .kind = LAYER_CONV, .name = "conv1", .channels = 4, .kernel = 1 },
    { .kind = LAYER_BATCHNORM, .name = "norm1" },
    { .kind = LAYER_RELU, .name = "relu1" },
    { .kind = LAYER_CONV, .name = "conv2", .channels = 4, .kernel = 1 },
    { .kind = LAYER_BATCHNORM, .name = "norm2" },
};

static struct layer_spec residual[] = {
    { .kind = LAYER_CONV, .channels = 4, .kernel = 1 },
    { .kind = LAYER_BLOCK,
      .repeat = 1,
      .shortcut = SHORTCUT_IDENTITY,
      .relu = 1,
      .layers = block_path,
      .nlayers = COUNT(block_path) },
    { .kind = LAYER_AVGPOOL },
    { .kind = LAYER_CLASSIFIER },
    { .kind = LAYER_SOFTMAX },
};

#endif
