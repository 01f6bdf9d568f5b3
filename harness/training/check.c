#include "harness/training/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/status.h"
#include "harness/tensor/codec_choice.h"
#include "harness/text/suggest.h"
#include "model/split/patches.h"
#include "model/status.h"
#include "train/net/net.h"
#include "train/ops/ops.h"

int training_refuse(char *why, size_t nwhy, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(why, nwhy, format, args);
    va_end(args);
    return NW_ESIM;
}

static int check_length(const struct training *t, char *why, size_t nwhy)
{
    if (t->steps > 0 && t->epochs > 0)
        return training_refuse(why, nwhy, "training.epochs: expected steps or epochs, got both: %lld and %g",
                               (long long)t->steps, t->epochs);
    if (!(t->steps > 0 || t->epochs > 0))
        return training_refuse(why, nwhy, "training.steps: expected steps or epochs, got neither");
    return NW_OK;
}

static int check_backend(const struct training *t, char *why, size_t nwhy)
{
    const char *name = training_backend_name(t->backend);
    char here[128] = "";
    size_t used = 0;

    if (ops_backend_find(name))
        return NW_OK;
    for (const struct ops_backend *const *b = ops_backends; *b && used < sizeof(here); b++)
        if ((*b)->usable())
            used += (size_t)snprintf(here + used, sizeof(here) - used, "%s%s", used ? ", " : "", (*b)->name);
    return training_refuse(why, nwhy, "training.backend: expected one that can run here (%s), got '%s'", here, name);
}

/* To set what is switched off must be a mistake. */
static int check_dynamic(const struct training *t, char *why, size_t nwhy)
{
    const struct dynamic_precision_config *d = &t->dynamic, usual = dynamic_precision_of_the_paper();
    const char *key = d->batches_mp != usual.batches_mp       ? "batches_mp"
                      : d->batches_bf16 != usual.batches_bf16 ? "batches_bf16"
                      : d->threshold != usual.threshold       ? "threshold"
                      : d->weight > 0                         ? "weight"
                                                              : NULL;

    if (!key || t->precision == TRAINING_DYNAMIC)
        return NW_OK;
    return training_refuse(why, nwhy, "training.dynamic.%s: expected the precision 'dynamic' with it, got another",
                           key);
}

static int check_chains(const struct training *t, char *why, size_t nwhy)
{
    if (t->chains == TRAINING_WHOLE || t->precision == TRAINING_BF16 || t->precision == TRAINING_DYNAMIC)
        return NW_OK;
    return training_refuse(why, nwhy,
                           "training.chains: expected the precision 'bf16' or 'dynamic' with it, got another");
}

static int check_initialization(const struct training *t, char *why, size_t nwhy)
{
    const char *key = t->initial_deviation > 0 ? "initial_deviation" : t->initial_biases != 0 ? "initial_biases" : NULL;

    if (t->initialization == TRAINING_NORMAL && !(t->initial_deviation > 0))
        return training_refuse(why, nwhy,
                               "training.initial_deviation: expected one with the initialization 'normal', got none");
    if (t->initialization != TRAINING_NORMAL && key)
        return training_refuse(why, nwhy, "training.%s: expected the initialization 'normal' with it, got another",
                               key);
    return NW_OK;
}

static int check_rate(const struct training_rate *r, char *why, size_t nwhy)
{
    if (r->schedule == TRAINING_EXPONENTIAL && !r->every)
        return training_refuse(why, nwhy,
                               "training.learning_rate.every: expected the steps in which an exponential "
                               "rate falls by its factor, got none");
    if (r->schedule == TRAINING_STEP && !r->every && !*r->at)
        return training_refuse(why, nwhy,
                               "training.learning_rate.every: expected the steps from one fall to the next, or "
                               "shares in 'at', got neither");
    if (r->schedule == TRAINING_STEP && r->every && *r->at)
        return training_refuse(why, nwhy, "training.learning_rate.at: expected 'every' or 'at', got both");
    return NW_OK;
}

static bool is_fp32(const char *text)
{
    const struct codec *codec;
    struct codec_params params;

    return !codec_choice_read(text, &codec, &params, stderr) && codec->id == CODEC_ID_FP32;
}

/* With AWP, or with fixed bits, the weights themselves are pulled, packed by ADT and nothing else. */
static int check_bits(const struct training *t, char *why, size_t nwhy)
{
    const char *key = t->awp.interval ? "awp" : "weight_bits";

    if (!t->awp.interval && !t->weight_bits)
        return NW_OK;
    if (t->awp.interval && t->weight_bits)
        return training_refuse(why, nwhy, "training.weight_bits: expected none with AWP, which chooses them, got %lld",
                               (long long)t->weight_bits);
    if (t->weight_bits % 8)
        return training_refuse(why, nwhy, "training.weight_bits: expected 8, 16, 24 or 32, got %lld",
                               (long long)t->weight_bits);
    if (t->exchange.pull_of != TRAINING_WEIGHTS)
        return training_refuse(why, nwhy, "training.%s: expected pulls of weights (exchange.pull_of), got deltas", key);
    if (!is_fp32(t->exchange.pull))
        return training_refuse(why, nwhy,
                               "training.exchange.pull: expected fp32 with %s, which packs the weights, got '%s'", key,
                               t->exchange.pull);
    return NW_OK;
}

static int check_mask(const struct training *t, const struct model *model, char *why, size_t nwhy)
{
    const char *list = t->mask.after, *name;
    struct suggest near;
    char text[64];

    if ((t->mask.dropped > 0 || *t->trace_thresholds) && !list[strspn(list, ", ")])
        return training_refuse(why, nwhy, "training.mask.after: expected names of layers with %s, got none",
                               t->mask.dropped > 0 ? "dropped" : "trace.thresholds");
    for (size_t n; (n = training_next(&list, &name));) {
        bool found = false;

        snprintf(text, sizeof(text), "%.*s", n < sizeof(text) ? (int)n : (int)sizeof(text) - 1, name);
        near = (struct suggest){ .given = text };
        for (size_t i = 0; i < model->nlayers && !found; i++) {
            found = !strcmp(model->layers[i].name, text);
            suggest_offer(&near, model->layers[i].name);
        }
        if (!found)
            return training_refuse(why, nwhy, "training.mask.after: expected the name of a layer of %s, got '%s'%s%s%s",
                                   model->name, text, suggest_result(&near) ? "; did you mean '" : "",
                                   suggest_result(&near) ? suggest_result(&near) : "",
                                   suggest_result(&near) ? "'?" : "");
    }
    return NW_OK;
}

/* Check the even split: random ones move its borders by less than half a patch. */
static int check_split(const struct training *t, const struct model *model, char *why, size_t nwhy)
{
    struct split_spec spec = t->split.spec;
    struct split_net net;
    char reason[256] = "";
    int rc;

    if (!(spec.depth > 0))
        return NW_OK;
    spec.wiggle = 0;
    rc = split_net_make(&spec, model, &net, reason, sizeof(reason));
    if (rc == E_OK)
        split_net_free(&net);
    if (rc == E_NOMEM)
        return NW_ENOMEM;
    return rc ? training_refuse(why, nwhy, "training.split.%s", reason) : NW_OK;
}

int training_check(const struct scenario *sc, const struct model *model, char *why, size_t nwhy)
{
    const struct training *t = &sc->training;
    int rc = model->nlayers ? check_length(t, why, nwhy)
                            : training_refuse(why, nwhy,
                                              "model.gpt: expected a model without experts and latent "
                                              "attention: they are simulated, not trained");

    rc = rc ? rc : training_data_check(sc, model, why, nwhy);
    rc = rc ? rc : net_check(model, why, nwhy) ? NW_ESIM : NW_OK;
    rc = rc ? rc : check_initialization(t, why, nwhy);
    rc = rc ? rc : check_rate(&t->rate, why, nwhy);
    rc = rc ? rc : check_dynamic(t, why, nwhy);
    rc = rc ? rc : check_chains(t, why, nwhy);
    rc = rc ? rc : check_bits(t, why, nwhy);
    rc = rc ? rc : check_mask(t, model, why, nwhy);
    rc = rc ? rc : check_split(t, model, why, nwhy);
    return rc ? rc : check_backend(t, why, nwhy);
}
