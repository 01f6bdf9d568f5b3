/* Operations of Transformers but for attention, on every backend: what they mean by hand, their gradients against
 * differences, and what is refused. */
#include <math.h>
#include <string.h>

#include "tests/train/ops/difference.h"

/* --- by hand ------------------------------------------------------------------------------------------------------ */

/* Rows 1, 3 and 7, 7, whose variance is 0. */
static void layernorm_by_hand(struct bench *t)
{
    struct tensor x = GIVEN(t, 1, 3, 7, 7), scale = GIVEN(t, 2, 10), shift = GIVEN(t, 100, -1);
    struct tensor y = tensor(t, 4, 0), mean = tensor(t, 2, 0), inv_std = tensor(t, 2, 0);

    worked(t, t->b->layernorm_forward(t->o, 2, 2, x.v, scale.v, shift.v, y.v, mean.v, inv_std.v, NULL), "layer norm");
    EXPECT(t, "mean", mean, 0, 2, 7);
    EXPECT(t, "inverse deviation", inv_std, 1e-4, 0.999995f, 316.227766f);
    EXPECT(t, "layer norm", y, 1e-4, 98, 9, 100, -1);
    tensor_done(&x);
    tensor_done(&scale);
    tensor_done(&shift);
    tensor_done(&y);
    tensor_done(&mean);
    tensor_done(&inv_std);
}

/* A large mean costs no precision. */
static void layernorm_far_from_zero(struct bench *t)
{
    enum { N = 7, D = 301 };
    struct tensor x = tensor(t, N * D, 9), y = tensor(t, N * D, 0), scale = tensor(t, D, 2), shift = tensor(t, D, 3);
    struct tensor mean = tensor(t, N, 0), inv_std = tensor(t, N, 0);

    for (size_t i = 0; i < x.n; i++)
        x.v[i] += 1000;
    worked(t, t->b->layernorm_forward(t->o, N, D, x.v, scale.v, shift.v, y.v, mean.v, inv_std.v, NULL), "layer norm");
    for (size_t r = 0; r < N; r++) {
        double sum = 0, squares = 0;

        for (size_t i = 0; i < D; i++)
            sum += (double)x.v[r * D + i];
        for (size_t i = 0; i < D; i++)
            squares += ((double)x.v[r * D + i] - sum / D) * ((double)x.v[r * D + i] - sum / D);
        if (fabs((double)mean.v[r] - sum / D) > 1e-4 ||
            fabs((double)inv_std.v[r] * sqrt(squares / D + 1e-5) - 1) > 1e-5)
            fail_msg("%s: row %zu: mean %.9g, inverse deviation %.9g", t->b->name, r, (double)mean.v[r],
                     (double)inv_std.v[r]);
    }
    tensor_done(&x);
    tensor_done(&y);
    tensor_done(&scale);
    tensor_done(&shift);
    tensor_done(&mean);
    tensor_done(&inv_std);
}

/* Three positions of four values, a root of 2: the waves have lengths of 2 pi and 200 pi. */
static void tokens_by_hand(struct bench *t)
{
    struct tensor table = GIVEN(t, 1, 2, 3, 4, 10, 20, 30, 40), at = GIVEN_IDS(t, 1, 0, 1, 0, 0, 0),
                  y = tensor(t, 24, 0);
    struct tensor dtable = GIVEN(t, 100, 100, 100, 100, 0, 0, 0, 0), dy = tensor(t, 24, 0);
    static const double places[3][4] = { { 0, 1, 0, 1 },
                                         { 0.841470985, 0.540302306, 0.00999983333, 0.999950000 },
                                         { 0.909297427, -0.416146837, 0.0199986667, 0.999800007 } };

    worked(t, t->b->tokens_forward(t->o, 2, 3, 4, ids_of(&at), table.v, y.v, NULL), "tokens");
    for (int i = 0; i < 24; i++) {
        double want = 2 * (double)table.v[ids_of(&at)[i / 4] * 4 + i % 4] + places[i / 4 % 3][i % 4];

        if (!(fabs((double)y.v[i] - want) <= 1e-5))
            fail_msg("%s: tokens: value %d is %.8g, expected %.8g", t->b->name, i, (double)y.v[i], want);
        dy.v[i] = (float)(i + 1);
    }
    worked(t, t->b->tokens_backward(t->o, 2, 3, 4, ids_of(&at), dy.v, dtable.v, NULL), "tokens backward");
    EXPECT(t, "tokens backward", dtable, 0, 100 + 2 * (5 + 13 + 17 + 21), 100 + 2 * (6 + 14 + 18 + 22),
           100 + 2 * (7 + 15 + 19 + 23), 100 + 2 * (8 + 16 + 20 + 24), 2 * (1 + 9), 2 * (2 + 10), 2 * (3 + 11),
           2 * (4 + 12));
    tensor_done(&table);
    tensor_done(&at);
    tensor_done(&y);
    tensor_done(&dtable);
    tensor_done(&dy);
}

/* An odd number of values, and more than one block of them: each is the wave that the paper says. */
static void many_places(struct bench *t)
{
    enum { P = 5, D = 523 };
    struct tensor table = tensor(t, D, 0), at = tensor(t, P, 0), y = tensor(t, P * D, 0);

    memset(table.v, 0, D * sizeof(float));
    memset(at.v, 0, P * sizeof(float));
    worked(t, t->b->tokens_forward(t->o, 1, P, D, ids_of(&at), table.v, y.v, NULL), "tokens");
    for (size_t i = 0; i < P * D; i++) {
        double angle = (double)(i / D) * exp(-log(10000) * (double)(i % D / 2 * 2) / D);
        double want = i % D % 2 ? cos(angle) : sin(angle);

        if (!(fabs((double)y.v[i] - want) <= 1e-6))
            fail_msg("%s: place %zu, value %zu is %.8g, expected %.8g", t->b->name, i / D, i % D, (double)y.v[i], want);
    }
    tensor_done(&table);
    tensor_done(&at);
    tensor_done(&y);
}

/* Images of 1 x 2 pixels with one channel and with two. */
static const struct image_shape one = { 2, 1, 1, 2 }, two = { 2, 2, 1, 2 };

static void concat_by_hand(struct bench *t)
{
    struct tensor x = GIVEN(t, 1, 2, 3, 4), x2 = GIVEN(t, 10, 20, 30, 40, 50, 60, 70, 80), y = tensor(t, 12, 0);
    struct tensor dx = tensor(t, 4, 0), dx2 = tensor(t, 8, 0);

    worked(t, t->b->concat(t->o, &one, &two, x.v, x2.v, y.v, NULL), "concat");
    EXPECT(t, "concat", y, 0, 1, 2, 10, 20, 30, 40, 3, 4, 50, 60, 70, 80);
    worked(t, t->b->concat_backward(t->o, &one, &two, y.v, dx.v, NULL, NULL), "concat backward");
    worked(t, t->b->concat_backward(t->o, &one, &two, y.v, NULL, dx2.v, NULL), "concat backward");
    assert_int_equal(first_difference(&x, &dx), -1);
    assert_int_equal(first_difference(&x2, &dx2), -1);
    tensor_done(&x);
    tensor_done(&x2);
    tensor_done(&y);
    tensor_done(&dx);
    tensor_done(&dx2);
}

/* Rows that have no label change nothing: the others' errors and loss are to the bit what they are alone. */
static void rows_left_out(struct bench *t)
{
    struct tensor y = GIVEN(t, 0.125f, 0.25f, 0.625f, NAN, 0.5f, 0.25f, 0.5f, 0.25f, 0.25f, 0.1f, 0.2f, 0.7f);
    struct tensor labels = GIVEN_IDS(t, 1, -1, 0, -7), dx = tensor(t, 12, 0), loss = GIVEN(t, 3);
    struct tensor some = GIVEN(t, 0.125f, 0.25f, 0.625f, 0.5f, 0.25f, 0.25f), alone = tensor(t, 6, 0);
    struct tensor their_labels = GIVEN_IDS(t, 1, 0), their_loss = GIVEN(t, 3);

    worked(t, t->b->softmax_backward(t->o, 4, 3, y.v, ids_of(&labels), dx.v, loss.v, NULL), "loss");
    EXPECT(t, "softmax backward", dx, 1e-6, 0.0625f, -0.375f, 0.3125f, 0, 0, 0, -0.25f, 0.125f, 0.125f, 0, 0, 0);
    EXPECT(t, "loss", loss, 1e-5, 3 + (logf(4) + logf(2)) / 2);
    worked(t, t->b->softmax_backward(t->o, 2, 3, some.v, ids_of(&their_labels), alone.v, their_loss.v, NULL), "loss");
    assert_memory_equal(dx.v, alone.v, 3 * sizeof(float));
    assert_memory_equal(dx.v + 6, alone.v + 3, 3 * sizeof(float));
    assert_int_equal(first_difference(&loss, &their_loss), -1);
    tensor_done(&y);
    tensor_done(&labels);
    tensor_done(&dx);
    tensor_done(&loss);
    tensor_done(&some);
    tensor_done(&alone);
    tensor_done(&their_labels);
    tensor_done(&their_loss);
}

static void all_left_out(struct bench *t)
{
    struct tensor y = tensor(t, 6, 1), labels = GIVEN_IDS(t, -1, -1), dx = tensor(t, 6, 0), loss = GIVEN(t, 3);

    worked(t, t->b->softmax_backward(t->o, 2, 3, y.v, ids_of(&labels), dx.v, loss.v, NULL), "loss");
    EXPECT(t, "softmax backward", dx, 0, 0, 0, 0, 0, 0, 0);
    EXPECT(t, "loss", loss, 0, 3);
    tensor_done(&y);
    tensor_done(&labels);
    tensor_done(&dx);
    tensor_done(&loss);
}

/* --- gradients ---------------------------------------------------------------------------------------------------- */

/* rows, values */
static size_t layernorm_sizes(const struct operation *op, size_t nin[MOST_INPUTS])
{
    const int64_t *s = op->shape;

    nin[1] = nin[2] = (size_t)s[1];
    return nin[0] = (size_t)(s[0] * s[1]);
}

static int layernorm_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    const int64_t *s = op->shape;
    struct tensor mean = tensor(t, (size_t)s[0], 0), inv_std = tensor(t, (size_t)s[0], 0);

    worked(t, t->b->layernorm_forward(t->o, s[0], s[1], in[0].v, in[1].v, in[2].v, y->v, mean.v, inv_std.v, NULL),
           op->name);
    tensor_done(&mean);
    tensor_done(&inv_std);
    return 0;
}

static int layernorm_backward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                              struct tensor *dy, struct tensor *gradient)
{
    const int64_t *s = op->shape;
    struct tensor mean = tensor(t, (size_t)s[0], 0), inv_std = tensor(t, (size_t)s[0], 0);

    worked(t, t->b->layernorm_forward(t->o, s[0], s[1], in[0].v, in[1].v, in[2].v, y->v, mean.v, inv_std.v, NULL),
           op->name);
    worked(t,
           t->b->layernorm_backward(t->o, s[0], s[1], in[0].v, dy->v, in[1].v, mean.v, inv_std.v, gradient[0].v,
                                    gradient[1].v, gradient[2].v, NULL),
           op->name);
    tensor_done(&mean);
    tensor_done(&inv_std);
    return 0;
}

/* batch, positions, values; of a table of ROWS rows */
enum { ROWS = 4 };

static struct tensor drawn_ids(const struct bench *t, const int64_t *s)
{
    struct tensor x = tensor(t, (size_t)(s[0] * s[1]), 0);

    for (size_t i = 0; i < x.n; i++)
        memcpy(&x.v[i], &(int32_t){ (int32_t)(i * i * 5 % 11 % ROWS) }, sizeof(int32_t));
    return x;
}

static size_t tokens_sizes(const struct operation *op, size_t nin[MOST_INPUTS])
{
    const int64_t *s = op->shape;

    nin[0] = (size_t)(ROWS * s[2]);
    return (size_t)(s[0] * s[1] * s[2]);
}

static int tokens_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    const int64_t *s = op->shape;
    struct tensor at = drawn_ids(t, s);

    worked(t, t->b->tokens_forward(t->o, s[0], s[1], s[2], ids_of(&at), in[0].v, y->v, NULL), op->name);
    tensor_done(&at);
    return 0;
}

static int tokens_backward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                           struct tensor *dy, struct tensor *gradient)
{
    const int64_t *s = op->shape;
    struct tensor at = drawn_ids(t, s);

    (void)in;
    (void)y;
    worked(t, t->b->tokens_backward(t->o, s[0], s[1], s[2], ids_of(&at), dy->v, gradient[0].v, NULL), op->name);
    tensor_done(&at);
    return 0;
}

/* The two shapes. */
static size_t volume(const struct image_shape *s)
{
    return (size_t)(s->batch * s->channels * s->height * s->width);
}

static size_t concat_sizes(const struct operation *op, size_t nin[MOST_INPUTS])
{
    const struct image_shape *s = op->shape;

    nin[0] = volume(&s[0]);
    nin[1] = volume(&s[1]);
    return nin[0] + nin[1];
}

static int concat_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    const struct image_shape *s = op->shape;

    return t->b->concat(t->o, &s[0], &s[1], in[0].v, in[1].v, y->v, NULL);
}

static int concat_backward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                           struct tensor *dy, struct tensor *gradient)
{
    const struct image_shape *s = op->shape;

    (void)in;
    (void)y;
    return t->b->concat_backward(t->o, &s[0], &s[1], dy->v, gradient[0].v, gradient[1].v, NULL);
}

/* Of five rows of four classes two have no label. */
enum { WORDS = 5, CLASSES = 4 };

static size_t loss_sizes(const struct operation *op, size_t nin[MOST_INPUTS])
{
    (void)op;
    nin[0] = WORDS * CLASSES;
    return 1;
}

static int loss_both(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y, float *dx)
{
    struct tensor labels = GIVEN_IDS(t, 3, -1, 0, -1, 2), p = tensor(t, in[0].n, 0);

    y->v[0] = 0;
    worked(t, t->b->softmax_forward(t->o, WORDS, CLASSES, in[0].v, p.v, NULL), op->name);
    worked(t, t->b->softmax_backward(t->o, WORDS, CLASSES, p.v, ids_of(&labels), dx, y->v, NULL), op->name);
    tensor_done(&labels);
    tensor_done(&p);
    return 0;
}

static int loss_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    struct tensor dx = tensor(t, in[0].n, 0);
    int rc = loss_both(t, op, in, y, dx.v);

    tensor_done(&dx);
    return rc;
}

static int loss_backward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                         struct tensor *dy, struct tensor *gradient)
{
    int rc = loss_both(t, op, in, y, gradient[0].v);

    for (size_t i = 0; i < gradient[0].n; i++)
        gradient[0].v[i] *= dy->v[0];
    return rc;
}

#define LAYERNORM(...)                                                                                          \
    layernorm_forward, layernorm_backward, layernorm_sizes, 6, SMOOTH, 0.02f, (const int64_t[]){ __VA_ARGS__ }, \
    {                                                                                                           \
        0                                                                                                       \
    }
#define TOKENS(...)                                                                                    \
    tokens_forward, tokens_backward, tokens_sizes, 1, SMOOTH, 0.25f, (const int64_t[]){ __VA_ARGS__ }, \
    {                                                                                                  \
        0                                                                                              \
    }
#define CONCAT(...)                                                                                               \
    concat_forward, concat_backward, concat_sizes, 0, SMOOTH, 0.25f, (const struct image_shape[]){ __VA_ARGS__ }, \
    {                                                                                                             \
        0                                                                                                         \
    }

static const struct operation operations[] = {
    { "layer norm", LAYERNORM(6, 9) },
    { "layer norm of one row", LAYERNORM(1, 70) },
    { "layer norm of many rows", LAYERNORM(20, 5) },
    { "tokens", TOKENS(3, 5, 8) },
    { "tokens of an odd size", TOKENS(2, 3, 5) },
    { "concat", CONCAT({ 2, 3, 2, 3 }, { 2, 1, 2, 3 }) },
    { "concat of vectors", CONCAT({ 3, 4, 1, 1 }, { 3, 7, 1, 1 }) },
    { "softmax and loss of some", loss_forward, loss_backward, loss_sizes, 0, SMOOTH, 0.02f, NULL, { 0 } },
};

static void gradients(void **state)
{
    (void)state;
    check_operations(operations, COUNT(operations));
}

/* --- what is refused ---------------------------------------------------------------------------------------------- */

static void check_refused(struct bench *t)
{
    static const int64_t no_rows[][2] = { { 0, 1 }, { 1, 0 } }; /* rows, dim */
    /* batch, positions, dim */
    static const int64_t empty[][3] = { { 0, 1, 1 }, { 1, 0, 1 }, { 1, 1, 0 } };
    static const struct image_shape wrong[] = { { 1, 2, 1, 2 }, { 2, 2, 2, 2 }, { 2, 2, 1, 1 }, { 2, 0, 1, 2 } };
    struct tensor x = tensor(t, 4, 1), y = tensor(t, 4, 0), at = GIVEN_IDS(t, 0), before = tensor(t, 4, 0);
    const struct ops_backend *b = t->b;

    for (size_t i = 0; i < COUNT(no_rows); i++) {
        int64_t rows = no_rows[i][0], dim = no_rows[i][1];

        assert_true(b->layernorm_forward(t->o, rows, dim, x.v, x.v, x.v, y.v, y.v, y.v, NULL) < 0);
        assert_non_null(strstr(b->error(t->o), "layer norm: "));
        assert_true(b->layernorm_backward(t->o, rows, dim, x.v, x.v, x.v, x.v, x.v, y.v, y.v, y.v, NULL) < 0);
    }
    for (size_t i = 0; i < COUNT(empty); i++) {
        assert_true(b->tokens_forward(t->o, empty[i][0], empty[i][1], empty[i][2], ids_of(&at), x.v, y.v, NULL) < 0);
        assert_non_null(strstr(b->error(t->o), "tokens: batch "));
        assert_true(b->tokens_backward(t->o, empty[i][0], empty[i][1], empty[i][2], ids_of(&at), x.v, y.v, NULL) < 0);
    }
    for (size_t i = 0; i < COUNT(wrong); i++) {
        assert_true(b->concat(t->o, &one, &wrong[i], x.v, x.v, y.v, NULL) < 0);
        assert_true(strlen(b->error(t->o)) > 0);
        assert_true(b->concat_backward(t->o, &wrong[i], &one, x.v, y.v, y.v, NULL) < 0);
    }
    assert_int_equal(first_difference(&y, &before), -1);
    tensor_done(&x);
    tensor_done(&y);
    tensor_done(&at);
    tensor_done(&before);
}

EACH(layernorm_by_hand)
EACH(layernorm_far_from_zero)
EACH(tokens_by_hand)
EACH(many_places)
EACH(concat_by_hand)
EACH(rows_left_out)
EACH(all_left_out)
EACH(check_refused)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_layernorm_by_hand), cmocka_unit_test(each_layernorm_far_from_zero),
        cmocka_unit_test(each_tokens_by_hand),    cmocka_unit_test(each_many_places),
        cmocka_unit_test(each_concat_by_hand),    cmocka_unit_test(each_rows_left_out),
        cmocka_unit_test(each_all_left_out),      cmocka_unit_test(gradients),
        cmocka_unit_test(each_check_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
