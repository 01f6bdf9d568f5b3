#include "tests/train/ops/help.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef NW_OPS_CUDA
#include <cuda_runtime_api.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

enum { GUARD = 16 };

#ifdef _OPENMP
static int nthreads; /* that the test asked for */
#endif
static const float guard = 12345.75f;

void each_backend(void (*fn)(struct bench *t))
{
    each_backend_with(fn, NULL);
}

void each_backend_with(void (*fn)(struct bench *t), const void *with)
{
    for (size_t i = 0; ops_backends[i]; i++) {
        struct bench t = { ops_backends[i], NULL, with };
        char why[256] = "";

        if (!t.b->usable())
            continue;
        t.o = t.b->open(why, sizeof(why));
        if (!t.o)
            fail_msg("%s: %s", t.b->name, why);
        fn(&t);
        t.b->close(t.o);
    }
}

void worked(struct bench *t, int rc, const char *what)
{
    if (rc)
        fail_msg("%s: %s: %s", t->b->name, what, t->b->error(t->o));
#ifdef NW_OPS_CUDA
    if (t->b->on_device && cudaDeviceSynchronize() != cudaSuccess)
        fail_msg("%s: %s: the device failed", t->b->name, what);
#endif
#ifdef _OPENMP
    if (nthreads && omp_get_max_threads() != nthreads)
        fail_msg("%s: %s: the caller had %d threads, and has %d", t->b->name, what, nthreads, omp_get_max_threads());
#endif
}

void threads(int n)
{
#ifdef _OPENMP
    omp_set_num_threads(n);
    nthreads = n;
#else
    (void)n;
#endif
}

static void *memory(int on_device, size_t nbytes)
{
    void *p = NULL;

#ifdef NW_OPS_CUDA
    if (on_device && cudaMallocManaged(&p, nbytes, cudaMemAttachGlobal) != cudaSuccess)
        p = NULL;
    if (on_device)
        return p;
#else
    assert_false(on_device);
#endif
    p = malloc(nbytes);
    return p;
}

void tensor_fill(struct tensor *x, uint64_t seed)
{
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15);

    for (size_t i = 0; i < x->n; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        x->v[i] = seed ? (float)((double)(state >> 32) / 2147483648.0 - 1) : -777;
    }
}

struct tensor tensor(const struct bench *t, size_t n, uint64_t seed)
{
    struct tensor x = { memory(t->b->on_device, (n + GUARD) * sizeof(float)), n, t->b->on_device };

    assert_non_null(x.v);
    tensor_fill(&x, seed);
    for (size_t i = n; i < n + GUARD; i++)
        x.v[i] = guard;
    return x;
}

void tensor_done(struct tensor *x)
{
    for (size_t i = x->n; i < x->n + GUARD; i++)
        if (memcmp(&x->v[i], &guard, sizeof(guard)) != 0)
            fail_msg("a value was written %zu past the end of %zu", i - x->n, x->n);
#ifdef NW_OPS_CUDA
    if (x->on_device) {
        cudaFree(x->v);
        return;
    }
#endif
    free(x->v);
}

void tensor_copy(struct tensor *to, const struct tensor *from)
{
    assert_int_equal(to->n, from->n);
    memcpy(to->v, from->v, from->n * sizeof(*to->v));
}

int64_t first_difference(const struct tensor *a, const struct tensor *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++)
        if (memcmp(&a->v[i], &b->v[i], sizeof(float)) != 0)
            return (int64_t)i;
    return -1;
}

void expect(struct bench *t, const char *why, const float *got, const float *want, size_t n, double tolerance)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)got[i] - (double)want[i]) <= tolerance))
            fail_msg("%s: %s: value %zu is %.8g, expected %.8g", t->b->name, why, i, (double)got[i], (double)want[i]);
}

struct tensor given(const struct bench *t, const float *values, size_t n)
{
    struct tensor x = tensor(t, n, 0);

    memcpy(x.v, values, n * sizeof(*values));
    return x;
}

struct tensor given_ids(const struct bench *t, const int32_t *values, size_t n)
{
    struct tensor x = tensor(t, n, 0);

    memcpy(x.v, values, n * sizeof(*values));
    return x;
}

const int32_t *ids_of(const struct tensor *x)
{
    return (const int32_t *)(const void *)x->v;
}

struct conv_shape shape_of(const struct conv_row *row)
{
    struct conv_shape s = {
        .batch = row->batch,
        .in_channels = row->in,
        .in_height = row->height,
        .in_width = row->width,
        .out_channels = row->out,
        .kernel = row->kernel,
        .stride = row->stride,
        .pad_top = row->top,
        .pad_bottom = row->bottom,
        .pad_left = row->left,
        .pad_right = row->right,
    };

    s.out_height = (s.in_height + s.pad_top + s.pad_bottom - s.kernel) / s.stride + 1;
    s.out_width = (s.in_width + s.pad_left + s.pad_right - s.kernel) / s.stride + 1;
    return s;
}

size_t nimage(const struct conv_shape *s)
{
    return (size_t)(s->batch * s->in_channels * s->in_height * s->in_width);
}

size_t nweights(const struct conv_shape *s)
{
    return (size_t)(s->out_channels * conv_taps(s));
}

size_t noutput(const struct conv_shape *s)
{
    return (size_t)(s->batch * s->out_channels * s->out_height * s->out_width);
}
