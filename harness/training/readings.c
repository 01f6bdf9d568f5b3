#include "harness/training/readings.h"

#include <stddef.h>

/* None of them depends on time: the same point has the same ones on every machine that computes the same bits. */
const char *const training_readings[] = {
    "steps",
    "accuracy", /* % of the test samples: the label is the likeliest class */
    "top5",     /* % ... is among the five likeliest */
    "error",    /* %, 100 - accuracy */
    "loss",     /* of the last steps' training samples, their mean */
    "test_loss",
    "train_loss",     /* in the end, of the training samples that evaluate.training asks for */
    "train_accuracy", /* %, of the same */
    "bleu",           /* %, of translations */
    "auc",            /* %, of clicks: area under the ROC curve */
    /* what the exchange came to, over all steps and workers */
    "compression_ratio", /* x: fp32 bytes over those that travelled */
    "bits_per_value",
    "push_bytes", /* B, a step and worker */
    "pull_bytes",
    "bytes_per_weight", /* B, of the weights in pulls: AWP */
    "bf16_fma_pct",     /* % of the multiply-adds */
    /* multiply-adds of a step, all workers: of convolutions and products, by what they are for; of norms and of the update, fp32 always */
    "fma_forward",
    "fma_backward_data",
    "fma_backward_weights",
    "fma_norms",
    "fma_update",
    "sample_gfma", /* 1e9: of convolutions and products, forward and backward, of one sample */
    "norm_change", /* share of the weights' l2 norm, in a step: where AWP watches */
    "split_pct",   /* % of the convolutions: those that work on patches, where there are any */
    NULL,
};
