/* match.c - a trace's layers as those of a model. */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/count.h"
#include "harness/import/kineto/kineto.h"

/* Classes of PyTorch's modules, and operators, by what they are in a model. Convolutions of all dimensions are one
 * kind, as are all products with a matrix. */
struct alike {
    const char *name;
    enum layer_kind kind;
};

static enum layer_kind family(enum layer_kind k)
{
    return k == LAYER_CLASSIFIER || k == LAYER_LINEAR ? LAYER_FC : k;
}

/* "conv2d" of "Conv2d_3" and of "conv2d#2". */
static void class_of(const char *layer, char *name, size_t size)
{
    size_t n = 0, digits;

    for (; layer[n] && layer[n] != '#' && n + 1 < size; n++)
        name[n] = (char)tolower((unsigned char)layer[n]);
    digits = n;
    while (digits && isdigit((unsigned char)name[digits - 1]))
        digits--;
    if (digits && digits < n && name[digits - 1] == '_')
        n = digits - 1;
    name[n] = '\0';
}

/* -1: none. */
static int kind_of(const char *layer)
{
    static const struct alike names[] = {
        { "conv1d", LAYER_CONV },
        { "conv2d", LAYER_CONV },
        { "convolution", LAYER_CONV },
        { "linear", LAYER_FC },
        { "addmm", LAYER_FC },
        { "matmul", LAYER_FC },
        { "batchnorm1d", LAYER_BATCHNORM },
        { "batchnorm2d", LAYER_BATCHNORM },
        { "batch_norm", LAYER_BATCHNORM },
        { "layernorm", LAYER_LAYERNORM },
        { "layer_norm", LAYER_LAYERNORM },
        { "rmsnorm", LAYER_RMSNORM },
        { "rms_norm", LAYER_RMSNORM },
        { "relu", LAYER_RELU },
        { "relu_", LAYER_RELU },
        { "relu6", LAYER_RELU },
        { "hardtanh", LAYER_RELU },
        { "hardtanh_", LAYER_RELU },
        { "gelu", LAYER_GELU },
        { "silu", LAYER_SILU },
        { "silu_", LAYER_SILU },
        { "tanh", LAYER_TANH },
        { "sigmoid", LAYER_SIGMOID },
        { "dropout", LAYER_DROPOUT },
        { "maxpool2d", LAYER_MAXPOOL },
        { "max_pool2d", LAYER_MAXPOOL },
        { "avgpool2d", LAYER_AVGPOOL },
        { "avg_pool2d", LAYER_AVGPOOL },
        { "adaptiveavgpool2d", LAYER_AVGPOOL },
        { "adaptive_avg_pool2d", LAYER_AVGPOOL },
        { "embedding", LAYER_TOKENS },
        { "multiheadattention", LAYER_ATTENTION },
        { "softmax", LAYER_SOFTMAX },
        { "log_softmax", LAYER_SOFTMAX },
        { "cross_entropy_loss", LAYER_SOFTMAX },
        { "crossentropyloss", LAYER_SOFTMAX },
    };
    char name[64];

    class_of(layer, name, sizeof(name));
    for (size_t i = 0; i < COUNT(names); i++)
        if (!strcmp(names[i].name, name))
            return (int)names[i].kind;
    return -1;
}

static void match_names(struct kineto_profile *p, const struct model *m, bool *taken)
{
    for (size_t i = 0; i < p->nlayers; i++)
        for (size_t k = 0; k < m->nlayers && p->layers[i].model_layer < 0; k++)
            if (!taken[k] && !strcmp(p->layers[i].name, m->layers[k].name)) {
                p->layers[i].model_layer = (int)k;
                taken[k] = true;
            }
}

static bool is_kind(const struct kineto_layer *l, enum layer_kind kind)
{
    return l->model_layer < 0 && kind_of(l->name) == (int)kind;
}

static void match_kind(struct kineto_profile *p, const struct model *m, const bool *taken, enum layer_kind kind)
{
    size_t in_trace = 0, in_model = 0, next = 0;

    for (size_t i = 0; i < p->nlayers; i++)
        in_trace += is_kind(&p->layers[i], kind);
    for (size_t k = 0; k < m->nlayers; k++)
        in_model += !taken[k] && family(m->layers[k].kind) == kind;
    if (!in_trace || in_trace != in_model)
        return;
    for (size_t i = 0; i < p->nlayers; i++) {
        if (!is_kind(&p->layers[i], kind))
            continue;
        while (taken[next] || family(m->layers[next].kind) != kind)
            next++;
        p->layers[i].model_layer = (int)next++;
    }
}

/* Is it of this class, and may be a sum? That is an operator without a name here, or what a block computes besides its
 * layers; it has a backward pass, as the counters of batch norms have not. */
static bool is_sum(const struct kineto_layer *l, const char *class)
{
    char name[64];

    class_of(l->name, name, sizeof(name));
    return l->model_layer < 0 && l->backward_s > 0 && kind_of(l->name) < 0 && !strcmp(name, class);
}

static void match_sums(struct kineto_profile *p, const struct model *m, const bool *taken)
{
    size_t in_model = 0, next = 0;
    char class[64];

    for (size_t k = 0; k < m->nlayers; k++)
        in_model += !taken[k] && m->layers[k].kind == LAYER_ADD;
    for (size_t i = 0; i < p->nlayers && in_model; i++) {
        size_t in_trace = 0;

        class_of(p->layers[i].name, class, sizeof(class));
        for (size_t j = i; j < p->nlayers; j++)
            in_trace += is_sum(&p->layers[j], class);
        if (!is_sum(&p->layers[i], class) || in_trace != in_model)
            continue;
        for (; i < p->nlayers; i++) {
            if (!is_sum(&p->layers[i], class))
                continue;
            while (taken[next] || m->layers[next].kind != LAYER_ADD)
                next++;
            p->layers[i].model_layer = (int)next++;
        }
        return;
    }
}

size_t kineto_match(struct kineto_profile *p, const struct model *m)
{
    bool *taken = calloc(m->nlayers + 1, sizeof(*taken));
    size_t n = 0;

    if (!taken)
        return 0;
    match_names(p, m, taken);
    for (int kind = 0; kind <= LAYER_ADD; kind++)
        match_kind(p, m, taken, (enum layer_kind)kind);
    match_sums(p, m, taken);
    for (size_t i = 0; i < p->nlayers; i++)
        n += p->layers[i].model_layer >= 0;
    free(taken);
    return n;
}
