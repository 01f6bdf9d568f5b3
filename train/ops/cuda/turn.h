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

/* Rows of struct ops_backend (conv.c). */
size_t cuda_conv_workspace(struct ops *o, const struct conv_shape *s);
int cuda_conv_forward(struct ops *o, const struct conv_shape *s, const float *x, const float *w, const float *bias,
                      float *y, void *workspace, size_t nworkspace, void *stream);
int cuda_conv_backward_data(struct ops *o, const struct conv_shape *s, const float *dy, const float *w, float *dx,
                            void *workspace, size_t nworkspace, void *stream);
int cuda_conv_backward_weights(struct ops *o, const struct conv_shape *s, const float *x, const float *dy, float *dw,
                               float *dbias, void *workspace, size_t nworkspace, void *stream);

/* The same (shapes.c). */
int cuda_maxpool_forward(struct ops *o, const struct conv_shape *s, const float *x, float *y, void *stream);
int cuda_maxpool_backward(struct ops *o, const struct conv_shape *s, const float *x, const float *dy, float *dx,
                          void *stream);
int cuda_avgpool_forward(struct ops *o, const struct conv_shape *s, const float *x, float *y, void *stream);
int cuda_avgpool_backward(struct ops *o, const struct conv_shape *s, const float *dy, float *dx, void *stream);
int cuda_add(struct ops *o, const struct image_shape *s, const float *x, const struct image_shape *second,
             int64_t stride, const float *x2, float *y, void *stream);
int cuda_add_backward(struct ops *o, const struct image_shape *s, const struct image_shape *second, int64_t stride,
                      const float *dy, float *dx2, void *stream);
int cuda_cut(struct ops *o, const struct image_shape *image, const struct image_shape *patch, int64_t top, int64_t left,
             const float *x, float *y, void *stream);
int cuda_paste(struct ops *o, const struct image_shape *image, const struct image_shape *patch, int64_t top,
               int64_t left, const float *x, float *y, void *stream);

/* The same (recommend.c). */
int cuda_bag_forward(struct ops *o, const struct bag_shape *s, const float *x, const int32_t *ids, const float *table,
                     float *y, void *stream);
int cuda_bag_backward_data(struct ops *o, const struct bag_shape *s, const float *dy, float *dx, void *stream);
int cuda_bag_update(struct ops *o, const struct bag_shape *s, float rate, const int32_t *ids, const float *dy,
                    float *table, void *stream);
int cuda_interact_forward(struct ops *o, int64_t batch, int64_t n, int64_t dim, const float *x, float *y, void *stream);
int cuda_interact_backward(struct ops *o, int64_t batch, int64_t n, int64_t dim, const float *x, const float *dy,
                           float *dx, void *stream);
int cuda_bce_backward(struct ops *o, int64_t batch, const float *y, const int32_t *labels, float *dx, float *loss,
                      void *stream);

/* The same (transformer.c). */
int cuda_layernorm_forward(struct ops *o, int64_t rows, int64_t dim, const float *x, const float *scale,
                           const float *shift, float *y, float *mean, float *inv_std, void *stream);
int cuda_layernorm_backward(struct ops *o, int64_t rows, int64_t dim, const float *x, const float *dy,
                            const float *scale, const float *mean, const float *inv_std, float *dx, float *dscale,
                            float *dshift, void *stream);
int cuda_tokens_forward(struct ops *o, int64_t batch, int64_t positions, int64_t dim, const int32_t *ids,
                        const float *table, float *y, void *stream);
int cuda_tokens_backward(struct ops *o, int64_t batch, int64_t positions, int64_t dim, const int32_t *ids,
                         const float *dy, float *dtable, void *stream);
size_t cuda_attention_workspace(struct ops *o, const struct attention_shape *s);
int cuda_attention_forward(struct ops *o, const struct attention_shape *s, const float *x, const float *memory,
                           const float *w, const float *b, float *y, void *workspace, size_t nworkspace, void *stream);
int cuda_attention_backward(struct ops *o, const struct attention_shape *s, const float *x, const float *memory,
                            const float *dy, const float *w, const float *b, float *dx, float *dmemory, float *dw,
                            float *db, void *workspace, size_t nworkspace, void *stream);
int cuda_concat(struct ops *o, const struct image_shape *a, const struct image_shape *b, const float *x,
                const float *x2, float *y, void *stream);
int cuda_concat_backward(struct ops *o, const struct image_shape *a, const struct image_shape *b, const float *dy,
                         float *dx, float *dx2, void *stream);

/* The same (memory.c). */
int cuda_sgd_update(struct ops *o, int64_t n, float rate, float momentum, float decay, const float *gradient,
                    float *velocity, float *weights, void *stream);
void *cuda_alloc(struct ops *o, size_t nbytes);
void cuda_release(struct ops *o, void *p);
int cuda_upload(struct ops *o, void *to, const void *from_host, size_t nbytes, void *stream);
int cuda_download(struct ops *o, void *to_host, const void *from, size_t nbytes, void *stream);
int cuda_zero(struct ops *o, void *p, size_t nbytes, void *stream);
int cuda_finish(struct ops *o, void *stream);

#endif
