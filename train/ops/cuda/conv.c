/* conv.c - convolutions: by cuDNN where it takes the shape, otherwise as products of matrices by cuBLAS.
 * Products   launch.h says what the matrices are. As many columns are made at a time as fit in the workspace, so
 *            that any workspace will do; one that is smaller than the backend's own memory (TURN_COLUMNS_B) is left
 *            alone and that is used. Gradients of weights are sums over the spans, in their order: their last bits, and
 *            those of dx where a span ends within an image, depend on the size of the workspace.
 * Groups     columns are made of all channels at once; a group's rows of each matrix are adjacent, and so are its
 *            weights: it is a product of its own. cuDNN is not asked.
 * Precision  FMA_MP goes by products alone, whose chains are those of kernels/gemm: y's bias is added behind its chain;
 *            dw's chains go on from what is there and run over all images of a span. FMA_BF16 is refused, since they
 *            would round what is there. */
#include "train/ops/cuda/launch.h"
#include "train/ops/cuda/turn.h"

/* More columns than this do not make the products faster. Spans begin on multiples of SPAN_UNIT. */
enum { BEST_B = 64 << 20, SPAN_UNIT = 64, ALIGN = 256 };

struct scratch {
    char *at;
    size_t nbytes;
};

/* The caller's workspace, or our own if that is more. */
static struct scratch scratch_of(struct ops *o, void *workspace, size_t nworkspace)
{
    struct scratch r = { turn_of(o)->columns, turn_of(o)->ncolumns };
    size_t skip = (ALIGN - (uintptr_t)workspace % ALIGN) % ALIGN;

    if (workspace && nworkspace >= skip && nworkspace - skip > r.nbytes) {
        r.at = (char *)workspace + skip;
        r.nbytes = nworkspace - skip;
    }
    return r;
}

/* Of a column: all groups. */
static int64_t taps_of(const struct conv_shape *s)
{
    return s->in_channels * s->kernel * s->kernel;
}

/* Of the whole batch. */
static int64_t pixels_of(const struct conv_shape *s)
{
    return s->batch * s->out_height * s->out_width;
}

/* Bytes that a column and its pixel take. */
static size_t column_B(const struct conv_shape *s)
{
    return (size_t)(taps_of(s) + s->out_channels) * sizeof(float);
}

/* --- the spans of a call ------------------------------------------------------------------------------------------ */

struct walk {
    struct launch_span q;
    int64_t each, all;
    float *columns, *pixels;
};

/* Spans of about the same size, each of which fits. */
static int walk_begin(struct ops *o, const struct conv_shape *s, struct scratch r, struct walk *w)
{
    int64_t most = (int64_t)(r.nbytes / column_B(s)), spans;

    if (most > SPAN_UNIT)
        most -= most % SPAN_UNIT;
    if (most < 1)
        return cpu_fail(o, "convolution: a column takes %zu bytes, there is a workspace of %zu", column_B(s), r.nbytes);
    w->all = pixels_of(s);
    spans = (w->all + most - 1) / most;
    w->each = (w->all + spans - 1) / spans;
    if (most >= SPAN_UNIT)
        w->each = (w->each + SPAN_UNIT - 1) / SPAN_UNIT * SPAN_UNIT;
    w->q.first = 0;
    w->q.count = w->each < w->all ? w->each : w->all;
    w->columns = (float *)r.at;
    w->pixels = w->columns + taps_of(s) * w->q.count;
    return 0;
}

static bool walk_next(struct walk *w)
{
    w->q.first += w->q.count;
    if (w->all - w->q.first < w->q.count)
        w->q.count = w->all - w->q.first;
    return w->q.count > 0;
}

/* The product of each group: what a group adds to the places of a, b and c. */
static int multiply_groups(struct ops *o, const struct conv_shape *s, struct blas_product p, int64_t a, int64_t b,
                           int64_t c, void *stream)
{
    int rc = 0;

    for (int64_t g = 0; g < conv_groups(s) && !rc; g++, p.a += a, p.b += b, p.c += c)
        rc = turn_multiply(o, &p, stream);
    return rc;
}

static int forward(struct ops *o, const struct conv_shape *s, const float *x, const float *w, const float *bias,
                   float *y, struct scratch r, void *stream)
{
    struct walk k;
    int rc = walk_begin(o, s, r, &k);

    if (rc)
        return rc;
    do {
        struct blas_product p = { .m = s->out_channels / conv_groups(s),
                                  .n = k.q.count,
                                  .k = conv_taps(s),
                                  .a = w,
                                  .b = k.columns,
                                  .c = k.pixels };

        launch_columns(k.columns, s, k.q, x, stream);
        rc = multiply_groups(o, s, p, p.m * p.k, p.k * p.n, p.m * p.n, stream);
        launch_spread(y, s, k.q, k.pixels, bias, stream);
    } while (!rc && walk_next(&k));
    return rc;
}

static int backward_data(struct ops *o, const struct conv_shape *s, const float *dy, const float *w, float *dx,
                         struct scratch r, void *stream)
{
    struct walk k;
    int rc = walk_begin(o, s, r, &k);

    if (rc)
        return rc;
    runtime_zero(dx, (size_t)(s->batch * s->in_channels * s->in_height * s->in_width) * sizeof(*dx), stream);
    do {
        struct blas_product p = { .transpose_a = true,
                                  .m = conv_taps(s),
                                  .n = k.q.count,
                                  .k = s->out_channels / conv_groups(s),
                                  .a = w,
                                  .b = k.pixels,
                                  .c = k.columns };

        launch_gather(k.pixels, s, k.q, dy, stream);
        rc = multiply_groups(o, s, p, p.m * p.k, p.k * p.n, p.m * p.n, stream);
        launch_columns_backward(dx, s, k.q, k.columns, stream);
    } while (!rc && walk_next(&k));
    return rc;
}

static int backward_weights(struct ops *o, const struct conv_shape *s, const float *x, const float *dy, float *dw,
                            struct scratch r, void *stream)
{
    struct walk k;
    int rc = walk_begin(o, s, r, &k);

    if (rc)
        return rc;
    do {
        struct blas_product p = { .transpose_b = true,
                                  .m = s->out_channels / conv_groups(s),
                                  .n = conv_taps(s),
                                  .k = k.q.count,
                                  .a = k.pixels,
                                  .b = k.columns,
                                  .beta = 1,
                                  .c = dw };

        launch_columns(k.columns, s, k.q, x, stream);
        launch_gather(k.pixels, s, k.q, dy, stream);
        rc = multiply_groups(o, s, p, p.m * p.k, p.k * p.n, p.m * p.n, stream);
    } while (!rc && walk_next(&k));
    return rc;
}

/* --- rows of struct ops_backend ----------------------------------------------------------------------------------- */

static size_t most_for_dnn(const struct conv_shape *s)
{
    int64_t values =
        s->batch * (s->in_channels * s->in_height * s->in_width + s->out_channels * s->out_height * s->out_width);
    size_t both = (size_t)values * sizeof(float);

    return both > BEST_B ? both : BEST_B;
}

/* The most that one of the three directions wants: cuDNN not more than the images take themselves, or BEST_B. */
size_t cuda_conv_workspace(struct ops *o, const struct conv_shape *s)
{
    struct dnn *d = o->mode == FMA_FP32 ? turn_of(o)->dnn : NULL;
    size_t most = 0;

    if (turn_check_conv(o, s))
        return 0;
    for (int way = 0; way < DNN_WAYS; way++) {
        size_t all = (size_t)pixels_of(s) * column_B(s), nbytes;

        if (!d || !dnn_workspace(d, s, (enum dnn_way)way, most_for_dnn(s), &nbytes))
            nbytes = all < BEST_B ? all : BEST_B;
        most = nbytes > most ? nbytes : most;
    }
    return most > turn_of(o)->ncolumns ? most + ALIGN : 0;
}

/* DNN_DECLINED: go the other way. */
static int by_dnn(struct ops *o, const struct conv_shape *s, enum dnn_way way, const float *in, const float *in2,
                  float *out, struct scratch r, void *stream)
{
    struct dnn *d = o->mode == FMA_FP32 ? turn_of(o)->dnn : NULL;
    char why[200];
    int rc = d ? dnn_convolve(d, s, way, in, in2, out, r.at, r.nbytes, stream, why, sizeof(why)) : DNN_DECLINED;

    return rc < 0 ? cpu_fail(o, "%s", why) : rc;
}

static int counted(struct ops *o, enum ops_pass pass, const struct conv_shape *s, int rc)
{
    if (!rc)
        cpu_count_conv(o, pass, s);
    return rc;
}

int cuda_conv_forward(struct ops *o, const struct conv_shape *s, const float *x, const float *w, const float *bias,
                      float *y, void *workspace, size_t nworkspace, void *stream)
{
    struct scratch r = scratch_of(o, workspace, nworkspace);
    struct image_shape out = { s->batch, s->out_channels, s->out_height, s->out_width };
    int rc = turn_check_conv(o, s);

    if (rc)
        return rc;
    turn_begin(o, stream);
    rc = by_dnn(o, s, DNN_FORWARD, x, w, y, r, stream);
    if (rc == DNN_DONE && bias)
        launch_bias(y, &out, bias, stream);
    if (rc == DNN_DECLINED)
        rc = forward(o, s, x, w, bias, y, r, stream);
    return counted(o, OPS_FORWARD, s, turn_end(o, stream, rc));
}

int cuda_conv_backward_data(struct ops *o, const struct conv_shape *s, const float *dy, const float *w, float *dx,
                            void *workspace, size_t nworkspace, void *stream)
{
    struct scratch r = scratch_of(o, workspace, nworkspace);
    int rc = turn_check_conv(o, s);

    if (rc)
        return rc;
    turn_begin(o, stream);
    rc = by_dnn(o, s, DNN_BACKWARD_DATA, dy, w, dx, r, stream);
    if (rc == DNN_DECLINED)
        rc = backward_data(o, s, dy, w, dx, r, stream);
    return counted(o, OPS_BACKWARD_DATA, s, turn_end(o, stream, rc));
}

int cuda_conv_backward_weights(struct ops *o, const struct conv_shape *s, const float *x, const float *dy, float *dw,
                               float *dbias, void *workspace, size_t nworkspace, void *stream)
{
    struct scratch r = scratch_of(o, workspace, nworkspace);
    struct image_shape out = { s->batch, s->out_channels, s->out_height, s->out_width };
    int rc = turn_check_conv(o, s);

    if (!rc && dbias)
        rc = turn_check_channels(o, s->out_channels);
    if (rc)
        return rc;
    turn_begin(o, stream);
    rc = by_dnn(o, s, DNN_BACKWARD_WEIGHTS, x, dy, dw, r, stream);
    if (rc == DNN_DECLINED)
        rc = backward_weights(o, s, x, dy, dw, r, stream);
    if (!rc && dbias)
        launch_bias_backward(dbias, &out, dy, turn_of(o)->sums, stream);
    return counted(o, OPS_BACKWARD_WEIGHTS, s, turn_end(o, stream, rc));
}
