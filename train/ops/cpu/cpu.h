/* cpu.h - what the backends on the CPU share: their state, their threads, and the operations that are the same loop in all of
 * them. The loops sum in double and in one fixed order, with threads only over values that are independent of each other. */
#ifndef NARROWS_TRAIN_OPS_CPU_H
#define NARROWS_TRAIN_OPS_CPU_H

#include <stdbool.h>
#include <stdlib.h>

#include "train/ops/cpu/memory.h"
#include "train/ops/cpu/recommend.h"
#include "train/ops/cpu/transformer.h"
#include "train/ops/ops.h"

/* The loop that follows is worked on by all threads if it has enough to do: 'work' values or so. */
#ifdef _OPENMP
#define CPU_PRAGMA(text) _Pragma(#text)
#define CPU_PARALLEL_FOR(work) CPU_PRAGMA(omp parallel for schedule(static) if ((work) >= 32768))
#else
#define CPU_PARALLEL_FOR(work)
#endif

/* A loop's function, compiled once for each width of vectors, and the best one taken when the program starts. No width changes a bit:
 * sums are in lanes of a fixed number, and nothing is contracted. (ThreadSanitizer is not awake yet when the choice is made.) */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__)
#if __GNUC__ >= 12
#define CPU_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#endif
#ifndef CPU_CLONES
#define CPU_CLONES
#endif

/* The loop that follows may go several values at a time: where arrays are the same one, or do not overlap. */
#ifdef _OPENMP
#define CPU_SIMD CPU_PRAGMA(omp simd)
#else
#define CPU_SIMD
#endif

/* Values that a thread takes at a time of operations on one value, a second-level cache's worth at most. */
enum { CPU_SPAN = 8192 };
#define CPU_EACH_SPAN(n, at) CPU_PARALLEL_FOR(n) for (int64_t at = 0; at < (n); at += CPU_SPAN)
static inline int64_t cpu_span(int64_t n, int64_t at)
{
    return n - at < CPU_SPAN ? n - at : CPU_SPAN;
}

/* Activations lie beyond the second-level cache, and processors do not foresee the next page: a loop over [0, n) goes by pieces, and asks
 * for what comes CPU_AHEAD values later, or in the next image. A prefetch past the end is free to miss. */
enum { CPU_PIECE = 64, CPU_AHEAD = 512, CPU_LINE = 16 };
#define CPU_EACH_PIECE(n, from, to)                                            \
    for (int64_t from = 0, to = (n) < CPU_PIECE ? (n) : CPU_PIECE; from < (n); \
         from = to, to = (n)-to < CPU_PIECE ? (n) : to + CPU_PIECE)
static inline void cpu_will_read(const float *x)
{
    for (int64_t i = 0; i < CPU_PIECE; i += CPU_LINE)
        __builtin_prefetch(x + i);
}
static inline void cpu_will_write(const float *y)
{
    for (int64_t i = 0; i < CPU_PIECE; i += CPU_LINE)
        __builtin_prefetch(y + i, 1);
}

struct products; /* gemm_ops.h */

struct ops {
    char error[256];
    const struct ops_backend *backend; /* whose rows the shared operations call: ops_reference if none was set */
    enum fma_mode mode;
    uint64_t multiply_adds[FMA_NMODES][OPS_NPASSES];
    struct products *products; /* of the backends that compute by kernels/gemm; else NULL */
    void *own;                 /* of the backend: compiled primitives, scratch memory */
};

/* Sets ops_error(); returns -1, for 'return cpu_fail(...)'. */
int cpu_fail(struct ops *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
int cpu_no_memory(struct ops *o, size_t nbytes);

/* Threads that a parallel region would have; of the one that this is in, how many it has and which one asks. */
int64_t cpu_threads(void);
int64_t cpu_team(void);
int64_t cpu_thread_number(void);

_Bool cpu_usable(void);
struct ops *cpu_open(char *why, size_t nwhy);
void cpu_close(struct ops *o);
const char *cpu_error(const struct ops *o);
size_t cpu_none_held(const struct ops *o);
size_t cpu_no_workspace(struct ops *o, const struct conv_shape *s);
int cpu_set_precision(struct ops *o, enum fma_mode mode); /* all but FMA_BF16DOT */
void cpu_multiply_adds(const struct ops *o, uint64_t counts[FMA_NMODES][OPS_NPASSES]);

/* One of the three products of this shape was done in the mode that is set. */
void cpu_count_conv(struct ops *o, enum ops_pass pass, const struct conv_shape *s);
void cpu_count_fc(struct ops *o, enum ops_pass pass, int64_t batch, int64_t in, int64_t out);

/* 0, or cpu_fail(): sizes below 1, or outputs that are not those of the window over the padded input. */
int cpu_check_conv(struct ops *o, const struct conv_shape *s);
int cpu_check_image(struct ops *o, const struct image_shape *s);
int cpu_check_fc(struct ops *o, int64_t batch, int64_t in, int64_t out);

/* Of outputs 0 .. nout the range [from, to) whose tap k lies within [begin, end) of the input: begin <= out stride + k - pad < end. */
struct cpu_range {
    int64_t from, to;
};
struct cpu_range cpu_taps(int64_t begin, int64_t end, int64_t k, int64_t pad, int64_t stride, int64_t nout);

/* Sums in double, always in the same order: of x, and of x * y. */
double cpu_sum(const float *x, int64_t n);
double cpu_dot(const float *x, const float *y, int64_t n);

/* dbias[channel] += the sum of its errors, dy being [batch, channels, area]. */
void cpu_add_bias_gradient(int64_t batch, int64_t channels, int64_t area, const float *dy, float *dbias);

/* Rows of struct ops_backend. */
int reference_conv_forward(struct ops *o, const struct conv_shape *s, const float *x, const float *w, const float *bias,
                           float *y, void *workspace, size_t nworkspace, void *stream);
int reference_conv_backward_data(struct ops *o, const struct conv_shape *s, const float *dy, const float *w, float *dx,
                                 void *workspace, size_t nworkspace, void *stream);
int reference_conv_backward_weights(struct ops *o, const struct conv_shape *s, const float *x, const float *dy,
                                    float *dw, float *dbias, void *workspace, size_t nworkspace, void *stream);
int reference_fc_forward(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *x, const float *w,
                         const float *bias, float *y, void *stream);
int reference_fc_backward_data(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *dy, const float *w,
                               float *dx, void *stream);
int reference_fc_backward_weights(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *x,
                                  const float *dy, float *dw, float *dbias, void *stream);
int cpu_norm_forward(struct ops *o, const struct image_shape *s, const float *x, const float *scale, const float *shift,
                     float *y, float *mean, float *inv_std, void *stream);
int cpu_norm_again(struct ops *o, const struct image_shape *s, const float *x, const float *scale, const float *shift,
                   const float *mean, const float *inv_std, float *y, void *stream);
int cpu_norm_backward(struct ops *o, const struct image_shape *s, const float *x, const float *dy, const float *scale,
                      const float *mean, const float *inv_std, float *dx, float *dscale, float *dshift, void *stream);
int cpu_relu_forward(struct ops *o, int64_t n, const float *x, float *y, void *stream);
int cpu_relu_backward(struct ops *o, int64_t n, const float *y, const float *dy, float *dx, void *stream);
int cpu_sigmoid_forward(struct ops *o, int64_t n, const float *x, float *y, void *stream);
int cpu_sigmoid_backward(struct ops *o, int64_t n, const float *y, const float *dy, float *dx, void *stream);
int cpu_dropout(struct ops *o, int64_t n, float rate, uint64_t seed, const float *x, float *y, void *stream);
int cpu_maxpool_forward(struct ops *o, const struct conv_shape *s, const float *x, float *y, void *stream);
int cpu_maxpool_backward(struct ops *o, const struct conv_shape *s, const float *x, const float *dy, float *dx,
                         void *stream);
int cpu_avgpool_forward(struct ops *o, const struct conv_shape *s, const float *x, float *y, void *stream);
int cpu_avgpool_backward(struct ops *o, const struct conv_shape *s, const float *dy, float *dx, void *stream);
int cpu_add(struct ops *o, const struct image_shape *s, const float *x, const struct image_shape *second,
            int64_t stride, const float *x2, float *y, void *stream);
int cpu_add_backward(struct ops *o, const struct image_shape *s, const struct image_shape *second, int64_t stride,
                     const float *dy, float *dx2, void *stream);
int cpu_accumulate(struct ops *o, int64_t n, const float *x, const float *x2, float *y, void *stream);
int cpu_cut(struct ops *o, const struct image_shape *image, const struct image_shape *patch, int64_t top, int64_t left,
            const float *x, float *y, void *stream);
int cpu_paste(struct ops *o, const struct image_shape *image, const struct image_shape *patch, int64_t top,
              int64_t left, const float *x, float *y, void *stream);
int cpu_softmax_forward(struct ops *o, int64_t batch, int64_t n, const float *x, float *y, void *stream);
int cpu_softmax_backward(struct ops *o, int64_t batch, int64_t n, const float *y, const int32_t *labels, float *dx,
                         float *loss, void *stream);

/* All rows but those that differ: open, close, held, convolution and fully connected. */
#define CPU_SHARED_ROWS                                                                                           \
    .error = cpu_error, .set_precision = cpu_set_precision, .multiply_adds = cpu_multiply_adds,                   \
    .norm_forward = cpu_norm_forward, .norm_again = cpu_norm_again, .norm_backward = cpu_norm_backward,           \
    .relu_forward = cpu_relu_forward, .relu_backward = cpu_relu_backward, .sigmoid_forward = cpu_sigmoid_forward, \
    .sigmoid_backward = cpu_sigmoid_backward, .dropout = cpu_dropout, .maxpool_forward = cpu_maxpool_forward,     \
    .maxpool_backward = cpu_maxpool_backward, .avgpool_forward = cpu_avgpool_forward,                             \
    .avgpool_backward = cpu_avgpool_backward, .add = cpu_add, .add_backward = cpu_add_backward,                   \
    .accumulate = cpu_accumulate, .cut = cpu_cut, .paste = cpu_paste, .softmax_forward = cpu_softmax_forward,     \
    .softmax_backward = cpu_softmax_backward, CPU_RECOMMEND_ROWS, CPU_TRANSFORMER_ROWS, CPU_MEMORY_ROWS

#endif
