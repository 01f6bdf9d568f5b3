/* values_test.c - the backend "cuda" on long lines of values, on values far from zero or from each other, and on labels
 * and losses that are none. */
#include "tests/train/ops/cuda/cuda_test.h"

#if defined(NW_OPS_CUDA) || defined(NW_EMULATED)
#include <math.h>

#include "tests/sanitized.h"
#include "train/ops/rows.h"

/* --- lines of values ---------------------------------------------------------------------------------------------- */

static const char *const on_values[] = { "relu", "sigmoid", "dropout", "accumulate", "sgd_update" };

static void lengths(void **state)
{
    (void)state;
    for (int64_t n = 0; n <= 40; n += SANITIZED ? 3 : 1)
        for (size_t i = 0; i < sizeof(on_values) / sizeof(*on_values); i++) {
            struct trial t = { .conv = shapes[9], .n = n, .seed = 3 };

            t.offsets = n % 4 == 3 ? 0 : 1u << (n % 4 * 2); /* one array, or none */

            try_all(&t, on_values[i]);
        }
}

/* Longer than all threads of a launch together: each has more than one turn. */
static void long_lines(void **state)
{
    struct trial t = { .conv = shapes[9], .n = 2048 * 256 + 1000, .offsets = 5, .seed = 4 };

    (void)state;
    assert_true(complete(&t));
    trial_compare(&ops_cuda, on_device, on_host, &operations[12], &t);
    assert_true(is(&operations[12], "relu_forward"));
}

/* The same of images: more pixels, channels and images than a launch has blocks for, and rows. */
static void more_than_a_launch(void **state)
{
    static const struct {
        const char *op;
        struct conv_shape shape;
    } cases[] = {
        { "cut", { 1, 1, 1, 2048 * 64 + 77, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "cut", { 1, 4 * 2048 + 5, 1, 2, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "cut", { 2051, 1, 1, 2, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "conv_forward, no", { 2, 1, 1, 1024 * 64 + 77, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "fc_forward", { 2051, 2, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct trial t = { .conv = cases[i].shape, .seed = 300 + i };

        assert_true(complete(&t));
        t.patch = (struct image_shape){ t.conv.batch, t.conv.in_channels, t.conv.in_height, t.conv.in_width };
        try_all(&t, cases[i].op);
    }
}

/* --- batch normalization ------------------------------------------------------------------------------------------ */

static void far_from_zero(void **state)
{
    struct trial t = { .conv = shapes[13], .mean = 1000, .seed = 5 };

    (void)state;
    assert_true(complete(&t));
    try_all(&t, "norm_forward");
}

/* What exp() of them alone could not hold. */
static void far_from_each_other(void **state)
{
    struct trial t = { .conv = shapes[13], .spread = 300, .seed = 6 };

    (void)state;
    assert_true(complete(&t));
    try_all(&t, "softmax_forward");
}

static void again_is_the_same(void **state)
{
    const struct image_shape s = { 3, 5, 6, 7 };
    enum { N = 3 * 5 * 6 * 7, C = 5 };
    float x[N], y[2][N], scale[C] = { 1, 2, -1, 0.5f, 3 }, shift[C] = { 0, 1, 2, -1, 0.3f };
    struct buffer from, to, scales, shifts, mean, inv_std;

    (void)state;
    for (int i = 0; i < N; i++)
        x[i] = (float)draw(-1000, 1000) / 333;
    from = buffer_of(x, sizeof(x), 0), scales = buffer_of(scale, sizeof(scale), 0);
    shifts = buffer_of(shift, sizeof(shift), 0), to = buffer_make(sizeof(x), 0);
    mean = buffer_make(4 * C, 0), inv_std = buffer_make(4 * C, 0);
    assert_int_equal(ops_cuda.norm_forward(on_device, &s, (float *)from.at, (float *)scales.at, (float *)shifts.at,
                                           (float *)to.at, (float *)mean.at, (float *)inv_std.at, NULL),
                     0);
    buffer_close(&to, y[0], "norm_forward");
    to = buffer_make(sizeof(x), 0);
    assert_int_equal(ops_cuda.norm_again(on_device, &s, (float *)from.at, (float *)scales.at, (float *)shifts.at,
                                         (float *)mean.at, (float *)inv_std.at, (float *)to.at, NULL),
                     0);
    buffer_close(&to, y[1], "norm_again");
    assert_memory_equal(y[0], y[1], sizeof(y[0]));
    buffer_close(&from, NULL, "x"), buffer_close(&scales, NULL, "scale"), buffer_close(&shifts, NULL, "shift");
    buffer_close(&mean, NULL, "mean"), buffer_close(&inv_std, NULL, "inv_std");
}

static void a_label_that_is_none(void **state)
{
    const float y[6] = { 0.25f, 0.5f, 0.25f, 1, 0, 0 }, zero = 0;
    const int32_t labels[2] = { 1, 3 };
    float loss;
    struct buffer from = buffer_of(y, sizeof(y), 0), to = buffer_make(sizeof(y), 0);
    struct buffer which = buffer_of(labels, sizeof(labels), 0), sum = buffer_of(&zero, sizeof(zero), 0);

    (void)state;
    assert_int_equal(ops_cuda.softmax_backward(on_device, 2, 3, (float *)from.at, (int32_t *)which.at, (float *)to.at,
                                               (float *)sum.at, NULL),
                     0);
    buffer_close(&sum, &loss, "loss");
    assert_true(loss != loss);
    buffer_close(&from, NULL, "y"), buffer_close(&to, NULL, "dx"), buffer_close(&which, NULL, "labels");
}

/* A NaN is no probability of 0. */
static void a_loss_of_no_number(void **state)
{
    (void)state;
    for (int at = 0; at < 6; at++) {
        float x[6] = { 1, 2, 3, 1, 2, 3 }, zero = 0, loss;
        const int32_t labels[2] = { 1, 0 };
        struct buffer from, to = buffer_make(sizeof(x), 0), error = buffer_make(sizeof(x), 0);
        struct buffer which = buffer_of(labels, sizeof(labels), 0), sum = buffer_of(&zero, sizeof(zero), 0);

        x[at] = NAN;
        from = buffer_of(x, sizeof(x), 0);
        assert_int_equal(ops_cuda.softmax_forward(on_device, 2, 3, (float *)from.at, (float *)to.at, NULL), 0);
        assert_int_equal(ops_cuda.softmax_backward(on_device, 2, 3, (float *)to.at, (int32_t *)which.at,
                                                   (float *)error.at, (float *)sum.at, NULL),
                         0);
        buffer_close(&sum, &loss, "loss");
        if (loss == loss)
            fail_msg("value %d is no number, the loss is %g", at, (double)loss);
        buffer_close(&from, NULL, "x"), buffer_close(&to, NULL, "y"), buffer_close(&error, NULL, "dx");
        buffer_close(&which, NULL, "labels");
    }
}

int value_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(more_than_a_launch),
        cmocka_unit_test(far_from_zero),
        cmocka_unit_test(far_from_each_other),
        cmocka_unit_test(again_is_the_same),
        cmocka_unit_test(a_label_that_is_none),
        cmocka_unit_test(a_loss_of_no_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
