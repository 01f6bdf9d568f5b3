/* The loops that everything is measured against must do what they say: a loop that skips values would flatter
 * nobody. */
#include <math.h>
#include <string.h>

#include "kernels/anchor/anchor.h"
#include "tests/kernels/impl_wanted.h"
#include "tests/test.h"

enum { MARGIN = 16, LONGEST = (1 << 18) + 100 };

static float x[LONGEST], y[LONGEST + 2 * MARGIN];
static const size_t lengths[] = { 0, 1, 15, 16, 63, 64, 65, 127, 1000, 32768, 32768 + 64 * 511, 262143, LONGEST };
enum { NLENGTHS = sizeof(lengths) / sizeof(*lengths), SENTINEL = 7777 };

static float value(size_t i)
{
    return (float)((i * 7919) % 2003) - 1001.5f;
}

static void fill(size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = value(i);
    for (size_t i = 0; i < n + 2 * MARGIN; i++)
        y[i] = i < MARGIN || i >= MARGIN + n ? (float)SENTINEL : 3 * value(i);
}

static void check(const struct anchor_impl *im, const char *what, size_t n, float (*want)(size_t i))
{
    for (size_t i = 0; i < n + 2 * MARGIN; i++) {
        float wanted = i < MARGIN || i >= MARGIN + n ? (float)SENTINEL : want(i - MARGIN);

        if (y[i] != wanted)
            fail_msg("%s %s of %zu: value %td is %g, want %g", im->impl.name, what, n, (ptrdiff_t)i - MARGIN,
                     (double)y[i], (double)wanted);
    }
}

static float copied(size_t i)
{
    return value(i);
}

static float updated(size_t i)
{
    return 3 * value(i + MARGIN) + value(i);
}

static float scaled(size_t i)
{
    return -3 * value(i + MARGIN);
}

static void loops_do_what_they_say(void **state)
{
    (void)state;
    for (const struct anchor_impl *im = anchor_impls; im->impl.name; im++)
        for (size_t l = 0; l < NLENGTHS && impl_is_wanted(&im->impl, IMPL_HOST); l++) {
            size_t n = lengths[l];

            fill(n);
            im->copy(&im->impl, y + MARGIN, x, n);
            check(im, "copy", n, copied);
            fill(n);
            im->update(&im->impl, y + MARGIN, x, n);
            check(im, "update", n, updated);
            fill(n);
            im->scale(&im->impl, y + MARGIN, n);
            check(im, "scale", n, scaled);
        }
}

/* The largest stands at every place in turn, with either sign. */
static void read_sees_every_value(void **state)
{
    (void)state;
    for (const struct anchor_impl *im = anchor_impls; im->impl.name; im++)
        for (size_t n = 1; n < 700 && impl_is_wanted(&im->impl, IMPL_HOST); n += 13)
            for (size_t at = 0; at < n; at++) {
                float most = 0, want = at % 2 ? 5000.0f : -5000.0f;

                fill(n);
                x[at] = want;
                im->read(&im->impl, &most, x, n);
                if (most != fabsf(want))
                    fail_msg("%s: %zu values, largest at %zu: %g", im->impl.name, n, at, (double)most);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_do_what_they_say),
        cmocka_unit_test(read_sees_every_value),
    };
    bool any = 0;

    for (const struct anchor_impl *im = anchor_impls; im->impl.name; im++)
        any |= impl_is_wanted(&im->impl, IMPL_HOST);
    return any ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
