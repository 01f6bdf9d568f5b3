/* cpu.h - what the backends on the CPU share: state, threads, and operations that are the same loop in all of them.
 * Loops sum in double in a fixed order; threads share only independent values. */
#ifndef NARROWS_TRAIN_OPS_CPU_H
#define NARROWS_TRAIN_OPS_CPU_H

#include <stdbool.h>
#include <stdlib.h>

#include "train/ops/groups.h"

/* The loop that follows is worked on by all threads if it has enough to do: 'work' values or so. */
#ifdef _OPENMP
#define CPU_PRAGMA(text) _Pragma(#text)
#define CPU_PARALLEL_FOR(work) CPU_PRAGMA(omp parallel for schedule(static) if ((work) >= 32768))
#else
#define CPU_PARALLEL_FOR(work)
#endif

/* Compiles a function once for each width of vectors; the best one is chosen when the program starts (not under
 * ThreadSanitizer, which is not ready then). No width changes a bit: sums have a fixed number of lanes, and nothing is
 * contracted. */
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

/* Activations exceed the second-level cache, and hardware prefetching stops at pages: a loop over [0, n) goes by pieces
 * and prefetches what comes CPU_AHEAD values later. A prefetch past the end does no harm. */
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
    enum ops_chains chains;
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

bool cpu_usable(void);
struct ops *cpu_open(char *why, size_t nwhy);
void cpu_close(struct ops *o);
const char *cpu_error(const struct ops *o);
size_t cpu_none_held(const struct ops *o);
size_t cpu_no_workspace(struct ops *o, const struct conv_shape *s);
int cpu_set_precision(struct ops *o, enum fma_mode mode); /* all but FMA_BF16DOT */
void cpu_set_chains(struct ops *o, enum ops_chains chains);
bool cpu_whole_chains(const struct ops *o); /* nothing that is summed in the mode that is set leaves bf16 */
void cpu_multiply_adds(const struct ops *o, uint64_t counts[FMA_NMODES][OPS_NPASSES]);

/* One of the three products of this shape was done in the mode that is set. */
void cpu_count_conv(struct ops *o, enum ops_pass pass, const struct conv_shape *s);
void cpu_count_fc(struct ops *o, enum ops_pass pass, int64_t batch, int64_t in, int64_t out);

/* 0, or cpu_fail(): sizes below 1, or outputs that are not those of the window over the padded input. */
int cpu_check_conv(struct ops *o, const struct conv_shape *s);
int cpu_check_image(struct ops *o, const struct image_shape *s);
int cpu_check_patch(struct ops *o, const struct image_shape *image, const struct image_shape *patch, int64_t top,
                    int64_t left);
int cpu_check_fc(struct ops *o, int64_t batch, int64_t in, int64_t out);
int cpu_check_bag(struct ops *o, const struct bag_shape *s);
int cpu_check_interact(struct ops *o, int64_t batch, int64_t n, int64_t dim);
int cpu_check_layernorm(struct ops *o, int64_t rows, int64_t dim);
int cpu_check_tokens(struct ops *o, int64_t batch, int64_t positions, int64_t dim);
int cpu_check_concat(struct ops *o, const struct image_shape *a, const struct image_shape *b);

/* The range [from, to) of 0 .. nout whose tap k lies in [begin, end) of the input: begin <= out stride + k - pad <
 * end. */
struct cpu_range {
    int64_t from, to;
};
struct cpu_range cpu_taps(int64_t begin, int64_t end, int64_t k, int64_t pad, int64_t stride, int64_t nout);

/* Sums in double, always in the same order: of x, and of x * y. */
double cpu_sum(const float *x, int64_t n);
double cpu_dot(const float *x, const float *y, int64_t n);

/* dbias[channel] += the sum of its errors, dy being [batch, channels, area]. */
void cpu_add_bias_gradient(int64_t batch, int64_t channels, int64_t area, const float *dy, float *dbias);

/* table[id] += factor dy, id after id as they stand; threads share the rows of the table. */
void cpu_scatter_rows(const struct bag_shape *s, float factor, const int32_t *ids, const float *dy, float *table);

/* Rows of struct ops_backend. */
OPS_CONV_ROWS(OPS_DECLARE, reference)
OPS_FC_ROWS(OPS_DECLARE, reference)
OPS_NORM_ROWS(OPS_DECLARE, cpu)
OPS_VALUE_ROWS(OPS_DECLARE, cpu)
OPS_IMAGE_ROWS(OPS_DECLARE, cpu)
OPS_SOFTMAX_ROWS(OPS_DECLARE, cpu)
OPS_RECOMMEND_ROWS(OPS_DECLARE, cpu)
OPS_TRANSFORMER_ROWS(OPS_DECLARE, cpu)
OPS_MEMORY_ROWS(OPS_DECLARE, cpu)

/* All rows but those that differ: open, close, held, convolution and fully connected. */
/* clang-format off */
#define CPU_SHARED_ROWS                                                                                        \
    .error = cpu_error, .set_precision = cpu_set_precision, .set_chains = cpu_set_chains,                      \
    .multiply_adds = cpu_multiply_adds,                                                                        \
    OPS_NORM_ROWS(OPS_FILL, cpu) OPS_VALUE_ROWS(OPS_FILL, cpu) OPS_IMAGE_ROWS(OPS_FILL, cpu)                   \
    OPS_SOFTMAX_ROWS(OPS_FILL, cpu) OPS_RECOMMEND_ROWS(OPS_FILL, cpu) OPS_TRANSFORMER_ROWS(OPS_FILL, cpu)      \
    OPS_MEMORY_ROWS(OPS_FILL, cpu)
/* clang-format on */

#endif
