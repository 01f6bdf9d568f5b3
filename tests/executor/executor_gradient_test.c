/* executor_gradient_test.c - the gradients of whole networks, split and not, offloaded and not, against differences
 * of the loss: each layer's weights (and its biases) are moved a little along their gradient and against it; the loss
 * has to change by the gradient's length. Along a random direction it has to change by the gradient's share of that. */
#include <math.h>
#include <string.h>

#include "harness/status.h"
#include "tests/draw.h"
#include "tests/executor/plans.h"
#include "tests/test.h"

struct rig {
    struct executor e;
    float *weights, *gradients; /* where it stands */
};

/* Every loss is of the first step: dropout draws by the step. */
static double loss(struct rig *r)
{
    struct step_times times;

    r->e.step = 0;
    assert_int_equal(executor_push_weights(&r->e), NW_OK);
    assert_int_equal(executor_step(&r->e, &times), NW_OK);
    return (double)r->e.loss;
}

/* (L(w + h d) - L(w - h d)) / 2h, d of length 1. */
static double slope(struct rig *r, int64_t first, int64_t n, const double *d, double h)
{
    double sides[2];

    for (int side = 0; side < 2; side++) {
        for (int64_t i = 0; i < n; i++)
            r->e.weights[first + i] = (float)((double)r->weights[first + i] + (side ? -h : h) * d[i]);
        sides[side] = loss(r);
    }
    memcpy(r->e.weights + first, r->weights + first, (size_t)n * 4);
    return (sides[0] - sides[1]) / (2 * h);
}

static double length(const double *d, int64_t n)
{
    double s = 0;

    for (int64_t i = 0; i < n; i++)
        s += d[i] * d[i];
    return sqrt(s);
}

/* Kinks of ReLUs and pools make some steps miss: of several the best counts. */
static void check(struct rig *r, const char *name, int64_t first, int64_t n, uint64_t *seed)
{
    static const double steps[] = { 1e-3, 3e-3, 1e-2, 3e-2 };
    double d[4096], long_d, all, expected, best = INFINITY, came = 0;

    assert_in_range(n, 1, COUNT(d));
    for (int random = 0; random < 2; random++) {
        for (int64_t i = 0; i < n; i++)
            d[i] = random ? (double)(int64_t)draw(seed) : (double)r->gradients[first + i];
        long_d = length(d, n);
        expected = all = 0;
        for (int64_t i = 0; i < n; i++) {
            d[i] /= long_d;
            expected += d[i] * (double)r->gradients[first + i];
            all += (double)r->gradients[first + i] * (double)r->gradients[first + i];
        }
        assert_true(all > 0);
        best = INFINITY;
        for (size_t k = 0; k < COUNT(steps) && best > 0.01; k++) {
            double s = slope(r, first, n, d, steps[k]), miss = fabs(s - expected) / sqrt(all);
            if (miss < best)
                best = miss, came = s;
        }
        if (best > 0.02)
            fail_msg("%s, %s direction: slope %g, expected %g of %g", name, random ? "random" : "steepest", came,
                     expected, sqrt(all));
    }
}

static void check_net(struct model m, int64_t patches, double depth)
{
    struct variation v = { .patches = patches,
                           .depth = depth,
                           .generated = GENERATED_STORED,
                           .in_place = 1,
                           .share_sums = 1,
                           .recompute_norm = 1,
                           .schedule = SCHEDULE_PER_OBJECT,
                           .limit = 1,
                           .keep_last = -1 };
    struct executor_options options = {
        .content = EXECUTOR_REAL, .ops = "reference", .verify = 1, .seed = 3, .steps = 1
    };
    struct memory_plan plan;
    struct rig r;
    uint64_t seed = 5;
    size_t bytes;

    assert_true(plans_make(&m, &v, 2, &plan));
    assert_int_equal(executor_open(&plan, &options, NULL, &r.e), NW_OK);
    bytes = 4 * (size_t)r.e.real.parameters.nweights;
    r.weights = test_malloc(bytes);
    r.gradients = test_malloc(bytes);
    memcpy(r.weights, r.e.weights, bytes);
    assert_true(loss(&r) > 0);
    memcpy(r.gradients, r.e.gradients, bytes);
    for (size_t l = 0; l < m.nlayers; l++) {
        const struct layer_parameters *p = &r.e.real.parameters.layers[l];

        if (m.layers[l].weights)
            check(&r, m.layers[l].name, p->weights, m.layers[l].weights, &seed);
        if (m.layers[l].biases)
            check(&r, m.layers[l].name, p->biases, m.layers[l].biases, &seed);
    }
    assert_int_equal(r.e.errors, 0);
    test_free(r.weights);
    test_free(r.gradients);
    executor_close(&r.e);
    memory_plan_free(&plan);
    model_free(&m);
}

static void plain(void **state)
{
    (void)state;
    check_net(plans_plain(), 1, 0);
    check_net(plans_plain(), 2, 0);
}

static void residual(void **state)
{
    (void)state;
    check_net(plans_residual(), 1, 0);
    check_net(plans_residual(), 2, 0);
    check_net(plans_residual(), 2, 1); /* strided shortcuts, too */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(plain), cmocka_unit_test(residual) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
