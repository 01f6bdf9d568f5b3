/* threelc_rows.h - what the tests of 3LC share: the rows to try, and a call with everything where the contract wants it
 * and sentinels around it. */
#ifndef NARROWS_TESTS_THREELC_ROWS_H
#define NARROWS_TESTS_THREELC_ROWS_H

#include <stdlib.h>
#include <string.h>

#ifdef NW_OPENMP
#include <omp.h>
#endif

#include "kernels/threelc/threelc.h"
#include "tests/kernels/impl_wanted.h"
#include "tests/test.h"

enum { MAX_ROWS = 16, GUARD = 64, SENTINEL = 0xa5 };

static inline size_t rows_wanted(const struct codec_impl **rows, const struct codec_impl *impls)
{
    size_t n = 0;

    for (const struct codec_impl *im = impls; im->impl.name; im++)
        if (impl_is_wanted(&im->impl, IMPL_HOST))
            rows[n++] = im;
    return n;
}

static inline const struct codec_impl *row_reference(const struct codec_impl *impls)
{
    while (strcmp(impls->impl.name, "scalar") != 0)
        impls++;
    return impls;
}

static inline void rows_threads(int n)
{
#ifdef NW_OPENMP
    omp_set_num_threads(n);
#else
    (void)n;
#endif
}

/* Memory on a 64-byte boundary + skew, with GUARD sentinels around it. */
struct guarded {
    uint8_t *base, *at;
    size_t n;
};

static inline struct guarded guarded_new(size_t n, size_t skew)
{
    struct guarded g = { NULL, NULL, n };

    g.base = aligned_alloc(64, (n + skew + 2 * GUARD + 63) / 64 * 64);
    assert_non_null(g.base);
    memset(g.base, SENTINEL, n + skew + 2 * GUARD);
    g.at = g.base + GUARD + skew;
    return g;
}

static inline void guarded_check(const struct guarded *g, const char *row, const char *what)
{
    for (size_t i = 0; i < GUARD; i++)
        if (g->at[-1 - (ptrdiff_t)i] != SENTINEL || g->at[g->n + i] != SENTINEL)
            fail_msg("%s: written outside of %s", row, what);
}

/* One tensor on its way. */
struct tensor {
    const struct codec *codec;
    struct codec_params params;
    size_t n;
    struct guarded payload, state, work, values;
    uint64_t nbytes;
};

/* Values lie 'skew' floats off the boundary, and so does the state of a pull, which is the receivers' copy of them. */
static inline struct tensor tensor_new_of(const struct codec *c, bool pull, size_t n, double s, size_t skew)
{
    struct tensor t = { .codec = c, .params = codec_presets(c), .n = n };

    t.params.value[0] = s;
    t.payload = guarded_new(c->payload_bound(n, &t.params), 0);
    t.state = guarded_new(c->state_size(n, &t.params), pull ? 4 * skew : 0);
    t.work = guarded_new(c->work_size(n, &t.params), 0);
    t.values = guarded_new(4 * n, 4 * skew);
    memset(t.state.at, 0, t.state.n);
    memset(t.values.at, 0, t.values.n);
    return t;
}

static inline struct tensor tensor_new(const struct codec *c, size_t n, double s, size_t skew)
{
    return tensor_new_of(c, 0, n, s, skew);
}

static inline void tensor_free(struct tensor *t)
{
    free(t->payload.base);
    free(t->state.base);
    free(t->work.base);
    free(t->values.base);
}

static inline void tensor_check(const struct tensor *t, const char *row)
{
    guarded_check(&t->payload, row, "payload");
    guarded_check(&t->state, row, "state");
    guarded_check(&t->work, row, "work");
    guarded_check(&t->values, row, "values");
}

/* The values are what stands in t->values. */
static inline void tensor_compress(struct tensor *t, const struct codec_impl *im)
{
    t->nbytes = ~(uint64_t)0;
    im->compress(&im->impl, t->payload.at, &t->nbytes, (const float *)t->values.at, t->n, &t->params, t->state.at,
                 t->work.at);
    tensor_check(t, im->impl.name);
    assert_true(t->nbytes <= t->payload.n);
}

/* Its payload to the values; the payload is read from memory of its own size. */
static inline int tensor_decompress(struct tensor *t, const struct codec_impl *im, enum codec_into into,
                                    const uint8_t *payload, size_t nbytes)
{
    uint8_t *copy = aligned_alloc(64, (nbytes + 64) / 64 * 64);
    int error = -1;

    assert_non_null(copy);
    if (nbytes)
        memcpy(copy, payload, nbytes);
    im->decompress(&im->impl, (float *)t->values.at, t->n, into, copy, nbytes, &t->params, t->work.at, &error);
    tensor_check(t, im->impl.name);
    free(copy);
    return error;
}

#endif
