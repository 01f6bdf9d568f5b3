#include "tests/train/trainer/fixture_source.h"

#include <math.h>

uint32_t fixture_word(uint32_t stream, uint32_t i)
{
    uint32_t x = (i + stream * 1000003u) * 2654435761u;

    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ x >> 13;
}

float fixture_number(uint32_t stream, uint32_t i)
{
    return (float)((double)(fixture_word(stream, i) >> 8) * 0x1p-23 - 1);
}

static const struct model *model_of(const struct data_source *s)
{
    return s->own;
}

static int32_t *put_ids(const struct layer *l, uint32_t step, uint32_t i, uint32_t first, int32_t *ids)
{
    int64_t n = layer_ids(l), per_table = l->tables ? l->rows / l->tables : l->rows;

    for (int64_t k = 0; k < n; k++) {
        uint32_t word = fixture_word(3000 + 100 * first + step, i * (uint32_t)n + (uint32_t)k);
        int64_t table = l->kind == LAYER_EMBEDDING ? k / l->lookups : 0;

        *ids++ = (int32_t)(word % (uint32_t)per_table + table * per_table);
    }
    return ids;
}

static int sample(const struct data_source *s, enum data_set set, int64_t index, uint64_t augment, float *values,
                  int32_t *ids, int32_t *labels, char *why, size_t nwhy)
{
    uint32_t step = (uint32_t)(index / FIXTURE_BATCH), i = (uint32_t)(index % FIXTURE_BATCH), streams = 0;
    uint32_t n = (uint32_t)(s->shape.channels * s->shape.height * s->shape.width), nlabels = (uint32_t)s->shape.labels;

    (void)set, (void)augment, (void)why, (void)nwhy;
    for (uint32_t k = 0; k < n; k++)
        values[k] = fixture_number(1000 + step, i * n + k);
    for (uint32_t k = 0; k < nlabels; k++)
        labels[k] = (int32_t)(fixture_word(2000 + step, i * nlabels + k) % (uint32_t)s->shape.classes);
    for (size_t l = 0; l < model_of(s)->nlayers; l++)
        if (layer_ids(&model_of(s)->layers[l]))
            ids = put_ids(&model_of(s)->layers[l], step, i, streams++, ids);
    return 0;
}

static void close_nothing(struct data_source *s)
{
    (void)s;
}

struct data_source fixture_source(const struct model *m)
{
    const struct layer *end = &m->layers[m->nlayers - 1];

    return (struct data_source){
        .name = "fixture",
        .shape = { m->input.channels, m->input.height, m->input.width, model_ids(m), model_labels(m),
                   end->kind == LAYER_SOFTMAX ? end->activations / model_labels(m) : 2 },
        .count = { FIXTURE_BATCH * FIXTURE_STEPS, FIXTURE_BATCH },
        .sample = sample,
        .close = close_nothing,
        .own = (void *)m,
    };
}

/* Vectors are small around 'before'; matrices by the values that make one output value. */
static void fill_vector(float *to, int64_t n, uint32_t stream, float before)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = before + 0.1f * fixture_number(stream, (uint32_t)i);
}

static void fill_matrix(float *to, int64_t n, uint32_t stream, int64_t read)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = fixture_number(stream, (uint32_t)i) * (float)sqrt(3.0 / (double)read);
}

void fixture_parameters(const struct parameter_map *p, const struct model *m, float *dense, float *tables)
{
    uint32_t stream = 0;

    for (size_t t = 0; t < p->ntensors; t++) {
        const struct parameter_tensor *x = &p->tensors[t];
        const struct layer *l = &m->layers[x->layer];
        bool norm = x->biases && layer_is_norm(l);

        if (!x->biases)
            fill_matrix(dense + x->at, x->n, stream++, layer_weight_row(l));
        else
            fill_vector(dense + x->at, norm ? x->n / 2 : x->n, stream++, norm);
        if (norm)
            fill_vector(dense + x->at + x->n / 2, x->n / 2, stream++, 0);
    }
    for (int64_t i = 0; i < p->ntable; i++)
        tables[i] = 0.5f * fixture_number(500, (uint32_t)i);
}

static double norm_of(const float *x, int64_t n)
{
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += (double)x[i] * x[i];
    return sqrt(sum);
}

int fixture_norms(const struct parameter_map *p, const struct model *m, const float *dense, const float *tables,
                  double *norms, int most)
{
    int n = 0;

    for (size_t t = 0; t < p->ntensors && n + 2 < most; t++) {
        const struct parameter_tensor *x = &p->tensors[t];
        bool norm = x->biases && layer_is_norm(&m->layers[x->layer]);
        int64_t first = norm ? x->n / 2 : x->n;

        norms[n++] = norm_of(dense + x->at, first);
        if (norm)
            norms[n++] = norm_of(dense + x->at + first, x->n - first);
    }
    if (p->ntable)
        norms[n++] = norm_of(tables, p->ntable);
    return n;
}
