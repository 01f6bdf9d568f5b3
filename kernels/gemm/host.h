/* host.h - how the host implementations fit together; for kernels/gemm and its tests.
 * Each ISA has a file with a set of tiles: how panels are packed, and how a full tile of mr rows and nr columns of C is
 * computed. blocks.c walks over them; edges are computed in a separate full tile, so an ISA file need not handle edges.
 * Panel      mr rows of op(A), or nr columns of op(B), over kc steps of k, step by step: what a tile reads in one step
 *            is adjacent. A partial panel is filled up with +0. In MP and BF16 packing rounds, so that the tile works
 *            on fp32 alone; in BF16DOT a panel's word is a pair of bf16, the odd step above.
 * Guard      a tile that rounds its accumulators the fast way is only used where that is exact: see range.h. */
#ifndef NARROWS_KERNELS_GEMM_HOST_H
#define NARROWS_KERNELS_GEMM_HOST_H

#include <stdint.h>

#include "kernels/gemm/gemm.h"

enum {
    GEMM_KC = 1536,   /* most steps of k at a time; even, and at most 2048 for range.h's sake */
    GEMM_MR_MAX = 12, /* of every set */
    GEMM_NR_MAX = 32,
};

/* The magnitudes, as bits, of a panel or tile: the largest, and one less than the least that is not 0 (all ones if
 * there is none). 'minus_zero' is used for C only. */
struct gemm_range {
    uint32_t most, least;
    bool minus_zero;
};

/* 'count' vectors (rows of op(A) or columns of op(B)) into a panel of 'width', over 'steps' steps. Element s of vector
 * v is src[v * across + s * along]; one of the two strides is 1. 'round': to bf16. */
typedef void gemm_pack_fn(float *panel, size_t width, const float *src, size_t across, size_t along, size_t count,
                          size_t steps, bool round);
/* Lines of C that the next tile starts from, prefetched one by one while this one is computed: all at once would delay
 * its own loads. */
struct gemm_ahead {
    size_t n;
    const float *line[GEMM_MR_MAX * (GEMM_NR_MAX / 16 + 1)];
};

/* Continue the chains of a tile, from C or from +0. A NaN becomes 0x7fc00000. */
typedef void gemm_tile_fn(float *c, size_t ldc, const float *a, const float *b, size_t steps, bool from_c,
                          const struct gemm_ahead *ahead);
typedef void gemm_range_fn(struct gemm_range *r, const float *x, size_t ld, size_t rows, size_t columns);
/* The rounding to bf16 that tile[FMA_BF16] or careful uses, on n words, a multiple of 16: for the tests. */
typedef void gemm_round_fn(float *dst, const float *src, size_t n);

struct gemm_tiles {
    size_t mr, nr;
    gemm_pack_fn *pack;
    gemm_range_fn *range; /* extends *r by rows * columns floats */
    gemm_tile_fn *tile[FMA_NMODES];
    gemm_tile_fn *careful; /* BF16 without conditions */
};

extern const struct gemm_tiles gemm_tiles_avx2, gemm_tiles_avx512, gemm_tiles_avx512_adds, gemm_tiles_avx512_bf16;
gemm_round_fn gemm_round_avx2, gemm_round_avx512, gemm_round_avx512_adds, gemm_careful_avx2, gemm_careful_avx512;

size_t gemm_blocks_work(const struct gemm_tiles *t, const struct gemm_problem *p);

/* The part of one of 'parts' threads. All of them must call it, with the same work, whose head gemm_blocks_begin() has
 * set up. 'barrier' returns when all have called it. */
typedef void gemm_barrier_fn(void);
void gemm_blocks_begin(void *work);
void gemm_blocks(const struct gemm_tiles *t, const struct gemm_problem *p, void *work, int part,
                 gemm_barrier_fn *barrier);

void gemm_blocks_serial(const struct gemm_tiles *t, const struct gemm_problem *p, void *work);
void gemm_blocks_omp(const struct gemm_tiles *t, const struct gemm_problem *p, void *work);

/* Rows 'from' .. 'to' of C by the definition. */
void gemm_rows_scalar(const struct gemm_problem *p, size_t from, size_t to);
void gemm_scalar_serial(const struct gemm_problem *p);
void gemm_scalar_omp(const struct gemm_problem *p);

#endif
