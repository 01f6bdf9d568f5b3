#include "tests/train/ops/difference.h"

#include <math.h>

enum { MOST_CHECKED = 60 };

static void set_inputs(const struct operation *op, struct tensor *in, uint64_t seed)
{
    tensor_fill(in, seed);
    for (size_t i = 0; i < in->n; i++) {
        if (op->inputs == NOT_ZERO)
            in->v[i] += in->v[i] < 0 ? -0.1f : 0.1f;
        if (op->inputs == APART)
            in->v[i] = 0.125f * (float)(i * 37 % 101) + 13.0f * (float)(i / 101 % 2); /* 101 is prime */
    }
}

static double loss_at(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                      const struct tensor *r, float *value, float at)
{
    float before = *value;
    double sum = 0;

    *value = at;
    worked(t, op->forward(t, op, in, y), op->name);
    *value = before;
    for (size_t i = 0; i < y->n; i++)
        sum += (double)r->v[i] * (double)y->v[i];
    return sum;
}

static double difference(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                         const struct tensor *r, float *value)
{
    static const struct {
        float steps;
        double weight;
    } points[] = { { 1, 8 }, { -1, -8 }, { 2, -1 }, { -2, 1 } };
    float x = *value, h = op->step;
    double sum = 0;

    for (size_t i = 0; i < COUNT(points); i++)
        sum += points[i].weight * loss_at(t, op, in, y, r, value, x + points[i].steps * h);
    return sum / (12 * (double)h);
}

static void check_input(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y,
                        const struct tensor *r, size_t i, const struct tensor *gradient)
{
    size_t step = in[i].n / MOST_CHECKED + 1;

    for (size_t j = 0; j < in[i].n; j += step) {
        double want = difference(t, op, in, y, r, &in[i].v[j]);
        double got = (double)gradient->v[j] - (op->added >> i & 1 ? 100 : 0);
        /* A gradient that was added to 100 has lost what is below 2^-17. */
        double tolerance = 3e-4 * (1 + fabs(want)) + (op->added >> i & 1 ? 1e-5 : 0);

        if (!(fabs(want - got) <= tolerance))
            fail_msg("%s: %s: input %zu, value %zu: gradient %.7g, differences say %.7g", t->b->name, op->name, i, j,
                     got, want);
    }
}

static void check_operation(struct bench *t, const struct operation *op)
{
    struct tensor in[MOST_INPUTS], gradient[MOST_INPUTS], y, r;
    size_t nin[MOST_INPUTS] = { 0 }, count = 0, nout = op->sizes(op, nin);

    for (; count < MOST_INPUTS && nin[count]; count++) {
        in[count] = tensor(t, nin[count], 0);
        set_inputs(op, &in[count], 11 + count);
        gradient[count] = tensor(t, nin[count], 0);
        for (size_t j = 0; j < nin[count] && op->added >> count & 1; j++)
            gradient[count].v[j] = 100;
    }
    y = tensor(t, nout, 0);
    r = tensor(t, nout, 5);
    worked(t, op->forward(t, op, in, &y), op->name);
    worked(t, op->backward(t, op, in, &y, &r, gradient), op->name);
    for (size_t i = 0; i < count; i++)
        check_input(t, op, in, &y, &r, i, &gradient[i]);
    for (size_t i = 0; i < count; i++) {
        tensor_done(&in[i]);
        tensor_done(&gradient[i]);
    }
    tensor_done(&y);
    tensor_done(&r);
}

struct table {
    const struct operation *operations;
    size_t n;
};

static void check_backend(struct bench *t)
{
    const struct table *table = t->with;

    for (size_t i = 0; i < table->n; i++)
        check_operation(t, &table->operations[i]);
}

void check_operations(const struct operation *operations, size_t n)
{
    const struct table table = { operations, n };

    threads(1);
    each_backend_with(check_backend, &table);
}
