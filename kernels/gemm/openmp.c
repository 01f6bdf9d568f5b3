/* openmp.c - the walk of blocks.c on several threads, and the definition's rows. */
#include <omp.h>

#include "kernels/gemm/host.h"

/* Multiply-adds below which the fork costs more than it brings. */
enum { SPLIT_MIN = 1 << 16 };

static bool worth_it(const struct gemm_problem *p)
{
    return (double)p->m * (double)p->n * (double)p->k >= SPLIT_MIN;
}

static void barrier(void)
{
#pragma omp barrier
}

void gemm_blocks_omp(const struct gemm_tiles *t, const struct gemm_problem *p, void *work)
{
    gemm_blocks_begin(work);
#pragma omp parallel if (worth_it(p))
    gemm_blocks(t, p, work, omp_get_thread_num(), barrier);
}

void gemm_scalar_omp(const struct gemm_problem *p)
{
#pragma omp parallel for schedule(static) if (worth_it(p))
    for (size_t i = 0; i < p->m; i++)
        gemm_rows_scalar(p, i, i + 1);
}
