/* Operations of recommendation models, on every backend: what they mean by hand, their gradients against differences,
 * and what is refused. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/train/ops/difference.h"

/* --- by hand ------------------------------------------------------------------------------------------------------ */

/* Two samples, two tables of three rows, two lookups each; one value before them. */
static const struct bag_shape bags = { .batch = 2, .tables = 2, .lookups = 2, .dim = 2, .leading = 1 };

static void bags_by_hand(struct bench *t)
{
    struct tensor table = GIVEN(t, 1, 2, 10, 20, 100, 200, 3, 4, 30, 40, 300, 400), x = GIVEN(t, 7, 8);
    struct tensor at = GIVEN_IDS(t, 0, 2, 5, 5, 1, 0, 3, 4), y = tensor(t, 10, 0), dx = tensor(t, 2, 0);

    worked(t, t->b->bag_forward(t->o, &bags, x.v, ids_of(&at), table.v, y.v, NULL), "bags");
    EXPECT(t, "bags", y, 0, 7, 101, 202, 600, 800, 8, 11, 22, 33, 44);
    worked(t, t->b->bag_backward_data(t->o, &bags, y.v, dx.v, NULL), "bags backward");
    EXPECT(t, "bags backward", dx, 0, 7, 8);
    tensor_done(&table);
    tensor_done(&x);
    tensor_done(&at);
    tensor_done(&y);
    tensor_done(&dx);
}

/* Row 5 is looked up twice by one sample, row 0 by both. */
static void bags_updated_by_hand(struct bench *t)
{
    struct tensor table = GIVEN(t, 1, 2, 10, 20, 100, 200, 3, 4, 30, 40, 300, 400);
    struct tensor at = GIVEN_IDS(t, 0, 2, 5, 5, 1, 0, 3, 4), dy = GIVEN(t, 7, 2, 4, 6, 8, 7, 10, 12, 14, 16);

    worked(t, t->b->bag_update(t->o, &bags, 0.5f, ids_of(&at), dy.v, table.v, NULL), "bag update");
    EXPECT(t, "bag update", table, 0, 1 - 1 - 5, 2 - 2 - 6, 5, 14, 99, 198, -4, -4, 23, 32, 300 - 6, 400 - 8);
    tensor_done(&table);
    tensor_done(&at);
    tensor_done(&dy);
}

/* 1 + 2^24 loses the 1, 1 - 2^24 does not: samples come in their order, whoever computes them. */
static void updates_in_order(struct bench *t)
{
    const struct bag_shape s = { .batch = 2, .tables = 1, .lookups = 1, .dim = 2 };
    struct tensor table = GIVEN(t, 1, 1), at = GIVEN_IDS(t, 0, 0), dy = GIVEN(t, 0x1p24f, -0x1p24f, -0x1p24f, 0x1p24f);

    worked(t, t->b->bag_update(t->o, &s, -1, ids_of(&at), dy.v, table.v, NULL), "bag update");
    EXPECT(t, "bag update", table, 0, 0, 1);
    tensor_done(&table);
    tensor_done(&at);
    tensor_done(&dy);
}

/* Without values before them x and dx are not looked at. */
static void bags_alone(struct bench *t)
{
    const struct bag_shape s = { .batch = 3, .tables = 1, .lookups = 1, .dim = 1 };
    struct tensor table = GIVEN(t, 5, 6), at = GIVEN_IDS(t, 1, 0, 1), y = tensor(t, 3, 0);

    worked(t, t->b->bag_forward(t->o, &s, NULL, ids_of(&at), table.v, y.v, NULL), "bags");
    EXPECT(t, "bags", y, 0, 6, 5, 6);
    worked(t, t->b->bag_backward_data(t->o, &s, y.v, NULL, NULL), "bags backward");
    tensor_done(&table);
    tensor_done(&at);
    tensor_done(&y);
}

/* Vectors (1, 2), (3, 5), (7, 11), (13, 17): the products of (1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2). */
static void interaction_by_hand(struct bench *t)
{
    struct tensor x = GIVEN(t, 1, 2, 3, 5, 7, 11, 13, 17), y = tensor(t, 8, 0), dx = tensor(t, 8, 0);
    struct tensor dy = GIVEN(t, 1000, 2000, 1, 10, 100, 0, 0, 0);

    worked(t, t->b->interact_forward(t->o, 1, 4, 2, x.v, y.v, NULL), "interaction");
    EXPECT(t, "interaction", y, 0, 1, 2, 13, 29, 76, 47, 124, 278);
    worked(t, t->b->interact_backward(t->o, 1, 4, 2, x.v, dy.v, dx.v, NULL), "interaction backward");
    EXPECT(t, "interaction backward", dx, 0, 1000 + 3 + 70, 2000 + 5 + 110, 1 + 700, 2 + 1100, 10 + 300, 20 + 500, 0,
           0);
    tensor_done(&x);
    tensor_done(&y);
    tensor_done(&dx);
    tensor_done(&dy);
}

/* A sure mistake costs what the least float is worth; the sum is added to what is there. */
static void loss_by_hand(struct bench *t)
{
    struct tensor y = GIVEN(t, 0.25f, 0.25f, 1, 0), dx = tensor(t, 4, 0), loss = GIVEN(t, 3);
    struct tensor labels = GIVEN_IDS(t, 1, 0, 1, 0), wrong = GIVEN_IDS(t, 1, 0, 0, 1);
    float right = (logf(4) - logf(0.75f)) / 4;

    worked(t, t->b->bce_backward(t->o, 4, y.v, ids_of(&labels), dx.v, loss.v, NULL), "loss");
    EXPECT(t, "loss", loss, 1e-6, 3 + right);
    EXPECT(t, "loss backward", dx, 0, -0.1875f, 0.0625f, 0, 0);
    loss.v[0] = 0;
    worked(t, t->b->bce_backward(t->o, 4, y.v, ids_of(&wrong), dx.v, loss.v, NULL), "loss");
    EXPECT(t, "loss of sure mistakes", loss, 1e-4, right - 2 * logf(FLT_MIN) / 4);
    EXPECT(t, "error of sure mistakes", dx, 0, -0.1875f, 0.0625f, 0.25f, -0.25f);
    tensor_done(&y);
    tensor_done(&dx);
    tensor_done(&loss);
    tensor_done(&labels);
    tensor_done(&wrong);
}

/* What is left of 1 - y, however little, counts: y is the float below 1. */
static void loss_near_one(struct bench *t)
{
    struct tensor y = GIVEN(t, 1 - 0x1p-24f), dx = tensor(t, 1, 0), loss = GIVEN(t, 0), label = GIVEN_IDS(t, 0);

    worked(t, t->b->bce_backward(t->o, 1, y.v, ids_of(&label), dx.v, loss.v, NULL), "loss");
    EXPECT(t, "loss", loss, 1e-5, 24 * logf(2));
    y.v[0] = NAN;
    worked(t, t->b->bce_backward(t->o, 1, y.v, ids_of(&label), dx.v, loss.v, NULL), "loss");
    assert_true(isnan(loss.v[0]) && isnan(dx.v[0]));
    tensor_done(&y);
    tensor_done(&dx);
    tensor_done(&loss);
    tensor_done(&label);
}

/* --- gradients ---------------------------------------------------------------------------------------------------- */

/* Ids that repeat, of a table of ROWS rows. */
enum { ROWS = 7 };

static struct tensor drawn_ids(const struct bench *t, const struct bag_shape *s)
{
    struct tensor x = tensor(t, (size_t)(s->batch * s->tables * s->lookups), 0);

    for (size_t i = 0; i < x.n; i++)
        memcpy(&x.v[i], &(int32_t){ (int32_t)(i * i * 5 % 11 % ROWS) }, sizeof(int32_t));
    return x;
}

static size_t bag_sizes(const struct operation *op, size_t nin[MOST_INPUTS])
{
    const struct bag_shape *s = op->shape;

    nin[0] = (size_t)(ROWS * s->dim);
    nin[1] = (size_t)(s->batch * s->leading);
    return (size_t)(s->batch * (s->leading + s->tables * s->dim));
}

static int bag_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    const struct bag_shape *s = op->shape;
    struct tensor at = drawn_ids(t, s);
    int rc = t->b->bag_forward(t->o, s, s->leading ? in[1].v : NULL, ids_of(&at), in[0].v, y->v, NULL);

    worked(t, rc, op->name);
    tensor_done(&at);
    return 0;
}

/* The table's gradient is what a step of rate -1 adds. */
static int bag_backward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                        struct tensor *dy, struct tensor *gradient)
{
    const struct bag_shape *s = op->shape;
    struct tensor at = drawn_ids(t, s);

    (void)in;
    (void)y;
    worked(t, t->b->bag_update(t->o, s, -1, ids_of(&at), dy->v, gradient[0].v, NULL), op->name);
    tensor_done(&at);
    return t->b->bag_backward_data(t->o, s, dy->v, s->leading ? gradient[1].v : NULL, NULL);
}

/* batch, vectors, values */
static size_t interact_sizes(const struct operation *op, size_t nin[MOST_INPUTS])
{
    const int64_t *s = op->shape;

    nin[0] = (size_t)(s[0] * s[1] * s[2]);
    return (size_t)(s[0] * (s[2] + s[1] * (s[1] - 1) / 2));
}

static int interact_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    const int64_t *s = op->shape;

    return t->b->interact_forward(t->o, s[0], s[1], s[2], in[0].v, y->v, NULL);
}

static int interact_backward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                             struct tensor *dy, struct tensor *gradient)
{
    const int64_t *s = op->shape;

    (void)y;
    return t->b->interact_backward(t->o, s[0], s[1], s[2], in[0].v, dy->v, gradient[0].v, NULL);
}

/* Of the sigmoid's inputs. */
enum { CLICKS = 6 };

static size_t loss_sizes(const struct operation *op, size_t nin[MOST_INPUTS])
{
    (void)op;
    nin[0] = CLICKS;
    return 1;
}

static int loss_both(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y, float *dx)
{
    struct tensor labels = GIVEN_IDS(t, 1, 0, 0, 1, 1, 0), p = tensor(t, CLICKS, 0);

    y->v[0] = 0;
    worked(t, t->b->sigmoid_forward(t->o, CLICKS, in[0].v, p.v, NULL), op->name);
    worked(t, t->b->bce_backward(t->o, CLICKS, p.v, ids_of(&labels), dx, y->v, NULL), op->name);
    tensor_done(&labels);
    tensor_done(&p);
    return 0;
}

static int loss_forward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y)
{
    struct tensor dx = tensor(t, CLICKS, 0);
    int rc = loss_both(t, op, in, y, dx.v);

    tensor_done(&dx);
    return rc;
}

static int loss_backward(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                         struct tensor *dy, struct tensor *gradient)
{
    int rc = loss_both(t, op, in, y, gradient[0].v);

    for (size_t i = 0; i < CLICKS; i++)
        gradient[0].v[i] *= dy->v[0];
    return rc;
}

#define BAG(...)                                                                                      \
    bag_forward, bag_backward, bag_sizes, 1, SMOOTH, 0.25f, &(const struct bag_shape){ __VA_ARGS__ }, \
    {                                                                                                 \
        0                                                                                             \
    }
#define INTERACT(...)                                                                                        \
    interact_forward, interact_backward, interact_sizes, 0, SMOOTH, 0.25f, (const int64_t[]){ __VA_ARGS__ }, \
    {                                                                                                        \
        0                                                                                                    \
    }

static const struct operation operations[] = {
    { "bags", BAG(3, 2, 1, 5, 4) },
    { "bags of many", BAG(2, 3, 4, 3, 2) },
    { "bags alone", BAG(4, 2, 2, 9, 0) },
    { "interaction", INTERACT(3, 4, 5) },
    { "interaction of long vectors", INTERACT(1, 3, 19) },
    { "interaction of one vector", INTERACT(2, 1, 3) },
    { "sigmoid and loss", loss_forward, loss_backward, loss_sizes, 0, SMOOTH, 0.02f, NULL, { 0 } },
};

static void gradients(void **state)
{
    (void)state;
    check_operations(operations, COUNT(operations));
}

/* --- what is refused ---------------------------------------------------------------------------------------------- */

static void check_refused(struct bench *t)
{
    /* batch, n, dim */
    static const int64_t empty[][3] = { { 0, 1, 1 }, { 1, 0, 1 }, { 1, 1, 0 } };
    static const struct bag_shape wrong[] = {
        { 0, 1, 1, 1, 1 }, { 1, 0, 1, 1, 1 }, { 1, 1, 0, 1, 1 }, { 1, 1, 1, 0, 1 }, { 1, 1, 1, 1, -1 },
    };
    struct tensor x = tensor(t, 4, 1), y = tensor(t, 4, 0), at = GIVEN_IDS(t, 0), loss = GIVEN(t, 0);
    struct tensor labels = GIVEN_IDS(t, 2), before = tensor(t, 4, 0);

    for (size_t i = 0; i < COUNT(wrong); i++) {
        assert_true(t->b->bag_forward(t->o, &wrong[i], x.v, ids_of(&at), x.v, y.v, NULL) < 0);
        assert_non_null(strstr(t->b->error(t->o), "bags: batch "));
        assert_true(t->b->bag_backward_data(t->o, &wrong[i], x.v, y.v, NULL) < 0);
        assert_true(t->b->bag_update(t->o, &wrong[i], 1, ids_of(&at), x.v, y.v, NULL) < 0);
    }
    for (size_t i = 0; i < COUNT(empty); i++) {
        assert_true(t->b->interact_forward(t->o, empty[i][0], empty[i][1], empty[i][2], x.v, y.v, NULL) < 0);
        assert_non_null(strstr(t->b->error(t->o), "interaction: batch "));
        assert_true(t->b->interact_backward(t->o, empty[i][0], empty[i][1], empty[i][2], x.v, x.v, y.v, NULL) < 0);
    }
    assert_true(t->b->bce_backward(t->o, 0, x.v, ids_of(&at), y.v, loss.v, NULL) < 0);
    if (!t->b->on_device) { /* there labels cannot be looked at */
        assert_true(t->b->bce_backward(t->o, 1, x.v, ids_of(&labels), y.v, loss.v, NULL) < 0);
        assert_non_null(strstr(t->b->error(t->o), "label 2"));
    }
    assert_int_equal(first_difference(&y, &before), -1);
    assert_true(loss.v[0] == 0);
    tensor_done(&x);
    tensor_done(&y);
    tensor_done(&at);
    tensor_done(&loss);
    tensor_done(&labels);
    tensor_done(&before);
}

EACH(bags_by_hand)
EACH(bags_updated_by_hand)
EACH(updates_in_order)
EACH(bags_alone)
EACH(interaction_by_hand)
EACH(loss_by_hand)
EACH(loss_near_one)
EACH(check_refused)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bags_by_hand),     cmocka_unit_test(each_bags_updated_by_hand),
        cmocka_unit_test(each_updates_in_order), cmocka_unit_test(each_bags_alone),
        cmocka_unit_test(each_loss_by_hand),     cmocka_unit_test(each_interaction_by_hand),
        cmocka_unit_test(each_loss_near_one),    cmocka_unit_test(gradients),
        cmocka_unit_test(each_check_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
