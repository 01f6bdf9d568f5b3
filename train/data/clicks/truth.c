#include "train/data/clicks/truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "train/data/draw.h"
#include "train/data/plain_math.h"

/* Each table meets the next one and another of its own; of one table there are no pairs. */
static void plant_pairs(struct click_truth *t)
{
    struct draw d = draw_of(t->seed, DRAW_PAIR, 0, 0);
    float weight = 1.5f / sqrtf(2.0f * (float)t->tables * CLICK_LATENTS);

    t->npairs = t->tables > 1 ? 2 * t->tables : 0;
    for (int i = 0; i < t->npairs; i++) {
        int a = i / 2, b = i % 2 ? a + 1 + (int)draw_below(&d, (uint32_t)t->tables - 1) : a + 1;

        t->pairs[i] = (struct click_pair){ { a, b % t->tables }, draw_word(&d) & 1 ? weight : -weight };
    }
}

static void plant_effects(struct click_truth *t)
{
    struct draw d = draw_of(t->seed, DRAW_EFFECT, 0, 0);
    float weight = 0.6f / sqrtf((float)t->dense);

    for (int i = 0; i < t->dense; i++) {
        struct dense_effect *e = &t->effects[i];

        e->straight = weight * draw_normal(&d);
        e->bent = weight * draw_normal(&d);
        e->joint = weight * draw_normal(&d);
        e->with_rows = weight * draw_normal(&d);
        e->other = (int)draw_below(&d, (uint32_t)t->dense);
        e->table = (int)draw_below(&d, (uint32_t)t->tables);
    }
}

/* A row's hidden vector and, last, its bias: weaker the rarer it is, as a log cannot teach what it hardly shows. */
static void latent_draw(const struct click_truth *t, int table, int32_t id, float latent[CLICK_LATENTS + 1])
{
    int64_t row = id - t->before[table];
    struct draw d = draw_of(t->seed, DRAW_LATENT, (uint32_t)table, (uint64_t)row);
    float strength = 1 / sqrtf(1 + (float)row / 1024);

    for (int i = 0; i <= CLICK_LATENTS; i++)
        latent[i] = strength * draw_normal(&d);
}

/* The same bits as if they were drawn each time, and a fifth of a small network's training is saved. */
static void know_latents(struct click_truth *t)
{
    int last = t->tables - 1;
    int64_t rows = t->before[last] + t->rows[last];

    if (rows <= CLICK_KNOWN)
        t->known = malloc((size_t)rows * (CLICK_LATENTS + 1) * sizeof(*t->known));
    for (int i = 0; t->known && i < t->tables; i++)
        for (int64_t id = t->before[i]; id < t->before[i] + t->rows[i]; id++)
            latent_draw(t, i, (int32_t)id, t->known + id * (CLICK_LATENTS + 1));
}

void click_truth_plant(struct click_truth *t)
{
    plant_pairs(t);
    plant_effects(t);
    for (int i = 0; i < t->tables; i++) {
        t->before[i] = i ? t->before[i - 1] + t->rows[i - 1] : 0;
        t->log_rows[i] = plain_log2((double)t->rows[i] + 1);
    }
    know_latents(t);
}

void click_truth_forget(struct click_truth *t)
{
    free(t->known);
    t->known = NULL;
}

void click_draw(const struct click_truth *t, struct draw *d, float *values, int32_t *ids)
{
    for (int i = 0; i < t->dense; i++) {
        float x = 1.5f + 1.2f * draw_normal(d);

        values[i] = x > 0 ? x : 0;
    }
    for (int i = 0; i < t->tables; i++)
        ids[i] = (int32_t)(t->before[i] + draw_zipf(d, t->rows[i], t->log_rows[i]));
}

static void latent_of(const struct click_truth *t, int table, int32_t id, float latent[CLICK_LATENTS + 1])
{
    if (t->known)
        memcpy(latent, t->known + (int64_t)id * (CLICK_LATENTS + 1), (CLICK_LATENTS + 1) * sizeof(*latent));
    else
        latent_draw(t, table, id, latent);
}

static double score_of_dense(const struct click_truth *t, const float *values, float latent[][CLICK_LATENTS + 1])
{
    double sum = 0;

    for (int i = 0; i < t->dense; i++) {
        const struct dense_effect *e = &t->effects[i];
        float x = (values[i] - 1.6f) / 1.1f, other = (values[e->other] - 1.6f) / 1.1f;

        sum += e->straight * x + e->bent * ((x < 0 ? -x : x) - 0.8f) + e->joint * x * other +
               e->with_rows * x * latent[e->table][0];
    }
    return sum;
}

double click_score(const struct click_truth *t, const float *values, const int32_t *ids)
{
    float latent[CLICK_MOST][CLICK_LATENTS + 1];
    double biases = 0, products = 0;

    for (int i = 0; i < t->tables; i++) {
        latent_of(t, i, ids[i], latent[i]);
        biases += latent[i][CLICK_LATENTS];
    }
    for (int i = 0; i < t->npairs; i++) {
        const float *a = latent[t->pairs[i].table[0]], *b = latent[t->pairs[i].table[1]];
        float dot = 0;

        for (int j = 0; j < CLICK_LATENTS; j++)
            dot += a[j] * b[j];
        products += t->pairs[i].weight * dot;
    }
    return biases / sqrt(t->tables) + products + score_of_dense(t, values, latent);
}
