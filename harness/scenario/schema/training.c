/* training.c - the keys of a scenario's training. */
#include "harness/scenario/schema/rows.h"

#include <stdio.h>
#include <string.h>

#include "harness/scenario/training.h"
#include "harness/status.h"
#include "harness/tensor/codec_choice.h"

WORDS(backend_names, TRAINING_BACKENDS, "best", "reference", "gemm", "dnnl", "cuda");
WORDS(precision_names, TRAINING_PRECISIONS, "fp32", "mp", "bf16", "dynamic");
WORDS(initialization_names, TRAINING_INITIALIZATIONS, "he-normal", "glorot-uniform", "lecun-normal", "normal", "dlrm");
WORDS(schedule_names, TRAINING_SCHEDULES, "constant", "step", "exponential", "cosine");
WORDS(pull_names, TRAINING_PULLS, "deltas", "weights");
WORDS(group_names, TRAINING_GROUPS, "layer", "block");
WORDS(evaluated_names, TRAINING_EVALUATED, "split", "unsplit");

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
    { "kind", CHOICE(training_data, kind, training_data_names), FLAGS(FIELD_REQUIRED),
      DOC("images, clicks and translation are made: planted classes, clicks on rows of tables, sentences of a made "
          "language; the others are read from files") },
    { "path", DIGESTED(training_data, path, digest), FLAGS(FIELD_FOLDER | FIELD_DIGEST),
      DOC("of data that is read: the folder of cifar10, idx and jpeg, the file of criteo; of made data it is not "
          "looked at") },
    { "seed", INTEGER(training_data, seed), MOST(1e15), DEFAULT("1"),
      DOC("of data that is made: another one is other data of the same kind") },
    { "train", INTEGER(training_data, train), MOST(1e12),
      DOC("training samples; 0: all that the files have, of made data as many as its kind usually has") },
    { "test", INTEGER(training_data, test), MOST(1e12), DOC("test samples, likewise") },
    { "classes", INTEGER(training_data, classes), MOST(LARGEST),
      DOC("that labels have; 0, here and below: as the model's") },
    { "channels", INTEGER(training_data, channels), MOST(LARGEST), DOC("of an image") },
    { "height", INTEGER(training_data, height), MOST(LARGEST), DOC("of an image, pixels") },
    { "width", INTEGER(training_data, width), MOST(LARGEST), DOC("of an image, pixels") },
    { "dense", INTEGER(training_data, dense), MOST(LARGEST), DOC("numbers of a click, beside its categories") },
    { "tables", INTEGER(training_data, tables), MOST(LARGEST), DOC("categories of a click") },
    { "rows", INTEGER(training_data, rows), MOST(1e12),
      DOC("values that the categories of a click have, all together") },
    { "positions", INTEGER(training_data, positions), MOST(LARGEST), DOC("words of a sentence") },
    { "vocabulary", INTEGER(training_data, vocabulary), MOST(LARGEST), DOC("words to choose from") },
    { "difficulty", NUMBER(training_data, difficulty), MOST(1), DEFAULT("0.5"),
      DOC("of made images and clicks: how much hides what is to be learnt") },
    { "base_rate", NUMBER(training_data, base_rate), FLAGS(FIELD_ABOVE), MOST(1), DEFAULT("0.25"),
      DOC("share of made samples that are clicks") },
    { "noise", NUMBER(training_data, noise), MOST(1), DEFAULT("0.02"),
      DOC("share of a made translation's words that are wrong") },
    { "crop", BOOL(training_data, crop), DEFAULT("false"),
      DOC("training images are shifted at random: padded by an eighth on each side, then cropped") },
    { "mirror", BOOL(training_data, mirror), DEFAULT("false"),
      DOC("half of the training images, at random, are mirrored") },
};
static const struct schema data_schema = SCHEMA("data", training_data, data_fields, NULL);

static const struct field dynamic_fields[] = {
    { "batches_mp", INTEGER(dynamic_precision_config, batches_mp), RANGE(1, 1e12), DEFAULT("10"),
      DOC("steps in mixed precision between two looks at the loss") },
    { "batches_bf16", INTEGER(dynamic_precision_config, batches_bf16), RANGE(1, 1e12), DEFAULT("1000"),
      DOC("steps in bf16 between two looks") },
    { "threshold", NUMBER(dynamic_precision_config, threshold), RANGE(-1, 1), DEFAULT("0.04"),
      DOC("share by which the moving average of the loss must have fallen since the look before, for bf16 to follow") },
    { "weight", NUMBER(dynamic_precision_config, weight), MOST(1),
      DOC("of the newest loss in that average; 0: 2 / (batches_mp + 1)") },
};
static const struct schema dynamic_schema = SCHEMA("dynamic", dynamic_precision_config, dynamic_fields, NULL);

static const struct field optimizer_fields[] = {
    { "momentum", NUMBER(training_optimizer, momentum), MOST(1), DEFAULT("0.9"),
      DOC("share of the last update that is added to the next; 0: plain SGD") },
    { "weight_decay", NUMBER(training_optimizer, weight_decay), MOST(1), DEFAULT("0.0001"),
      DOC("share of each weight that is added to its gradient (L2 penalty)") },
};
static const struct schema optimizer_schema = SCHEMA("optimizer", training_optimizer, optimizer_fields, NULL);

static const struct field rate_fields[] = {
    { "schedule", CHOICE(training_rate, schedule, schedule_names), DEFAULT("constant"),
      DOC("step: falls by the factor every so many steps, or at given shares of the training; exponential: by the "
          "factor every so many steps, a little each; cosine: along half a cosine over the whole training") },
    { "from", NUMBER(training_rate, from), FLAGS(FIELD_REQUIRED | FIELD_ABOVE), MOST(1e6), DOC("at the beginning") },
    { "to", NUMBER(training_rate, to), MOST(1e6), DOC("at the end: cosine") },
    { "factor", NUMBER(training_rate, factor), FLAGS(FIELD_ABOVE), MOST(1), DEFAULT("0.1"), DOC("step, exponential") },
    { "every", INTEGER(training_rate, every), MOST(1e12),
      DOC("steps from one fall to the next: exponential, or step without shares") },
    { "at", TEXT(training_rate, at), MOST(LONGEST_TEXT), .form = &drops_form,
      DOC("shares of the training after which it falls: step; they stay right when the training is made shorter") },
    { "warmup", INTEGER(training_rate, warmup), MOST(1e12),
      DOC("steps in which it rises evenly to what the schedule has") },
    { "scale_by_workers", BOOL(training_rate, scale_by_workers), DEFAULT("false"),
      DOC("multiply it by the number of workers, whose batches make one large one (arXiv 1706.02677)") },
};
static const struct schema rate_schema = SCHEMA("learning rate", training_rate, rate_fields, NULL);

static const struct field exchange_fields[] = {
    { "push", TEXT(training_exchange, push), MOST(LONGEST_TEXT), DEFAULT("fp32"), .form = &codec_form,
      DOC("codec of the gradients that each worker sends, as in narrows list codecs: NAME or NAME:PARAM=VALUE,...") },
    { "pull", TEXT(training_exchange, pull), MOST(LONGEST_TEXT), DEFAULT("fp32"), .form = &codec_form,
      DOC("codec of what the workers get back, the same for all") },
    { "pull_of", CHOICE(training_exchange, pull_of, pull_names), DEFAULT("deltas"),
      DOC("deltas: what changed in the model since the last step; weights: the model itself") },
    { "min_values", INTEGER(training_exchange, min_values), MOST(1 << 30),
      DOC("smaller tensors travel as fp32, as parameters of batch norms always do") },
};
static const struct schema exchange_schema = SCHEMA("exchange", training_exchange, exchange_fields, NULL);

static const struct field awp_fields[] = {
    { "interval", INTEGER(training_awp, interval), FLAGS(FIELD_REQUIRED), MOST(1e12),
      DOC("steps with a change below the threshold until a layer gains bits; 0: AWP is off") },
    { "threshold", NUMBER(training_awp, threshold), RANGE(-1, 1),
      DOC("of the change of the weights' l2 norm in a step, as a share; below 0 it must shrink by more than that") },
    { "step_bits", INTEGER(training_awp, step_bits), RANGE(1, 32), DEFAULT("8"), DOC("that a layer gains at a time") },
    { "start_bits", INTEGER(training_awp, start_bits), RANGE(1, 32), DEFAULT("8"),
      DOC("of every weight in the first step") },
    { "group", CHOICE(training_awp, group, group_names), DEFAULT("layer"),
      DOC("what gains bits together: each layer by itself, or a residual block") },
};
static const struct schema awp_schema = SCHEMA("awp", training_awp, awp_fields, NULL);

static const struct field mask_fields[] = {
    { "after", TEXT(training_mask, after), MOST(LONGEST_TEXT),
      DOC("layers after which the model is cut, by their names as narrows show model has them, parted by commas") },
    { "dropped", NUMBER(training_mask, dropped), FLAGS(FIELD_REQUIRED), MOST(0.9999),
      DOC("share of each sample's activations there, the smallest, that is dropped with its gradients; 0: nothing "
          "is") },
};
static const struct schema mask_schema = SCHEMA("mask", training_mask, mask_fields, NULL);

static const struct field split_fields[] = {
    { "depth", NUMBER(training_split, spec.depth), FLAGS(FIELD_REQUIRED), MOST(1),
      DOC("share of the convolutions whose layers work on patches; 0: none do") },
    { "rows", INTEGER(training_split, spec.rows), RANGE(1, 4096), DEFAULT("1"), DOC("patches along the height") },
    { "columns", INTEGER(training_split, spec.columns), RANGE(1, 4096), DEFAULT("1"), DOC("patches along the width") },
    { "wiggle", NUMBER(training_split, spec.wiggle), MOST(0.499), DEFAULT("0"),
      DOC("0: even patches; else every step has patches of its own, whose borders move by up to this share of a "
          "patch (the paper: 0.2)") },
    { "evaluate", CHOICE(training_split, evaluate, evaluated_names), DEFAULT("split"),
      DOC("what test samples go through: the network in even patches, or in one piece") },
};
static const struct schema split_schema = SCHEMA("split", training_split, split_fields, NULL);

static const struct field evaluate_fields[] = {
    { "every", INTEGER(training, evaluate_every), FLAGS(FIELD_SILENT), MOST(1e12),
      DOC("steps from one evaluation to the next; 0: only at the end") },
    { "batch", INTEGER(training, evaluate_batch), FLAGS(FIELD_SILENT), MOST(LARGEST),
      DOC("test samples at a time; 0: as many as a worker trains on") },
    { "samples", INTEGER(training, evaluate_samples), MOST(1e12), DOC("test samples, the first ones; 0: all") },
    { "training", INTEGER(training, evaluate_training), MOST(1e12),
      DOC("training samples, the first ones, that the network is evaluated on when it is trained; 0: none") },
};
static const struct schema evaluate_schema = SCHEMA("evaluate", training, evaluate_fields, NULL);

static const struct field trace_fields[] = {
    { "every", INTEGER(training, trace_every), FLAGS(FIELD_SILENT), MOST(1e12),
      DOC("steps from one row for each tensor in the database to the next; 0: none") },
    { "thresholds", TEXT(training, trace_thresholds), FLAGS(FIELD_SILENT), MOST(LONGEST_TEXT), .form = &drops_form,
      DOC("shares, for which those rows also say above which magnitude a sample's activations after the layers of "
          "mask.after would be kept") },
};
static const struct schema trace_schema = SCHEMA("trace", training, trace_fields, NULL);

static const struct field checkpoint_fields[] = {
    { "every", INTEGER(training, checkpoint_every), FLAGS(FIELD_SILENT), MOST(1e12),
      DOC("steps from one checkpoint, from which a killed training goes on, to the next; 0: none") },
};
static const struct schema checkpoint_schema = SCHEMA("checkpoint", training, checkpoint_fields, NULL);

static const struct field training_fields[] = {
    { "data", MAP(training, data, data_schema), DOC("what the model is trained on") },
    { "workers", INTEGER(training, workers), RANGE(1, 4096), DEFAULT("1"),
      DOC("each with the whole model; a step sums their gradients") },
    { "batch", INTEGER(training, batch), FLAGS(FIELD_REQUIRED), RANGE(1, LARGEST), DEFAULT("1"),
      DOC("samples of each worker in a step") },
    { "steps", INTEGER(training, steps), MOST(1e12), DOC("how long it trains; 0: epochs says it") },
    { "epochs", NUMBER(training, epochs), MOST(1e9),
      DOC("the same in passes over the training samples, rounded to whole steps; 0: steps says it") },
    { "seed", INTEGER(training, seed), MOST(1e15), DEFAULT("1"),
      DOC("of everything drawn while training: first weights, order and variations of samples, dropout, stochastic "
          "codecs and splits") },
    { "backend", CHOICE(training, backend, backend_names), DEFAULT("best"),
      DOC("what computes the layers; best: the first that can run here of cuda, dnnl, gemm and reference") },
    { "precision", CHOICE(training, precision, precision_names), DEFAULT("fp32"),
      DOC("of multiply-adds. mp: bf16 products, fp32 sums; bf16: throughout; dynamic: bf16 while the loss falls, "
          "else mp") },
    { "dynamic", MAP(training, dynamic, dynamic_schema), DOC("when precision changes: only with precision dynamic") },
    { "initialization", CHOICE(training, initialization, initialization_names), DEFAULT("he-normal"),
      DOC("of weights. he-normal: deviation sqrt(2 / in); glorot-uniform: +- sqrt(6 / (in + out)); lecun-normal: "
          "deviation sqrt(1 / in); normal: initial_deviation; dlrm: deviation sqrt(2 / (in + out)), tables of n "
          "rows +- 1 / sqrt(n)") },
    { "initial_deviation", NUMBER(training, initial_deviation), MOST(1e6),
      DOC("of every first weight, whatever its layer: with the initialization normal") },
    { "initial_biases", NUMBER(training, initial_biases), RANGE(-1e6, 1e6), DOC("what biases begin with: likewise") },
    { "optimizer", MAP(training, optimizer, optimizer_schema), DOC("SGD with momentum") },
    { "learning_rate", MAP(training, rate, rate_schema), DOC("of the optimizer, step by step") },
    { "exchange", MAP(training, exchange, exchange_schema), DOC("what workers send and get; by default fp32") },
    { "awp", MAP(training, awp, awp_schema), FLAGS(FIELD_WHOLE),
      DOC("Adaptive Weight Precision (arXiv 2004.02297): how many bits of each weight a pull has; with pull_of "
          "weights") },
    { "weight_bits", INTEGER(training, weight_bits), MOST(32),
      DOC("of every weight in a pull, from the first step to the last: 8, 16, 24 or 32; 0: as the pull's codec has "
          "it") },
    { "mask", MAP(training, mask, mask_schema), FLAGS(FIELD_WHOLE),
      DOC("activations that are dropped where the model is cut (DCT-MP, arXiv 2010.08899)") },
    { "split", MAP(training, split, split_schema), FLAGS(FIELD_WHOLE),
      DOC("into patches that know nothing of each other (Split-CNN); by default the network is not split") },
    { "evaluate", SAME(evaluate_schema), DOC("on test samples") },
    { "trace", SAME(trace_schema), DOC("of tensors: norms, bytes, bits") },
    { "checkpoint", SAME(checkpoint_schema), DOC("on disk") },
};
const struct schema schema_training = SCHEMA("training", training, training_fields, NULL);
