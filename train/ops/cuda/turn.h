/* turn.h - the state of the backend "cuda". Its memory on the device is shared by all calls: a call on another stream
 * than the last one waits, on the device, until that one is done with it. */
#ifndef NARROWS_TRAIN_OPS_CUDA_TURN_H
#define NARROWS_TRAIN_OPS_CUDA_TURN_H

#include "train/ops/cpu/cpu.h"
#include "train/ops/cuda/blas.h"
#include "train/ops/cuda/dnn.h"
#include "train/ops/cuda/runtime.h"

/* Held from opening to closing: for columns where a call gives less workspace, for cuBLAS, and for sums. */
enum { TURN_COLUMNS_B = 16 << 20, TURN_BLAS_B = 8 << 20 };

struct turn {
    struct blas *blas;
    struct dnn *dnn; /* or NULL */
    char *columns, *sums;
    size_t ncolumns; /* bytes */
    struct runtime_mark *mark;
    void *stream; /* of the last call, if 'marked' */
    bool marked;
};

static inline struct turn *turn_of(struct ops *o)
{
    return o->own;
}

/* Before what uses the shared memory on 'stream', and after it. turn_end() returns the call's result: rc, or the
 * failure that the runtime reports. */
void turn_begin(struct ops *o, void *stream);
int turn_end(struct ops *o, void *stream, int rc);
/* The same for calls that use no shared memory. */
int turn_launched(struct ops *o);

/* 0 or -1, as cpu_check_*(), and within what the kernels count. */
int turn_check_conv(struct ops *o, const struct conv_shape *s);
int turn_check_image(struct ops *o, const struct image_shape *s);
int turn_check_channels(struct ops *o, int64_t channels);
/* Of what an operation counts in 32 bits: a x b of 'what'. */
int turn_check_count(struct ops *o, const char *what, int64_t a, int64_t b);

/* One product, with a beta of 0 or 1: by cuBLAS in FMA_FP32, else by the chains of kernels/gemm. -1 after a message. */
int turn_multiply(struct ops *o, const struct blas_product *p, void *stream);

/* Rows of struct ops_backend; those of values, norms, products and softmax are cuda.c's own. */
__typeof__(*((struct ops_backend *)0)->conv_workspace) cuda_conv_workspace;
OPS_CONV_ROWS(OPS_DECLARE, cuda)
OPS_IMAGE_ROWS(OPS_DECLARE, cuda)
OPS_RECOMMEND_ROWS(OPS_DECLARE, cuda)
OPS_TRANSFORMER_ROWS(OPS_DECLARE, cuda)
OPS_MEMORY_ROWS(OPS_DECLARE, cuda)

#endif
