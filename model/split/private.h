/* private.h - shared by the files of patches.h. */
#ifndef NARROWS_MODEL_SPLIT_PRIVATE_H
#define NARROWS_MODEL_SPLIT_PRIVATE_H

#include "model/split/patches.h"

/* Tensor 0 is the network's input, tensor l + 1 the output of layer l. */
static inline size_t tensor_of(int layer)
{
    return (size_t)(layer + 1);
}

int64_t axis_length(const struct model *m, size_t tensor, enum plane_axis axis);

/* How to cut one axis. */
struct axis_task {
    const struct model *model;
    size_t nlayers; /* that are split, at least 1 */
    enum plane_axis axis;
    int64_t n;
    double wiggle;
    uint64_t seed;
};

/* Cut one axis: the starts of every tensor, then the parts of every layer. E_INVAL with "KEY: reason"; E_NOMEM. */
int axis_split(const struct axis_task *task, struct split_axis *out, char *why, size_t nwhy);
void axis_free(struct split_axis *a);

#endif
