#include "train/ops/cuda/turn.h"

#include <stdio.h>

#include "kernels/gemm/device.h"
#include "train/ops/cuda/launch.h"

/* Limits of an image, so that 32 bits and a step of the grid suffice; and of the sides of a window. */
static const double MOST_VALUES = 1 << 30;
static const int64_t MOST_MEASURE = 1 << 28;

void turn_begin(struct ops *o, void *stream)
{
    struct turn *t = turn_of(o);

    if (t->marked && t->stream != stream)
        runtime_mark_wait(t->mark, stream);
}

int turn_end(struct ops *o, void *stream, int rc)
{
    struct turn *t = turn_of(o);
    int launched;

    runtime_mark_set(t->mark, stream); /* also after a failure: part of the work may run */
    t->stream = stream;
    t->marked = true;
    launched = turn_launched(o);
    return rc ? rc : launched;
}

int turn_launched(struct ops *o)
{
    const char *error = runtime_error();

    return error ? cpu_fail(o, "CUDA: %s", error) : 0;
}

static bool countable(int64_t a, int64_t b, int64_t c)
{
    return (double)a * (double)b * (double)c <= MOST_VALUES;
}

static bool measurable(int64_t a)
{
    return a <= MOST_MEASURE && a >= -MOST_MEASURE;
}

int turn_check_conv(struct ops *o, const struct conv_shape *s)
{
    int rc = cpu_check_conv(o, s);

    if (rc)
        return rc;
    if (!countable(s->in_channels, s->in_height, s->in_width) ||
        !countable(s->out_channels, s->out_height, s->out_width) ||
        !countable(s->in_channels * s->kernel, s->kernel, s->out_channels))
        return cpu_fail(o, "window operation: an image or the weights have more than %g values", MOST_VALUES);
    if (!measurable(s->stride) || !measurable(s->kernel) || !measurable(s->pad_top) || !measurable(s->pad_bottom) ||
        !measurable(s->pad_left) || !measurable(s->pad_right))
        return cpu_fail(o, "window operation: kernel, stride or a padding beyond %lld", (long long)MOST_MEASURE);
    return 0;
}

int turn_check_image(struct ops *o, const struct image_shape *s)
{
    int rc = cpu_check_image(o, s);

    if (!rc && !countable(s->channels, s->height, s->width))
        rc = cpu_fail(o, "image: more than %g values", MOST_VALUES);
    return rc;
}

int turn_check_channels(struct ops *o, int64_t channels)
{
    return channels > LAUNCH_CHANNELS
               ? cpu_fail(o, "%lld channels: sums are taken over %d at most", (long long)channels, LAUNCH_CHANNELS)
               : 0;
}

int turn_check_count(struct ops *o, const char *what, int64_t a, int64_t b)
{
    return countable(a, b, 1) ? 0 : cpu_fail(o, "%s: more than %g values", what, MOST_VALUES);
}

/* beta is 0 or 1. */
static struct gemm_problem chains_of(enum fma_mode mode, const struct blas_product *p)
{
    return (struct gemm_problem){ .mode = mode,
                                  .m = (size_t)p->m,
                                  .n = (size_t)p->n,
                                  .k = (size_t)p->k,
                                  .a = p->a,
                                  .lda = (size_t)(p->transpose_a ? p->m : p->k),
                                  .a_transposed = p->transpose_a,
                                  .b = p->b,
                                  .ldb = (size_t)(p->transpose_b ? p->k : p->n),
                                  .b_transposed = p->transpose_b,
                                  .c = p->c,
                                  .ldc = (size_t)p->n,
                                  .accumulate = p->beta != 0 };
}

int turn_multiply(struct ops *o, const struct blas_product *p, void *stream)
{
    char why[200];

    if (o->mode != FMA_FP32) {
        struct gemm_problem chains = chains_of(o->mode, p);

        gemm_cuda_on(&chains, stream);
        return 0;
    }
    return blas_multiply(turn_of(o)->blas, p, stream, why, sizeof(why)) ? cpu_fail(o, "%s", why) : 0;
}
