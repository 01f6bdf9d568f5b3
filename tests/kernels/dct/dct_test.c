/* The codecs "dct" and "sparsify" over many steps: what is sent, what stays, when the threshold changes, and that all
 * rows agree bit for bit. */
#ifdef NW_OPENMP
#include <omp.h>
#endif
#include <math.h>

#include "kernels/dct/dct.h"
#include "kernels/dct/dct_lane.h"
#include "kernels/sparsify/sparsify.h"
#include "kernels/sparsify/sparsify_lane.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/kernels/sparse/tensors.h"

static void use_threads(int threads)
{
#ifdef NW_OPENMP
    omp_set_num_threads(threads);
#else
    (void)threads;
#endif
}

/* A codec's row with its buffers. */
struct user {
    const struct codec *codec;
    const struct codec_impl *row;
    struct codec_params p;
    size_t n, bound, nstate, nwork;
    uint8_t *payload, *state, *work;
    uint64_t nbytes;
};

static struct user user_with(const struct codec *c, const struct codec_impl *row, size_t n, struct codec_params p)
{
    struct user u = { .codec = c, .row = row, .p = p, .n = n };

    u.bound = c->payload_bound(n, &u.p);
    u.nstate = c->state_size(n, &u.p);
    u.nwork = c->work_size(n, &u.p);
    u.payload = guarded(u.bound, 0);
    u.state = guarded(u.nstate, 0);
    u.work = guarded(u.nwork, 0);
    memset(u.state, 0, u.nstate);
    return u;
}

static struct user user_of(const struct codec *c, const struct codec_impl *row, size_t n, double first, double second)
{
    return user_with(c, row, n, (struct codec_params){ { first, second } });
}

static void user_done(struct user *u)
{
    assert_true(guards_hold(u->payload, u->bound) && guards_hold(u->state, u->nstate) &&
                guards_hold(u->work, u->nwork));
    guarded_free(u->payload, 0);
    guarded_free(u->state, 0);
    guarded_free(u->work, 0);
}

static void step(struct user *u, const float *x)
{
    u->row->compress(&u->row->impl, u->payload, &u->nbytes, x, u->n, &u->p, u->state, u->work);
}

static uint64_t sent(const struct user *u)
{
    uint64_t count;

    memcpy(&count, u->payload + 8, 8);
    return count;
}

#define FOR_ROWS(im, c)                                                 \
    for (const struct codec_impl *im = (c)->impls; im->impl.name; im++) \
        if (impl_is_wanted(&im->impl, IMPL_HOST))

static void by_hand(void **state)
{
    static const float x[4] = { 1, -4, 2, 3 };

    (void)state;
    FOR_ROWS(im, &codec_dct)
    {
        /* Half is dropped: the second of 1 2 3 4 is the threshold, so 2, 3 and 4 are sent. */
        struct user u = user_of(&codec_dct, im, 4, 0.5, 3);
        const float *error = (const float *)(const void *)(u.state + DCT_STATE);

        step(&u, x);
        assert_int_equal(sent(&u), 3);
        assert_int_equal(u.payload[16], 14);
        assert_true(error[0] == 1 && error[1] == 0 && error[2] == 0 && error[3] == 0);
        step(&u, x); /* 1 + 1 reaches 2 */
        assert_int_equal(sent(&u), 4);
        step(&u, (const float[4]){ 1, 1, 1, 1 });
        assert_int_equal(sent(&u), 0);
        step(&u, (const float[4]){ 0, 1, 2, 3 }); /* the threshold has served: 1 2 3 4 again */
        assert_int_equal(sent(&u), 3);
        assert_int_equal(u.payload[16], 14);
        user_done(&u);
    }
}

static void how_many_are_kept(void **state)
{
    (void)state;
    assert_int_equal(dct_kept(100, 0.95), 6); /* the 95th of 100 and what is above */
    assert_int_equal(dct_kept(100, 0), 100);
    assert_int_equal(dct_kept(100, 0.001), 100);
    assert_int_equal(dct_kept(100, 1), 1);
    assert_int_equal(dct_kept(0, 0.95), 0);
    assert_int_equal(dct_kept((uint64_t)1 << 40, 0.75), ((uint64_t)1 << 38) + 1);
    assert_int_equal(sparsify_rank(4096, 0.05), 205);
    assert_int_equal(sparsify_rank(10, 0), 1);
    assert_int_equal(sparsify_rank(10, 1), 10);
    assert_int_equal(sparsify_samples(4096), 4096);
    assert_int_equal(sparsify_samples((uint64_t)1 << 40), SPARSIFY_MOST);
}

/* A threshold is exact when found, serves L steps unchanged, and is then found again. */
static void life_of_a_threshold(void **state)
{
    enum { N = 5000, L = 4 };
    float x[N];

    (void)state;
    FOR_ROWS(im, &codec_dct)
    {
        struct user u = user_of(&codec_dct, im, N, 0.9, L);
        uint32_t threshold = 0;

        for (int i = 0; i < 3 * L + 1; i++) {
            struct dct_state s;

            tensor_fill(x, N, TENSOR_NORMAL, (uint64_t)i);
            step(&u, x);
            memcpy(&s, u.state, sizeof(s));
            if (i % L == 0)
                assert_int_equal(sent(&u), 501);
            else
                assert_int_equal(s.threshold, threshold);
            if (i % L == 0)
                assert_int_not_equal(s.threshold, threshold);
            assert_int_equal(s.left, L - 1 - i % L);
            threshold = s.threshold;
        }
        user_done(&u);
    }
}

/* With values that add without rounding, all that was sent and what is left make up all that came in. */
static void nothing_is_lost(const struct codec *c, double first, double second, size_t head)
{
    enum { N = 40000, STEPS = 12 };
    float *in = calloc(N, 4), *out = calloc(N, 4), *x = malloc(4 * N);

    FOR_ROWS(im, c)
    {
        struct user u = user_of(c, im, N, first, second);
        int error;

        memset(in, 0, 4 * N);
        memset(out, 0, 4 * N);
        for (int i = 0; i < STEPS; i++) {
            uint64_t seed = (uint64_t)i;

            for (size_t j = 0; j < N; j++) {
                x[j] = (float)((int)(tensor_random(&seed) % 2001) - 1000);
                in[j] += x[j];
            }
            step(&u, x);
            im->decompress(&im->impl, out, N, CODEC_ADD, u.payload, (size_t)u.nbytes, &u.p, u.work, &error);
            assert_int_equal(error, CODEC_OK);
        }
        for (size_t j = 0; j < N; j++) {
            float left;

            memcpy(&left, u.state + head + 4 * j, 4);
            assert_true(in[j] == out[j] + left);
        }
        user_done(&u);
    }
    free(in);
    free(out);
    free(x);
}

static void error_feedback_telescopes(void **state)
{
    (void)state;
    nothing_is_lost(&codec_dct, 0.95, 5, DCT_STATE);
    nothing_is_lost(&codec_dct, 0.95, 1, DCT_STATE);
    nothing_is_lost(&codec_sparsify, 0.25, 0, 0);
}

/* One value is sent in each of these steps, the others pile up. By hand: before the third and the fifth step a drain
 * loses the values whose bits are set in Threefry's words for that step, and it alone loses any. */
static void drained_by_hand(void **state)
{
    enum { N = 300, EVERY = 2, STEPS = 6 };
    const uint64_t seed = ((uint64_t)5 << 32) | 9;
    float x[N];
    int lost = 0;

    (void)state;
    for (int i = 0; i < N; i++)
        x[i] = i == 17 ? 100 : 1;
    FOR_ROWS(im, &codec_dct)
    {
        struct user u = user_with(&codec_dct, im, N, (struct codec_params){ { 1, 1, EVERY, (double)seed } });
        const float *error = (const float *)(const void *)(u.state + DCT_STATE);
        float want[N] = { 0 };

        for (int s = 0; s < STEPS; s++) {
            struct threefry_key key = threefry_key_of(9, 5, (uint32_t)s, 0);

            for (uint32_t i = 0; i < N; i++) {
                uint32_t word[4] = { i / 128, 0, 0, 0 };

                threefry(word, &key, THREEFRY_ROUNDS);
                if ((s == 2 || s == 4) && (word[i % 128 / 32] >> i % 32 & 1))
                    want[i] = 0, lost++;
                want[i] += 1;
            }
            want[17] = 0;
            step(&u, x);
            assert_int_equal(sent(&u), 1);
            assert_memory_equal(error, want, sizeof(want));
        }
        assert_in_range(lost, 2 * N / 2 - 60, 2 * N / 2 + 60); /* half of 600 draws; 60 are five deviations */
        lost = 0;
        user_done(&u);
    }
}

/* Another seed loses others; without a drain a step leaves no trace of itself in the state. */
static void what_a_drain_depends_on(void **state)
{
    enum { N = 128 };
    static const float x[N] = { 4, 1, 1, 1 };

    (void)state;
    FOR_ROWS(im, &codec_dct)
    {
        struct user u[3];
        struct dct_state s;

        for (int k = 0; k < 3; k++) {
            u[k] = user_with(&codec_dct, im, N, (struct codec_params){ { 1, 1, k ? 1 : 0, k } });
            for (int i = 0; i < 3; i++) {
                float ones[N];

                for (int j = 0; j < N; j++)
                    ones[j] = 1 + x[j];
                step(&u[k], ones);
            }
        }
        assert_memory_not_equal(u[1].state + DCT_STATE, u[2].state + DCT_STATE, 4 * N);
        memcpy(&s, u[0].state, sizeof(s));
        assert_int_equal(s.steps, 0);
        memcpy(&s, u[1].state, sizeof(s));
        assert_int_equal(s.steps, 3);
        for (int k = 0; k < 3; k++)
            user_done(&u[k]);
    }
}

/* The reference against all rows: payload, state and what comes out, for every kind of data. */
static void rows_agree_with(const struct codec *c, struct codec_params p, size_t n, size_t aside)
{
    const struct codec_impl *last = c->impls;
    float *x = guarded(4 * n, aside), *a = guarded(4 * n, 0), *b = guarded(4 * n, aside);

    while (last[1].impl.name)
        last++;
    for (int kind = (int)(n % 3); kind < TENSOR_KINDS; kind += 1 + 4 * (n > 5000))
        FOR_ROWS(im, c)
        {
            struct user u = user_with(c, im, n, p), ref = user_with(c, last, n, p);

            use_threads(n == 300 ? 8 : (int)(n % 3) + 1);
            for (int i = 0; i < 3; i++) {
                int error, ref_error;

                tensor_fill(x, n, (enum tensor_kind)kind, (uint64_t)i);
                step(&u, x);
                step(&ref, x);
                if (u.nbytes != ref.nbytes || memcmp(u.payload, ref.payload, (size_t)u.nbytes))
                    fail_msg("%s %s: payload, n %zu kind %d step %d", c->name, im->impl.name, n, kind, i);
                if (memcmp(u.state, ref.state, u.nstate))
                    fail_msg("%s %s: state, n %zu kind %d step %d", c->name, im->impl.name, n, kind, i);
                tensor_fill(a, n, TENSOR_SPECIAL, 3);
                memcpy(b, a, 4 * n);
                im->decompress(&im->impl, b, n, i % 2 ? CODEC_ADD : CODEC_STORE, u.payload, (size_t)u.nbytes, &u.p,
                               u.work, &error);
                last->decompress(&last->impl, a, n, i % 2 ? CODEC_ADD : CODEC_STORE, ref.payload, (size_t)ref.nbytes,
                                 &ref.p, ref.work, &ref_error);
                assert_true(error == CODEC_OK && ref_error == CODEC_OK);
                assert_memory_equal(a, b, 4 * n);
                if (u.nbytes) {
                    im->decompress(&im->impl, b, n, CODEC_STORE, u.payload, (size_t)u.nbytes - 1, &u.p, u.work, &error);
                    assert_int_not_equal(error, CODEC_OK);
                    assert_memory_equal(a, b, 4 * n);
                }
            }
            user_done(&u);
            user_done(&ref);
        }
    assert_true(guards_hold(b, 4 * n));
    guarded_free(x, aside);
    guarded_free(a, 0);
    guarded_free(b, aside);
}

static void rows_agree(const struct codec *c, double first, double second, size_t n, size_t aside)
{
    rows_agree_with(c, (struct codec_params){ { first, second } }, n, aside);
}

static void all_rows_agree(void **state)
{
    static const size_t lengths[] = { 0, 1, 2, 63, 64, 65, 300, 4097, 40001, 140003 };

    (void)state;
    for (int i = 0; i < 10; i++) {
        rows_agree(&codec_dct, i % 2 ? 0.95 : 0.75, 2, lengths[i], 4 * (lengths[i] % 16));
        rows_agree(&codec_dct, i % 2, 1, lengths[i], 0);
        rows_agree_with(&codec_dct, (struct codec_params){ { 0.9, 2, 1 + i % 2, i } }, lengths[i], 0);
        rows_agree(&codec_sparsify, i % 2 ? 0.25 : 0.05, 0, lengths[i], 4);
    }
}

/* Sent is about the share; always a bitmap; a zero is never sent, infinities and NaNs are and do not stay. */
static void what_sparsify_sends(void **state)
{
    enum { N = 200000 };
    float *x = malloc(4 * N);

    (void)state;
    FOR_ROWS(im, &codec_sparsify)
    {
        struct user u = user_of(&codec_sparsify, im, N, 0.05, 0);

        tensor_fill(x, N, TENSOR_NORMAL, 1);
        step(&u, x);
        assert_in_range(sent(&u), N / 20 - N / 80, N / 20 + N / 80);
        assert_int_equal(u.nbytes, 16 + N / 8 + 4 * sent(&u));
        memset(u.state, 0, u.nstate);
        memset(x, 0, 4 * N);
        step(&u, x);
        assert_int_equal(sent(&u), 0);
        assert_int_equal(u.nbytes, 16 + N / 8);
        x[7] = INFINITY;
        x[9] = NAN;
        step(&u, x);
        assert_int_equal(sent(&u), 2);
        memset(x, 0, 4 * N);
        step(&u, x);
        assert_int_equal(sent(&u), 0);
        user_done(&u);
    }
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(how_many_are_kept),
        cmocka_unit_test(life_of_a_threshold),
        cmocka_unit_test(error_feedback_telescopes),
        cmocka_unit_test(drained_by_hand),
        cmocka_unit_test(what_a_drain_depends_on),
        cmocka_unit_test(all_rows_agree),
        cmocka_unit_test(what_sparsify_sends),
    };
    size_t wanted = 0;

    FOR_ROWS(im, &codec_dct) wanted++;
    return wanted ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
