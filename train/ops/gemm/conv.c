/* conv.c - convolutions as products: an image's windows are copied into columns, some rows of outputs (a band) at a
 * time.
 * Order      an output is one chain of fused multiply-adds from its bias on, over input channels, kernel rows and
 *            kernel columns in rising order: the same bits however the image is cut into patches. An input's error is
 *            the sum of such chains, over the windows that reach it. A weight's gradient is the sum of one chain per
 *            band, or, where chains are whole, one chain that goes on from band to band and from image to image: its
 *            accumulator waits in 'gradient_size' bytes, in fp32, which holds a bf16 exactly.
 * Groups     the columns of all channels are made at once; a group's rows of them are adjacent, and so are its weights,
 *            inputs and outputs: it is a product of its own.
 * In fp32    what direct.h takes goes that way; its outputs are the same. */
#include <string.h>

#include "kernels/gemm/fma_lane.h"
#include "train/number.h"
#include "train/ops/gemm/ops.h"

/* Most floats of columns at a time, so that they stay in a second-level cache or near it. */
enum { BAND_VALUES = 1 << 19 };

/* How a convolution is cut: bands of 'rows' rows of outputs, of at most 'positions' positions with 'taps' values
 * each. */
struct band {
    int64_t taps, rows, positions; /* taps: of all groups */
    bool direct;                   /* the image is its own columns */
};

static struct band bands(const struct conv_shape *s)
{
    struct band b = { .taps = s->in_channels * s->kernel * s->kernel };

    b.direct = s->kernel == 1 && s->stride == 1 && !s->pad_top && !s->pad_bottom && !s->pad_left && !s->pad_right;
    b.rows = BAND_VALUES / (b.taps * s->out_width);
    b.rows = b.rows < 1 ? 1 : b.rows > s->out_height ? s->out_height : b.rows;
    b.positions = b.rows * s->out_width;
    return b;
}

/* The products of the three directions for one band, in columns at 'columns'; a and c are set per band. */
static struct gemm_problem forward_product(enum fma_mode mode, const struct conv_shape *s, const struct band *b,
                                           const float *w)
{
    return (struct gemm_problem){ .mode = mode,
                                  .m = (size_t)(s->out_channels / conv_groups(s)),
                                  .n = (size_t)b->positions,
                                  .k = (size_t)conv_taps(s),
                                  .a = w,
                                  .lda = (size_t)conv_taps(s),
                                  .ldc = (size_t)(s->out_height * s->out_width),
                                  .accumulate = true };
}

static struct gemm_problem data_product(enum fma_mode mode, const struct conv_shape *s, const struct band *b,
                                        const float *w)
{
    return (struct gemm_problem){ .mode = mode,
                                  .m = (size_t)conv_taps(s),
                                  .n = (size_t)b->positions,
                                  .k = (size_t)(s->out_channels / conv_groups(s)),
                                  .a = w,
                                  .lda = (size_t)conv_taps(s),
                                  .a_transposed = true,
                                  .ldb = (size_t)(s->out_height * s->out_width),
                                  .ldc = (size_t)b->positions };
}

static struct gemm_problem weights_product(enum fma_mode mode, const struct conv_shape *s, const struct band *b)
{
    return (struct gemm_problem){ .mode = mode,
                                  .m = (size_t)(s->out_channels / conv_groups(s)),
                                  .n = (size_t)conv_taps(s),
                                  .k = (size_t)b->positions,
                                  .lda = (size_t)(s->out_height * s->out_width),
                                  .b_transposed = true,
                                  .ldc = (size_t)conv_taps(s) };
}

/* The product of each group: what a group adds to the places of a, b and c. */
static void run_groups(const struct ops *o, const struct conv_shape *s, struct gemm_problem p, size_t a, size_t b,
                       size_t c, void *work)
{
    for (int64_t g = 0; g < conv_groups(s); g++, p.a += a, p.b += b, p.c += c)
        product_run(o, &p, work);
}

static size_t columns_size(const struct band *b)
{
    return product_aligned((size_t)(b->taps * b->positions) * sizeof(float));
}

static size_t gradient_size(const struct conv_shape *s)
{
    return product_aligned((size_t)(s->out_channels * conv_taps(s)) * sizeof(float));
}

size_t product_conv_workspace(struct ops *o, const struct conv_shape *s)
{
    struct band b = bands(s);
    struct gemm_problem p[] = { forward_product(o->mode, s, &b, NULL), data_product(o->mode, s, &b, NULL),
                                weights_product(o->mode, s, &b) };
    size_t most = 0;

    for (size_t i = 0; i < COUNT(p); i++)
        most = product_work(o, &p[i]) > most ? product_work(o, &p[i]) : most;
    most += columns_size(&b) + gradient_size(s);
    for (enum direct_way way = DIRECT_FORWARD; way < DIRECT_WAYS; way++)
        most = direct_conv_size(o, s, way) > most ? direct_conv_size(o, s, way) : most;
    return PRODUCT_ALIGN + most;
}

/* Row 'tap' of the columns: what that tap sees at each position of the band. */
static void gather_tap(const struct conv_shape *s, const float *x, int64_t tap, int64_t first, int64_t rows,
                       float *column)
{
    int64_t k = s->kernel, kh = tap / k % k, kw = tap % k, shift = kw - s->pad_left;
    const float *plane = x + tap / (k * k) * s->in_height * s->in_width;
    struct cpu_range at = cpu_taps(0, s->in_width, kw, s->pad_left, s->stride, s->out_width);

    for (int64_t oh = first; oh < first + rows; oh++, column += s->out_width) {
        int64_t ih = oh * s->stride + kh - s->pad_top;

        memset(column, 0, (size_t)s->out_width * sizeof(*column));
        if (ih < 0 || ih >= s->in_height)
            continue;
        for (int64_t j = at.from; j < at.to; j++)
            column[j] = plane[ih * s->in_width + j * s->stride + shift];
    }
}

static const float *gather(const struct conv_shape *s, const struct band *b, const float *x, int64_t first,
                           int64_t rows, float *columns)
{
    int64_t positions = rows * s->out_width;

    CPU_PARALLEL_FOR(b->taps * positions)
    for (int64_t tap = 0; tap < b->taps; tap++)
        gather_tap(s, x, tap, first, rows, columns + tap * positions);
    return columns;
}

/* One row: dx[j * stride] += column[j], which in bf16 is one multiply-add by 1. */
static void add_row(float *dx, const float *column, struct cpu_range at, int64_t stride, bool bf16)
{
    if (bf16)
        for (int64_t j = at.from; j < at.to; j++)
            dx[j * stride] = fma_round_bf16(dx[j * stride] + column[j]);
    else
        for (int64_t j = at.from; j < at.to; j++)
            dx[j * stride] += column[j];
}

/* The errors of the band's columns are added to those of the inputs that they saw; threads take whole channels. */
static void scatter(const struct conv_shape *s, const float *columns, int64_t first, int64_t rows, float *dx, bool bf16)
{
    int64_t k = s->kernel, positions = rows * s->out_width;

    CPU_PARALLEL_FOR(s->in_channels * k * k * positions)
    for (int64_t i = 0; i < s->in_channels; i++)
        for (int64_t tap = 0; tap < k * k; tap++) {
            struct cpu_range at = cpu_taps(0, s->in_width, tap % k, s->pad_left, s->stride, s->out_width);
            const float *column = columns + (i * k * k + tap) * positions;

            for (int64_t oh = first; oh < first + rows; oh++, column += s->out_width) {
                int64_t ih = oh * s->stride + tap / k - s->pad_top;
                int64_t row = (i * s->in_height + ih) * s->in_width + tap % k - s->pad_left;

                if (ih >= 0 && ih < s->in_height)
                    add_row(dx + row, column, at, s->stride, bf16);
            }
        }
}

/* Rows of the band that begins at 'first': the last one may be short. */
static int64_t rows_from(const struct conv_shape *s, const struct band *b, int64_t first)
{
    return s->out_height - first < b->rows ? s->out_height - first : b->rows;
}

int product_conv_forward(struct ops *o, const struct conv_shape *s, const float *x, const float *w, const float *bias,
                         float *y, void *workspace, size_t nworkspace, void *stream)
{
    int64_t nin = s->in_channels * s->in_height * s->in_width, area = s->out_height * s->out_width;
    int rc = direct_conv_forward(o, s, x, w, bias, y, workspace, nworkspace);
    struct gemm_problem p;
    struct band b;
    char *scratch;

    (void)stream;
    if (rc)
        return rc < 0 ? rc : 0;
    b = bands(s);
    p = forward_product(o->mode, s, &b, w);
    scratch = product_scratch(o, workspace, nworkspace, columns_size(&b) + product_work(o, &p));
    if (!scratch)
        return cpu_no_memory(o, columns_size(&b) + product_work(o, &p));
    CPU_PARALLEL_FOR(s->batch * s->out_channels * area)
    for (int64_t i = 0; i < s->batch * s->out_channels; i++)
        for (int64_t j = 0; j < area; j++)
            y[i * area + j] = bias ? bias[i % s->out_channels] : 0;
    for (int64_t n = 0; n < s->batch; n++)
        for (int64_t first = 0; first < s->out_height; first += b.rows) {
            int64_t rows = rows_from(s, &b, first), at = first * s->out_width;

            p.n = (size_t)(rows * s->out_width);
            p.b = b.direct ? x + n * nin + at : gather(s, &b, x + n * nin, first, rows, (float *)scratch);
            p.ldb = b.direct ? (size_t)area : p.n;
            p.c = y + n * s->out_channels * area + at;
            run_groups(o, s, p, p.m * p.k, p.k * p.ldb, p.m * p.ldc, scratch + columns_size(&b));
        }
    cpu_count_conv(o, OPS_FORWARD, s);
    return 0;
}

int product_conv_backward_data(struct ops *o, const struct conv_shape *s, const float *dy, const float *w, float *dx,
                               void *workspace, size_t nworkspace, void *stream)
{
    int64_t nin = s->in_channels * s->in_height * s->in_width, area = s->out_height * s->out_width;
    int rc = direct_conv_backward_data(o, s, dy, w, dx, workspace, nworkspace);
    struct gemm_problem p;
    struct band b;
    char *scratch;

    (void)stream;
    if (rc)
        return rc < 0 ? rc : 0;
    b = bands(s);
    p = data_product(o->mode, s, &b, w);
    scratch = product_scratch(o, workspace, nworkspace, columns_size(&b) + product_work(o, &p));
    if (!scratch)
        return cpu_no_memory(o, columns_size(&b) + product_work(o, &p));
    if (!b.direct)
        memset(dx, 0, (size_t)(s->batch * nin) * sizeof(*dx));
    for (int64_t n = 0; n < s->batch; n++)
        for (int64_t first = 0; first < s->out_height; first += b.rows) {
            int64_t rows = rows_from(s, &b, first), at = first * s->out_width;

            p.n = (size_t)(rows * s->out_width);
            p.b = dy + n * s->out_channels * area + at;
            p.c = b.direct ? dx + n * nin + at : (float *)scratch;
            p.ldc = b.direct ? (size_t)area : p.n;
            run_groups(o, s, p, p.m * p.k, p.k * p.ldb, p.m * p.ldc, scratch + columns_size(&b));
            if (!b.direct)
                scatter(s, p.c, first, rows, dx + n * nin, cpu_whole_chains(o));
        }
    cpu_count_conv(o, OPS_BACKWARD_DATA, s);
    return 0;
}

int product_conv_backward_weights(struct ops *o, const struct conv_shape *s, const float *x, const float *dy, float *dw,
                                  float *dbias, void *workspace, size_t nworkspace, void *stream)
{
    int64_t nin = s->in_channels * s->in_height * s->in_width, area = s->out_height * s->out_width;
    int rc = direct_conv_backward_weights(o, s, x, dy, dw, dbias, workspace, nworkspace);
    struct gemm_problem p;
    struct band b;
    size_t need;
    char *scratch;

    (void)stream;
    if (rc)
        return rc < 0 ? rc : 0;
    b = bands(s);
    p = weights_product(o->mode, s, &b);
    need = columns_size(&b) + gradient_size(s) + product_work(o, &p);
    scratch = product_scratch(o, workspace, nworkspace, need);
    if (!scratch)
        return cpu_no_memory(o, need);
    p.c = (float *)(scratch + columns_size(&b));
    for (int64_t n = 0; n < s->batch; n++)
        for (int64_t first = 0; first < s->out_height; first += b.rows) {
            int64_t rows = rows_from(s, &b, first), at = first * s->out_width;

            p.k = (size_t)(rows * s->out_width);
            p.a = dy + n * s->out_channels * area + at;
            p.b = b.direct ? x + n * nin + at : gather(s, &b, x + n * nin, first, rows, (float *)scratch);
            p.ldb = b.direct ? (size_t)area : p.k;
            run_groups(o, s, p, p.m * p.lda, p.n * p.ldb, p.m * p.n, scratch + columns_size(&b) + gradient_size(s));
            p.accumulate = cpu_whole_chains(o);
            if (!p.accumulate || (n == s->batch - 1 && first + rows == s->out_height))
                cpu_accumulate(o, s->out_channels * conv_taps(s), dw, p.c, dw, NULL);
        }
    if (dbias)
        cpu_add_bias_gradient(s->batch, s->out_channels, area, dy, dbias);
    cpu_count_conv(o, OPS_BACKWARD_WEIGHTS, s);
    return 0;
}
