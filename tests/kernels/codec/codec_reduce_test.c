/* Every row's reduction against what it stands for: the scalar row decompresses the terms one after another, adds, and
 * compresses the sum. For lengths around every boundary, numbers of terms and threads, parameters, and values whose sum
 * is none. And payloads that nobody sent. */
#include <float.h>
#include <math.h>
#ifdef NW_OPENMP
#include <omp.h>
#endif

#include "tests/kernels/libomp_leak.h"
#include "tests/kernels/plain/codec_try.h"
#include "tests/sanitized.h"

enum { MOST_TERMS = 9 };

/* What was sent, in one buffer that ends where the last term ends, and what the reference makes of it. */
struct sums {
    const struct codec *codec;
    struct codec_params params;
    size_t n, nwant;
    struct codec_terms terms;
    uint8_t *sent, *want;
};

static float plain(size_t i, size_t k)
{
    return try_value(i + 7919 * k);
}

/* Sums that cancel, overflow, are no number, or are too small for a scale. */
static float odd(size_t i, size_t k)
{
    static const float some[] = { FLT_MAX,    -FLT_MAX, INFINITY, -INFINITY, NAN, 0x1p-149f,
                                  -0x1p-140f, 0,        -0.0f,    1,         -1,  0x1p-120f };
    float size = i / 64 % 3 ? 1 : 0x1p-130f;

    return i / 64 % 4 == 1 ? some[try_hash((uint32_t)(i + 31 * k)) % COUNT(some)] : size * plain(i, k);
}

static void compress(const struct sums *s, float (*value)(size_t i, size_t k), float *values, size_t k)
{
    const struct codec_impl *scalar = codec_choose(s->codec, "scalar", 0);
    uint8_t *state = try_guarded(s->codec->state_size(s->n, &s->params)),
            *work = try_guarded(s->codec->work_size(s->n, &s->params));
    uint64_t nbytes = 0;

    memset(state, 0, s->codec->state_size(s->n, &s->params));
    for (size_t i = 0; value && i < s->n; i++)
        values[i] = value(i, k);
    scalar->compress(&scalar->impl, value ? s->sent + k * s->terms.stride : s->want, &nbytes, values, s->n, &s->params,
                     state, work);
    assert_int_equal(nbytes, s->terms.nbytes); /* of one size, as a cut into parts needs it */
    try_release(state, s->codec->state_size(s->n, &s->params));
    try_release(work, s->codec->work_size(s->n, &s->params));
}

static void sums_begin(struct sums *s, const struct codec *c, const struct codec_params *p, size_t n, size_t count,
                       float (*value)(size_t i, size_t k))
{
    const struct codec_impl *scalar = codec_choose(c, "scalar", 0);
    float *values = malloc(4 * n + 4), *sum = malloc(4 * n + 4);
    int error = -1;

    *s = (struct sums){ .codec = c, .params = *p, .n = n };
    s->terms.nbytes = s->nwant = c->payload_bound(n, p);
    s->terms.stride = (s->nwant + 63) / 64 * 64 + 64 * (n % 2);
    s->terms.count = count;
    s->sent = try_guarded((count - 1) * s->terms.stride + s->nwant);
    s->want = try_guarded(s->nwant);
    s->terms.payloads = s->sent;
    assert_true(values && sum);
    for (size_t k = 0; k < count; k++) {
        compress(s, value, values, k);
        scalar->decompress(&scalar->impl, sum, n, k ? CODEC_ADD : CODEC_STORE, s->sent + k * s->terms.stride, s->nwant,
                           p, NULL, &error);
        assert_int_equal(error, CODEC_OK);
    }
    compress(s, NULL, sum, 0);
    free(values);
    free(sum);
}

static void sums_end(struct sums *s)
{
    try_release(s->sent, (s->terms.count - 1) * s->terms.stride + s->nwant);
    try_release(s->want, s->nwant);
}

/* One row's: what it should be, or refused, and then nothing is written. */
static void try_row(const struct codec_impl *im, const struct sums *s, int want)
{
    size_t nwork = s->codec->work_size(s->n, &s->params), bound = s->nwant;
    uint8_t *payload = try_guarded(bound), *work = try_guarded(nwork);
    uint64_t nbytes = 4711;
    int error = -1;

    im->reduce(&im->impl, payload, &nbytes, &s->terms, s->n, &s->params, work, &error);
    if (error != want)
        fail_msg("%s %s, %zu values, %zu terms: error %d, want %d", s->codec->name, im->impl.name, s->n, s->terms.count,
                 error, want);
    assert_int_equal(nbytes, error ? 4711 : bound);
    if (!error)
        try_same(im->impl.name, "sum", payload, s->want, bound);
    for (size_t i = 0; error && i < bound; i++)
        assert_int_equal(payload[i], TRY_SENTINEL);
    try_release(payload, bound);
    try_release(work, nwork);
}

#define FOR_EACH_REDUCING(c)                             \
    for (const struct codec *const *c = codecs; *c; c++) \
        if ((*c)->class == CODEC_SCATTERED)

static void try_all(const struct codec *c, const struct codec_params *p, size_t n, size_t count,
                    float (*value)(size_t i, size_t k), bool parallel)
{
    struct sums s;

    sums_begin(&s, c, p, n, count, value);
    TRY_EACH_ROW(im, c)
    if (im->impl.parallel == parallel)
        try_row(im, &s, CODEC_OK);
    sums_end(&s);
}

static void every_length(void **state)
{
    (void)state;
    FOR_EACH_REDUCING(c)
    for (int set = 0; set < 4; set++) {
        struct codec_params p = codec_presets(*c);

        for (int i = 0; i < 2 && (*c)->param[i].name; i++)
            p.value[i] = set >> i & 1 ? (*c)->param[i].lowest : (*c)->param[i].preset;
        for (size_t n = 0; n <= 1200; n += SANITIZED ? 37 : n < 140 ? 1 : 13)
            try_all(*c, &p, n, 1 + n % MOST_TERMS, n % 3 ? plain : odd, false);
    }
}

static void on_any_number_of_threads(void **state)
{
    static const size_t lengths[] = { 33333, 163841 };

    (void)state;
    FOR_EACH_REDUCING(c)
    for (size_t l = 0; l < COUNT(lengths); l++)
        for (int threads = 1; threads <= 8; threads += SANITIZED ? 3 : 1) {
            struct codec_params p = codec_presets(*c);

            p.value[1] = l ? 576 : p.value[1]; /* no power of two */
#ifdef NW_OPENMP
            omp_set_num_threads(threads);
#endif
            try_all(*c, &p, lengths[l], 3, threads % 2 ? plain : odd, true);
        }
}

/* Any term of a wrong size or with a byte that decompressing refuses, wherever it stands. */
static void nothing_is_made_of_bad_terms(void **state)
{
    enum { N = 201, TERMS = 3 };

    (void)state;
    FOR_EACH_REDUCING(c)
    for (int low = 0; low < 2; low++) {
        struct codec_params p = codec_presets(*c);
        const struct codec_impl *scalar = codec_choose(*c, "scalar", 0);
        struct sums s;
        float values[N];

        if (low)
            p.value[0] = (*c)->param[0].lowest;
        sums_begin(&s, *c, &p, N, TERMS, plain);
        TRY_EACH_ROW(im, *c)
        {
            for (size_t wrong = 0; wrong < 2; wrong++) {
                s.terms.nbytes = s.nwant + 1 - 2 * wrong;
                try_row(im, &s, wrong ? CODEC_SHORT : CODEC_LONG);
            }
            s.terms.nbytes = s.nwant;
            for (size_t k = 0; k < TERMS; k++)
                for (size_t at = 0; at < s.nwant; at++) {
                    uint8_t *byte = s.sent + k * s.terms.stride + at, was = *byte;
                    int error = -1;

                    *byte = at % 2 ? 0x80 : 0xff;
                    scalar->decompress(&scalar->impl, values, N, CODEC_STORE, byte - at, s.nwant, &p, NULL, &error);
                    if (error)
                        try_row(im, &s, error);
                    *byte = was;
                }
        }
        sums_end(&s);
    }
}

/* Who is scattered can be reduced by every row, and nobody else. */
static void classes_and_reductions_agree(void **state)
{
    (void)state;
    for (const struct codec *const *c = codecs; *c; c++)
        for (const struct codec_impl *im = (*c)->impls; im->impl.name; im++)
            assert_int_equal(im->reduce != NULL, (*c)->class == CODEC_SCATTERED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length),
        cmocka_unit_test(on_any_number_of_threads),
        cmocka_unit_test(nothing_is_made_of_bad_terms),
        cmocka_unit_test(classes_and_reductions_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
