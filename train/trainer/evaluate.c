/* evaluate.c - the server's model, or the workers', on test samples: forward alone, norms with their running
 * statistics; in full precision whatever training uses, so that what is compared is the models. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "train/trainer/bleu.h"
#include "train/trainer/private.h"

enum { TOP = 5 };

struct tally {
    double loss;
    int64_t labels, right, among_top;
};

/* A label's place among the probabilities: how many are greater, or equal and earlier. Of what is no number, last. */
static int64_t rank_of(const float *p, int64_t n, int64_t label)
{
    int64_t rank = 0;

    for (int64_t i = 0; i < n; i++)
        rank += !(p[i] < p[label] || (p[i] == p[label] && i >= label));
    return rank;
}

static double minus_log(double p)
{
    return -log(p < 1e-38 ? 1e-38 : p);
}

/* One row of what a softmax put out. */
static void tally_row(struct tally *y, const float *p, int64_t n, int32_t label)
{
    int64_t rank = rank_of(p, n, label);

    y->loss += minus_log(p[label]);
    y->labels++;
    y->right += rank == 0;
    y->among_top += rank < TOP;
}

/* What a sigmoid put out: the chance of label 1. */
static void tally_chance(struct tally *y, float p, int32_t label)
{
    y->loss += minus_log(label ? (double)p : 1 - (double)p);
    y->labels++;
    y->right += label == 1 ? p > 0.5f : p <= 0.5f;
    y->among_top++;
}

/* Memory of one evaluation. */
struct buffers {
    enum data_set set;
    struct batch batch;
    int32_t *ids;   /* of one sample */
    int32_t *words; /* that a translation wrote */
    float *output;
    struct scored {
        float chance;
        int32_t label;
    } * scored; /* of clicks, all of them */
    int64_t nscored;
};

static int open_buffers(const struct trainer *t, int64_t samples, struct buffers *r)
{
    const struct data_shape *s = &t->data->shape;
    size_t batch = (size_t)t->options.evaluation_batch;

    r->batch.images = malloc(4 * batch * (size_t)(s->channels * s->height * s->width) + 4);
    r->batch.ids = malloc(4 * batch * (size_t)s->ids + 4);
    r->batch.labels = malloc(4 * batch * (size_t)s->labels + 4);
    r->ids = malloc(4 * (size_t)s->ids + 4);
    r->output = malloc(4 * batch * (size_t)t->model->layers[t->model->nlayers - 1].activations);
    r->words = malloc(4 * batch * (size_t)s->labels);
    r->scored = malloc((size_t)samples * sizeof(*r->scored));
    return r->batch.images && r->batch.ids && r->batch.labels && r->ids && r->words && r->output && r->scored ? 0
                                                                                                              : E_NOMEM;
}

static void close_buffers(struct buffers *r)
{
    free(r->batch.images);
    free(r->batch.ids);
    free(r->batch.labels);
    free(r->ids);
    free(r->words);
    free(r->output);
    free(r->scored);
}

/* Samples first .. of a batch; the last batch is filled up with the first sample, which nobody looks at. */
static int fetch(struct trainer *t, struct buffers *r, int64_t first, int64_t samples)
{
    const struct data_shape *s = &t->data->shape;
    int64_t batch = t->options.evaluation_batch, values = s->channels * s->height * s->width;

    for (int64_t i = 0; i < batch; i++) {
        int64_t index = first + i < samples ? first + i : 0;

        if (t->data->sample(t->data, r->set, index, 0, r->batch.images + i * values, r->ids,
                            r->batch.labels + i * s->labels, t->why, sizeof(t->why)))
            return E_DATA;
        batch_put_ids(t->model, batch, i, r->ids, r->batch.ids);
    }
    return 0;
}

static int run(struct trainer *t, struct context *context, const float *dense, struct buffers *r)
{
    struct mask_run masks = { 0 };
    bool masked = t->mask.options.nlayers && t->mask.options.dropped > 0 && t->mask.options.evaluates;
    struct pass pass = { .net = &t->evaluating, .map = &t->map, .dense = dense, .tables = t->copies.tables };
    int32_t output = net_output(&t->evaluating);
    struct pass_hook hook;
    int rc = masked && mask_run_open(&t->mask, &t->evaluating, NULL, &masks) ? E_NOMEM : 0;

    if (rc)
        return trainer_fail(t, rc, "out of memory");
    hook = mask_hook(&masks);
    pass.hook = masked ? &hook : NULL;
    rc = context_feed(context, &t->evaluating, &r->batch);
    rc = rc ? rc : pass_run(&pass, context);
    rc = rc ? rc
            : context_download(context, r->output, context_tensor(context, &t->evaluating, output),
                               (size_t)t->evaluating.graph.tensors[output].bytes);
    mask_run_close(&masks);
    return rc ? trainer_context_failed(t, context) : 0;
}

static void look_at(const struct trainer *t, struct buffers *r, int64_t samples, struct tally *y)
{
    const struct layer *end = &t->model->layers[t->model->nlayers - 1];
    int64_t labels = t->data->shape.labels, n = end->activations / labels;

    for (int64_t i = 0; i < samples * labels; i++) {
        int32_t label = r->batch.labels[i];

        if (label < 0)
            continue;
        if (end->kind == LAYER_SOFTMAX) {
            tally_row(y, r->output + i * n, n, label);
        } else {
            tally_chance(y, r->output[i], label);
            r->scored[r->nscored++] = (struct scored){ r->output[i], label };
        }
    }
}

static int rising(const void *left, const void *right)
{
    const struct scored *a = left, *b = right;

    return a->chance < b->chance ? -1 : a->chance > b->chance;
}

/* By ranks, those of equal chances being their mean. */
static double area_under_curve(struct scored *s, int64_t n)
{
    double ranks = 0, ones = 0;

    qsort(s, (size_t)n, sizeof(*s), rising);
    for (int64_t i = 0, end; i < n; i = end) {
        int64_t clicked = 0;

        for (end = i; end < n && s[end].chance == s[i].chance; end++)
            clicked += s[end].label;
        ranks += (double)clicked * (double)(i + end + 1) / 2;
        ones += (double)clicked;
    }
    double zeros = (double)n - ones;
    return ones > 0 && zeros > 0 ? (ranks - ones * (ones + 1) / 2) / (ones * zeros) : NAN;
}

/* The model to be evaluated, in the context's memory; NULL: the upload failed. */
static const float *evaluated_model(struct trainer *t, struct context *context)
{
    struct parameter_copies *c = &t->copies;

    if (t->resident || c->server == c->model || t->options.evaluate_workers)
        return c->model;
    if (!context->backend->on_device)
        return c->server;
    /* The next step overwrites the gradients. */
    return context_upload(context, c->gradient, c->server, 4 * (size_t)t->map.ndense) ? NULL : c->gradient;
}

/* Greedy translation of the batch at hand: the decoder's input is what has been written so far, and position p's output
 * is the word behind it. A causal decoder does not look at what is not written yet. */
static int translate(struct trainer *t, struct context *context, const float *dense,
                     const struct translation_words *words, struct buffers *r)
{
    const struct layer *end = &t->model->layers[t->model->nlayers - 1];
    int64_t batch = t->options.evaluation_batch, positions = t->data->shape.labels, n = end->activations / positions;
    int32_t *written = r->batch.ids + t->target_at * batch;
    int rc = 0;

    for (int64_t i = 0; i < batch * positions; i++)
        written[i] = words->begin;
    for (int64_t p = 0; p < positions && !rc; p++) {
        rc = run(t, context, dense, r);
        for (int64_t i = 0; i < batch && !rc; i++) {
            const float *chances = r->output + (i * positions + p) * n;
            int32_t best = 0;

            for (int64_t k = 1; k < n; k++)
                best = chances[k] > chances[best] ? (int32_t)k : best;
            r->words[i * positions + p] = best;
            if (p + 1 < positions)
                written[i * positions + p + 1] = best;
        }
    }
    return rc;
}

/* Up to the first end, or the first label that counts for nothing. */
static int64_t sentence_length(const int32_t *words, int64_t positions, int32_t end)
{
    int64_t n = 0;

    while (n < positions && words[n] >= 0 && words[n] != end)
        n++;
    return n;
}

/* A word that no reference has, so that two unknown words are never the same one. */
static void forget_unknown(int32_t *mine, int64_t n, int32_t unknown)
{
    for (int64_t i = 0; i < n; i++)
        mine[i] = mine[i] == unknown ? LABEL_NONE : mine[i];
}

static void compare(const struct trainer *t, const struct buffers *r, int64_t samples,
                    const struct translation_words *words, struct bleu *b)
{
    int64_t positions = t->data->shape.labels;

    for (int64_t i = 0; i < samples; i++) {
        int32_t *mine = r->words + i * positions;
        const int32_t *label = r->batch.labels + i * positions;
        int64_t n = sentence_length(mine, positions, words->end);

        if (words->unknown >= 0)
            forget_unknown(mine, n, words->unknown);
        bleu_add(b, mine, n, label, sentence_length(label, positions, words->end));
    }
}

static int evaluate(struct trainer *t, enum data_set set, int64_t samples, const struct translation_words *words,
                    struct evaluation *out)
{
    int64_t all = t->data->count[set], batch = t->options.evaluation_batch;
    int64_t n = samples > 0 && samples < all ? samples : all;
    struct buffers buffers = { .set = set };
    struct tally y = { 0 };
    struct bleu bleu = { 0 };
    struct context *context = &t->contexts[0];
    const float *dense = evaluated_model(t, context);
    int rc = dense ? 0 : trainer_context_failed(t, context);

    if (!rc && open_buffers(t, n, &buffers))
        rc = trainer_fail(t, E_NOMEM, "out of memory");
    if (!rc && context->backend->set_precision(context->handle, FMA_FP32))
        rc = trainer_fail(t, E_FAILED, "%s", context->backend->error(context->handle));
    rc = rc ? rc : statistics_use(t, context);
    for (int64_t first = 0; first < n && !rc; first += batch) {
        rc = fetch(t, &buffers, first, n);
        rc = rc ? rc : run(t, context, dense, &buffers);
        int64_t here = first + batch < n ? batch : n - first;
        if (!rc)
            look_at(t, &buffers, here, &y);
        if (!rc && words)
            rc = translate(t, context, dense, words, &buffers);
        if (!rc && words)
            compare(t, &buffers, here, words, &bleu);
    }
    if (!rc)
        *out = (struct evaluation){ .loss = y.loss / (double)y.labels,
                                    .accuracy = (double)y.right / (double)y.labels,
                                    .top5 = (double)y.among_top / (double)y.labels,
                                    .auc = buffers.nscored ? area_under_curve(buffers.scored, buffers.nscored) : NAN,
                                    .bleu = words ? bleu_score(&bleu) : NAN,
                                    .samples = y.labels };
    close_buffers(&buffers);
    trainer_forget_multiply_adds(t);
    return rc;
}

int trainer_evaluate(struct trainer *t, int64_t samples, struct evaluation *out)
{
    return evaluate(t, DATA_TEST, samples, NULL, out);
}

int trainer_evaluate_training(struct trainer *t, int64_t samples, struct evaluation *out)
{
    return evaluate(t, DATA_TRAIN, samples, NULL, out);
}

int trainer_translate(struct trainer *t, int64_t samples, const struct translation_words *words, struct evaluation *out)
{
    if (t->target_at < 0)
        return trainer_fail(t, E_INVAL, "model.layers: expected tokens of a target to write, got none");
    return evaluate(t, DATA_TEST, samples, words, out);
}
