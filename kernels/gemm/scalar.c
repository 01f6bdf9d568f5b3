/* scalar.c - the reference: the chain of fma_lane.h, element by element. */
#include "kernels/gemm/fma_lane.h"
#include "kernels/gemm/host.h"

static float element(const struct gemm_problem *p, size_t i, size_t j, float start)
{
    const float *a = p->a + (p->a_transposed ? i : i * p->lda), *b = p->b + (p->b_transposed ? j * p->ldb : j);
    size_t next_a = p->a_transposed ? p->lda : 1, next_b = p->b_transposed ? 1 : p->ldb;
    float acc = fma_start(p->mode, start);

    if (p->mode == FMA_BF16DOT)
        for (size_t s = 0; s < p->k; s += 2) {
            bool both = s + 1 < p->k;
            float a1 = both ? fma_input(p->mode, a[(s + 1) * next_a]) : 0;
            float b1 = both ? fma_input(p->mode, b[(s + 1) * next_b]) : 0;

            acc = fma_pair(a1, b1, fma_input(p->mode, a[s * next_a]), fma_input(p->mode, b[s * next_b]), acc);
        }
    else
        for (size_t s = 0; s < p->k; s++)
            acc = fma_step(p->mode, fma_input(p->mode, a[s * next_a]), fma_input(p->mode, b[s * next_b]), acc);
    return fma_result(acc);
}

void gemm_rows_scalar(const struct gemm_problem *p, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        for (size_t j = 0; j < p->n; j++) {
            float *c = p->c + i * p->ldc + j;

            *c = element(p, i, j, p->accumulate ? *c : 0);
        }
}

void gemm_scalar_serial(const struct gemm_problem *p)
{
    gemm_rows_scalar(p, 0, p->m);
}
