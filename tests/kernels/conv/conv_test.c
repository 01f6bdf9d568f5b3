/* The inner loops of convolutions: the reference by hand, every row of the host against it, to the bit, and nothing
 * written elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/conv/host.h"
#include "tests/kernels/impl_wanted.h"
#include "tests/test.h"

enum { MOST_TAPS = 33, MOST_PLACES = 5 * CONV_WIDE, REACH = 200, SPACE = 1 << 16 };

static uint64_t seed = 1;

static float draw(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (float)((double)(seed >> 32) / 2147483648.0 - 1);
}

static void fill(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = draw();
}

static void same(const char *name, const char *what, const float *got, const float *want, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&got[i], &want[i], sizeof(*got)) != 0)
            fail_msg("%s: %s: value %zu is %.9g, not %.9g", name, what, i, (double)got[i], (double)want[i]);
}

/* A row of 1 2 3 4 .. under the taps 10 and 1 at distances 0 and 2, from 1000 on. */
static void sums_by_hand(void **state)
{
    float x[CONV_WIDE + 2], y[CONV_ROWS * CONV_WIDE], w[2 * CONV_ROWS] = { 0 };
    const float start[CONV_ROWS] = { 1000 };
    const uint32_t at[] = { 0, 2 };
    const struct conv_sums s = { 2, CONV_WIDE, x, at, w, start, y, CONV_WIDE, { { NULL, 0 }, { NULL, 0 } } };

    (void)state;
    for (size_t i = 0; i < CONV_WIDE + 2; i++)
        x[i] = (float)(i + 1);
    w[0] = 10;
    w[CONV_ROWS] = 1;
    w[CONV_ROWS - 1] = -1;
    conv_sums_scalar(&s);
    for (size_t p = 0; p < CONV_WIDE; p++) {
        assert_true(y[p] == 1000 + 11 * (float)p + 13);
        assert_true(y[CONV_WIDE + p] == 0);
        assert_true(y[(CONV_ROWS - 1) * CONV_WIDE + p] == -(float)(p + 1));
    }
}

/* Errors of 1 at two places of each segment: what lies there, once for each tap, is added to 100. */
static void gradients_by_hand(void **state)
{
    float x[64], dy[CONV_ROWS * 32] = { 0 }, dw[CONV_ROWS * 3];
    const uint32_t at[] = { 0, 1, 5 };
    const struct conv_gradients g = { 3, CONV_LANES, 2, x, 20, at, dy, 32, 16, dw, { { NULL, 0 }, { NULL, 0 } } };

    (void)state;
    for (size_t i = 0; i < 64; i++)
        x[i] = (float)i;
    for (size_t i = 0; i < CONV_ROWS * 3; i++)
        dw[i] = 100;
    dy[32 + 3] = dy[32 + 15] = 1; /* of row 1 in the first segment */
    dy[32 + 16 + 4] = 2;          /* and in the second, which sees x from 20 on */
    conv_gradients_scalar(&g);
    for (size_t t = 0; t < 3; t++) {
        assert_true(dw[t * CONV_ROWS] == 100);
        assert_true(dw[t * CONV_ROWS + 1] == 100 + 3 + 15 + 2 * 24 + 4 * (float)at[t]);
    }
}

static void every_row_sums(void **state)
{
    static float x[MOST_PLACES + REACH], w[MOST_TAPS * CONV_ROWS], start[CONV_ROWS], got[SPACE], want[SPACE];
    uint32_t at[MOST_TAPS];

    (void)state;
    fill(x, MOST_PLACES + REACH);
    fill(w, MOST_TAPS * CONV_ROWS);
    fill(start, CONV_ROWS);
    for (size_t t = 0; t < MOST_TAPS; t++)
        at[t] = (uint32_t)(t * 71 % REACH);
    for (const struct conv_impl *im = conv_impls; im->impl.name; im++)
        for (size_t i = 0; i < 40 && impl_is_wanted(&im->impl, IMPL_HOST); i++) {
            size_t places = (1 + i % 5) * CONV_WIDE, skip = i % 3;
            struct conv_sums s = { .taps = i % (MOST_TAPS + 1),
                                   .places = places,
                                   .x = x + skip,
                                   .at = at,
                                   .w = w,
                                   .start = i % 2 ? start : NULL,
                                   .y = want + skip,
                                   .ldy = places + 16 * (i % 2),
                                   .ahead = { { x, i }, { x, 3 * i } } };

            memset(got, 0x7e, sizeof(got));
            memset(want, 0x7e, sizeof(want));
            conv_sums_scalar(&s);
            s.y = got + skip;
            im->sums(&s);
            same(im->impl.name, "sums", got, want, SPACE);
        }
}

static void every_row_gradients(void **state)
{
    static float x[4 * (MOST_PLACES + REACH)], dy[CONV_ROWS * 4 * MOST_PLACES], got[SPACE], want[SPACE];
    uint32_t at[MOST_TAPS];

    (void)state;
    fill(x, sizeof(x) / sizeof(*x));
    fill(dy, sizeof(dy) / sizeof(*dy));
    for (size_t t = 0; t < MOST_TAPS; t++)
        at[t] = (uint32_t)(t * 71 % REACH);
    for (const struct conv_impl *im = conv_impls; im->impl.name; im++)
        for (size_t i = 0; i < 40 && impl_is_wanted(&im->impl, IMPL_HOST); i++) {
            size_t places = (1 + i % 7) * CONV_LANES, segments = i % 4;
            struct conv_gradients g = { CONV_TAPS * (i % (MOST_TAPS / CONV_TAPS + 1)),
                                        places,
                                        segments,
                                        x + i % 3,
                                        places + REACH / 2 + i,
                                        at,
                                        dy + i % 2,
                                        4 * MOST_PLACES - 1,
                                        places + i % 5,
                                        want + i % 2,
                                        { { x, 100 * i }, { dy, i } } };

            fill(want, SPACE);
            memcpy(got, want, sizeof(got));
            conv_gradients_scalar(&g);
            g.dw = got + i % 2;
            im->gradients(&g);
            same(im->impl.name, "gradients", got, want, SPACE);
        }
}

static void every_row_lays(void **state)
{
    static float from[40 * 50], got[SPACE], want[SPACE];

    (void)state;
    fill(from, sizeof(from) / sizeof(*from));
    for (const struct conv_impl *im = conv_impls; im->impl.name; im++)
        for (size_t width = 0; width <= 40 && impl_is_wanted(&im->impl, IMPL_HOST); width++)
            for (size_t zeros = 0; zeros < 20; zeros++) {
                struct conv_rectangle r = { width % 4, width, zeros, want + 3, width + zeros + zeros % 3, from, 50 };

                memset(got, 0x7e, sizeof(got));
                memset(want, 0x7e, sizeof(want));
                conv_lay_scalar(&r);
                r.to = got + 3;
                im->lay(&r);
                same(im->impl.name, "lay", got, want, SPACE);
                for (size_t i = 0; i < r.height; i++)
                    same(im->impl.name, "what was copied", got + 3 + i * r.to_pitch, from + i * 50, width);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_by_hand),        cmocka_unit_test(gradients_by_hand), cmocka_unit_test(every_row_sums),
        cmocka_unit_test(every_row_gradients), cmocka_unit_test(every_row_lays),
    };
    size_t wanted = 0;

    for (const struct conv_impl *im = conv_impls; im->impl.name; im++)
        wanted += impl_is_wanted(&im->impl, IMPL_HOST);
    return wanted ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
