#include "harness/executor/parameters.h"

#include <math.h>
#include <stdlib.h>

#include "harness/status.h"
#include "train/draw.h"

int parameters_make(const struct memory_plan *plan, struct parameters *out)
{
    const struct model *m = plan->model;
    struct parameters p = { .layers = calloc(m->nlayers + 1, sizeof(*p.layers)), .nlabels = plan->batch };

    if (!p.layers)
        return status_error(NW_ENOMEM, "executor: out of memory\n");
    for (size_t l = 0; l < m->nlayers; l++) {
        int64_t patches = l < plan->split.nlayers ? plan->split.rows * plan->split.columns : 1;

        p.layers[l] = (struct layer_parameters){ p.nweights, p.nweights + m->layers[l].weights, p.nstatistics };
        p.nweights += m->layers[l].weights + m->layers[l].biases;
        if (m->layers[l].kind == LAYER_BATCHNORM)
            p.nstatistics += 2 * patches * m->layers[l].in.channels;
    }
    p.total = 2 * p.nweights + p.nstatistics + p.nlabels + 1;
    *out = p;
    return NW_OK;
}

void parameters_free(struct parameters *p)
{
    free(p->layers);
    *p = (struct parameters){ 0 };
}

static void draw_many(struct draw *d, float *to, int64_t n, float mean, float deviation)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = mean + deviation * draw_normal(d);
}

static int64_t values_read(const struct layer *l)
{
    if (l->kind == LAYER_CONV)
        return layer_weight_row(l);
    return l->in.channels * l->in.height * l->in.width;
}

void parameters_draw(const struct parameters *p, const struct model *m, uint64_t seed, float *weights)
{
    int64_t sums = 0;

    for (size_t l = 0; l < m->nlayers; l++)
        sums += m->layers[l].kind == LAYER_ADD;
    for (size_t l = 0; l < m->nlayers; l++) {
        const struct layer *y = &m->layers[l];
        struct draw d = draw_of(seed, DRAW_WEIGHTS, (uint32_t)l, 0);
        double shared = y->block >= 0 && sums ? 1 / sqrt((double)sums) : 1;
        float *at = weights + p->layers[l].biases;

        if (y->weights)
            draw_many(&d, weights + p->layers[l].weights, y->weights, 0,
                      (float)(shared * sqrt(2 / (double)values_read(y))));
        if (y->kind == LAYER_BATCHNORM) {
            draw_many(&d, at, y->biases / 2, 1, 0.1f);
            at += y->biases / 2;
        }
        draw_many(&d, at, y->biases - (at - weights - p->layers[l].biases), 0, 0.05f);
    }
}

void images_draw(uint64_t seed, float *images, int64_t n)
{
    struct draw d = draw_of(seed, DRAW_IMAGES, 0, 0);

    draw_many(&d, images, n, 0, 1);
}

void labels_draw(uint64_t seed, int32_t *labels, int64_t n, int64_t classes)
{
    struct draw d = draw_of(seed, DRAW_LABELS, 0, 0);

    for (int64_t i = 0; i < n; i++)
        labels[i] = (int32_t)(draw_word(&d) % (uint64_t)classes);
}
