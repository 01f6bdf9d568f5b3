/* host_sgd.h - data-parallel SGD with the weights on the host (A2DTWP, arXiv 2004.02297 sections III and V-G).
 * One step: the CPU packs the weights, sends them to every GPU, each GPU unpacks, computes forward and backward
 * over its share of the batch, the gradients return, the CPU updates. The l2 norms that AWP watches are computed
 * on the GPUs, of the weights that they unpacked, or on the CPU, of those that it just updated.
 * Units      names end in them; times are integer picoseconds of simulated time.
 * Pure       the result depends on the three inputs alone. */
#ifndef NARROWS_SIM_METHOD_HOST_SGD_H
#define NARROWS_SIM_METHOD_HOST_SGD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "sim/platform.h"

enum sgd_schedule {
    SCHEDULE_SERIAL,     /* a barrier after each phase: the chain that Tables II and III sum */
    SCHEDULE_OVERLAPPED, /* each layer as soon as what it needs is there, across steps too: the steady state */
};

enum weight_codec {
    WEIGHT_CODEC_NONE, /* fp32 as it is: no pack, no unpack */
    WEIGHT_CODEC_ADT,  /* the leading bytes of each weight (Algorithm 2) */
};

/* How many copies of the gradient leave the GPUs that share one link. */
enum gradient_reduce {
    REDUCE_NONE, /* every GPU sends its own */
    REDUCE_LINK, /* the GPUs of one board sum among themselves and each sends its part of the sum: one copy a board */
    REDUCE_ALL,  /* one copy in all, each GPU sending its part */
};

enum norms_place { NORMS_GPU, NORMS_CPU };

/* Weights of all their 4 bytes are sent as they are: nothing is packed or unpacked, and AWP, whose formats only ever
 * widen, has no norm left to watch. An average below that does not say which layers are that wide: all are packed. */
struct host_sgd {
    enum sgd_schedule schedule;
    enum weight_codec codec;
    double bytes_per_weight; /* 1..4: average over the layers and the run; ignored without a codec */
    bool awp;                /* compute the l2 norm of each layer's weights */
    enum norms_place norms;
    bool send_samples; /* the samples cross the link within the step (fp32), or are on the GPUs before it */
    enum gradient_reduce reduce;
    int64_t gpus_per_board; /* the group that REDUCE_LINK sums over */
};

/* The rows of Tables II and III. */
enum sgd_row {
    ROW_TO_DEVICE,
    ROW_TO_HOST,
    ROW_CONVOLUTION,
    ROW_FULLY_CONNECTED,
    ROW_UPDATE,
    ROW_L2NORM,
    ROW_PACK,
    ROW_UNPACK,
    SGD_ROWS,
};

struct sgd_result {
    int64_t step_ps;          /* one batch; overlapped: from the end of one to the end of the next */
    int64_t row_ps[SGD_ROWS]; /* time during which at least one task of the row ran; a serial step is their sum where
                                  every GPU has as many samples */
    int64_t to_device_bytes, to_host_bytes; /* over all links */
    int64_t weight_bytes;                   /* of one packed copy of the weights */
    double link_utilisation;                /* busiest direction of the busiest link: carried / (capacity * step) */
    uint64_t ntasks;
    uint64_t digest; /* of every task's start and end: equal digests, equal timelines */
};

/* Would host_sgd_run() take these? E_OK, or E_INVAL with the reason in why[]; nothing is played. */
int host_sgd_check(const struct platform *p, const struct model *m, const struct host_sgd *method, int64_t batch,
                   char *why, size_t nwhy);

/* Play one step of 'batch' samples. E_INVAL with the reason in why[] for a platform or method that makes no
 * sense (a NaN constant, no GPU, fewer samples than GPUs). A batch that does not divide evenly gives the first GPUs one
 * sample more. */
int host_sgd_run(const struct platform *p, const struct model *m, const struct host_sgd *method, int64_t batch,
                 struct sgd_result *out, char *why, size_t nwhy);

struct job;
struct readings;
struct timeline;

/* As a method among others (method.h): its readings are the rows as NAME_ms, the bytes, link_utilisation,
 * bytes_per_weight, link_bandwidth_GBps and bytes_per_kflop. */
int host_sgd_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy);

#endif
