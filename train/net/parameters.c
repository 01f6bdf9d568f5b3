#include "train/net/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/status.h"
#include "train/draw.h"

static void note_tensor(struct parameter_map *p, size_t layer, bool biases, int64_t n)
{
    p->tensors[p->ntensors++] = (struct parameter_tensor){ (int32_t)layer, biases, p->ndense, n };
    p->ndense += n;
}

int parameter_map_make(const struct model *m, struct parameter_map *out)
{
    struct parameter_map p = { 0 };

    p.layers = calloc(m->nlayers + 1, sizeof(*p.layers));
    p.tensors = calloc(2 * m->nlayers + 1, sizeof(*p.tensors));
    if (!p.layers || !p.tensors) {
        parameter_map_free(&p);
        return E_NOMEM;
    }
    for (size_t l = 0; l < m->nlayers; l++) {
        const struct layer *y = &m->layers[l];

        p.layers[l] = (struct layer_place){ NO_PARAMETERS, NO_PARAMETERS, NO_PARAMETERS };
        if (y->weights) {
            p.layers[l].weights = p.ndense;
            note_tensor(&p, l, 0, y->weights);
        }
        if (y->biases) {
            p.layers[l].biases = p.ndense;
            note_tensor(&p, l, 1, y->biases);
        }
        if (y->table_values) {
            p.layers[l].table = p.ntable;
            p.ntable += y->table_values;
        }
    }
    *out = p;
    return E_OK;
}

void parameter_map_free(struct parameter_map *p)
{
    free(p->layers);
    free(p->tensors);
    *p = (struct parameter_map){ 0 };
}

static void fill(float *to, int64_t n, float value)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = value;
}

static void draw_normals(struct draw *d, float *to, int64_t n, double deviation)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (float)deviation * draw_normal(d);
}

static void draw_uniforms(struct draw *d, float *to, int64_t n, double most)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = (float)most * (2 * draw_unit(d) - 1);
}

/* How many values one output value is made of, and how many one input value goes into. */
struct fan {
    double in, out;
};

static struct fan fan_of(const struct layer *l)
{
    double window = (double)l->kernel * (double)l->kernel, read = (double)layer_weight_row(l);

    switch (l->kind) {
    case LAYER_CONV: return (struct fan){ read, (double)l->out.channels * window };
    case LAYER_LINEAR: return (struct fan){ read, (double)l->out.width };
    case LAYER_ATTENTION: return (struct fan){ read, read };
    default: return (struct fan){ read, (double)l->activations };
    }
}

static void draw_weights(struct draw *d, const struct layer *l, const struct initialization *how, float *to)
{
    struct fan fan = fan_of(l);

    if (l->kind == LAYER_TOKENS) {
        draw_normals(d, to, l->weights, sqrt(1 / (double)l->dim));
        return;
    }
    switch (how->scheme) {
    case INITIALIZE_HE: draw_normals(d, to, l->weights, sqrt(2 / fan.in)); break;
    case INITIALIZE_GLOROT: draw_uniforms(d, to, l->weights, sqrt(6 / (fan.in + fan.out))); break;
    case INITIALIZE_LECUN: draw_normals(d, to, l->weights, sqrt(1 / fan.in)); break;
    case INITIALIZE_NORMAL: draw_normals(d, to, l->weights, how->deviation); break;
    default: draw_normals(d, to, l->weights, sqrt(2 / (fan.in + fan.out))); break;
    }
}

static void draw_biases(struct draw *d, const struct layer *l, const struct initialization *how, float *to)
{
    if (layer_is_norm(l)) {
        fill(to, l->biases / 2, 1);
        fill(to + l->biases / 2, l->biases / 2, 0);
    } else if (how->scheme == INITIALIZE_DLRM && l->kind == LAYER_FC) {
        draw_normals(d, to, l->biases, sqrt(1 / fan_of(l).out));
    } else {
        fill(to, l->biases, how->scheme == INITIALIZE_NORMAL ? (float)how->biases : 0);
    }
}

void parameters_initialize(const struct parameter_map *p, const struct model *m, const struct initialization *how,
                           uint64_t seed, float *dense, float *tables)
{
    for (size_t l = 0; l < m->nlayers; l++) {
        const struct layer *y = &m->layers[l];
        struct draw d = draw_of(seed, DRAW_WEIGHTS, (uint32_t)l, 0);

        if (y->weights)
            draw_weights(&d, y, how, dense + p->layers[l].weights);
        if (y->biases)
            draw_biases(&d, y, how, dense + p->layers[l].biases);
        if (y->table_values)
            draw_uniforms(&d, tables + p->layers[l].table, y->table_values, sqrt((double)y->tables / (double)y->rows));
    }
}

void parameter_tensor_name(const struct parameter_map *p, const struct model *m, size_t tensor, char *text, size_t size)
{
    const struct parameter_tensor *t = &p->tensors[tensor];

    snprintf(text, size, "%s.%s", m->layers[t->layer].name, t->biases ? "biases" : "weights");
}
