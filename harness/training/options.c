#include "harness/training/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/tensor/codec_choice.h"
#include "harness/training/check.h"

enum { MOST_BITS = 32, BYTE_BITS = 8 };

static const enum data_kind data_kinds[TRAINING_DATA_KINDS] = {
    [TRAINING_IMAGES] = DATA_IMAGES,   [TRAINING_CLICKS] = DATA_CLICKS, [TRAINING_TRANSLATION] = DATA_TRANSLATION,
    [TRAINING_CIFAR10] = DATA_CIFAR10, [TRAINING_IDX] = DATA_IDX,       [TRAINING_CRITEO] = DATA_CRITEO,
    [TRAINING_JPEG] = DATA_JPEG,       [TRAINING_IWSLT] = DATA_IWSLT,
};

static int64_t given(int64_t value, int64_t otherwise)
{
    return value ? value : otherwise;
}

static const struct layer *first_of(const struct model *m, enum layer_kind kind)
{
    for (size_t l = 0; l < m->nlayers; l++)
        if (m->layers[l].kind == kind)
            return &m->layers[l];
    return NULL;
}

/* Words that every table of tokens has: the smaller one's, where source and target differ. */
static int64_t smallest_table(const struct model *m)
{
    int64_t rows = INT64_MAX;

    for (size_t l = 0; l < m->nlayers; l++)
        if (m->layers[l].kind == LAYER_TOKENS && m->layers[l].rows < rows)
            rows = m->layers[l].rows;
    return rows;
}

/* The rows of each table: Criteo's if tables and rows are as many as there, else as even as possible. */
static int set_rows(struct training_options *o, int64_t tables, int64_t rows)
{
    int64_t criteo = 0;

    for (int i = 0; i < CRITEO_TABLES; i++)
        criteo += criteo_rows[i];
    o->rows = malloc((size_t)tables * sizeof(*o->rows));
    if (!o->rows)
        return NW_ENOMEM;
    for (int64_t i = 0; i < tables; i++)
        o->rows[i] = tables == CRITEO_TABLES && rows == criteo ? criteo_rows[i] : rows / tables + (i < rows % tables);
    o->data.tables = (size_t)tables;
    o->data.rows = o->rows;
    return NW_OK;
}

static int set_data(const struct training_data *d, const struct model *m, struct training_options *o)
{
    const struct layer *end = &m->layers[m->nlayers - 1], *tables = first_of(m, LAYER_EMBEDDING);
    const struct layer *tokens = first_of(m, LAYER_TOKENS);

    o->data = data_options_of(data_kinds[d->kind]);
    o->data.path = d->path;
    o->data.seed = (uint64_t)d->seed;
    if (d->train)
        o->data.train = d->train;
    if (d->test)
        o->data.test = d->test;
    o->data.classes = given(d->classes, end->kind == LAYER_SOFTMAX ? end->activations / model_labels(m) : 2);
    o->data.channels = given(d->channels, m->input.channels);
    o->data.height = given(d->height, m->input.height);
    o->data.width = given(d->width, m->input.width);
    o->data.dense = given(d->dense, m->input.channels);
    o->data.difficulty = d->difficulty;
    o->data.base_rate = d->base_rate;
    o->data.noise = d->noise;
    o->data.crop = d->crop;
    o->data.mirror = d->mirror;
    if (tokens) {
        o->data.positions = given(d->positions, tokens->out.channels);
        o->data.vocabulary = given(d->vocabulary, smallest_table(m));
    }
    return tables ? set_rows(o, given(d->tables, tables->tables), given(d->rows, tables->rows)) : NW_OK;
}

static int set_edge(const char *text, struct exchange_edge *edge)
{
    int rc = codec_choice_read(text, &edge->codec, &edge->params, stderr);

    if (!rc && !strcmp(edge->codec->name, "fp32"))
        edge->codec = NULL; /* no codec at all */
    return rc;
}

static int set_exchange(const struct training *t, struct trainer_options *o)
{
    int rc = set_edge(t->exchange.push, &o->exchange.push);

    rc = rc ? rc : set_edge(t->exchange.pull, &o->exchange.pull);
    o->exchange.pull_weights = t->exchange.pull_of == TRAINING_WEIGHTS;
    o->exchange.smallest = t->exchange.min_values;
    o->bytes_per_weight = (int)(t->weight_bits / BYTE_BITS);
    if (t->awp.interval) {
        o->awp = (struct awp_config){ t->awp.threshold, t->awp.interval, (int)t->awp.step_bits, (int)t->awp.start_bits,
                                      MOST_BITS };
        o->awp_by_block = t->awp.group == TRAINING_BLOCK;
        o->awp_of_sent = t->awp.norms == TRAINING_SENT;
    }
    if ((t->awp.interval || t->weight_bits) && !o->exchange.pull.codec) {
        o->exchange.pull.codec = codec_find("adt");
        o->exchange.pull.params = codec_presets(o->exchange.pull.codec);
    }
    return rc;
}

static int set_rate(const struct training_rate *r, int64_t workers, struct rate *out, char *why, size_t nwhy)
{
    static const enum rate_schedule schedules[TRAINING_SCHEDULES] = {
        [TRAINING_CONSTANT] = RATE_CONSTANT,
        [TRAINING_STEP] = RATE_STEP,
        [TRAINING_EXPONENTIAL] = RATE_EXPONENTIAL,
        [TRAINING_COSINE] = RATE_COSINE,
    };
    double scale = r->scale_by_workers ? (double)workers : 1;

    _Static_assert((int)TRAINING_MOST_DROPS <= (int)RATE_DROPS_MOST, "space for every drop");
    *out = (struct rate){ .schedule = schedules[r->schedule],
                          .from = scale * r->from,
                          .to = scale * r->to,
                          .factor = r->factor,
                          .every = r->every,
                          .warmup = r->warmup };
    if (r->schedule != TRAINING_STEP || !*r->at)
        return NW_OK;
    out->schedule = RATE_DROPS;
    out->ndrops = training_drops(r->at, out->drops, why, nwhy);
    return out->ndrops < 0 ? NW_ESIM : NW_OK;
}

static int set_mask(const struct training *t, const struct model *m, struct training_options *o, char *why, size_t nwhy)
{
    int watched;

    o->masked = calloc(m->nlayers + 1, sizeof(*o->masked));
    o->watched = calloc(TRAINING_MOST_DROPS, sizeof(*o->watched));
    if (!o->masked || !o->watched)
        return NW_ENOMEM;
    watched = training_drops(t->trace_thresholds, o->watched, why, nwhy);
    if (watched < 0)
        return NW_ESIM;
    o->trainer.mask = (struct mask_options){ .layers = o->masked,
                                             .dropped = t->mask.dropped,
                                             .evaluates = 1,
                                             .watched = o->watched,
                                             .nwatched = (size_t)watched };
    for (size_t l = 0; l < m->nlayers && (t->mask.dropped > 0 || watched); l++)
        if (training_named(t->mask.after, m->layers[l].name))
            o->masked[o->trainer.mask.nlayers++] = (int32_t)l;
    return NW_OK;
}

static struct initialization initialization_of(const struct training *t)
{
    static const enum initialization_scheme schemes[TRAINING_INITIALIZATIONS] = {
        [TRAINING_HE_NORMAL] = INITIALIZE_HE,       [TRAINING_GLOROT_UNIFORM] = INITIALIZE_GLOROT,
        [TRAINING_LECUN_NORMAL] = INITIALIZE_LECUN, [TRAINING_NORMAL] = INITIALIZE_NORMAL,
        [TRAINING_DLRM] = INITIALIZE_DLRM,
    };

    return (struct initialization){ schemes[t->initialization], t->initial_deviation, t->initial_biases };
}

static enum trainer_precision precision_of(enum training_precision p)
{
    static const enum trainer_precision precisions[TRAINING_PRECISIONS] = {
        [TRAINING_FP32] = TRAINER_FP32,
        [TRAINING_MP] = TRAINER_MP,
        [TRAINING_BF16] = TRAINER_BF16,
        [TRAINING_DYNAMIC] = TRAINER_DYNAMIC,
    };

    return precisions[p];
}

static int set_trainer(const struct training *t, const struct model *m, int threads, struct training_options *o,
                       char *why, size_t nwhy)
{
    struct trainer_options *r = &o->trainer;
    int rc;

    *r = (struct trainer_options){
        .workers = t->workers,
        .batch = t->batch,
        .seed = (uint64_t)t->seed,
        .initialization = initialization_of(t),
        .momentum = t->optimizer.momentum,
        .weight_decay = t->optimizer.weight_decay,
        .augment = t->data.crop || t->data.mirror,
        .precision = precision_of(t->precision),
        .chains = t->chains == TRAINING_CUT ? OPS_CHAINS_CUT : OPS_CHAINS_WHOLE,
        .dynamic = t->dynamic,
        .split = t->split.spec,
        .evaluate_split = t->split.evaluate == TRAINING_AS_SPLIT,
        .evaluate_workers = t->evaluate_weights == TRAINING_WORKERS,
        .evaluation_batch = given(t->evaluate_batch, t->batch),
        .backend = ops_backend_find(training_backend_name(t->backend)),
        .threads = threads,
    };
    rc = set_rate(&t->rate, t->workers, &r->rate, why, nwhy);
    rc = rc ? rc : set_exchange(t, r);
    return rc ? rc : set_mask(t, m, o, why, nwhy);
}

int training_options_make(const struct scenario *sc, const struct model *model, int threads,
                          struct training_options *out, char *why, size_t nwhy)
{
    struct training_options o = { 0 };
    int rc = model->nlayers ? set_data(&sc->training.data, model, &o)
                            : training_refuse(why, nwhy,
                                              "model.gpt: expected a model without experts and latent "
                                              "attention: they are simulated, not trained");

    rc = rc ? rc : set_trainer(&sc->training, model, threads, &o, why, nwhy);
    if (rc)
        training_options_free(&o);
    else
        *out = o;
    return rc;
}

void training_options_free(struct training_options *o)
{
    free(o->rows);
    free(o->masked);
    free(o->watched);
    *o = (struct training_options){ 0 };
}

void training_data_text(const struct training_options *o, char *text, size_t size)
{
    const struct data_options *d = &o->data;

    switch (d->kind) {
    case DATA_IMAGES:
        snprintf(text, size, "generated images, %lld classes, %lld x %lld", (long long)d->classes, (long long)d->height,
                 (long long)d->width);
        break;
    case DATA_CLICKS: snprintf(text, size, "generated clicks, %zu tables", d->tables); break;
    case DATA_TRANSLATION:
        snprintf(text, size, "generated sentences, %lld words of %lld", (long long)d->positions,
                 (long long)d->vocabulary);
        break;
    case DATA_CIFAR10: snprintf(text, size, "CIFAR-10"); break;
    case DATA_IWSLT: snprintf(text, size, "IWSLT'14 German-English"); break;
    case DATA_CRITEO: snprintf(text, size, "Criteo Kaggle"); break;
    default: snprintf(text, size, "%s %s", data_kind_name(d->kind), d->path); break;
    }
}
