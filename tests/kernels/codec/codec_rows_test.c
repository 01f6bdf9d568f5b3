/* Every row of every codec against its scalar row, bit for bit: payloads and states over several steps, what both ways
 * of decompressing give, for lengths around every boundary, numbers of threads, parameters, and values of every kind.
 * Nothing outside of what the contract allows is touched. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef NW_OPENMP
#include <omp.h>
#endif

#include "kernels/codec/codec.h"
#include "tests/kernels/impl_wanted.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/sanitized.h"
#include "tests/test.h"

enum { STEPS = 3, MARGIN = 64, SENTINEL = 0xa5, MOST_SETS = 2 * CODEC_PARAMS + 1 };

/* One run of a codec: guarded buffers, and what each step left in them. */
struct run {
    const struct codec *codec;
    const struct codec_impl *row;
    struct codec_params params;
    size_t n, bound, nstate, nwork;
    uint8_t *payload, *state, *work;
    float *stored, *added;
    uint64_t nbytes;
};

static void *guarded(size_t nbytes)
{
    size_t whole = (nbytes + 2 * MARGIN + CODEC_ALIGN - 1) / CODEC_ALIGN * CODEC_ALIGN;
    uint8_t *p = aligned_alloc(CODEC_ALIGN, whole);

    assert_non_null(p);
    memset(p, SENTINEL, whole);
    return p + MARGIN;
}

static void unguard(const struct run *r, const char *what, void *p, size_t nbytes)
{
    const uint8_t *bytes = p;

    for (size_t i = 0; i < MARGIN; i++)
        if (bytes[-1 - (ptrdiff_t)i] != SENTINEL || bytes[nbytes + i] != SENTINEL)
            fail_msg("%s %s, %zu values: wrote outside of %s", r->codec->name, r->row->impl.name, r->n, what);
    free((uint8_t *)p - MARGIN);
}

static void begin(struct run *r, const struct codec *c, const struct codec_impl *row, const struct codec_params *p,
                  size_t n)
{
    *r = (struct run){ .codec = c,
                       .row = row,
                       .params = *p,
                       .n = n,
                       .bound = c->payload_bound(n, p),
                       .nstate = c->state_size(n, p),
                       .nwork = c->work_size(n, p) };
    r->payload = guarded(r->bound);
    r->state = guarded(r->nstate);
    r->work = guarded(r->nwork);
    r->stored = guarded(4 * n);
    r->added = guarded(4 * n);
    memset(r->state, 0, r->nstate);
}

static void end(struct run *r)
{
    unguard(r, "the payload", r->payload, r->bound);
    unguard(r, "the state", r->state, r->nstate);
    unguard(r, "the work", r->work, r->nwork);
    unguard(r, "the stored values", r->stored, 4 * r->n);
    unguard(r, "the added values", r->added, 4 * r->n);
}

static void decompress(const struct run *r, float *values, enum codec_into into, const char *kind)
{
    int error = -1;

    r->row->decompress(&r->row->impl, values, r->n, into, r->payload, r->nbytes, &r->params, r->work, &error);
    if (error)
        fail_msg("%s %s (%s, %zu values): refuses its own payload of %llu bytes, error %d", r->codec->name,
                 r->row->impl.name, kind, r->n, (unsigned long long)r->nbytes, error);
}

static void step(struct run *r, const float *values, const float *before, const char *kind)
{
    r->row->compress(&r->row->impl, r->payload, &r->nbytes, values, r->n, &r->params, r->state, r->work);
    assert_true(r->nbytes <= r->bound);
    memset(r->stored, 0x3f, 4 * r->n);
    decompress(r, r->stored, CODEC_STORE, kind);
    memcpy(r->added, before, 4 * r->n);
    decompress(r, r->added, CODEC_ADD, kind);
}

static void compare(const struct run *r, const struct run *want, int at, const char *kind, int threads)
{
    const struct {
        const char *what;
        const void *got, *want;
        size_t nbytes;
    } parts[] = { { "nbytes", &r->nbytes, &want->nbytes, sizeof(r->nbytes) },
                  { "payload", r->payload, want->payload, want->nbytes },
                  { "state", r->state, want->state, want->nstate },
                  { "stored values", r->stored, want->stored, 4 * r->n },
                  { "added values", r->added, want->added, 4 * r->n } };

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        const uint8_t *a = parts[i].got, *b = parts[i].want;

        if (!memcmp(a, b, parts[i].nbytes))
            continue;
        for (size_t k = 0; k < parts[i].nbytes; k++)
            if (a[k] != b[k])
                fail_msg(
                    "%s %s (%s, %zu values, %d threads, parameter %g), step %d: %s differs at byte %zu: %#x, want %#x",
                    r->codec->name, r->row->impl.name, kind, r->n, threads, r->params.value[0], at, parts[i].what, k,
                    a[k], b[k]);
    }
}

/* --- values of every kind --- */

static uint32_t hash(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static float uniform(uint32_t i)
{
    return (float)(int32_t)hash(i) * 0x1p-31f;
}

static float normal_like(size_t i, int at)
{
    uint32_t k = (uint32_t)i * 4 + (uint32_t)at * 0x10000001u;

    return 0.01f * (uniform(k) + uniform(k + 1) + uniform(k + 2) + uniform(k + 3));
}

static float heavy_tailed(size_t i, int at)
{
    float u = uniform((uint32_t)i + (uint32_t)at * 0x20000003u);

    return u * u * u * u * u * u * u;
}

static float mostly_zero(size_t i, int at)
{
    return hash((uint32_t)i + 77u * (uint32_t)at) % 50 ? 0.0f : normal_like(i, at);
}

static float all_equal(size_t i, int at)
{
    (void)i;
    return at == 1 ? -0.25f : 0.25f;
}

static float special(size_t i, int at)
{
    static const float some[] = { 0.0f,     -0.0f,    1.0f,    -1.0f,           INFINITY,  -INFINITY,  NAN,
                                  FLT_MAX,  -FLT_MAX, FLT_MIN, -FLT_MIN,        0x1p-149f, -0x1p-149f, 0x1.8p-140f,
                                  65504.0f, 65520.0f, 1e-8f,   0x1.fffffep-15f, 0.5f,      -0.5f,      2.0f };
    uint32_t h = hash((uint32_t)i + 13u * (uint32_t)at), bits = 0x7f800001u + (h >> 9);
    float odd_nan;

    if (h % 11 == 0) {
        memcpy(&odd_nan, &bits, sizeof(odd_nan));
        return odd_nan;
    }
    return some[h % (sizeof(some) / sizeof(*some))];
}

static float any_bits(size_t i, int at)
{
    uint32_t bits = hash((uint32_t)i * 3 + (uint32_t)at);
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static const struct {
    const char *name;
    float (*value)(size_t i, int at);
} kinds[] = { { "normal", normal_like },  { "heavy-tailed", heavy_tailed }, { "mostly zero", mostly_zero },
              { "all equal", all_equal }, { "special", special },           { "any bits", any_bits } };
enum { NKINDS = sizeof(kinds) / sizeof(*kinds) };

/* --- the walk --- */

static size_t parameter_sets(const struct codec *c, struct codec_params *sets)
{
    size_t n = 1;

    sets[0] = codec_presets(c);
    for (int i = 0; c->param[i].name; i++)
        for (int high = 0; high < 2; high++) {
            sets[n] = sets[0];
            sets[n++].value[i] = high ? fmin(c->param[i].highest, 1e6) : c->param[i].lowest;
        }
    return n;
}

static void set_threads(int threads)
{
#ifdef NW_OPENMP
    omp_set_num_threads(threads);
#else
    (void)threads;
#endif
}

/* The steps of the reference are computed once, those of every row along with them. Sampled, long ones make one. */
static void try_rows(const struct codec *c, const struct codec_params *p, size_t n, int kind, int threads,
                     bool parallel)
{
    enum { MOST_ROWS = 16 };
    struct run want, runs[MOST_ROWS];
    size_t nruns = 0;
    float *values = malloc(4 * n + 1), *before = malloc(4 * n + 1);

    assert_true(values && before);
    for (size_t i = 0; i < n; i++)
        before[i] = normal_like(i, 9);
    for (const struct codec_impl *im = c->impls; im->impl.name; im++)
        if (im->impl.parallel == parallel && impl_is_wanted(&im->impl, IMPL_HOST)) {
            assert_true(nruns < MOST_ROWS);
            begin(&runs[nruns++], c, im, p, n);
        }
    begin(&want, c, codec_choose(c, "scalar", 0), p, n);
    for (int at = 0; at < (sampled() && n > 99999 ? 1 : STEPS) && nruns; at++) {
        for (size_t i = 0; i < n; i++)
            values[i] = kinds[kind].value(i, at);
        step(&want, values, before, kinds[kind].name);
        for (size_t i = 0; i < nruns; i++) {
            step(&runs[i], values, before, kinds[kind].name);
            compare(&runs[i], &want, at, kinds[kind].name, threads);
        }
    }
    while (nruns)
        end(&runs[--nruns]);
    end(&want);
    free(values);
    free(before);
}

static void every_length(void **state)
{
    struct codec_params sets[MOST_SETS];

    (void)state;
    for (const struct codec *const *c = codecs; *c; c++) {
        size_t nsets = parameter_sets(*c, sets);

        for (size_t s = 0; s < nsets; s++)
            for (size_t n = 0; n <= 330; n += SANITIZED ? 11 : n < 140 ? 1 : 7)
                try_rows(*c, &sets[s], n, (int)((n + s) % NKINDS), 1, 0);
    }
}

static void every_kind(void **state)
{
    struct codec_params sets[MOST_SETS];

    (void)state;
    for (const struct codec *const *c = codecs; *c; c++) {
        size_t nsets = parameter_sets(*c, sets);

        for (size_t s = 0; s < nsets; s++)
            for (int kind = 0; kind < NKINDS; kind++)
                try_rows(*c, &sets[s], 4999, kind, 1, 0);
    }
}

/* Around the sizes at which rows cut their work into pieces, stream their results or call more threads. */
static void large_ones_on_any_number_of_threads(void **state)
{
    static const size_t lengths[] = { 0, 1, 65, 4097, 33333, 163841, 700001 };
    static const int threads[] = { 1, 2, 3, 8 };

    (void)state;
    for (const struct codec *const *c = codecs; *c; c++) {
        struct codec_params p = codec_presets(*c);

        for (size_t l = 0; l < sizeof(lengths) / sizeof(*lengths); l++) {
            try_rows(*c, &p, lengths[l], (int)l % NKINDS, 1, 0);
            for (size_t t = 0; t < sizeof(threads) / sizeof(*threads); t += SANITIZED ? 2 : 1) {
                set_threads(threads[t]);
                try_rows(*c, &p, lengths[l], (int)(l + t) % NKINDS, threads[t], 1);
            }
        }
    }
}

/* Values begin on any float, not only on a whole line. */
static void values_on_any_float(void **state)
{
    enum { N = 1000 };
    _Alignas(64) static float shifted[2][N + 16];

    (void)state;
    for (const struct codec *const *c = codecs; *c; c++)
        for (const struct codec_impl *im = (*c)->impls; im->impl.name; im++)
            for (size_t shift = 0; shift < 16 && impl_is_wanted(&im->impl, IMPL_HOST); shift += SANITIZED ? 5 : 1) {
                struct codec_params p = codec_presets(*c);
                struct run r, want;
                int error = -1;

                begin(&r, *c, im, &p, N);
                begin(&want, *c, im, &p, N);
                for (size_t i = 0; i < N; i++)
                    shifted[0][i + shift] = want.stored[i] = normal_like(i, 0);
                want.row->compress(&want.row->impl, want.payload, &want.nbytes, want.stored, N, &p, want.state,
                                   want.work);
                r.row->compress(&r.row->impl, r.payload, &r.nbytes, shifted[0] + shift, N, &p, r.state, r.work);
                assert_int_equal(r.nbytes, want.nbytes);
                assert_memory_equal(r.payload, want.payload, r.nbytes);
                want.row->decompress(&want.row->impl, want.stored, N, CODEC_STORE, want.payload, want.nbytes, &p,
                                     want.work, &error);
                r.row->decompress(&r.row->impl, shifted[1] + shift, N, CODEC_STORE, r.payload, r.nbytes, &p, r.work,
                                  &error);
                assert_int_equal(error, CODEC_OK);
                assert_memory_equal(shifted[1] + shift, want.stored, 4 * N);
                end(&r);
                end(&want);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length),
        cmocka_unit_test(every_kind),
        cmocka_unit_test(large_ones_on_any_number_of_threads),
        cmocka_unit_test(values_on_any_float),
    };
    bool any = 0;

    for (const struct codec *const *c = codecs; *c; c++)
        for (const struct codec_impl *im = (*c)->impls; im->impl.name; im++)
            any |= impl_is_wanted(&im->impl, IMPL_HOST);
    return any ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
