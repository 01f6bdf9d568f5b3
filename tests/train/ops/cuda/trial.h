/* trial.h - every operation of train/ops/ops.h on arrays that a shape asks for, run by two backends and compared. */
#ifndef NARROWS_TESTS_TRAIN_OPS_CUDA_TRIAL_H
#define NARROWS_TESTS_TRAIN_OPS_CUDA_TRIAL_H

#include <stdbool.h>

#include "tests/kernels/device/device_buffer.h"
#include "train/ops/ops.h"

/* The arguments of any operation. Convolutions, pools, norm and softmax take what they need from 'conv'. */
struct trial {
    struct conv_shape conv;
    struct image_shape second, patch;
    int64_t stride, top, left; /* of second, of patch */
    int64_t n;                 /* of what looks at one value at a time */
    unsigned offsets;          /* two bits for each array: floats past an aligned address */
    float mean, spread;        /* of the values; 0: from -1 to 1 */
    char *workspace;           /* of the device */
    size_t nworkspace;
    uint64_t seed;
};

/* TRIAL_ROWS: of a table that ids speak of. */
enum { TRIAL_ARRAYS = 9, TRIAL_ROWS = 11 };

/* Which array is of int32, and what they are: a class or below 0, where array 0 has probabilities; 0 or 1, there too;
 * rows of a table. */
enum trial_integers { NO_INTEGERS, LABELS, CLICKS, IDS_FIRST, IDS_SECOND };

/* The arrays are in the order of the operation's arguments. */
struct operation {
    const char *name;
    int64_t (*size[TRIAL_ARRAYS])(const struct trial *t);
    unsigned written; /* bit i: array i is written, or added to */
    enum trial_integers integers;
    double tolerance; /* times 1 + |the value|; 0: to the bit */
    int (*run)(const struct ops_backend *b, struct ops *o, const struct trial *t, float *const a[]);
};
extern const struct operation operations[], model_operations[];

/* Both refuse, or both give the same; the device's result is the same bits in every order of its threads. */
void trial_compare(const struct ops_backend *device, struct ops *on_device, struct ops *on_host,
                   const struct operation *op, const struct trial *t);

#endif
