/* ops.h - forward and backward passes of network layers on tensors: one interface with several backends (reference
 * loops, kernels/gemm, oneDNN, CUDA). ops_backends[] lists them, best first, the reference last.
 * Layout     fp32, dense, [batch, channels, height, width] with the width innermost. Weights of convolutions are [out,
 *            in / groups, kernel, kernel], of fully-connected layers [out, in]. Pointers are to the backend's memory (a
 *            GPU's for CUDA), aligned to 4 bytes.
 * Padding    may differ on each side. A negative padding skips rows or columns of the input; parts of a split operation
 *            use it.
 * Gradients  of weights, biases, scales and shifts are added to what is there. Errors (dx) are overwritten.
 * Row ids    are int32, 0 or more. The caller guarantees that they lie within the table.
 * Aliasing   relu, dropout, add, accumulate and their backward passes may work in place (y == x, dx == dy). No other
 *            function may.
 * Order      results depend only on the arguments, to the bit, not on the number of threads.
 * Precision  set_precision() selects the arithmetic of convolutions and fully-connected layers; everything else,
 *            gradients of biases included, is always fp32. In FMA_FP32 each backend sums in an order of its own. In
 *            FMA_MP and FMA_BF16 the products are summed by chains of kernels/gemm/fma_lane.h:
 *   y          a chain from the bias (rounded to bf16 in FMA_BF16) over input channels, kernel rows and kernel columns,
 *              or over inputs; zeros of the padding are included.
 *   dx         a chain from +0 over output channels (or outputs), one for each window that covers the value. The
 *              windows are added in rising order of kernel rows and columns: in FMA_BF16 each sum is rounded to bf16,
 *              in FMA_MP all of it is fp32.
 *   dw         in FMA_BF16 one chain from +0 over images and positions (or the batch): as long as the paper has it,
 *              whose accumulator is bf16 throughout (section 5.3 of "A Dynamic Approach to Accelerate Deep Learning
 *              Training"). In FMA_MP a chain for each image, added in fp32. What is there is added to in fp32: that is
 *              how the parts of a split network meet, each a chain of its own.
 *   A bias's gradient multiplies nothing: it is no chain.
 *   Cut        after set_chains(OPS_CHAINS_CUT) FMA_BF16 is cut as FMA_MP is: a chain of dw ends with its image, and
 *              images and windows are added in fp32. Such sums are better than a bf16 processor's: it shows what the
 *              length of the chains costs.
 *   The backend "gemm" cuts large images into bands of rows: where an image ends a chain of dw, so does a band, and the
 *   windows of dx are added band by band.
 * Async      a call enqueues its work on 'stream', a cudaStream_t; backends on the CPU ignore it and return when the
 *            work is done. Until then nothing else may use the workspace.
 * Errors     0, or a negative code; error() has the message. */
#ifndef NARROWS_TRAIN_OPS_OPS_H
#define NARROWS_TRAIN_OPS_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/gemm/fma_mode.h"

struct ops; /* handles, compiled primitives: one per thread of calls */

/* What a convolution's or a fully-connected layer's multiply-adds are for. What backward recomputes counts as
 * forward. */
enum ops_pass { OPS_FORWARD, OPS_BACKWARD_DATA, OPS_BACKWARD_WEIGHTS, OPS_NPASSES };

/* Where the chains of FMA_BF16 end. */
enum ops_chains { OPS_CHAINS_WHOLE, OPS_CHAINS_CUT };

/* A square window moved over an image. */
struct conv_shape {
    int64_t batch, in_channels, in_height, in_width, out_channels, out_height, out_width;
    int64_t kernel, stride, pad_top, pad_bottom, pad_left, pad_right;
    /* Of a convolution: the channels are that many convolutions side by side, the first of in_channels / groups onto
       out_channels / groups channels, and so on. 0 is 1. */
    int64_t groups;
};

static inline int64_t conv_groups(const struct conv_shape *s)
{
    return s->groups > 0 ? s->groups : 1;
}

/* Weights that make one output: the taps of the input channels of its group. */
static inline int64_t conv_taps(const struct conv_shape *s)
{
    return s->in_channels / conv_groups(s) * s->kernel * s->kernel;
}

struct image_shape {
    int64_t batch, channels, height, width;
};

/* Bags of embeddings. An output row is 'leading' values that are copied from x [batch, leading], then for each table
 * the sum of the 'lookups' rows of 'dim' values that a sample looks up in it. All tables are one array [rows, dim],
 * whose row numbers the ids [batch, tables, lookups] are. leading may be 0; then x and dx are ignored. */
struct bag_shape {
    int64_t batch, tables, lookups, dim, leading;
};

/* dim is a multiple of heads. causal: query i sees the keys 0 .. i; there are as many keys as queries. */
struct attention_shape {
    int64_t batch, queries, keys, dim, heads;
    bool causal;
};

struct ops_backend {
    const char *name;
    bool on_device; /* pointers are a GPU's */
    bool (*usable)(void);
    struct ops *(*open)(char *why, size_t nwhy); /* NULL with the reason */
    void (*close)(struct ops *o);
    const char *(*error)(const struct ops *o); /* of the last failed call */
    /* Bytes of scratch memory that it has allocated for calls with too little workspace, as much as the largest of them
       took. Memory that libraries allocate for themselves is not counted. */
    size_t (*held)(const struct ops *o);

    /* From the next call on; FMA_FP32 after opening. A mode that the backend lacks is refused and changes nothing. */
    int (*set_precision)(struct ops *o, enum fma_mode mode);
    /* From the next call on; OPS_CHAINS_WHOLE after opening. */
    void (*set_chains)(struct ops *o, enum ops_chains chains);
    /* The multiply-adds that convolutions and fully-connected layers have done in each mode since opening: of every
       call that worked, outputs x taps (or outputs x inputs) x batch, zeros of the padding included. */
    void (*multiply_adds)(const struct ops *o, uint64_t counts[FMA_NMODES][OPS_NPASSES]);

    /* Bytes of workspace with which the call runs at its best in the precision that is set; it also runs with none,
       unless stated otherwise. */
    size_t (*conv_workspace)(struct ops *o, const struct conv_shape *s);
    int (*conv_forward)(struct ops *o, const struct conv_shape *s, const float *x, const float *w,
                        const float *bias /* or NULL */, float *y, void *workspace, size_t nworkspace, void *stream);
    int (*conv_backward_data)(struct ops *o, const struct conv_shape *s, const float *dy, const float *w, float *dx,
                              void *workspace, size_t nworkspace, void *stream);
    int (*conv_backward_weights)(struct ops *o, const struct conv_shape *s, const float *x, const float *dy, float *dw,
                                 float *dbias /* or NULL */, void *workspace, size_t nworkspace, void *stream);
    int (*fc_forward)(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *x, const float *w,
                      const float *bias, float *y, void *stream);
    int (*fc_backward_data)(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *dy, const float *w,
                            float *dx, void *stream);
    int (*fc_backward_weights)(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *x, const float *dy,
                               float *dw, float *dbias, void *stream);
    /* mean, inv_std [channels]: of this batch, written; epsilon 1e-5, biased variance. */
    int (*norm_forward)(struct ops *o, const struct image_shape *s, const float *x, const float *scale,
                        const float *shift, float *y, float *mean, float *inv_std, void *stream);
    /* The same with given statistics: the same bits as norm_forward() wrote. */
    int (*norm_again)(struct ops *o, const struct image_shape *s, const float *x, const float *scale,
                      const float *shift, const float *mean, const float *inv_std, float *y, void *stream);
    /* dx NULL: the errors are not wanted, as of a norm of the images. */
    int (*norm_backward)(struct ops *o, const struct image_shape *s, const float *x, const float *dy,
                         const float *scale, const float *mean, const float *inv_std, float *dx, float *dscale,
                         float *dshift, void *stream);
    int (*relu_forward)(struct ops *o, int64_t n, const float *x, float *y, void *stream);
    int (*relu_backward)(struct ops *o, int64_t n, const float *y, const float *dy, float *dx, void *stream);
    int (*sigmoid_forward)(struct ops *o, int64_t n, const float *x, float *y, void *stream);
    int (*sigmoid_backward)(struct ops *o, int64_t n, const float *y, const float *dy, float *dx, void *stream);
    /* Keeps value i with probability 1 - rate, scaled by its inverse, drawn from (seed, i): backward needs no mask. */
    int (*dropout)(struct ops *o, int64_t n, float rate, uint64_t seed, const float *x, float *y, void *stream);
    /* Padding is never the maximum. The first of equal maxima gets the error. All of dx is written. */
    int (*maxpool_forward)(struct ops *o, const struct conv_shape *s, const float *x, float *y, void *stream);
    int (*maxpool_backward)(struct ops *o, const struct conv_shape *s, const float *x, const float *dy, float *dx,
                            void *stream);
    /* The divisor is kernel x kernel, padding counts as zeros. */
    int (*avgpool_forward)(struct ops *o, const struct conv_shape *s, const float *x, float *y, void *stream);
    int (*avgpool_backward)(struct ops *o, const struct conv_shape *s, const float *dy, float *dx, void *stream);
    /* y = x + x2, where x2 (shape 'second') is taken at every stride-th position and lacks channels beyond its own. */
    int (*add)(struct ops *o, const struct image_shape *s, const float *x, const struct image_shape *second,
               int64_t stride, const float *x2, float *y, void *stream);
    /* dx2 of the above: dy at every stride-th position, else zeros, without the channels beyond. dx is dy itself. */
    int (*add_backward)(struct ops *o, const struct image_shape *s, const struct image_shape *second, int64_t stride,
                        const float *dy, float *dx2, void *stream);
    /* y = x + x2 */
    int (*accumulate)(struct ops *o, int64_t n, const float *x, const float *x2, float *y, void *stream);
    /* A rectangle of an image into a dense patch, and back: top, left and the patch's height and width. */
    int (*cut)(struct ops *o, const struct image_shape *image, const struct image_shape *patch, int64_t top,
               int64_t left, const float *x, float *y, void *stream);
    int (*paste)(struct ops *o, const struct image_shape *image, const struct image_shape *patch, int64_t top,
                 int64_t left, const float *x, float *y, void *stream);
    int (*softmax_forward)(struct ops *o, int64_t batch, int64_t n, const float *x, float *y, void *stream);
    /* Of the mean cross-entropy with these labels [batch]: the loss is added up in *loss (backend memory), dx is
       written. A row whose label is below 0 is left out: its dx is 0, and the mean is over the others. A probability
       below FLT_MIN counts as FLT_MIN. */
    int (*softmax_backward)(struct ops *o, int64_t batch, int64_t n, const float *y, const int32_t *labels, float *dx,
                            float *loss, void *stream);

    /* --- recommendation models (DLRM, arXiv 1906.00091) ----------------------------------------------------------- */

    /* y [batch, leading + tables dim]; a sum takes the lookups in rising order. */
    int (*bag_forward)(struct ops *o, const struct bag_shape *s, const float *x, const int32_t *ids, const float *table,
                       float *y, void *stream);
    /* dx [batch, leading]. */
    int (*bag_backward_data)(struct ops *o, const struct bag_shape *s, const float *dy, float *dx, void *stream);
    /* SGD of the rows that were looked up: table[id] -= rate dy, in the order of the ids; the same bits on every
       backend. */
    int (*bag_update)(struct ops *o, const struct bag_shape *s, float rate, const int32_t *ids, const float *dy,
                      float *table, void *stream);
    /* Of n vectors x [batch, n, dim]: the first one, then the dot products of the pairs (1, 0), (2, 0), (2, 1), (3, 0)
       ... y [batch, dim + n (n - 1) / 2]. A product is dot_lane.h's; an error is one fp32 chain over the other vectors
       in rising order; the first vector's starts from the copied part. The same bits on every backend. */
    int (*interact_forward)(struct ops *o, int64_t batch, int64_t n, int64_t dim, const float *x, float *y,
                            void *stream);
    int (*interact_backward)(struct ops *o, int64_t batch, int64_t n, int64_t dim, const float *x, const float *dy,
                             float *dx, void *stream);
    /* Of the mean binary cross-entropy of y [batch], the output of a sigmoid, with labels 0 and 1: the loss is added up
       in *loss, dx, the error of the sigmoid's input, is written. The logarithm is of the label's probability, y or 1 -
       y, in double; one below FLT_MIN counts as FLT_MIN, so a sample's loss is at most 87.4. A NaN stays one. */
    int (*bce_backward)(struct ops *o, int64_t batch, const float *y, const int32_t *labels, float *dx, float *loss,
                        void *stream);

    /* --- Transformers (arXiv 1706.03762) -------------------------------------------------------------------------- */

    /* Over each of the rows, of dim values; mean, inv_std [rows] are written; epsilon 1e-5, biased variance. */
    int (*layernorm_forward)(struct ops *o, int64_t rows, int64_t dim, const float *x, const float *scale,
                             const float *shift, float *y, float *mean, float *inv_std, void *stream);
    int (*layernorm_backward)(struct ops *o, int64_t rows, int64_t dim, const float *x, const float *dy,
                              const float *scale, const float *mean, const float *inv_std, float *dx, float *dscale,
                              float *dshift, void *stream);
    /* y [batch, positions, dim] = sqrt(dim) table[id] + sinusoid(position), of ids [batch, positions] and a table
       [rows, dim]. Section 3.5: value i of position p is the sine (i even) or the cosine (i odd) of p / 10000^(2 (i /
       2) / dim); double, rounded once. */
    int (*tokens_forward)(struct ops *o, int64_t batch, int64_t positions, int64_t dim, const int32_t *ids,
                          const float *table, float *y, void *stream);
    /* dtable[id] += sqrt(dim) dy, in the order of the ids: dtable has all rows. The same bits on every backend. */
    int (*tokens_backward)(struct ops *o, int64_t batch, int64_t positions, int64_t dim, const int32_t *ids,
                           const float *dy, float *dtable, void *stream);
    /* Attention with several heads. Queries come from x [batch, queries, dim], keys and values from memory [batch,
       keys, dim]; NULL: from x (self attention, as many keys as queries). w [4][dim][dim]: query, key, value, output,
       each [out, in]; b [4][dim]. Head h has the values h dim / heads and so on of each vector; its scores are divided
       by sqrt(dim / heads). Projections are fc_forward() and its backward. Nothing is stored for backward, which
       recomputes what it needs. Both need attention_workspace() bytes and refuse less. */
    size_t (*attention_workspace)(struct ops *o, const struct attention_shape *s); /* 0: no such shape */
    int (*attention_forward)(struct ops *o, const struct attention_shape *s, const float *x,
                             const float *memory /* or NULL */, const float *w, const float *b, float *y,
                             void *workspace, size_t nworkspace, void *stream);
    /* dx and dmemory are written, dw and db added to. dmemory NULL: self attention, all errors go into dx. */
    int (*attention_backward)(struct ops *o, const struct attention_shape *s, const float *x,
                              const float *memory /* or NULL */, const float *dy, const float *w, const float *b,
                              float *dx, float *dmemory /* or NULL */, float *dw, float *db, void *workspace,
                              size_t nworkspace, void *stream);
    /* y: the channels of x (shape a), then those of x2 (shape b); the images have the same size. */
    int (*concat)(struct ops *o, const struct image_shape *a, const struct image_shape *b, const float *x,
                  const float *x2, float *y, void *stream);
    /* The parts of dy; dx or dx2 may be NULL. */
    int (*concat_backward)(struct ops *o, const struct image_shape *a, const struct image_shape *b, const float *dy,
                           float *dx, float *dx2, void *stream);

    /* --- weights and memory --------------------------------------------------------------------------------------- */

    /* velocity = (momentum velocity + gradient) + decay weights; weights -= rate velocity. In fp32, in this order,
       nothing fused: the same bits on every backend. */
    int (*sgd_update)(struct ops *o, int64_t n, float rate, float momentum, float decay, const float *gradient,
                      float *velocity, float *weights, void *stream);
    /* The backend's own memory, aligned to 64 bytes at least; NULL after a message. Not initialized. */
    void *(*alloc)(struct ops *o, size_t nbytes);
    void (*release)(struct ops *o, void *p); /* accepts NULL; waits until nothing uses it any more */
    /* From the host's memory, which must not change until finish() or download() on this stream. To the host's memory:
       complete when the call returns. */
    int (*upload)(struct ops *o, void *to, const void *from_host, size_t nbytes, void *stream);
    int (*download)(struct ops *o, void *to_host, const void *from, size_t nbytes, void *stream);
    int (*zero)(struct ops *o, void *p, size_t nbytes, void *stream);
    /* Waits for all work on the stream. 0 if it succeeded. */
    int (*finish)(struct ops *o, void *stream);
};

extern const struct ops_backend ops_reference;         /* plain loops that define the results */
extern const struct ops_backend *const ops_backends[]; /* best first; ends with NULL */

/* The first usable one, or the usable one of this name ("": any); NULL if there is none. */
const struct ops_backend *ops_backend_find(const char *name);

#endif
