#include "harness/training/readings.h"

#include <stddef.h>

/* None depends on time: a point has the same readings on every machine that computes the same bits. */
const char *const training_readings[] = {
    "steps",
    "accuracy", /* % of the test samples: the label is the likeliest class */
    "top5",     /* % ... is among the five likeliest */
    "error",    /* %, 100 - accuracy */
    "loss",     /* of the last steps' training samples, their mean */
    "test_loss",
    "train_loss",     /* at the end, of the training samples that evaluate.training asks for */
    "train_accuracy", /* %, of the same */
    "bleu",           /* %, of translations */
    "auc",            /* %, of clicks: area under the ROC curve */
    /* of the exchange, over all steps and workers */
    "compression_ratio", /* x: fp32 bytes over bytes sent */
    "bits_per_value",
    "push_bytes", /* B, a step and worker */
    "pull_bytes",
    "bytes_per_weight", /* B, of the weights in pulls: AWP */
    "bf16_fma_pct",     /* % of the multiply-adds */
    /* multiply-adds of a step, all workers: of convolutions and products, by purpose; of norms and the update, always
     * fp32 */
    "fma_forward",
    "fma_backward_data",
    "fma_backward_weights",
    "fma_norms",
    "fma_update",
    "sample_gfma", /* 1e9: of convolutions and products, forward and backward, of one sample */
    "norm_change", /* change of the weights' l2 norm in a step, as a share: where AWP watches */
    "split_pct",   /* % of the convolutions that work on patches, if any do */
    NULL,
};
