/* gemm_case.h - matrices of any kind of value, and one product tried on one row. What must come out is the definition,
 * kernels/gemm/scalar.c, which gemm_test.c holds against values by hand. */
#ifndef NARROWS_TESTS_GEMM_CASE_H
#define NARROWS_TESTS_GEMM_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/gemm/host.h"
#include "tests/test.h"

enum { MARGIN = 64, SENTINEL = 0xa5 };

/* What the values are like. */
enum kind {
    ORDINARY,    /* exponents -3 .. 2 */
    TIES,        /* multiples of 1/256: many sums lie in the middle of two bf16 */
    ANY,         /* any bits that are no NaN */
    SPECIAL,     /* now and then an infinity, NaN, zero, denormal or extreme */
    NEAR_BOTTOM, /* products at the edge of what the fast rounding can do, both sides */
    NEAR_TOP,
    MINUS_ZERO, /* zeros of both signs, and few ones */
    NKINDS
};

static uint64_t gemm_seed = 1;

static inline uint32_t gemm_random(void)
{
    gemm_seed = gemm_seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(gemm_seed >> 32);
}

static inline float gemm_float(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof(x));
    return x;
}

static inline float gemm_at(int exponent)
{
    uint32_t r = gemm_random();

    return gemm_float((r & 0x807fffff) | (uint32_t)(exponent + 127) << 23);
}

static inline float gemm_value(enum kind kind)
{
    static const uint32_t special[] = { 0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x7f800000, 0xff800000,
                                        0x7fc00000, 0xffffffff, 0x7f800001, 0x7f7fffff, 0x00800000, 0x3f808000,
                                        0x3f818000, 0x0000ffff, 0x7f7f8000, 0xff7f7fff, 0x00018000, 0x7fff8000 };
    uint32_t r = gemm_random();

    switch (kind) {
    case ORDINARY: return gemm_at((int)(r % 6) - 3);
    case TIES: return ((float)(r % 1024) - 512) / 256;
    case ANY: return (r & 0x7f800000) == 0x7f800000 ? 1 : gemm_float(r);
    case SPECIAL:
        return r % 8 ? gemm_at((int)(r >> 8) % 3)
                     : gemm_float(special[(r >> 8) % (sizeof(special) / sizeof(*special))]);
    case NEAR_BOTTOM: return gemm_at((int)(r % 8) - 60);
    case NEAR_TOP: return gemm_at((int)(r % 8) + 44);
    default: return r % 16 == 0 ? 1 : gemm_float(r & 0x80000000);
    }
}

/* A product and its matrices, each in memory of just its size, so that a sanitizer sees what is touched outside. */
struct gemm_case {
    struct gemm_problem p;
    float *a, *b, *start, *want;
    size_t nc; /* floats of C, with what lies between its rows */
    enum kind kind;
};

static inline size_t gemm_floats(size_t rows, size_t columns, size_t ld)
{
    return rows && columns ? (rows - 1) * ld + columns : 0;
}

static inline float *gemm_matrix(size_t rows, size_t columns, size_t ld, enum kind kind)
{
    size_t n = gemm_floats(rows, columns, ld);
    float *x = malloc(n * sizeof(*x) + !n);

    assert_non_null(x);
    for (size_t i = 0; i < n; i++)
        x[i] = i % ld < columns ? gemm_value(kind) : gemm_float(0x7fa5a5a5);
    return x;
}

/* 'form' decides the transposes, what the rows are longer by, and whether C is added to. */
static inline void gemm_case_make(struct gemm_case *g, enum fma_mode mode, size_t m, size_t n, size_t k, unsigned form,
                                  enum kind kind)
{
    bool ta = form & 1, tb = form & 2;
    size_t more = form / 8 % 3 * 5;
    struct gemm_problem p = {
        mode, m, n, k, NULL, (ta ? m : k) + more, ta, NULL, (tb ? k : n) + more, tb, NULL, n + more, (form & 4) != 0
    };

    p.lda += !p.lda, p.ldb += !p.ldb, p.ldc += !p.ldc;
    *g = (struct gemm_case){ .kind = kind, .nc = gemm_floats(m, n, p.ldc) };
    p.a = g->a = gemm_matrix(ta ? k : m, ta ? m : k, p.lda, kind);
    p.b = g->b = gemm_matrix(tb ? n : k, tb ? k : n, p.ldb, kind);
    g->start = gemm_matrix(m, n, p.ldc, kind);
    g->want = malloc(g->nc * sizeof(float) + 1);
    assert_non_null(g->want);
    memcpy(g->want, g->start, g->nc * sizeof(float));
    p.c = g->want;
    gemm_rows_scalar(&p, 0, m);
    g->p = p;
}

static inline void gemm_case_free(struct gemm_case *g)
{
    free(g->a);
    free(g->b);
    free(g->start);
    free(g->want);
}

typedef void gemm_run_fn(const void *how, const struct gemm_problem *p, void *work);

static inline void gemm_case_differs(const struct gemm_case *g, const char *name, const float *got, const char *why)
{
    const struct gemm_problem *p = &g->p;

    for (size_t i = 0; i < g->nc; i++)
        if (memcmp(got + i, g->want + i, sizeof(float)))
            fail_msg("%s %s %zux%zux%zu, A%s B%s %s, ld %zu %zu %zu, kind %d: %s at row %zu column %zu: %a, not %a",
                     name, fma_mode_name(p->mode), p->m, p->n, p->k, p->a_transposed ? "^T" : "",
                     p->b_transposed ? "^T" : "", p->accumulate ? "added" : "set", p->lda, p->ldb, p->ldc, g->kind, why,
                     i / p->ldc, i % p->ldc, got[i], g->want[i]);
}

/* Run it between sentinels: C's surroundings, what lies between its rows, and the end of the work stay as they are. */
static inline void gemm_case_try(const struct gemm_case *g, const char *name, gemm_run_fn *run, const void *how,
                                 size_t work_size)
{
    size_t space = g->nc * sizeof(float), i;
    unsigned char *c = malloc(space + 2 * MARGIN), *work = aligned_alloc(64, (work_size + MARGIN + 63) / 64 * 64);
    struct gemm_problem p = g->p;

    assert_non_null(c);
    assert_non_null(work);
    memset(c, SENTINEL, space + 2 * MARGIN);
    memset(work, SENTINEL, work_size + MARGIN);
    memcpy(c + MARGIN, g->start, space);
    p.c = (float *)(c + MARGIN);
    run(how, &p, work);
    gemm_case_differs(g, name, p.c, "wrong");
    for (i = 0; i < MARGIN; i++)
        if (c[i] != SENTINEL || c[MARGIN + space + i] != SENTINEL || work[work_size + i] != SENTINEL)
            fail_msg("%s %s %zux%zux%zu: wrote outside", name, fma_mode_name(p.mode), p.m, p.n, p.k);
    free(c);
    free(work);
}

#endif
