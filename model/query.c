/* query.c - properties of layers and networks. */
#include <limits.h>
#include <stdbool.h>

#include "model/model.h"
#include "model/numbers.h"

bool layer_has_second(const struct layer *l)
{
    return l->kind == LAYER_ADD || l->second != LAYER_NO_LAYER;
}

int layer_earliest(const struct layer *l)
{
    int first = l->kind == LAYER_TOKENS ? INT_MAX : l->input;

    return layer_has_second(l) ? (int)min64(l->second, first) : first;
}

bool layer_is_norm(const struct layer *l)
{
    return l->kind == LAYER_BATCHNORM || l->kind == LAYER_LAYERNORM;
}

int64_t layer_weight_row(const struct layer *l)
{
    switch (l->kind) {
    case LAYER_TOKENS: return l->dim;
    case LAYER_LINEAR:
    case LAYER_PLACE:
    case LAYER_ATTENTION: return l->in.width;
    default: return l->out.channels > 0 ? l->weights / l->out.channels : 0;
    }
}

bool shape_is_sequence(struct shape s)
{
    return s.height == 1 && s.width > 1;
}

int64_t model_softmax_rows(const struct layer *l)
{
    return shape_is_sequence(l->out) ? l->out.channels : 1;
}

int64_t model_labels(const struct model *m)
{
    const struct layer *last = &m->layers[m->nlayers - 1];

    return last->kind == LAYER_SOFTMAX ? model_softmax_rows(last) : 1;
}

int64_t layer_ids(const struct layer *l)
{
    switch (l->kind) {
    case LAYER_EMBEDDING: return l->tables * l->lookups;
    case LAYER_TOKENS: return l->in.channels;
    case LAYER_PLACE: return l->by == PLACE_BY_SEGMENT ? l->in.channels : 0;
    default: return 0;
    }
}

int64_t model_ids(const struct model *m)
{
    int64_t ids = 0;

    for (size_t i = 0; i < m->nlayers; i++)
        ids += layer_ids(&m->layers[i]);
    return ids;
}
