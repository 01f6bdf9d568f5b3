/* training.c - the keys of a scenario's training. */
#include "harness/scenario/training.h"
#include "harness/scenario/schema/codec_text.h"
#include "harness/scenario/schema/rows.h"

WORDS(backend_names, TRAINING_BACKENDS, "best", "reference", "gemm", "dnnl", "cuda");
WORDS(precision_names, TRAINING_PRECISIONS, "fp32", "mp", "bf16", "dynamic");
WORDS(chain_names, TRAINING_CHAINS, "whole", "cut");
WORDS(initialization_names, TRAINING_INITIALIZATIONS, "he-normal", "glorot-uniform", "lecun-normal", "normal", "dlrm");
WORDS(schedule_names, TRAINING_SCHEDULES, "constant", "step", "exponential", "cosine");
WORDS(pull_names, TRAINING_PULLS, "deltas", "weights");
WORDS(group_names, TRAINING_GROUPS, "layer", "block");
WORDS(norm_names, TRAINING_NORMS, "master", "sent");
WORDS(evaluated_names, TRAINING_EVALUATED, "split", "unsplit");
WORDS(copy_names, TRAINING_COPIES, "server", "worker");

enum { LARGEST = 1 << 24, LONGEST_TEXT = 511 };

static bool drops_right(const char *text, char *why, size_t nwhy)
{
    double shares[TRAINING_MOST_DROPS];
    bool right = training_drops(text, shares, why, nwhy) >= 0;

    if (!right)
        reason_plain(why);
    return right;
}

static const struct text_form drops_form = { .expected = "shares as in '0.5, 0.75' or '150/350, 250/350'",
                                             .right = drops_right };

static const struct field data_fields[] = {
    { "kind", CHOICE(training_data, kind, training_data_names), FLAGS(FIELD_REQUIRED),
      DOC("images, clicks and translation are synthetic: planted classes, clicks on rows of tables, sentences of an "
          "artificial language; the others are read from files") },
    { "path", DIGESTED(training_data, path, digest), FLAGS(FIELD_FOLDER | FIELD_DIGEST),
      DOC("the folder of cifar10, idx, jpeg and iwslt, or the file of criteo; ignored for synthetic data") },
    { "seed", INTEGER(training_data, seed), MOST(1e15), DEFAULT("1"), DOC("seed of synthetic data") },
    { "train", INTEGER(training_data, train), MOST(1e12),
      DOC("training samples; 0: all in the files, or the usual number of that kind of synthetic data") },
    { "test", INTEGER(training_data, test), MOST(1e12), DOC("test samples, in the same way") },
    { "classes", INTEGER(training_data, classes), MOST(LARGEST),
      DOC("number of classes; 0, here and below: as in the model") },
    { "channels", INTEGER(training_data, channels), MOST(LARGEST), DOC("channels of an image") },
    { "height", INTEGER(training_data, height), MOST(LARGEST), DOC("height of an image in pixels") },
    { "width", INTEGER(training_data, width), MOST(LARGEST), DOC("width of an image in pixels") },
    { "dense", INTEGER(training_data, dense), MOST(LARGEST), DOC("numeric features of a click") },
    { "tables", INTEGER(training_data, tables), MOST(LARGEST), DOC("categorical features of a click") },
    { "rows", INTEGER(training_data, rows), MOST(1e12), DOC("values of all categorical features together") },
    { "positions", INTEGER(training_data, positions), MOST(LARGEST), DOC("words of a sentence") },
    { "vocabulary", INTEGER(training_data, vocabulary), MOST(LARGEST), DOC("size of the vocabulary") },
    { "difficulty", NUMBER(training_data, difficulty), MOST(1), DEFAULT("0.5"),
      DOC("difficulty of synthetic images and clicks: how much noise hides the signal") },
    { "base_rate", NUMBER(training_data, base_rate), FLAGS(FIELD_ABOVE), MOST(1), DEFAULT("0.25"),
      DOC("share of clicks among synthetic samples") },
    { "noise", NUMBER(training_data, noise), MOST(1), DEFAULT("0.02"),
      DOC("share of wrong words in a synthetic translation") },
    { "crop", BOOL(training_data, crop), DEFAULT("false"),
      DOC("shift training images at random: padded by an eighth on each side, then cropped") },
    { "mirror", BOOL(training_data, mirror), DEFAULT("false"),
      DOC("mirror half of the training images, chosen at random") },
};
static const struct schema data_schema = SCHEMA("data", training_data, data_fields, NULL);

static const struct field dynamic_fields[] = {
    { "batches_mp", INTEGER(dynamic_precision_config, batches_mp), RANGE(1, 1e12), DEFAULT("10"),
      DOC("steps in mixed precision between two checks of the loss") },
    { "batches_bf16", INTEGER(dynamic_precision_config, batches_bf16), RANGE(1, 1e12), DEFAULT("1000"),
      DOC("steps in bf16 between two checks") },
    { "threshold", NUMBER(dynamic_precision_config, threshold), RANGE(-1, 1), DEFAULT("0.04"),
      DOC("share by which the moving average of the loss must have fallen since the previous check to switch to "
          "bf16") },
    { "weight", NUMBER(dynamic_precision_config, weight), MOST(1),
      DOC("weight of the newest loss in that average; 0: 2 / (batches_mp + 1)") },
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
      DOC("step: multiplied by 'factor' every 'every' steps, or at given shares of the training; exponential: the "
          "same spread evenly over the steps; cosine: along half a cosine over the whole training") },
    { "from", NUMBER(training_rate, from), FLAGS(FIELD_REQUIRED | FIELD_ABOVE), MOST(1e6), DOC("initial rate") },
    { "to", NUMBER(training_rate, to), MOST(1e6), DOC("final rate: cosine") },
    { "factor", NUMBER(training_rate, factor), FLAGS(FIELD_ABOVE), MOST(1), DEFAULT("0.1"),
      DOC("factor of each drop: step, exponential") },
    { "every", INTEGER(training_rate, every), MOST(1e12),
      DOC("steps between two drops: exponential, or step without shares") },
    { "at", TEXT(training_rate, at), MOST(LONGEST_TEXT), .form = &drops_form,
      DOC("shares of the training after which the rate drops: step; they remain right if the training is shortened") },
    { "warmup", INTEGER(training_rate, warmup), MOST(1e12), DOC("steps of linear warmup to the rate of the schedule") },
    { "scale_by_workers", BOOL(training_rate, scale_by_workers), DEFAULT("false"),
      DOC("multiply it by the number of workers, whose batches make one large one (arXiv 1706.02677)") },
};
static const struct schema rate_schema = SCHEMA("learning rate", training_rate, rate_fields, NULL);

static const struct field exchange_fields[] = {
    { "push", TEXT(training_exchange, push), MOST(LONGEST_TEXT), DEFAULT("fp32"), .form = &codec_text_trained,
      DOC("codec of the gradients that each worker sends, as in narrows list codecs: NAME or NAME:PARAM=VALUE,...") },
    { "pull", TEXT(training_exchange, pull), MOST(LONGEST_TEXT), DEFAULT("fp32"), .form = &codec_text_trained,
      DOC("codec of what the workers receive, the same for all") },
    { "pull_of", CHOICE(training_exchange, pull_of, pull_names), DEFAULT("deltas"),
      DOC("deltas: changes of the model since the last step; weights: the model itself") },
    { "min_values", INTEGER(training_exchange, min_values), MOST(1 << 30),
      DOC("smaller tensors are sent as fp32, as parameters of batch norms always are") },
};
static const struct schema exchange_schema = SCHEMA("exchange", training_exchange, exchange_fields, NULL);

static const struct field awp_fields[] = {
    { "interval", INTEGER(training_awp, interval), FLAGS(FIELD_REQUIRED), MOST(1e12),
      DOC("steps with a change below the threshold until a layer gains bits; 0: AWP is off") },
    { "threshold", NUMBER(training_awp, threshold), RANGE(-1, 1),
      DOC("threshold for the relative change of the weights' l2 norm in a step; below 0, the norm must shrink by "
          "more than that") },
    { "step_bits", INTEGER(training_awp, step_bits), RANGE(1, 32), DEFAULT("8"),
      DOC("bits that a layer gains at a time") },
    { "start_bits", INTEGER(training_awp, start_bits), RANGE(1, 32), DEFAULT("8"),
      DOC("bits of every weight in the first step") },
    { "group", CHOICE(training_awp, group, group_names), DEFAULT("layer"),
      DOC("what gains bits together: a single layer, or a residual block") },
    { "norms", CHOICE(training_awp, norms, norm_names), DEFAULT("master"),
      DOC("norms of which weights are compared. master: the server's, in fp32; sent: as the workers unpack them, "
          "without the bits that are not sent, as where the norms are computed on the GPU") },
};
static const struct schema awp_schema = SCHEMA("awp", training_awp, awp_fields, NULL);

static const struct field mask_fields[] = {
    { "after", TEXT(training_mask, after), MOST(LONGEST_TEXT),
      DOC("names of the layers after which the model is cut, as narrows show model prints them, separated by commas") },
    { "dropped", NUMBER(training_mask, dropped), FLAGS(FIELD_REQUIRED), MOST(0.9999),
      DOC("share of each sample's activations there that are dropped, smallest first, with their gradients; 0: none") },
};
static const struct schema mask_schema = SCHEMA("mask", training_mask, mask_fields, NULL);

static const struct field split_fields[] = {
    { "depth", NUMBER(training_split, spec.depth), FLAGS(FIELD_REQUIRED), MOST(1),
      DOC("share of the convolutions whose layers work on patches; 0: none") },
    { "rows", INTEGER(training_split, spec.rows), RANGE(1, 4096), DEFAULT("1"), DOC("patches along the height") },
    { "columns", INTEGER(training_split, spec.columns), RANGE(1, 4096), DEFAULT("1"), DOC("patches along the width") },
    { "wiggle", NUMBER(training_split, spec.wiggle), MOST(0.499), DEFAULT("0"),
      DOC("0: even patches; else every step draws new patches, whose borders move by up to this share of a patch "
          "(the paper: 0.2)") },
    { "evaluate", CHOICE(training_split, evaluate, evaluated_names), DEFAULT("split"),
      DOC("what test samples are evaluated on: the network in even patches, or the unsplit network") },
};
static const struct schema split_schema = SCHEMA("split", training_split, split_fields, NULL);

static const struct field evaluate_fields[] = {
    { "every", INTEGER(training, evaluate_every), FLAGS(FIELD_SILENT), MOST(1e12),
      DOC("steps between two evaluations; 0: only at the end") },
    { "batch", INTEGER(training, evaluate_batch), FLAGS(FIELD_SILENT), MOST(LARGEST),
      DOC("test samples per batch; 0: as many as a worker trains on") },
    { "samples", INTEGER(training, evaluate_samples), MOST(1e12),
      DOC("number of test samples, from the first on; 0: all") },
    { "training", INTEGER(training, evaluate_training), MOST(1e12),
      DOC("number of training samples, from the first on, to evaluate the trained network on; 0: none") },
    { "weights", CHOICE(training, evaluate_weights, copy_names), DEFAULT("server"),
      DOC("whose weights are evaluated: the server's, or those that the workers have, after the pull's codec") },
};
static const struct schema evaluate_schema = SCHEMA("evaluate", training, evaluate_fields, NULL);

static const struct field trace_fields[] = {
    { "every", INTEGER(training, trace_every), FLAGS(FIELD_SILENT), MOST(1e12),
      DOC("steps between two traces of every tensor in the database; 0: none") },
    { "thresholds", TEXT(training, trace_thresholds), FLAGS(FIELD_SILENT), MOST(LONGEST_TEXT), .form = &drops_form,
      DOC("shares to be dropped, for which the trace also holds the magnitude above which a sample's activations "
          "after the layers of mask.after would be kept") },
};
static const struct schema trace_schema = SCHEMA("trace", training, trace_fields, NULL);

static const struct field checkpoint_fields[] = {
    { "every", INTEGER(training, checkpoint_every), FLAGS(FIELD_SILENT), MOST(1e12),
      DOC("steps between two checkpoints, from which an interrupted training run resumes; 0: none") },
};
static const struct schema checkpoint_schema = SCHEMA("checkpoint", training, checkpoint_fields, NULL);

static const struct field training_fields[] = {
    { "data", MAP(training, data, data_schema), DOC("what the model is trained on") },
    { "workers", INTEGER(training, workers), RANGE(1, 4096), DEFAULT("1"),
      DOC("workers, each with the whole model; a step sums their gradients") },
    { "batch", INTEGER(training, batch), FLAGS(FIELD_REQUIRED), RANGE(1, LARGEST), DEFAULT("1"),
      DOC("samples of each worker in a step") },
    { "steps", INTEGER(training, steps), MOST(1e12), DOC("length of the training; 0: given by epochs") },
    { "epochs", NUMBER(training, epochs), MOST(1e9),
      DOC("the same in passes over the training samples, rounded to whole steps; 0: given by steps") },
    { "seed", INTEGER(training, seed), MOST(1e15), DEFAULT("1"),
      DOC("seed of everything random while training: initial weights, order and augmentation of samples, dropout, "
          "stochastic codecs and splits") },
    { "backend", CHOICE(training, backend, backend_names), DEFAULT("best"),
      DOC("what computes the layers; best: the first of cuda, dnnl, gemm and reference that can run here") },
    { "precision", CHOICE(training, precision, precision_names), DEFAULT("fp32"),
      DOC("precision of multiply-adds. mp: bf16 products, fp32 sums; bf16: throughout; dynamic: bf16 while the loss "
          "falls, else mp") },
    { "chains", CHOICE(training, chains, chain_names), DEFAULT("whole"),
      DOC("sums of bf16. whole: a weight's gradient is one bf16 accumulator over all images and positions of a batch, "
          "and window errors are added in bf16; cut: each image ends a sum, and images and windows are added in fp32, "
          "to show what the length costs; only with precision: bf16 or dynamic") },
    { "dynamic", MAP(training, dynamic, dynamic_schema),
      DOC("when the precision changes; only with precision: dynamic") },
    { "initialization", CHOICE(training, initialization, initialization_names), DEFAULT("he-normal"),
      DOC("initial weights. he-normal: deviation sqrt(2 / in); glorot-uniform: +- sqrt(6 / (in + out)); "
          "lecun-normal: deviation sqrt(1 / in); normal: initial_deviation; dlrm: deviation sqrt(2 / (in + out)), "
          "tables of n rows +- 1 / sqrt(n)") },
    { "initial_deviation", NUMBER(training, initial_deviation), MOST(1e6),
      DOC("standard deviation of all initial weights: initialization normal") },
    { "initial_biases", NUMBER(training, initial_biases), RANGE(-1e6, 1e6),
      DOC("initial value of biases: initialization normal") },
    { "optimizer", MAP(training, optimizer, optimizer_schema), DOC("SGD with momentum") },
    { "learning_rate", MAP(training, rate, rate_schema), DOC("learning rate of the optimizer, step by step") },
    { "exchange", MAP(training, exchange, exchange_schema),
      DOC("codecs of what workers send and receive; by default fp32") },
    { "awp", MAP(training, awp, awp_schema), FLAGS(FIELD_WHOLE),
      DOC("Adaptive Weight Precision (arXiv 2004.02297): the bits of each weight in a pull; with pull_of weights") },
    { "weight_bits", INTEGER(training, weight_bits), MOST(32),
      DOC("bits of every weight in a pull, from the first step to the last: 8, 16, 24 or 32; 0: as the pull's codec "
          "has it") },
    { "mask", MAP(training, mask, mask_schema), FLAGS(FIELD_WHOLE),
      DOC("activations that are dropped where the model is cut (DCT-MP, arXiv 2010.08899)") },
    { "split", MAP(training, split, split_schema), FLAGS(FIELD_WHOLE),
      DOC("split into patches that do not exchange data (Split-CNN); by default the network is not split") },
    { "evaluate", SAME(evaluate_schema), DOC("evaluation on test samples") },
    { "trace", SAME(trace_schema), DOC("trace of tensors: norms, bytes, bits") },
    { "checkpoint", SAME(checkpoint_schema), DOC("checkpoints on disk") },
};
const struct schema schema_training = SCHEMA("training", training, training_fields, NULL);
