/* What each operation means, worked by hand where that can be, on every backend; and what may work in place does. */
#include <math.h>
#include <string.h>

#include "tests/train/ops/help.h"

/* 1..9 under a 2x2 window of 1, 10, 100, 1000, one row of zeros above, one column skipped at the left, one of zeros at
 * the right. */
static void conv_by_hand(struct bench *t)
{
    const struct conv_shape s = { 1, 1, 3, 3, 1, 3, 2, 2, 1, 1, 0, -1, 1, 1 };
    struct tensor x = GIVEN(t, 1, 2, 3, 4, 5, 6, 7, 8, 9), w = GIVEN(t, 1, 10, 100, 1000), bias = GIVEN(t, 0.5f);
    struct tensor y = tensor(t, 6, 0);

    worked(t, t->b->conv_forward(t->o, &s, x.v, w.v, bias.v, y.v, NULL, 0, NULL), "conv");
    EXPECT(t, "conv", y, 1e-2, 3200.5f, 300.5f, 6532.5f, 603.5f, 9865.5f, 906.5f);
    tensor_done(&x);
    tensor_done(&w);
    tensor_done(&bias);
    tensor_done(&y);
}

/* The first of equal maxima gets the error; padding never wins against what is below 0. */
static void maxpool_ties(struct bench *t)
{
    const struct conv_shape s = { 1, 1, 3, 3, 1, 2, 2, 2, 2, 1, 0, 0, 1, 1 };
    struct tensor x = GIVEN(t, -3, -3, -1, -2, -2, -2, -2, -2, -2), dy = GIVEN(t, 1, 10, 100, 1000);
    struct tensor y = tensor(t, 4, 0), dx = tensor(t, 9, 0);
    struct conv_shape beyond = s;

    worked(t, t->b->maxpool_forward(t->o, &s, x.v, y.v, NULL), "max pool");
    EXPECT(t, "max pool", y, 0, -3, -1, -2, -2);
    worked(t, t->b->maxpool_backward(t->o, &s, x.v, dy.v, dx.v, NULL), "max pool backward");
    EXPECT(t, "max pool backward", dx, 0, 1, 0, 10, 100, 0, 1000, 0, 0, 0);
    beyond.pad_top = 2;
    beyond.pad_bottom = -1;
    assert_true(t->b->maxpool_forward(t->o, &beyond, x.v, y.v, NULL) < 0);
    tensor_done(&x);
    tensor_done(&dy);
    tensor_done(&y);
    tensor_done(&dx);
}

/* Rows of few and of many windows, looked at one by one in rising order; values of which many are equal. */
static void check_wide(struct bench *t, const struct conv_row *row)
{
    struct conv_shape s = shape_of(row);
    struct tensor x = tensor(t, nimage(&s), 0), dy = tensor(t, noutput(&s), 0), y = tensor(t, noutput(&s), 0);
    struct tensor want_y = tensor(t, noutput(&s), 0), dx = tensor(t, nimage(&s), 0), want_dx = tensor(t, nimage(&s), 0);

    for (size_t i = 0; i < x.n; i++) {
        x.v[i] = (float)(i * i % 7) - 9;
        want_dx.v[i] = 0;
    }
    for (int64_t i = 0; i < (int64_t)dy.n; i++) {
        int64_t plane = i / (s.out_height * s.out_width), oh = i / s.out_width % s.out_height, ow = i % s.out_width;
        int64_t best = -1;

        dy.v[i] = (float)(i % 11);
        for (int64_t tap = 0; tap < s.kernel * s.kernel; tap++) {
            int64_t h = oh * s.stride - s.pad_top + tap / s.kernel, w = ow * s.stride - s.pad_left + tap % s.kernel;
            int64_t at = (plane * s.in_height + h) * s.in_width + w;

            if (h >= 0 && h < s.in_height && w >= 0 && w < s.in_width && (best < 0 || x.v[at] > x.v[best]))
                best = at;
        }
        want_y.v[i] = x.v[best];
        want_dx.v[best] += dy.v[i];
    }
    worked(t, t->b->maxpool_forward(t->o, &s, x.v, y.v, NULL), row->why);
    worked(t, t->b->maxpool_backward(t->o, &s, x.v, dy.v, dx.v, NULL), row->why);
    if (first_difference(&y, &want_y) >= 0 || first_difference(&dx, &want_dx) >= 0)
        fail_msg("%s: %s: y differs at %lld, dx at %lld", t->b->name, row->why,
                 (long long)first_difference(&y, &want_y), (long long)first_difference(&dx, &want_dx));
    tensor_done(&x);
    tensor_done(&dy);
    tensor_done(&y);
    tensor_done(&want_y);
    tensor_done(&dx);
    tensor_done(&want_dx);
}

static void maxpool_wide(struct bench *t)
{
    static const struct conv_row rows[] = {
        /*                 batch in out  h    w  k  s  top bottom left right */
        { "wide", 2, 3, 3, 7, 300, 3, 1, 1, 1, 1, 1 },        { "wide at stride 2", 1, 2, 2, 9, 301, 2, 2, 0, 0, 0, 1 },
        { "at stride 3", 2, 2, 2, 10, 41, 4, 3, 1, 2, 2, 0 }, { "a few", 2, 3, 3, 8, 8, 2, 2, 0, 0, 0, 0 },
        { "some", 1, 2, 2, 13, 19, 3, 2, 1, 1, 1, 1 },
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        check_wide(t, &rows[i]);
}

static void avgpool_by_hand(struct bench *t)
{
    const struct conv_shape s = { 1, 1, 3, 3, 1, 2, 2, 2, 2, 1, 0, 0, 1, 1 };
    struct tensor x = GIVEN(t, 4, 8, 12, 16, 20, 24, 28, 32, 36), y = tensor(t, 4, 0);

    worked(t, t->b->avgpool_forward(t->o, &s, x.v, y.v, NULL), "average pool");
    EXPECT(t, "average pool", y, 0, 3, 3, 24, 15);
    tensor_done(&x);
    tensor_done(&y);
}

/* Channel 0: 1 and 3 in two images; channel 1: all 7, whose variance is 0. */
static void norm_by_hand(struct bench *t)
{
    const struct image_shape s = { 2, 2, 1, 2 };
    struct tensor x = GIVEN(t, 1, 3, 7, 7, 3, 1, 7, 7), scale = GIVEN(t, 2, 1), shift = GIVEN(t, 10, -1);
    struct tensor y = tensor(t, 8, 0), again = tensor(t, 8, 0), mean = tensor(t, 2, 0), inv_std = tensor(t, 2, 0);

    worked(t, t->b->norm_forward(t->o, &s, x.v, scale.v, shift.v, y.v, mean.v, inv_std.v, NULL), "norm");
    EXPECT(t, "mean", mean, 1e-6, 2, 7);
    EXPECT(t, "inverse deviation", inv_std, 1e-4, 0.999995f, 316.227766f);
    EXPECT(t, "norm", y, 1e-4, 8, 12, -1, -1, 12, 8, -1, -1);
    worked(t, t->b->norm_again(t->o, &s, x.v, scale.v, shift.v, mean.v, inv_std.v, again.v, NULL), "norm again");
    assert_int_equal(first_difference(&y, &again), -1);
    tensor_done(&x);
    tensor_done(&scale);
    tensor_done(&shift);
    tensor_done(&y);
    tensor_done(&again);
    tensor_done(&mean);
    tensor_done(&inv_std);
}

/* Without dx: the same gradients, to the bit. */
static void norm_of_the_images(struct bench *t)
{
    const struct image_shape s = { 2, 3, 5, 7 };
    struct tensor x = tensor(t, 210, 1), dy = tensor(t, 210, 2), scale = tensor(t, 3, 3), mean = tensor(t, 3, 4);
    struct tensor inv_std = tensor(t, 3, 5), dx = tensor(t, 210, 0), gradients[2];

    for (int i = 0; i < 2; i++) {
        gradients[i] = tensor(t, 6, 6);
        worked(t,
               t->b->norm_backward(t->o, &s, x.v, dy.v, scale.v, mean.v, inv_std.v, i ? NULL : dx.v, gradients[i].v,
                                   gradients[i].v + 3, NULL),
               "norm backward");
    }
    assert_int_equal(first_difference(&gradients[0], &gradients[1]), -1);
    tensor_done(&x);
    tensor_done(&dy);
    tensor_done(&scale);
    tensor_done(&mean);
    tensor_done(&inv_std);
    tensor_done(&dx);
    tensor_done(&gradients[0]);
    tensor_done(&gradients[1]);
}

/* A large mean costs no precision; and again from statistics gives the same bits. */
static void norm_far_from_zero(struct bench *t)
{
    const struct image_shape s = { 2, 5, 33, 31 };
    size_t area = 33 * 31;
    struct tensor x = tensor(t, 2 * 5 * area, 9), y = tensor(t, x.n, 0), again = tensor(t, x.n, 0);
    struct tensor scale = tensor(t, 5, 2), shift = tensor(t, 5, 3), mean = tensor(t, 5, 0), inv_std = tensor(t, 5, 0);

    for (size_t i = 0; i < x.n; i++)
        x.v[i] += 1000;
    worked(t, t->b->norm_forward(t->o, &s, x.v, scale.v, shift.v, y.v, mean.v, inv_std.v, NULL), "norm");
    worked(t, t->b->norm_again(t->o, &s, x.v, scale.v, shift.v, mean.v, inv_std.v, again.v, NULL), "norm again");
    assert_int_equal(first_difference(&y, &again), -1);
    for (size_t c = 0; c < 5; c++) {
        double sum = 0, squares = 0, m;

        for (size_t i = 0; i < x.n; i++)
            sum += i / area % 5 == c ? (double)x.v[i] : 0;
        m = sum / (double)(2 * area);
        for (size_t i = 0; i < x.n; i++)
            squares += i / area % 5 == c ? ((double)x.v[i] - m) * ((double)x.v[i] - m) : 0;
        if (fabs((double)mean.v[c] - m) > 1e-4 ||
            fabs((double)inv_std.v[c] * sqrt(squares / (double)(2 * area) + 1e-5) - 1) > 1e-5)
            fail_msg("%s: channel %zu: mean %.9g, inverse deviation %.9g", t->b->name, c, (double)mean.v[c],
                     (double)inv_std.v[c]);
    }
    tensor_done(&x);
    tensor_done(&y);
    tensor_done(&again);
    tensor_done(&scale);
    tensor_done(&shift);
    tensor_done(&mean);
    tensor_done(&inv_std);
}

/* Of n draws a share of 'rate' is dropped, the rest is scaled up; the same seed drops the same ones, another one
 * others. */
static void dropout_share(struct bench *t)
{
    enum { N = 100000 };
    static const float rates[] = { 0, 0.1f, 0.5f, 0.9f };
    struct tensor x = tensor(t, N, 0), y = tensor(t, N, 0), again = tensor(t, N, 0), other = tensor(t, N, 0);

    for (size_t i = 0; i < N; i++)
        x.v[i] = 1;
    for (size_t r = 0; r < COUNT(rates); r++) {
        double rate = (double)rates[r], dropped = 0, both = 0;

        worked(t, t->b->dropout(t->o, N, rates[r], 42, x.v, y.v, NULL), "dropout");
        worked(t, t->b->dropout(t->o, N, rates[r], 42, x.v, again.v, NULL), "dropout");
        worked(t, t->b->dropout(t->o, N, rates[r], 43, x.v, other.v, NULL), "dropout");
        assert_int_equal(first_difference(&y, &again), -1);
        for (size_t i = 0; i < N; i++) {
            if (y.v[i] != 0 && fabs((double)y.v[i] * (1 - rate) - 1) > 1e-6)
                fail_msg("%s: dropout %g: value %zu is %g", t->b->name, rate, i, (double)y.v[i]);
            dropped += y.v[i] == 0;
            both += y.v[i] == 0 && other.v[i] == 0;
        }
        /* Five standard deviations. */
        if (fabs(dropped / N - rate) > 5 * sqrt(rate * (1 - rate) / N) || fabs(both / N - rate * rate) > 0.01)
            fail_msg("%s: dropout %g: %g of %d dropped, %g of them with another seed too", t->b->name, rate, dropped,
                     (int)N, both);
    }
    assert_true(t->b->dropout(t->o, N, 1, 42, x.v, y.v, NULL) < 0);
    assert_true(t->b->dropout(t->o, N, -0.5f, 42, x.v, y.v, NULL) < 0);
    tensor_done(&x);
    tensor_done(&y);
    tensor_done(&again);
    tensor_done(&other);
}

/* Which of the first values are dropped is part of the contract: the same on every backend. */
static void dropout_draws(struct bench *t)
{
    struct tensor x = GIVEN(t, 1, 1, 1, 1, 1, 1, 1, 1), y = tensor(t, 8, 0);

    worked(t, t->b->dropout(t->o, 8, 0.5f, 1234567, x.v, y.v, NULL), "dropout");
    /* splitmix64 of seed 1234567 begins 6457827717110365317, 3203168211198807973, 9817491932198370423,
     * 4593380528125082431, 16408922859458223821: of 2^64 these are 0.35, 0.17, 0.53, 0.25, 0.89. */
    EXPECT(t, "dropout's draws", y, 0, 0, 0, 2, 0, 2);
    tensor_done(&x);
    tensor_done(&y);
}

static void add_by_hand(struct bench *t)
{
    const struct image_shape s = { 1, 2, 1, 2 }, second = { 1, 1, 2, 4 };
    struct tensor x = GIVEN(t, 1, 2, 3, 4), x2 = GIVEN(t, 10, 20, 30, 40, 50, 60, 70, 80), y = tensor(t, 4, 0);
    struct tensor dx2 = tensor(t, 8, 0);
    struct image_shape small = second;

    worked(t, t->b->add(t->o, &s, x.v, &second, 2, x2.v, y.v, NULL), "add");
    EXPECT(t, "add", y, 0, 11, 32, 3, 4);
    worked(t, t->b->add_backward(t->o, &s, &second, 2, x.v, dx2.v, NULL), "add backward");
    EXPECT(t, "add backward", dx2, 0, 1, 0, 2, 0, 0, 0, 0, 0);
    worked(t, t->b->add(t->o, &s, x.v, &second, 2, x2.v, x.v, NULL), "add in place");
    assert_int_equal(first_difference(&x, &y), -1);
    small.width = 2;
    assert_true(t->b->add(t->o, &s, x.v, &small, 2, x2.v, y.v, NULL) < 0);
    tensor_done(&x);
    tensor_done(&x2);
    tensor_done(&y);
    tensor_done(&dx2);
}

/* Two planes of 2 x 3: the right lower 1 x 2 of each. */
static void cut_and_paste(struct bench *t)
{
    const struct image_shape image = { 2, 1, 2, 3 }, patch = { 2, 1, 1, 2 };
    struct tensor x = GIVEN(t, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), y = tensor(t, 4, 0), back = tensor(t, 12, 0);

    worked(t, t->b->cut(t->o, &image, &patch, 1, 1, x.v, y.v, NULL), "cut");
    EXPECT(t, "cut", y, 0, 5, 6, 11, 12);
    worked(t, t->b->paste(t->o, &image, &patch, 0, 1, y.v, back.v, NULL), "paste");
    EXPECT(t, "paste", back, 0, -777, 5, 6, -777, -777, -777, -777, 11, 12, -777, -777, -777);
    assert_true(t->b->cut(t->o, &image, &patch, 2, 0, x.v, y.v, NULL) < 0);
    assert_true(t->b->paste(t->o, &image, &patch, 0, 2, y.v, back.v, NULL) < 0);
    tensor_done(&x);
    tensor_done(&y);
    tensor_done(&back);
}

/* Of logits log 1, log 2, log 5 the probabilities are eighths; logits of a thousand do not overflow. The loss is
 * added. */
static void loss_by_hand(struct bench *t)
{
    struct tensor x = GIVEN(t, 0, logf(2), logf(5), 1000, 1000, -1000), y = tensor(t, 6, 0), dx = tensor(t, 6, 0);
    struct tensor loss = GIVEN(t, 3), at = tensor(t, 2, 0);
    const int32_t labels[] = { 1, 0 };

    memcpy(at.v, labels, sizeof(labels));
    worked(t, t->b->softmax_forward(t->o, 2, 3, x.v, y.v, NULL), "softmax");
    EXPECT(t, "softmax", y, 1e-6, 0.125f, 0.25f, 0.625f, 0.5f, 0.5f, 0);
    worked(t, t->b->softmax_backward(t->o, 2, 3, y.v, (const int32_t *)(const void *)at.v, dx.v, loss.v, NULL), "loss");
    EXPECT(t, "softmax backward", dx, 1e-6, 0.0625f, -0.375f, 0.3125f, -0.25f, 0.25f, 0);
    EXPECT(t, "loss", loss, 1e-5, 3 + (logf(4) + logf(2)) / 2);
    tensor_done(&x);
    tensor_done(&y);
    tensor_done(&dx);
    tensor_done(&loss);
    tensor_done(&at);
}

/* Whatever went wrong before shall be seen in the loss: a NaN is no probability of 0. */
static void loss_of_no_number(struct bench *t)
{
    for (int at = 0; at < 6; at++) {
        struct tensor x = GIVEN(t, 1, 2, 3, 1, 2, 3), y = tensor(t, 6, 0), dx = tensor(t, 6, 0), loss = GIVEN(t, 0);
        struct tensor labels = tensor(t, 2, 0);

        memcpy(labels.v, (const int32_t[]){ 1, 0 }, 8);
        x.v[at] = NAN;
        worked(t, t->b->softmax_forward(t->o, 2, 3, x.v, y.v, NULL), "softmax");
        worked(t, t->b->softmax_backward(t->o, 2, 3, y.v, (const int32_t *)(const void *)labels.v, dx.v, loss.v, NULL),
               "loss");
        if (!isnan(loss.v[0]) || !isnan(dx.v[at / 3 * 3]) || isnan(dx.v[3 - at / 3 * 3]))
            fail_msg("%s: value %d is no number, the loss is %g", t->b->name, at, (double)loss.v[0]);
        tensor_done(&x);
        tensor_done(&y);
        tensor_done(&dx);
        tensor_done(&loss);
        tensor_done(&labels);
    }
}

static void relu_and_sigmoid(struct bench *t)
{
    struct tensor x = GIVEN(t, -2, 0, 3), y = tensor(t, 3, 0), dy = GIVEN(t, 5, 6, 7);

    worked(t, t->b->relu_forward(t->o, 3, x.v, y.v, NULL), "relu");
    EXPECT(t, "relu", y, 0, 0, 0, 3);
    worked(t, t->b->relu_backward(t->o, 3, y.v, dy.v, dy.v, NULL), "relu backward in place");
    EXPECT(t, "relu backward", dy, 0, 0, 0, 7);
    worked(t, t->b->relu_forward(t->o, 3, x.v, x.v, NULL), "relu in place");
    EXPECT(t, "relu in place", x, 0, 0, 0, 3);
    worked(t, t->b->sigmoid_forward(t->o, 3, x.v, y.v, NULL), "sigmoid");
    EXPECT(t, "sigmoid", y, 1e-6, 0.5f, 0.5f, 0.952574127f);
    tensor_done(&x);
    tensor_done(&y);
    tensor_done(&dy);
}

/* Long enough that threads share the work: the same bits with one and with three, in place and not. */
static void long_tensors(struct bench *t)
{
    enum { N = 100003 };
    struct tensor x = tensor(t, N, 1), x2 = tensor(t, N, 2), y = tensor(t, N, 0), in_place = tensor(t, N, 1);

    threads(1);
    worked(t, t->b->accumulate(t->o, N, x.v, x2.v, y.v, NULL), "accumulate");
    threads(3);
    worked(t, t->b->accumulate(t->o, N, in_place.v, x2.v, in_place.v, NULL), "accumulate in place");
    assert_int_equal(first_difference(&y, &in_place), -1);
    for (size_t i = 0; i < N; i++)
        if (y.v[i] != x.v[i] + x2.v[i])
            fail_msg("%s: accumulate: value %zu is %g", t->b->name, i, (double)y.v[i]);
    threads(1);
    worked(t, t->b->dropout(t->o, N, 0.3f, 5, x.v, y.v, NULL), "dropout");
    threads(3);
    tensor_copy(&in_place, &x);
    worked(t, t->b->dropout(t->o, N, 0.3f, 5, in_place.v, in_place.v, NULL), "dropout in place");
    assert_int_equal(first_difference(&y, &in_place), -1);
    threads(2);
    tensor_done(&x);
    tensor_done(&x2);
    tensor_done(&y);
    tensor_done(&in_place);
}

EACH(conv_by_hand)
EACH(maxpool_ties)
EACH(maxpool_wide)
EACH(avgpool_by_hand)
EACH(norm_by_hand)
EACH(norm_far_from_zero)
EACH(norm_of_the_images)
EACH(dropout_share)
EACH(dropout_draws)
EACH(add_by_hand)
EACH(cut_and_paste)
EACH(loss_by_hand)
EACH(loss_of_no_number)
EACH(relu_and_sigmoid)
EACH(long_tensors)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_conv_by_hand),       cmocka_unit_test(each_maxpool_ties),
        cmocka_unit_test(each_maxpool_wide),       cmocka_unit_test(each_avgpool_by_hand),
        cmocka_unit_test(each_norm_by_hand),       cmocka_unit_test(each_norm_far_from_zero),
        cmocka_unit_test(each_norm_of_the_images), cmocka_unit_test(each_dropout_share),
        cmocka_unit_test(each_dropout_draws),      cmocka_unit_test(each_add_by_hand),
        cmocka_unit_test(each_cut_and_paste),      cmocka_unit_test(each_loss_by_hand),
        cmocka_unit_test(each_relu_and_sigmoid),   cmocka_unit_test(each_long_tensors),
        cmocka_unit_test(each_loss_of_no_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
