/* mask.h - DCT-MP in a pass: after a chosen layer only the largest activations of each row are kept, and before its
 * backward operation only the errors at the same places (arXiv 2010.08899, Algorithm 2; kernels/topk_rows). A row is a
 * sample, or a position of a sequence.
 * Watched    on request, the smallest magnitude that would be kept if another share were dropped, as the mean over the
 *            rows.
 * Bytes      that would go to the next machine: forward a mask and values; backward values alone, since the mask is
 *            known. If nothing is dropped, all values both ways.
 * Threads    a struct mask_run for each context; the struct mask is only read. */
#ifndef NARROWS_TRAIN_TRAINER_MASK_H
#define NARROWS_TRAIN_TRAINER_MASK_H

#include "train/net/context.h"
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
    double *thresholds; /* [mask.options.nlayers][mask.options.nwatched] output; NULL: not watched */
    struct mask_traffic traffic;
};

/* How many thresholds are watched. */
size_t mask_thresholds(const struct mask *m);

/* 0 or E_NOMEM. */
int mask_run_open(const struct mask *m, const struct net *net, double *thresholds, struct mask_run *out);
void mask_run_close(struct mask_run *r); /* accepts an all-zero one */
struct pass_hook mask_hook(struct mask_run *r);

#endif
