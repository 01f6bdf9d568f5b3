/* interact.c - how the vectors of a sample lie to each other: their dot products. */
#include <string.h>

#include "train/ops/cpu/cpu.h"
#include "train/ops/vectors.h"

/* Errors of a vector that are placed next to each other at a time. */
enum { GATHERED = 64 };

int cpu_check_interact(struct ops *o, int64_t batch, int64_t n, int64_t dim)
{
    return batch < 1 || n < 1 || dim < 1 ? cpu_fail(o, "interaction: batch %lld, %lld vectors of %lld values",
                                                    (long long)batch, (long long)n, (long long)dim)
                                         : 0;
}

int cpu_interact_forward(struct ops *o, int64_t batch, int64_t n, int64_t dim, const float *x, float *y, void *stream)
{
    int64_t nout = dim + n * (n - 1) / 2;
    int rc = cpu_check_interact(o, batch, n, dim);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(batch * n * n / 2 * dim)
    for (int64_t b = 0; b < batch; b++) {
        const float *vectors = x + b * n * dim;
        float *out = y + b * nout + dim;

        memcpy(y + b * nout, vectors, (size_t)dim * sizeof(*y));
        for (int64_t i = 1; i < n; out += i++)
            vectors_products(vectors + i * dim, vectors, dim, i, dim, out);
    }
    return 0;
}

/* Where the errors of vector i's products with those before it begin. */
static const float *errors_of(const float *dy, int64_t dim, int64_t i)
{
    return dy + dim + i * (i - 1) / 2;
}

/* Vector i's error: the errors of its products, times the others of the pairs. */
static void backward_vector(int64_t n, int64_t dim, int64_t i, const float *x, const float *dy, float *dx)
{
    float w[GATHERED];

    vectors_sum(errors_of(dy, dim, i), 1, x, dim, i, dim, dx);
    for (int64_t first = i + 1; first < n; first += GATHERED) {
        int64_t count = n - first < GATHERED ? n - first : GATHERED;

        for (int64_t j = 0; j < count; j++)
            w[j] = errors_of(dy, dim, first + j)[i];
        vectors_sum(w, 1, x + first * dim, dim, count, dim, dx);
    }
}

static void backward_sample(int64_t n, int64_t dim, const float *x, const float *dy, float *dx)
{
    memcpy(dx, dy, (size_t)dim * sizeof(*dx));
    memset(dx + dim, 0, (size_t)((n - 1) * dim) * sizeof(*dx));
    for (int64_t i = 0; i < n; i++)
        backward_vector(n, dim, i, x, dy, dx + i * dim);
}

int cpu_interact_backward(struct ops *o, int64_t batch, int64_t n, int64_t dim, const float *x, const float *dy,
                          float *dx, void *stream)
{
    int64_t nout = dim + n * (n - 1) / 2;
    int rc = cpu_check_interact(o, batch, n, dim);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(batch * n * n * dim)
    for (int64_t b = 0; b < batch; b++)
        backward_sample(n, dim, x + b * n * dim, dy + b * nout, dx + b * n * dim);
    return 0;
}
