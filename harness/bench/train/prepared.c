#include "harness/bench/train/prepared.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "model/split/splitmix64.h"

static int64_t values_of(const struct data_shape *s)
{
    return s->channels * s->height * s->width;
}

static int sample(const struct data_source *s, enum data_set set, int64_t index, uint64_t augment, float *values,
                  int32_t *ids, int32_t *labels, char *why, size_t nwhy)
{
    const struct prepared *p = s->own;
    int64_t n = values_of(&s->shape);

    (void)set;
    (void)augment;
    (void)why;
    (void)nwhy;
    memcpy(values, p->values + index * n, sizeof(*values) * (size_t)n);
    memcpy(ids, p->ids + index * s->shape.ids, sizeof(*ids) * (size_t)s->shape.ids);
    memcpy(labels, p->labels + index * s->shape.labels, sizeof(*labels) * (size_t)s->shape.labels);
    return 0;
}

static int copy_all(const struct data_source *from, struct prepared *p, char *why, size_t nwhy)
{
    const struct data_shape *s = &from->shape;

    for (int64_t i = 0; i < from->count[DATA_TRAIN]; i++)
        if (from->sample(from, DATA_TRAIN, i, 0, p->values + i * values_of(s), p->ids + i * s->ids,
                         p->labels + i * s->labels, why, nwhy))
            return NW_ESIM;
    return NW_OK;
}

int prepared_make(const struct data_source *from, struct prepared *out, char *why, size_t nwhy)
{
    const struct data_shape *s = &from->shape;
    size_t n = (size_t)from->count[DATA_TRAIN];
    int rc = NW_ENOMEM;

    *out = (struct prepared){ .source = { .name = "prepared", .shape = *s, .sample = sample, .own = out } };
    out->source.count[DATA_TRAIN] = out->source.count[DATA_TEST] = (int64_t)n;
    out->values = malloc(sizeof(*out->values) * n * (size_t)values_of(s) + 1);
    out->ids = malloc(sizeof(*out->ids) * n * (size_t)s->ids + 1);
    out->labels = malloc(sizeof(*out->labels) * n * (size_t)s->labels + 1);
    if (out->values && out->ids && out->labels)
        rc = copy_all(from, out, why, nwhy);
    if (rc)
        prepared_free(out);
    return rc;
}

void prepared_free(struct prepared *p)
{
    free(p->values);
    free(p->ids);
    free(p->labels);
    *p = (struct prepared){ 0 };
}

static bool put(FILE *f, const void *items, int64_t n)
{
    return !n || fwrite(items, 4, (size_t)n, f) == (size_t)n;
}

int prepared_write(const struct prepared *p, FILE *f)
{
    const struct data_shape *s = &p->source.shape;
    int64_t n = p->source.count[DATA_TRAIN];

    return put(f, p->values, n * values_of(s)) && put(f, p->ids, n * s->ids) && put(f, p->labels, n * s->labels)
               ? NW_OK
               : NW_EIO;
}

/* --- by chance ---------------------------------------------------------------------------------------------------- */

static int random_sample(const struct data_source *s, enum data_set set, int64_t index, uint64_t augment, float *values,
                         int32_t *ids, int32_t *labels, char *why, size_t nwhy)
{
    uint64_t state = (uint64_t)index << 1 | (set == DATA_TEST);

    (void)augment;
    (void)ids;
    (void)why;
    (void)nwhy;
    state = splitmix64(&state); /* or a sample would begin with the second number of the one before */
    for (int64_t i = 0; i < values_of(&s->shape); i++)
        values[i] = (float)(splitmix64(&state) >> 40) * 0x1p-23f - 1;
    for (int64_t i = 0; i < s->shape.labels; i++)
        labels[i] = (int32_t)(splitmix64(&state) % (uint64_t)s->shape.classes);
    return 0;
}

void random_source(const struct model *m, int64_t samples, struct data_source *out)
{
    const struct layer *end = &m->layers[m->nlayers - 1];

    *out = (struct data_source){ .name = "random",
                                 .shape = { m->input.channels, m->input.height, m->input.width, model_ids(m),
                                            model_labels(m),
                                            end->kind == LAYER_SOFTMAX ? end->activations / model_labels(m) : 2 },
                                 .count = { samples, samples },
                                 .sample = random_sample };
}
