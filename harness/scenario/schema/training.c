/* training.c - the keys of a scenario's training. */
#include "harness/scenario/schema/schema.h"

#include <stdio.h>
#include <string.h>

#include "harness/scenario/training.h"
#include "harness/status.h"
#include "harness/tensor/codec_choice.h"

static const char *const backend_names[] = { "best", "reference", "gemm", "dnnl", "cuda", NULL };
static const char *const precision_names[] = { "fp32", "mp", "bf16", "dynamic", NULL };
static const char *const initialization_names[] = { "he-normal", "glorot-uniform", "lecun-normal",
                                                    "normal",    "dlrm",           NULL };
static const char *const schedule_names[] = { "constant", "step", "exponential", "cosine", NULL };
static const char *const pull_names[] = { "deltas", "weights", NULL };
static const char *const group_names[] = { "layer", "block", NULL };
static const char *const evaluated_names[] = { "split", "unsplit", NULL };

_Static_assert(SCHEMA_COUNT(backend_names) == TRAINING_BACKENDS + 1, "a name for every backend");
_Static_assert(SCHEMA_COUNT(precision_names) == TRAINING_PRECISIONS + 1, "a name for every precision");
_Static_assert(SCHEMA_COUNT(initialization_names) == TRAINING_INITIALIZATIONS + 1, "a name for every initialization");
_Static_assert(SCHEMA_COUNT(schedule_names) == TRAINING_SCHEDULES + 1, "a name for every schedule");
_Static_assert(SCHEMA_COUNT(pull_names) == TRAINING_PULLS + 1, "a name for what pulls carry");
_Static_assert(SCHEMA_COUNT(group_names) == TRAINING_GROUPS + 1, "a name for every group");
_Static_assert(SCHEMA_COUNT(evaluated_names) == TRAINING_EVALUATED + 1, "a name for what is evaluated");

enum { LARGEST = 1 << 24, LONGEST_TEXT = 511 };

/* What a reason quotes may be anything. */
static void only_plain(char *why)
{
    why[strcspn(why, "\n")] = '\0';
    for (; *why; why++)
        if ((unsigned char)*why < 0x20 || *why == 0x7f)
            *why = '?';
}

static bool codec_right(const char *text, char *why, size_t nwhy)
{
    const struct codec *codec;
    struct codec_params params;
    FILE *said = fmemopen(why, nwhy, "w");
    int rc = said ? codec_choice_read(text, &codec, &params, said) : NW_ENOMEM;

    if (rc == NW_ENOMEM)
        snprintf(why, nwhy, "out of memory");
    if (said)
        fclose(said);
    why[nwhy - 1] = '\0';
    only_plain(why);
    return !rc;
}

static bool drops_right(const char *text, char *why, size_t nwhy)
{
    double shares[TRAINING_MOST_DROPS];
    bool right = training_drops(text, shares, why, nwhy) >= 0;

    if (!right)
        only_plain(why);
    return right;
}

static const struct text_form codec_form = { "a codec as in 3lc:s=1.75", codec_right };
static const struct text_form drops_form = { "shares as in '0.5, 0.75' or '150/350, 250/350'", drops_right };

static const struct field data_fields[] = {
    { .key = "kind",
      .type = FIELD_ENUM,
      .flags = FIELD_REQUIRED,
      .names = training_data_names,
      SCHEMA_AT(training_data, kind),
      .doc = "images, clicks and translation are made: planted classes, clicks on rows of tables, sentences of a made "
             "language; the others are read from files" },
    { .key = "path",
      .type = FIELD_FILE,
      .flags = FIELD_FOLDER | FIELD_DIGEST,
      SCHEMA_AT(training_data, path),
      .second = offsetof(struct training_data, digest),
      .doc =
          "of data that is read: the folder of cifar10, idx and jpeg, the file of criteo; of made data it is not looked "
          "at" },
    { .key = "seed",
      .type = FIELD_INTEGER,
      .max = 1e15,
      .fallback = "1",
      SCHEMA_AT(training_data, seed),
      .doc = "of data that is made: another one is other data of the same kind" },
    { .key = "train",
      .type = FIELD_INTEGER,
      .max = 1e12,
      SCHEMA_AT(training_data, train),
      .doc = "training samples; 0: all that the files have, of made data as many as its kind usually has" },
    { .key = "test",
      .type = FIELD_INTEGER,
      .max = 1e12,
      SCHEMA_AT(training_data, test),
      .doc = "test samples, likewise" },
    { .key = "classes",
      .type = FIELD_INTEGER,
      .max = LARGEST,
      SCHEMA_AT(training_data, classes),
      .doc = "that labels have; 0, here and below: as the model's" },
    { .key = "channels",
      .type = FIELD_INTEGER,
      .max = LARGEST,
      SCHEMA_AT(training_data, channels),
      .doc = "of an image" },
    { .key = "height",
      .type = FIELD_INTEGER,
      .max = LARGEST,
      SCHEMA_AT(training_data, height),
      .doc = "of an image, pixels" },
    { .key = "width",
      .type = FIELD_INTEGER,
      .max = LARGEST,
      SCHEMA_AT(training_data, width),
      .doc = "of an image, pixels" },
    { .key = "dense",
      .type = FIELD_INTEGER,
      .max = LARGEST,
      SCHEMA_AT(training_data, dense),
      .doc = "numbers of a click, beside its categories" },
    { .key = "tables",
      .type = FIELD_INTEGER,
      .max = LARGEST,
      SCHEMA_AT(training_data, tables),
      .doc = "categories of a click" },
    { .key = "rows",
      .type = FIELD_INTEGER,
      .max = 1e12,
      SCHEMA_AT(training_data, rows),
      .doc = "values that the categories of a click have, all together" },
    { .key = "positions",
      .type = FIELD_INTEGER,
      .max = LARGEST,
      SCHEMA_AT(training_data, positions),
      .doc = "words of a sentence" },
    { .key = "vocabulary",
      .type = FIELD_INTEGER,
      .max = LARGEST,
      SCHEMA_AT(training_data, vocabulary),
      .doc = "words to choose from" },
    { .key = "difficulty",
      .type = FIELD_NUMBER,
      .max = 1,
      .fallback = "0.5",
      SCHEMA_AT(training_data, difficulty),
      .doc = "of made images and clicks: how much hides what is to be learnt" },
    { .key = "base_rate",
      .type = FIELD_NUMBER,
      .flags = FIELD_ABOVE,
      .max = 1,
      .fallback = "0.25",
      SCHEMA_AT(training_data, base_rate),
      .doc = "share of made samples that are clicks" },
    { .key = "noise",
      .type = FIELD_NUMBER,
      .max = 1,
      .fallback = "0.02",
      SCHEMA_AT(training_data, noise),
      .doc = "share of a made translation's words that are wrong" },
    { .key = "crop",
      .type = FIELD_BOOL,
      .fallback = "false",
      SCHEMA_AT(training_data, crop),
      .doc = "training images are shifted at random: padded by an eighth on each side, then cropped" },
    { .key = "mirror",
      .type = FIELD_BOOL,
      .fallback = "false",
      SCHEMA_AT(training_data, mirror),
      .doc = "half of the training images, at random, are mirrored" },
};
static const struct schema data_schema = { "data", sizeof(struct training_data), data_fields, SCHEMA_COUNT(data_fields),
                                           NULL };

static const struct field dynamic_fields[] = {
    { .key = "batches_mp",
      .type = FIELD_INTEGER,
      .min = 1,
      .max = 1e12,
      .fallback = "10",
      SCHEMA_AT(dynamic_precision_config, batches_mp),
      .doc = "steps in mixed precision between two looks at the loss" },
    { .key = "batches_bf16",
      .type = FIELD_INTEGER,
      .min = 1,
      .max = 1e12,
      .fallback = "1000",
      SCHEMA_AT(dynamic_precision_config, batches_bf16),
      .doc = "steps in bf16 between two looks" },
    { .key = "threshold",
      .type = FIELD_NUMBER,
      .min = -1,
      .max = 1,
      .fallback = "0.04",
      SCHEMA_AT(dynamic_precision_config, threshold),
      .doc =
          "share by which the moving average of the loss must have fallen since the look before, for bf16 to follow" },
    { .key = "weight",
      .type = FIELD_NUMBER,
      .max = 1,
      SCHEMA_AT(dynamic_precision_config, weight),
      .doc = "of the newest loss in that average; 0: 2 / (batches_mp + 1)" },
};
static const struct schema dynamic_schema = { "dynamic", sizeof(struct dynamic_precision_config), dynamic_fields,
                                              SCHEMA_COUNT(dynamic_fields), NULL };

static const struct field optimizer_fields[] = {
    { .key = "momentum",
      .type = FIELD_NUMBER,
      .max = 1,
      .fallback = "0.9",
      SCHEMA_AT(training_optimizer, momentum),
      .doc = "share of the last update that is added to the next; 0: plain SGD" },
    { .key = "weight_decay",
      .type = FIELD_NUMBER,
      .max = 1,
      .fallback = "0.0001",
      SCHEMA_AT(training_optimizer, weight_decay),
      .doc = "share of each weight that is added to its gradient (L2 penalty)" },
};
static const struct schema optimizer_schema = { "optimizer", sizeof(struct training_optimizer), optimizer_fields,
                                                SCHEMA_COUNT(optimizer_fields), NULL };

static const struct field rate_fields[] = {
    { .key = "schedule",
      .type = FIELD_ENUM,
      .names = schedule_names,
      .fallback = "constant",
      SCHEMA_AT(training_rate, schedule),
      .doc =
          "step: falls by the factor every so many steps, or at given shares of the training; exponential: by the factor "
          "every so many steps, a little each; cosine: along half a cosine over the whole training" },
    { .key = "from",
      .type = FIELD_NUMBER,
      .flags = FIELD_REQUIRED | FIELD_ABOVE,
      .max = 1e6,
      SCHEMA_AT(training_rate, from),
      .doc = "at the beginning" },
    { .key = "to", .type = FIELD_NUMBER, .max = 1e6, SCHEMA_AT(training_rate, to), .doc = "at the end: cosine" },
    { .key = "factor",
      .type = FIELD_NUMBER,
      .flags = FIELD_ABOVE,
      .max = 1,
      .fallback = "0.1",
      SCHEMA_AT(training_rate, factor),
      .doc = "step, exponential" },
    { .key = "every",
      .type = FIELD_INTEGER,
      .max = 1e12,
      SCHEMA_AT(training_rate, every),
      .doc = "steps from one fall to the next: exponential, or step without shares" },
    { .key = "at",
      .type = FIELD_STRING,
      .form = &drops_form,
      .max = LONGEST_TEXT,
      SCHEMA_AT(training_rate, at),
      .doc = "shares of the training after which it falls: step; they stay right when the training is made shorter" },
    { .key = "warmup",
      .type = FIELD_INTEGER,
      .max = 1e12,
      SCHEMA_AT(training_rate, warmup),
      .doc = "steps in which it rises evenly to what the schedule has" },
    { .key = "scale_by_workers",
      .type = FIELD_BOOL,
      .fallback = "false",
      SCHEMA_AT(training_rate, scale_by_workers),
      .doc = "multiply it by the number of workers, whose batches make one large one (arXiv 1706.02677)" },
};
static const struct schema rate_schema = { "learning rate", sizeof(struct training_rate), rate_fields,
                                           SCHEMA_COUNT(rate_fields), NULL };

static const struct field exchange_fields[] = {
    { .key = "push",
      .type = FIELD_STRING,
      .form = &codec_form,
      .max = LONGEST_TEXT,
      .fallback = "fp32",
      SCHEMA_AT(training_exchange, push),
      .doc = "codec of the gradients that each worker sends, as in narrows list codecs: NAME or NAME:PARAM=VALUE,..." },
    { .key = "pull",
      .type = FIELD_STRING,
      .form = &codec_form,
      .max = LONGEST_TEXT,
      .fallback = "fp32",
      SCHEMA_AT(training_exchange, pull),
      .doc = "codec of what the workers get back, the same for all" },
    { .key = "pull_of",
      .type = FIELD_ENUM,
      .names = pull_names,
      .fallback = "deltas",
      SCHEMA_AT(training_exchange, pull_of),
      .doc = "deltas: what changed in the model since the last step; weights: the model itself" },
    { .key = "min_values",
      .type = FIELD_INTEGER,
      .max = 1 << 30,
      SCHEMA_AT(training_exchange, min_values),
      .doc = "smaller tensors travel as fp32, as parameters of batch norms always do" },
};
static const struct schema exchange_schema = { "exchange", sizeof(struct training_exchange), exchange_fields,
                                               SCHEMA_COUNT(exchange_fields), NULL };

static const struct field awp_fields[] = {
    { .key = "interval",
      .type = FIELD_INTEGER,
      .flags = FIELD_REQUIRED,
      .max = 1e12,
      SCHEMA_AT(training_awp, interval),
      .doc = "steps with a change below the threshold until a layer gains bits; 0: AWP is off" },
    { .key = "threshold",
      .type = FIELD_NUMBER,
      .min = -1,
      .max = 1,
      SCHEMA_AT(training_awp, threshold),
      .doc = "of the change of the weights' l2 norm in a step, as a share; below 0 it must shrink by more than that" },
    { .key = "step_bits",
      .type = FIELD_INTEGER,
      .min = 1,
      .max = 32,
      .fallback = "8",
      SCHEMA_AT(training_awp, step_bits),
      .doc = "that a layer gains at a time" },
    { .key = "start_bits",
      .type = FIELD_INTEGER,
      .min = 1,
      .max = 32,
      .fallback = "8",
      SCHEMA_AT(training_awp, start_bits),
      .doc = "of every weight in the first step" },
    { .key = "group",
      .type = FIELD_ENUM,
      .names = group_names,
      .fallback = "layer",
      SCHEMA_AT(training_awp, group),
      .doc = "what gains bits together: each layer by itself, or a residual block" },
};
static const struct schema awp_schema = { "awp", sizeof(struct training_awp), awp_fields, SCHEMA_COUNT(awp_fields),
                                          NULL };

static const struct field mask_fields[] = {
    { .key = "after",
      .type = FIELD_STRING,
      .max = LONGEST_TEXT,
      SCHEMA_AT(training_mask, after),
      .doc = "layers after which the model is cut, by their names as narrows show model has them, parted by commas" },
    { .key = "dropped",
      .type = FIELD_NUMBER,
      .flags = FIELD_REQUIRED,
      .max = 0.9999,
      SCHEMA_AT(training_mask, dropped),
      .doc =
          "share of each sample's activations there, the smallest, that is dropped with its gradients; 0: nothing is" },
};
static const struct schema mask_schema = { "mask", sizeof(struct training_mask), mask_fields, SCHEMA_COUNT(mask_fields),
                                           NULL };

static const struct field split_fields[] = {
    { .key = "depth",
      .type = FIELD_NUMBER,
      .flags = FIELD_REQUIRED,
      .max = 1,
      SCHEMA_AT(training_split, spec.depth),
      .doc = "share of the convolutions whose layers work on patches; 0: none do" },
    { .key = "rows",
      .type = FIELD_INTEGER,
      .min = 1,
      .max = 4096,
      .fallback = "1",
      SCHEMA_AT(training_split, spec.rows),
      .doc = "patches along the height" },
    { .key = "columns",
      .type = FIELD_INTEGER,
      .min = 1,
      .max = 4096,
      .fallback = "1",
      SCHEMA_AT(training_split, spec.columns),
      .doc = "patches along the width" },
    { .key = "wiggle",
      .type = FIELD_NUMBER,
      .max = 0.499,
      .fallback = "0",
      SCHEMA_AT(training_split, spec.wiggle),
      .doc =
          "0: even patches; else every step has patches of its own, whose borders move by up to this share of a patch (the "
          "paper: 0.2)" },
    { .key = "evaluate",
      .type = FIELD_ENUM,
      .names = evaluated_names,
      .fallback = "split",
      SCHEMA_AT(training_split, evaluate),
      .doc = "what test samples go through: the network in even patches, or in one piece" },
};
static const struct schema split_schema = { "split", sizeof(struct training_split), split_fields,
                                            SCHEMA_COUNT(split_fields), NULL };

static const struct field evaluate_fields[] = {
    { .key = "every",
      .type = FIELD_INTEGER,
      .flags = FIELD_SILENT,
      .max = 1e12,
      SCHEMA_AT(training, evaluate_every),
      .doc = "steps from one evaluation to the next; 0: only at the end" },
    { .key = "batch",
      .type = FIELD_INTEGER,
      .flags = FIELD_SILENT,
      .max = LARGEST,
      SCHEMA_AT(training, evaluate_batch),
      .doc = "test samples at a time; 0: as many as a worker trains on" },
    { .key = "samples",
      .type = FIELD_INTEGER,
      .max = 1e12,
      SCHEMA_AT(training, evaluate_samples),
      .doc = "test samples, the first ones; 0: all" },
    { .key = "training",
      .type = FIELD_INTEGER,
      .max = 1e12,
      SCHEMA_AT(training, evaluate_training),
      .doc = "training samples, the first ones, that the network is evaluated on when it is trained; 0: none" },
};
static const struct schema evaluate_schema = { "evaluate", sizeof(struct training), evaluate_fields,
                                               SCHEMA_COUNT(evaluate_fields), NULL };

static const struct field trace_fields[] = {
    { .key = "every",
      .type = FIELD_INTEGER,
      .flags = FIELD_SILENT,
      .max = 1e12,
      SCHEMA_AT(training, trace_every),
      .doc = "steps from one row for each tensor in the database to the next; 0: none" },
    { .key = "thresholds",
      .type = FIELD_STRING,
      .flags = FIELD_SILENT,
      .form = &drops_form,
      .max = LONGEST_TEXT,
      SCHEMA_AT(training, trace_thresholds),
      .doc = "shares, for which those rows also say above which magnitude a sample's activations after the layers of "
             "mask.after would be kept" },
};
static const struct schema trace_schema = { "trace", sizeof(struct training), trace_fields, SCHEMA_COUNT(trace_fields),
                                            NULL };

static const struct field checkpoint_fields[] = {
    { .key = "every",
      .type = FIELD_INTEGER,
      .flags = FIELD_SILENT,
      .max = 1e12,
      SCHEMA_AT(training, checkpoint_every),
      .doc = "steps from one checkpoint, from which a killed training goes on, to the next; 0: none" },
};
static const struct schema checkpoint_schema = { "checkpoint", sizeof(struct training), checkpoint_fields,
                                                 SCHEMA_COUNT(checkpoint_fields), NULL };

static const struct field training_fields[] = {
    { .key = "data",
      .type = FIELD_MAP,
      .sub = &data_schema,
      SCHEMA_AT(training, data),
      .doc = "what the model is trained on" },
    { .key = "workers",
      .type = FIELD_INTEGER,
      .min = 1,
      .max = 4096,
      .fallback = "1",
      SCHEMA_AT(training, workers),
      .doc = "each with the whole model; a step sums their gradients" },
    { .key = "batch",
      .type = FIELD_INTEGER,
      .flags = FIELD_REQUIRED,
      .min = 1,
      .max = LARGEST,
      .fallback = "1",
      SCHEMA_AT(training, batch),
      .doc = "samples of each worker in a step" },
    { .key = "steps",
      .type = FIELD_INTEGER,
      .max = 1e12,
      SCHEMA_AT(training, steps),
      .doc = "how long it trains; 0: epochs says it" },
    { .key = "epochs",
      .type = FIELD_NUMBER,
      .max = 1e9,
      SCHEMA_AT(training, epochs),
      .doc = "the same in passes over the training samples, rounded to whole steps; 0: steps says it" },
    { .key = "seed",
      .type = FIELD_INTEGER,
      .max = 1e15,
      .fallback = "1",
      SCHEMA_AT(training, seed),
      .doc =
          "of everything drawn while training: first weights, order and variations of samples, dropout, stochastic codecs "
          "and splits" },
    { .key = "backend",
      .type = FIELD_ENUM,
      .names = backend_names,
      .fallback = "best",
      SCHEMA_AT(training, backend),
      .doc = "what computes the layers; best: the first that can run here of cuda, dnnl, gemm and reference" },
    { .key = "precision",
      .type = FIELD_ENUM,
      .names = precision_names,
      .fallback = "fp32",
      SCHEMA_AT(training, precision),
      .doc =
          "of multiply-adds. mp: bf16 products, fp32 sums; bf16: throughout; dynamic: bf16 while the loss falls, else mp" },
    { .key = "dynamic",
      .type = FIELD_MAP,
      .sub = &dynamic_schema,
      SCHEMA_AT(training, dynamic),
      .doc = "when precision changes: only with precision dynamic" },
    { .key = "initialization",
      .type = FIELD_ENUM,
      .names = initialization_names,
      .fallback = "he-normal",
      SCHEMA_AT(training, initialization),
      .doc =
          "of weights. he-normal: deviation sqrt(2 / in); glorot-uniform: +- sqrt(6 / (in + out)); lecun-normal: "
          "deviation sqrt(1 / in); normal: initial_deviation; dlrm: deviation sqrt(2 / (in + out)), tables of n rows +- 1 / sqrt(n)" },
    { .key = "initial_deviation",
      .type = FIELD_NUMBER,
      .max = 1e6,
      SCHEMA_AT(training, initial_deviation),
      .doc = "of every first weight, whatever its layer: with the initialization normal" },
    { .key = "initial_biases",
      .type = FIELD_NUMBER,
      .min = -1e6,
      .max = 1e6,
      SCHEMA_AT(training, initial_biases),
      .doc = "what biases begin with: likewise" },
    { .key = "optimizer",
      .type = FIELD_MAP,
      .sub = &optimizer_schema,
      SCHEMA_AT(training, optimizer),
      .doc = "SGD with momentum" },
    { .key = "learning_rate",
      .type = FIELD_MAP,
      .sub = &rate_schema,
      SCHEMA_AT(training, rate),
      .doc = "of the optimizer, step by step" },
    { .key = "exchange",
      .type = FIELD_MAP,
      .sub = &exchange_schema,
      SCHEMA_AT(training, exchange),
      .doc = "what workers send and get; by default fp32" },
    { .key = "awp",
      .type = FIELD_MAP,
      .flags = FIELD_WHOLE,
      .sub = &awp_schema,
      SCHEMA_AT(training, awp),
      .doc =
          "Adaptive Weight Precision (arXiv 2004.02297): how many bits of each weight a pull has; with pull_of weights" },
    { .key = "weight_bits",
      .type = FIELD_INTEGER,
      .max = 32,
      SCHEMA_AT(training, weight_bits),
      .doc =
          "of every weight in a pull, from the first step to the last: 8, 16, 24 or 32; 0: as the pull's codec has it" },
    { .key = "mask",
      .type = FIELD_MAP,
      .flags = FIELD_WHOLE,
      .sub = &mask_schema,
      SCHEMA_AT(training, mask),
      .doc = "activations that are dropped where the model is cut (DCT-MP, arXiv 2010.08899)" },
    { .key = "split",
      .type = FIELD_MAP,
      .flags = FIELD_WHOLE,
      .sub = &split_schema,
      SCHEMA_AT(training, split),
      .doc = "into patches that know nothing of each other (Split-CNN); by default the network is not split" },
    { .key = "evaluate", .type = FIELD_MAP, .sub = &evaluate_schema, .doc = "on test samples" },
    { .key = "trace", .type = FIELD_MAP, .sub = &trace_schema, .doc = "of tensors: norms, bytes, bits" },
    { .key = "checkpoint", .type = FIELD_MAP, .sub = &checkpoint_schema, .doc = "on disk" },
};
const struct schema schema_training = { "training", sizeof(struct training), training_fields,
                                        SCHEMA_COUNT(training_fields), NULL };
