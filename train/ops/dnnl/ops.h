/* ops.h - how the files of the oneDNN backend fit together.
 * Order      oneDNN cuts its sums by the number of threads that it finds. So it finds one, when a primitive is made as
 *            when it runs: each call here is cut into pieces by its shape alone, and threads take pieces. Then results
 *            depend on the arguments alone, and the same piece gives the same bits whoever computes it.
 * Plans      what is compiled for a call's shape, remembered in struct onednn_ops. At most PLANS_MOST; then all are
 *            forgotten.
 * By patches an image's sums may come out in another order: the 1x1 kernels cut the sum over channels by the number of
 * positions too.
 * Layouts    the caller's tensors are dense; oneDNN's own layouts are read and written piece by piece (reorders), in a
 *            workspace that holds both. */
#ifndef NARROWS_TRAIN_OPS_DNNL_OPS_H
#define NARROWS_TRAIN_OPS_DNNL_OPS_H

#include <dnnl.h>

#include "train/ops/cpu/cpu.h"

enum onednn_direction { ONEDNN_FORWARD, ONEDNN_BACKWARD_DATA, ONEDNN_BACKWARD_WEIGHTS, ONEDNN_NDIRECTIONS };

enum { ONEDNN_ALIGN = 64, ONEDNN_MOST_ARGS = 6 };

/* One compiled primitive, with what its scratchpad takes. */
struct onednn_step {
    dnnl_primitive_t primitive;
    dnnl_memory_desc_t scratchpad;
};

struct onednn_plan;

struct onednn_ops {
    dnnl_engine_t engine;
    dnnl_primitive_attr_t attr, attr_sum; /* the caller's scratchpad; and adding to the destination */
    struct onednn_plan **plans;
    size_t nplans, recent; /* recent: the one found last */
    char *scratch;
    size_t nscratch;
};

/* A tensor as a step sees it. */
struct onednn_tensor {
    int arg; /* DNNL_ARG_SRC ... */
    const dnnl_memory_desc_t *md;
    const void *data;
};

/* From now on, in this parallel region or until onednn_threads_back(), oneDNN sees one thread. */
int onednn_one_thread(void);
void onednn_threads_back(int threads);
int onednn_thread_number(void);
int onednn_threads(void);

size_t onednn_aligned(size_t n);
size_t onednn_bytes(const dnnl_memory_desc_t *md);

/* [d0, d1, d2, d3] of a dense tensor whose own inner sizes are given: a view of a part of it. */
int onednn_view(dnnl_memory_desc_t *md, const dnnl_dims_t dims, int64_t channels, int64_t height, int64_t width);

/* The convolution of one piece; the mds are given as format 'any' and set to oneDNN's choice. 'bias' only forward. */
struct onednn_conv {
    enum onednn_direction direction;
    struct conv_shape shape;
    bool bias;
    dnnl_memory_desc_t x, w, y; /* of the image, the weights, the outputs: values or errors */
};
void onednn_conv_any(struct onednn_conv *c);
dnnl_status_t onednn_conv_step(struct onednn_ops *d, struct onednn_conv *c, struct onednn_step *step);
dnnl_status_t onednn_reorder_step(struct onednn_ops *d, const dnnl_memory_desc_t *from, const dnnl_memory_desc_t *to,
                                  bool add, struct onednn_step *step);
dnnl_status_t onednn_run(struct onednn_ops *d, const struct onednn_step *step, const struct onednn_tensor *tensors,
                         size_t n, void *scratchpad);
void onednn_step_free(struct onednn_step *step);

/* A strip of an axis: the part of the image that these windows read, and what the windows lack on both sides. */
struct onednn_strip {
    int64_t image_at, image, window_at, window, before, after;
};
struct onednn_axis {
    int64_t image, window, kernel, stride, before, after;
};
struct onednn_axis onednn_rows(const struct conv_shape *s);
struct onednn_axis onednn_columns(const struct conv_shape *s);
/* Of the windows [from, to); and of the image's [from, to) with all windows that reach it, without what none
 * reaches. */
struct onednn_strip onednn_window_strip(const struct onednn_axis *a, int64_t from, int64_t to);
struct onednn_strip onednn_image_strip(const struct onednn_axis *a, int64_t from, int64_t to);
/* Something to read and write, and no window in the padding alone: else the reference does it. */
bool onednn_strip_usable(const struct onednn_axis *a, const struct onednn_strip *strip);

/* How many pieces a call is cut into, by its arithmetic. */
int64_t onednn_pieces(const struct conv_shape *s);

/* The plan of a call, made at the first one; NULL with *rc 0 if oneDNN cannot do it, with *rc < 0 after an error. */
struct onednn_plan *onednn_plan_find(struct ops *o, enum onednn_direction direction, const struct conv_shape *s,
                                     bool bias, int *rc);
void onednn_plans_free(struct onednn_ops *d);
/* 'need' bytes at a multiple of ONEDNN_ALIGN, of the caller's workspace if it suffices, else our own; NULL: no
 * memory. */
char *onednn_scratch(struct onednn_ops *d, void *workspace, size_t nworkspace, size_t need);

/* Convolutions that slide over strips of the image: forward, and backward to the data. */
struct onednn_slide;
dnnl_status_t onednn_slide_make(struct onednn_ops *d, enum onednn_direction direction, const struct conv_shape *s,
                                bool bias, struct onednn_slide **out);
void onednn_slide_free(struct onednn_slide *p);
size_t onednn_slide_size(const struct onednn_slide *p);
dnnl_status_t onednn_slide_run(struct onednn_ops *d, const struct onednn_slide *p, const float *in, const float *w,
                               const float *bias, float *out, char *scratch);

/* Weight gradients, a block of output and input channels at a time. */
struct onednn_blocks;
dnnl_status_t onednn_blocks_make(struct onednn_ops *d, const struct conv_shape *s, struct onednn_blocks **out);
void onednn_blocks_free(struct onednn_blocks *p);
size_t onednn_blocks_size(const struct onednn_blocks *p);
dnnl_status_t onednn_blocks_run(struct onednn_ops *d, const struct onednn_blocks *p, const float *x, const float *dy,
                                float *dw, char *scratch);

struct onednn_plan {
    enum onednn_direction direction;
    struct conv_shape shape;
    bool bias;
    struct onednn_slide *slide;
    struct onednn_blocks *blocks;
};

OPS_FC_ROWS(OPS_DECLARE, onednn)

#endif
