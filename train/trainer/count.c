/* count.c - the multiply-adds of a step. */
#include <string.h>

#include "train/net/shapes.h"
#include "train/trainer/private.h"

/* Of what is fp32 whatever the mode. Of a value of a norm's input: one for the variance and two to normalize and scale
 * in forward; five in backward (two sums, three for the error). Of a parameter: decay, momentum, rate. */
static void count_full(const struct trainer *t, struct multiply_adds *a)
{
    enum { NORM = 8, UPDATE = 3 };
    int64_t values = 0;

    for (size_t l = 0; l < t->model->nlayers; l++)
        if (layer_is_norm(&t->model->layers[l]))
            values += t->model->layers[l].activations;
    a->norms = (uint64_t)(NORM * values * t->options.batch * t->options.workers);
    a->update = (uint64_t)(UPDATE * t->map.ndense);
}

static void read_counts(const struct trainer *t, uint64_t all[FMA_NMODES][OPS_NPASSES])
{
    memset(all, 0, FMA_NMODES * sizeof(*all));
    for (int i = 0; i < t->ncontexts; i++) {
        uint64_t counts[FMA_NMODES][OPS_NPASSES];

        t->contexts[i].backend->multiply_adds(t->contexts[i].handle, counts);
        for (int m = 0; m < FMA_NMODES; m++)
            for (int p = 0; p < OPS_NPASSES; p++)
                all[m][p] += counts[m][p];
    }
}

void trainer_forget_multiply_adds(struct trainer *t)
{
    read_counts(t, t->counted);
}

void trainer_count_products(struct trainer *t, uint64_t products[FMA_NMODES][OPS_NPASSES])
{
    uint64_t counts[FMA_NMODES][OPS_NPASSES];

    read_counts(t, counts);
    for (int m = 0; m < FMA_NMODES; m++)
        for (int p = 0; p < OPS_NPASSES; p++)
            products[m][p] = counts[m][p] - t->counted[m][p];
    memcpy(t->counted, counts, sizeof(counts));
}

void trainer_count_step(struct trainer *t, struct multiply_adds *step)
{
    struct multiply_adds *all = &t->so_far.multiply_adds;

    trainer_count_products(t, step->products);
    for (int m = 0; m < FMA_NMODES; m++)
        for (int p = 0; p < OPS_NPASSES; p++) {
            step->products[m][p] += t->theirs[m][p];
            all->products[m][p] += step->products[m][p];
        }
    count_full(t, step);
    all->norms += step->norms;
    all->update += step->update;
}

uint64_t multiply_adds_in(const struct multiply_adds *a, enum fma_mode mode)
{
    uint64_t sum = 0;

    for (int p = 0; p < OPS_NPASSES; p++)
        sum += a->products[mode][p];
    return sum;
}

uint64_t multiply_adds_all(const struct multiply_adds *a)
{
    uint64_t sum = a->norms + a->update;

    for (int m = 0; m < FMA_NMODES; m++)
        sum += multiply_adds_in(a, (enum fma_mode)m);
    return sum;
}
