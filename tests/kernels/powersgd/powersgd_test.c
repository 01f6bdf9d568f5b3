/* The codec "powersgd": its steps in doubles, matrices of low rank, two workers in two rounds, and what is sent as it
 * is. */
#include <math.h>

#include "kernels/powersgd/powersgd.h"
#include "kernels/powersgd/powersgd_lane.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/kernels/plain/codec_try.h"

enum { ROWS = 37, COLUMNS = 29, N = ROWS * COLUMNS - 5, MOST_RANK = 3 };

static struct codec_params params(double columns, double rank, double seed)
{
    return (struct codec_params){ { columns, rank, seed } };
}

static void near(const char *row, const char *what, const float *got, const double *want, size_t n, double within)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)got[i] - want[i]) <= within))
            fail_msg("%s: %s %zu is %g, want %g", row, what, i, (double)got[i], want[i]);
}

/* powersgd.h spelled out a second time, in doubles and on matrices filled up with zeros. */
struct model {
    int rank;
    double q[MOST_RANK][COLUMNS], p[MOST_RANK][ROWS], kept[ROWS * COLUMNS], sent[ROWS * COLUMNS];
};

static void model_draw(struct model *m, uint64_t seed)
{
    struct threefry_key key = threefry_key_of((uint32_t)seed, (uint32_t)(seed >> 32), 0, 0);

    for (uint32_t k = 0; k < (uint32_t)m->rank; k++)
        for (uint32_t j = 0; j < COLUMNS; j++) {
            uint32_t x[4] = { j / 4, 0, k, 0 };

            threefry(x, &key, 13);
            m->q[k][j] = (int32_t)x[j % 4] * 0x1p-31;
        }
}

static double inner(const double *a, const double *b, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void model_step(struct model *m)
{
    for (int k = 0; k < m->rank; k++) {
        for (int i = 0; i < ROWS; i++)
            m->p[k][i] = inner(m->kept + COLUMNS * i, m->q[k], COLUMNS);
        for (int other = 0; other < k; other++) {
            double share = inner(m->p[k], m->p[other], ROWS);

            for (int i = 0; i < ROWS; i++)
                m->p[k][i] -= share * m->p[other][i];
        }
        double length = sqrt(inner(m->p[k], m->p[k], ROWS));

        for (int i = 0; i < ROWS; i++)
            m->p[k][i] /= length;
    }
    memset(m->q, 0, sizeof(m->q));
    memset(m->sent, 0, sizeof(m->sent));
    for (int k = 0; k < m->rank; k++) {
        for (int i = 0; i < ROWS * COLUMNS; i++)
            m->q[k][i % COLUMNS] += m->p[k][i / COLUMNS] * m->kept[i];
        for (int i = 0; i < N; i++)
            m->sent[i] += m->p[k][i / COLUMNS] * m->q[k][i % COLUMNS];
    }
    for (int i = 0; i < N; i++)
        m->kept[i] -= m->sent[i];
}

static void steps_as_stated(void **state)
{
    const uint64_t seed = 0x123456789abc;
    float values[N], got[N];

    (void)state;
    TRY_EACH_ROW(im, &codec_powersgd)
    for (int rank = 1; rank <= MOST_RANK; rank++) {
        struct codec_try t = try_begin(&codec_powersgd, im, params(COLUMNS, rank, (double)seed), N);
        struct model m = { .rank = rank };
        size_t p = (size_t)rank * ROWS, q = (size_t)rank * COLUMNS;

        model_draw(&m, seed);
        for (size_t step = 0; step < 3; step++) {
            const float *payload = (const float *)(const void *)t.payload, *own = (const float *)(const void *)t.state;

            for (size_t i = 0; i < N; i++) {
                values[i] = 100 * try_value(i + 7 * step);
                m.kept[i] += (double)values[i];
            }
            model_step(&m);
            try_compress(&t, values);
            assert_int_equal(t.nbytes, 4 * (p + q));
            near(im->impl.name, "P", payload, m.p[0], p, 1e-4);
            near(im->impl.name, "Q", payload + p, m.q[0], q, 1e-4);
            near(im->impl.name, "kept", own + q, m.kept, N, 1e-4);
            try_same(im->impl.name, "Q of the state", own, payload + p, 4 * q);
            assert_int_equal(t.state[powersgd_counter(powersgd_shape_of(N, COLUMNS, rank))], step + 1);
            try_store(&t, got);
            near(im->impl.name, "value", got, m.sent, N, 1e-4);
        }
        try_end(&t);
    }
}

/* Of a product of two vectors; the last row, which is shorter, is zeros. */
static float entry(int i, int rows, int below, int columns)
{
    return i / COLUMNS == ROWS - 1 ? 0 : (float)((i / COLUMNS % rows - below) * (i % COLUMNS % columns - 1));
}

/* A product of two vectors arrives in one step; of two factors the second has nothing left and is 0, and drawn again.
 * Behind a step of zeros everything is. */
static void low_rank_arrives(void **state)
{
    static const float zeros[N];
    float values[N], got[N];
    double want[N], none[ROWS] = { 0 };

    (void)state;
    for (int i = 0; i < N; i++)
        want[i] = values[i] = entry(i, 7, 3, 5);
    TRY_EACH_ROW(im, &codec_powersgd)
    for (int rank = 1; rank <= 2; rank++) {
        struct codec_try t = try_begin(&codec_powersgd, im, params(COLUMNS, rank, 3), N);

        for (int step = 0; step < 4; step++) {
            try_compress(&t, step == 1 ? zeros : values);
            if (step == 1)
                continue;
            if (rank == 2 && step == 0)
                near(im->impl.name, "second vector", (float *)(void *)t.payload + ROWS, none, ROWS, 0);
            try_store(&t, got);
            near(im->impl.name, "value", got, want, N, 1e-3);
        }
        try_end(&t);
    }
}

/* A step of zeros leaves a Q of zeros, which is drawn anew, from other words: otherwise nothing would be sent again. */
static void zeros_are_drawn_anew(void **state)
{
    static const float zeros[N];
    float values[N], got[N], p[ROWS];
    double want[N];

    (void)state;
    for (int i = 0; i < N; i++)
        want[i] = values[i] = entry(i, 7, 3, 5);
    TRY_EACH_ROW(im, &codec_powersgd)
    {
        struct codec_try t = try_begin(&codec_powersgd, im, params(COLUMNS, 1, 3), N);
        struct codec_try first = try_begin(&codec_powersgd, im, params(COLUMNS, 1, 3), N);

        try_compress(&t, zeros);
        for (size_t i = 0; i < COLUMNS; i++)
            assert_true(((float *)(void *)t.state)[i] == 0);
        powersgd_first(&im->impl, p, zeros, N, &t.params, t.state);
        powersgd_first(&im->impl, p, zeros, N, &t.params, first.state);
        assert_true(memcmp(t.state, first.state, 4 * COLUMNS) != 0);
        try_compress(&t, values);
        try_store(&t, got);
        near(im->impl.name, "value", got, want, N, 1e-3);
        try_end(&t);
        try_end(&first);
    }
}

static void mean_of(float *a, float *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] = b[i] = (a[i] + b[i]) / 2;
}

/* Two workers who average both factors send the mean of their values, of rank 2, in 2 vectors; each keeps what it has
 * of its own beyond that, and the next step begins with one Q. */
static void two_workers_in_two_rounds(void **state)
{
    enum { RANK = 2, P = RANK * ROWS, Q = RANK * COLUMNS };
    float p[2][P], q[2][Q], values[2][N];
    double want[N], own[N];

    (void)state;
    for (int i = 0; i < N; i++) {
        values[0][i] = entry(i, 7, 3, 5);
        values[1][i] = entry(i, 3, 0, 4);
        want[i] = (double)(values[0][i] + values[1][i]) / 2;
    }
    TRY_EACH_ROW(im, &codec_powersgd)
    {
        struct codec_try t[2];

        for (int w = 0; w < 2; w++) {
            t[w] = try_begin(&codec_powersgd, im, params(COLUMNS, RANK, 3), N);
            powersgd_first(&im->impl, p[w], values[w], N, &t[w].params, t[w].state);
        }
        mean_of(p[0], p[1], P);
        for (int w = 0; w < 2; w++)
            powersgd_second(&im->impl, p[w], q[w], N, &t[w].params, t[w].state);
        mean_of(q[0], q[1], Q);
        try_same(im->impl.name, "P of the second worker", p[1], p[0], sizeof(p[0]));
        for (int w = 0; w < 2; w++) {
            float got[N];

            powersgd_last(&im->impl, p[w], q[w], N, &t[w].params, t[w].state);
            t[w].nbytes = 4 * (P + Q);
            memcpy(t[w].payload, p[w], sizeof(p[w]));
            memcpy(t[w].payload + sizeof(p[w]), q[w], sizeof(q[w]));
            try_store(&t[w], got);
            near(im->impl.name, "mean", got, want, N, 1e-3);
            try_same(im->impl.name, "Q of the state", t[w].state, q[0], sizeof(q[0]));
            for (int i = 0; i < N; i++)
                own[i] = (double)(values[w][i] - values[1 - w][i]) / 2;
            near(im->impl.name, "kept", (float *)(void *)t[w].state + Q, own, N, 1e-3);
        }
        try_end(&t[0]);
        try_end(&t[1]);
    }
}

/* What has no shorter factors: a vector, a matrix of few rows. All bits of it. */
static void as_they_are(void **state)
{
    static const struct {
        size_t n;
        double columns, rank;
    } cases[] = { { 0, 10, 1 }, { 1, 10, 1 }, { 50, 1024, 1 }, { 50, 1, 1 }, { 64, 8, 4 }, { 65, 8, 4 } };
    uint32_t words[65];

    (void)state;
    for (size_t i = 0; i < COUNT(words); i++)
        words[i] = try_hash((uint32_t)i) | (i % 5 ? 0 : 0x7f800000);
    TRY_EACH_ROW(im, &codec_powersgd)
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct codec_try t = try_begin(&codec_powersgd, im, params(cases[i].columns, cases[i].rank, 0), cases[i].n);
        uint32_t got[65];

        assert_int_equal(codec_powersgd.state_size(cases[i].n, &t.params), 0);
        try_compress(&t, (const float *)(const void *)words);
        assert_int_equal(t.nbytes, 4 * cases[i].n);
        try_store(&t, (float *)(void *)got);
        try_same(im->impl.name, "values", got, words, 4 * cases[i].n);
        try_end(&t);
    }
    assert_int_equal(codec_powersgd.payload_bound(66, &(struct codec_params){ { 8, 3 } }), 4 * 3 * (9 + 8));
}

/* What is not finite counts as 0, to the bit, and is not kept. */
static void not_finite(void **state)
{
    static const float odd[] = { NAN, INFINITY, -INFINITY };
    float values[N], clean[N];

    (void)state;
    for (size_t i = 0; i < N; i++) {
        clean[i] = i % 41 ? try_value(i) : 0;
        values[i] = i % 41 ? try_value(i) : odd[i % 3];
    }
    TRY_EACH_ROW(im, &codec_powersgd)
    {
        struct codec_try t = try_begin(&codec_powersgd, im, params(COLUMNS, 2, 1), N);
        struct codec_try c = try_begin(&codec_powersgd, im, params(COLUMNS, 2, 1), N);

        for (int step = 0; step < 2; step++) {
            try_compress(&t, values);
            try_compress(&c, clean);
            if (step == 0)
                try_same(im->impl.name, "payload", t.payload, c.payload, t.nbytes);
            for (size_t i = 0; i < t.nbytes / 4; i++)
                assert_true(isfinite(((float *)(void *)t.payload)[i]));
        }
        try_end(&t);
        try_end(&c);
    }
}

/* Every row as the reference, of shapes that leave tails of registers, lanes and rows. */
static void rows_alike(void **state)
{
    static const double shapes[][3] = { { 29, 3, 1072 },  { 32, 1, 3200 },   { 33, 5, 3333 },
                                        { 100, 7, 9000 }, { 1500, 2, 9001 }, { 64, 16, 100000 } };

    (void)state;
    TRY_EACH_ROW(im, &codec_powersgd)
    for (size_t i = 0; i < COUNT(shapes); i++) {
        size_t n = (size_t)shapes[i][2];
        struct codec_params p = params(shapes[i][0], shapes[i][1], 5);
        struct codec_try t = try_begin(&codec_powersgd, im, p, n);
        struct codec_try r = try_begin(&codec_powersgd, codec_choose(&codec_powersgd, "scalar", 0), p, n);
        float *values = malloc(4 * n);

        assert_non_null(values);
        assert_true(codec_powersgd.state_size(n, &p) > 0);
        for (int step = 0; step < 3; step++) {
            for (size_t k = 0; k < n; k++)
                values[k] = try_value(k + 31 * (size_t)step) * (step == 2 ? 1e38f : 1);
            try_compress(&t, values);
            try_compress(&r, values);
            try_same(im->impl.name, "payload", t.payload, r.payload, r.nbytes);
            try_same(im->impl.name, "state", t.state, r.state, codec_powersgd.state_size(n, &p));
        }
        free(values);
        try_end(&t);
        try_end(&r);
    }
}

static void hostile(void **state)
{
    (void)state;
    try_all_hostile(&codec_powersgd, params(25, 2, 3), 599, 2, 0);
    try_all_hostile(&codec_powersgd, params(25, 2, 3), 45, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_as_stated),      cmocka_unit_test(low_rank_arrives),
        cmocka_unit_test(zeros_are_drawn_anew), cmocka_unit_test(two_workers_in_two_rounds),
        cmocka_unit_test(as_they_are),          cmocka_unit_test(not_finite),
        cmocka_unit_test(rows_alike),           cmocka_unit_test(hostile),
    };

    return try_any_row(&codec_powersgd) ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
