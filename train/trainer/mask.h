/* mask.h - DCT-MP in a pass: after a chosen layer only the greatest activations of each row stay, before its backward operation the errors
 * of the same places (arXiv 2010.08899, Algorithm 2; kernels/topk_rows). A row is a sample's values, or a position's of a sequence.
 * Bytes      as they would cross to the next machine: forward a mask and values, backward values alone, since the mask is there.
 * Threads    a struct mask_run for each lane; the struct mask is only read. */
#ifndef NARROWS_TRAIN_TRAINER_MASK_H
#define NARROWS_TRAIN_TRAINER_MASK_H

#include "train/net/lane.h"
#include "train/trainer/trainer.h"

struct mask {
    struct mask_options options;
    const struct model *model;
};

struct mask_traffic {
    int64_t bytes[2]; /* forward, backward */
};

struct mask_run {
    const struct mask *mask;
    const struct net *net;
    uint64_t **masks; /* [mask.options.nlayers] of this batch */
    void *memory;     /* of all of them, and of scratch */
    float *values, *whole;
    void *work;
    struct mask_traffic traffic;
};

/* 0 or TRAINER_ENOMEM. */
int mask_run_open(const struct mask *m, const struct net *net, struct mask_run *out);
void mask_run_close(struct mask_run *r); /* accepts an all-zero one */
struct pass_hook mask_hook(struct mask_run *r);

#endif
