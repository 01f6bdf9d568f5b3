/* cuda.c - the backend "cuda": kernels of its own (launch.h), and for convolutions and fully-connected layers cuBLAS
 * and, where it is found, cuDNN. A call checks what it is given, starts its work on the stream, and returns; a failure
 * on the device is reported by a later call. Nothing is allocated after opening, but what CUDA's libraries load at
 * first use. */
#include <stdio.h>

#include "train/ops/cuda/launch.h"
#include "train/ops/cuda/turn.h"
#include "train/ops/rows.h"

static bool usable(void)
{
    return launch_usable() && blas_usable();
}

static void close_cuda(struct ops *o)
{
    struct turn *t = o ? turn_of(o) : NULL;

    if (t) {
        dnn_close(t->dnn);
        blas_close(t->blas);
        runtime_mark_free(t->mark);
        runtime_free(t->columns); /* all three, and waits until no call uses them */
        free(t);
    }
    cpu_close(o);
}

enum { HELD_B = TURN_COLUMNS_B + TURN_BLAS_B + LAUNCH_SCRATCH_B };

static size_t held(const struct ops *o)
{
    (void)o;
    return HELD_B;
}

/* One piece of device memory: columns, cuBLAS's, sums. */
static bool open_turn(struct turn *t, char *why, size_t nwhy)
{
    char no_dnn[256];

    t->columns = runtime_alloc(HELD_B);
    t->mark = runtime_mark_new();
    if (!t->columns || !t->mark) {
        const char *error = runtime_error();

        snprintf(why, nwhy, "no memory on the device: %s", error ? error : "none left");
        return false;
    }
    t->ncolumns = TURN_COLUMNS_B;
    t->sums = t->columns + TURN_COLUMNS_B + TURN_BLAS_B;
    t->blas = blas_open(t->columns + TURN_COLUMNS_B, TURN_BLAS_B, why, nwhy);
    if (t->blas)
        t->dnn = dnn_open(no_dnn, sizeof(no_dnn));
    return t->blas;
}

static struct ops *open_cuda(char *why, size_t nwhy)
{
    struct ops *o;

    if (!launch_usable()) {
        snprintf(why, nwhy, "no CUDA device that this build has code for");
        return NULL;
    }
    o = cpu_open(why, nwhy);
    if (!o)
        return NULL;
    o->own = calloc(1, sizeof(struct turn));
    if (!o->own)
        snprintf(why, nwhy, "no memory");
    if (!o->own || !open_turn(o->own, why, nwhy)) {
        close_cuda(o);
        return NULL;
    }
    return o;
}

/* conv.c says why not FMA_BF16. */
static int set_precision(struct ops *o, enum fma_mode mode)
{
    if (mode == FMA_BF16)
        return cpu_fail(o, "precision: on a CUDA device fp32 or mp was expected, bf16 came");
    return cpu_set_precision(o, mode);
}

/* --- fully-connected layers --------------------------------------------------------------------------------------- */

static int counted(struct ops *o, enum ops_pass pass, int64_t batch, int64_t in, int64_t out, int rc)
{
    if (!rc)
        cpu_count_fc(o, pass, batch, in, out);
    return rc;
}

static int cuda_fc_forward(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *x, const float *w,
                           const float *bias, float *y, void *stream)
{
    struct blas_product p = { .transpose_b = true, .m = batch, .n = out, .k = in, .a = x, .b = w, .c = y };
    int rc = cpu_check_fc(o, batch, in, out);

    if (rc)
        return rc;
    turn_begin(o, stream);
    rc = turn_multiply(o, &p, stream);
    if (!rc && bias)
        launch_bias_rows(y, bias, batch, out, stream);
    return counted(o, OPS_FORWARD, batch, in, out, turn_end(o, stream, rc));
}

static int cuda_fc_backward_data(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *dy, const float *w,
                                 float *dx, void *stream)
{
    struct blas_product p = { .m = batch, .n = in, .k = out, .a = dy, .b = w, .c = dx };
    int rc = cpu_check_fc(o, batch, in, out);

    if (rc)
        return rc;
    turn_begin(o, stream);
    rc = turn_multiply(o, &p, stream);
    return counted(o, OPS_BACKWARD_DATA, batch, in, out, turn_end(o, stream, rc));
}

static int cuda_fc_backward_weights(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *x,
                                    const float *dy, float *dw, float *dbias, void *stream)
{
    struct blas_product p = { .transpose_a = true, .m = out, .n = in, .k = batch, .a = dy, .b = x, .beta = 1, .c = dw };
    int rc = cpu_check_fc(o, batch, in, out);

    if (rc)
        return rc;
    turn_begin(o, stream);
    rc = turn_multiply(o, &p, stream);
    if (!rc && dbias)
        launch_bias_rows_backward(dbias, dy, batch, out, stream);
    return counted(o, OPS_BACKWARD_WEIGHTS, batch, in, out, turn_end(o, stream, rc));
}

/* --- batch normalization ------------------------------------------------------------------------------------------ */

static int check_norm(struct ops *o, const struct image_shape *s)
{
    int rc = turn_check_image(o, s);

    return rc ? rc : turn_check_channels(o, s->channels);
}

static int cuda_norm_forward(struct ops *o, const struct image_shape *s, const float *x, const float *scale,
                             const float *shift, float *y, float *mean, float *inv_std, void *stream)
{
    int rc = check_norm(o, s);

    if (rc)
        return rc;
    turn_begin(o, stream);
    launch_norm_statistics(mean, inv_std, s, x, turn_of(o)->sums, stream);
    launch_norm_apply(y, s, x, scale, shift, mean, inv_std, stream);
    return turn_end(o, stream, 0);
}

static int cuda_norm_again(struct ops *o, const struct image_shape *s, const float *x, const float *scale,
                           const float *shift, const float *mean, const float *inv_std, float *y, void *stream)
{
    int rc = check_norm(o, s);

    if (rc)
        return rc;
    launch_norm_apply(y, s, x, scale, shift, mean, inv_std, stream);
    return turn_launched(o);
}

static int cuda_norm_backward(struct ops *o, const struct image_shape *s, const float *x, const float *dy,
                              const float *scale, const float *mean, const float *inv_std, float *dx, float *dscale,
                              float *dshift, void *stream)
{
    int rc = check_norm(o, s);

    if (rc)
        return rc;
    turn_begin(o, stream);
    launch_norm_backward(dx, dscale, dshift, s, x, dy, scale, mean, inv_std, turn_of(o)->sums, stream);
    return turn_end(o, stream, 0);
}

/* --- value by value ----------------------------------------------------------------------------------------------- */

static int cuda_relu_forward(struct ops *o, int64_t n, const float *x, float *y, void *stream)
{
    launch_relu(y, x, n, stream);
    return turn_launched(o);
}

static int cuda_relu_backward(struct ops *o, int64_t n, const float *y, const float *dy, float *dx, void *stream)
{
    launch_relu_backward(dx, y, dy, n, stream);
    return turn_launched(o);
}

static int cuda_sigmoid_forward(struct ops *o, int64_t n, const float *x, float *y, void *stream)
{
    launch_sigmoid(y, x, n, stream);
    return turn_launched(o);
}

static int cuda_sigmoid_backward(struct ops *o, int64_t n, const float *y, const float *dy, float *dx, void *stream)
{
    launch_sigmoid_backward(dx, y, dy, n, stream);
    return turn_launched(o);
}

static int cuda_dropout(struct ops *o, int64_t n, float rate, uint64_t seed, const float *x, float *y, void *stream)
{
    if (!(rate >= 0 && rate < 1))
        return cpu_fail(o, "dropout: a rate in [0, 1) was expected, %g came", (double)rate);
    launch_dropout(y, x, n, rate, seed, stream);
    return turn_launched(o);
}

static int cuda_accumulate(struct ops *o, int64_t n, const float *x, const float *x2, float *y, void *stream)
{
    launch_sum(y, x, x2, n, stream);
    return turn_launched(o);
}

/* --- softmax ------------------------------------------------------------------------------------------------------ */

static int check_softmax(struct ops *o, int64_t batch, int64_t n)
{
    return batch < 1 || batch > INT32_MAX || n < 1
               ? cpu_fail(o, "softmax: batch %lld, %lld classes", (long long)batch, (long long)n)
               : 0;
}

static int cuda_softmax_forward(struct ops *o, int64_t batch, int64_t n, const float *x, float *y, void *stream)
{
    int rc = check_softmax(o, batch, n);

    if (rc)
        return rc;
    launch_softmax(y, x, batch, n, stream);
    return turn_launched(o);
}

/* A label that is no class is on the device and cannot be refused: the loss becomes a NaN. */
static int cuda_softmax_backward(struct ops *o, int64_t batch, int64_t n, const float *y, const int32_t *labels,
                                 float *dx, float *loss, void *stream)
{
    int rc = check_softmax(o, batch, n);

    if (rc)
        return rc;
    turn_begin(o, stream);
    launch_softmax_backward(dx, loss, y, labels, batch, n, turn_of(o)->sums, stream);
    return turn_end(o, stream, 0);
}

/* clang-format off */
const struct ops_backend ops_cuda = {
    .name = "cuda",
    .on_device = 1,
    .usable = usable,
    .open = open_cuda,
    .close = close_cuda,
    .held = held,
    .error = cpu_error,
    .set_precision = set_precision,
    .set_chains = cpu_set_chains,
    .multiply_adds = cpu_multiply_adds,
    .conv_workspace = cuda_conv_workspace,
    OPS_CONV_ROWS(OPS_FILL, cuda) OPS_FC_ROWS(OPS_FILL, cuda) OPS_NORM_ROWS(OPS_FILL, cuda)
    OPS_VALUE_ROWS(OPS_FILL, cuda) OPS_IMAGE_ROWS(OPS_FILL, cuda) OPS_SOFTMAX_ROWS(OPS_FILL, cuda)
    OPS_RECOMMEND_ROWS(OPS_FILL, cuda) OPS_TRANSFORMER_ROWS(OPS_FILL, cuda) OPS_MEMORY_ROWS(OPS_FILL, cuda)
};
/* clang-format on */
