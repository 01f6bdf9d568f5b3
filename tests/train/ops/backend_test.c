/* Every backend's convolutions and fully-connected layers against the reference, and against themselves: the same bits
 * with one, two and three threads, again, and with any workspace.
 * Tolerance  inputs are in (-1, 1): a sum of K products in fp32 may be off by K 2^-23, more than ten times what
 *            rounding makes of it on average; a wrong, lost or doubled product is off by some tenths. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/train/ops/help.h"

static const struct conv_row rows[] = {
    /*                              batch in  out  h   w   k  s  top bottom left right */
    { "odd everything", 3, 5, 7, 9, 11, 3, 1, 1, 1, 1, 1 },
    { "four paddings", 2, 16, 32, 10, 9, 3, 1, 0, 2, 1, 0 },
    { "from an image", 2, 3, 64, 20, 22, 7, 2, 3, 2, 3, 2 },
    { "1x1", 2, 64, 128, 7, 7, 1, 1, 0, 0, 0, 0 },
    { "1x1 stride 2", 1, 32, 64, 14, 14, 1, 2, 0, 0, 0, 0 },
    { "1x1 stride 2, odd image", 2, 16, 16, 7, 9, 1, 2, 0, 0, 0, 0 },
    { "3x3 stride 2", 2, 32, 48, 13, 14, 3, 2, 1, 1, 1, 1 },
    { "skips rows and columns", 2, 16, 16, 12, 13, 3, 1, -2, 1, 0, -3 },
    { "skips at stride 2", 1, 16, 16, 12, 13, 2, 2, -1, -1, -3, 0 },
    { "a window in the padding alone", 1, 16, 16, 4, 4, 2, 1, 0, 3, 2, 0 },
    { "in strips", 1, 32, 64, 45, 44, 3, 1, 1, 1, 1, 1 },
    { "in strips at stride 2", 1, 64, 64, 57, 56, 3, 2, 0, 1, 1, 0 },
    { "in strips that skip", 1, 32, 64, 46, 40, 3, 1, -1, 0, 1, -1 },
    { "in blocks of channels", 1, 256, 256, 7, 9, 3, 1, 1, 1, 1, 1 },
    { "wide", 1, 2, 3, 3, 601, 3, 2, 1, 1, 1, 1 },
    { "1x1 past the edge", 2, 3, 4, 5, 5, 1, 1, 0, 0, 0, 1 },
    { "1x1 that shifts", 2, 3, 4, 5, 5, 1, 1, 0, 0, -1, 1 },
    { "side by side, the last ones alone", 5, 16, 16, 8, 8, 3, 1, 1, 1, 1, 1 },
    { "side by side, not square", 7, 9, 21, 6, 10, 3, 1, 1, 0, 0, 2 },
    { "a part of the batch each", 11, 16, 16, 32, 32, 3, 1, 1, 1, 1, 1 },
    { "in strips of rows", 2, 12, 8, 50, 47, 3, 1, 1, 1, 1, 1 },
    { "5x5", 3, 8, 24, 13, 17, 5, 1, 2, 1, 2, 3 },
    { "2x2 without padding", 3, 16, 16, 12, 21, 2, 1, 0, 0, 0, 0 },
    { "in blocks of odd channels", 1, 80, 112, 20, 14, 3, 1, 1, 1, 1, 1 },
};

/* What the three directions make of the inputs: y, dx, dw, db. The last two are added to what is there. */
struct results {
    struct tensor y, dx, dw, db;
};

static struct results make_results(const struct bench *t, const struct conv_shape *s)
{
    return (struct results){ tensor(t, noutput(s), 0), tensor(t, nimage(s), 0), tensor(t, nweights(s), 4),
                             tensor(t, (size_t)s->out_channels, 5) };
}

static void results_done(struct results *r)
{
    tensor_done(&r->y);
    tensor_done(&r->dx);
    tensor_done(&r->dw);
    tensor_done(&r->db);
}

struct inputs {
    struct tensor x, w, bias, dy;
};

static struct inputs make_inputs(const struct bench *t, const struct conv_shape *s)
{
    return (struct inputs){ tensor(t, nimage(s), 1), tensor(t, nweights(s), 2), tensor(t, (size_t)s->out_channels, 3),
                            tensor(t, noutput(s), 6) };
}

static void inputs_done(struct inputs *in)
{
    tensor_done(&in->x);
    tensor_done(&in->w);
    tensor_done(&in->bias);
    tensor_done(&in->dy);
}

static void run_all(struct bench *t, const struct conv_row *row, struct inputs *in, struct results *r,
                    struct tensor *workspace, size_t skip)
{
    struct conv_shape s = shape_of(row);
    void *scratch = workspace ? workspace->v + skip : NULL;
    size_t nscratch = workspace ? (workspace->n - skip) * sizeof(float) : 0;

    tensor_fill(&r->y, 0);
    tensor_fill(&r->dx, 0);
    tensor_fill(&r->dw, 4);
    tensor_fill(&r->db, 5);
    worked(t, t->b->conv_forward(t->o, &s, in->x.v, in->w.v, in->bias.v, r->y.v, scratch, nscratch, NULL), row->why);
    worked(t, t->b->conv_backward_data(t->o, &s, in->dy.v, in->w.v, r->dx.v, scratch, nscratch, NULL), row->why);
    worked(t, t->b->conv_backward_weights(t->o, &s, in->x.v, in->dy.v, r->dw.v, r->db.v, scratch, nscratch, NULL),
           row->why);
}

static void near(struct bench *t, const char *why, const char *what, const struct tensor *got,
                 const struct tensor *want, int64_t terms)
{
    double tolerance = (double)(terms + 8) * 0x1p-23;

    for (size_t i = 0; i < got->n; i++)
        if (!(fabs((double)got->v[i] - (double)want->v[i]) <= tolerance))
            fail_msg("%s: %s: %s[%zu] is %.8g, the reference says %.8g, %g apart where %g is allowed", t->b->name, why,
                     what, i, (double)got->v[i], (double)want->v[i], fabs((double)got->v[i] - (double)want->v[i]),
                     tolerance);
}

static void same(struct bench *t, const char *why, const char *how, const struct results *a, const struct results *b)
{
    const struct tensor *x[] = { &a->y, &a->dx, &a->dw, &a->db }, *y[] = { &b->y, &b->dx, &b->dw, &b->db };
    static const char *const names[] = { "y", "dx", "dw", "dbias" };

    for (size_t i = 0; i < COUNT(x); i++) {
        int64_t at = first_difference(x[i], y[i]);

        if (at >= 0)
            fail_msg("%s: %s: %s: %s[%lld] is %.9g and %.9g", t->b->name, why, how, names[i], (long long)at,
                     (double)x[i]->v[at], (double)y[i]->v[at]);
    }
}

/* A row, and what the reference makes of it with two threads. */
struct expected {
    const struct conv_row *row;
    struct results results;
};

static void workspaces(struct bench *t, const struct conv_row *row, struct inputs *in, const struct results *want,
                       struct results *got)
{
    static const struct {
        const char *how;
        size_t skip, share; /* floats left out at the beginning, and which part of the size it is */
    } kinds[] = { { "without and with a workspace", 0, 1 },
                  { "without and with a workspace at an odd address", 1, 1 },
                  { "without and with half a workspace", 0, 2 } };
    struct conv_shape s = shape_of(row);
    size_t size = t->b->conv_workspace(t->o, &s) / sizeof(float);

    for (size_t i = 0; i < COUNT(kinds) && size; i++) {
        struct tensor workspace = tensor(t, size / kinds[i].share, 0);

        run_all(t, row, in, got, &workspace, kinds[i].skip);
        same(t, row->why, kinds[i].how, want, got);
        tensor_done(&workspace);
    }
}

static void check_row(struct bench *t)
{
    const struct expected *e = t->with;
    const struct conv_row *row = e->row;
    struct conv_shape s = shape_of(row);
    struct inputs in = make_inputs(t, &s);
    struct results got = make_results(t, &s), again = make_results(t, &s);

    threads(1);
    run_all(t, row, &in, &got, NULL, 0);
    near(t, row->why, "y", &got.y, &e->results.y, s.in_channels * s.kernel * s.kernel);
    near(t, row->why, "dx", &got.dx, &e->results.dx, s.out_channels * s.kernel * s.kernel);
    near(t, row->why, "dw", &got.dw, &e->results.dw, s.batch * s.out_height * s.out_width);
    near(t, row->why, "dbias", &got.db, &e->results.db, s.batch * s.out_height * s.out_width);
    if (t->b == &ops_reference) {
        same(t, row->why, "with 2 threads and with 1", &e->results, &got);
    } else {
        if (!t->b->on_device) /* there a library may choose by the workspace */
            workspaces(t, row, &in, &got, &again);
        threads(2);
        run_all(t, row, &in, &again, NULL, 0);
        same(t, row->why, "with 1 thread and with 2", &got, &again);
        threads(3);
        run_all(t, row, &in, &again, NULL, 0);
        same(t, row->why, "with 1 thread and with 3", &got, &again);
    }
    threads(2);
    inputs_done(&in);
    results_done(&got);
    results_done(&again);
}

static void convolutions(void **state)
{
    char why[256];
    struct bench reference = { &ops_reference, ops_reference.open(why, sizeof(why)), NULL };

    (void)state;
    assert_non_null(reference.o);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct conv_shape s = shape_of(&rows[i]);
        struct inputs in = make_inputs(&reference, &s);
        struct expected e = { &rows[i], make_results(&reference, &s) };

        threads(2);
        run_all(&reference, &rows[i], &in, &e.results, NULL, 0);
        each_backend_with(check_row, &e);
        inputs_done(&in);
        results_done(&e.results);
    }
    ops_reference.close(reference.o);
}

/* Without a bias, and without its gradient: what is there stays. */
static void check_no_bias(struct bench *t)
{
    const struct conv_row row = { "no bias", 2, 16, 16, 6, 7, 3, 1, 1, 1, 1, 1 };
    struct conv_shape s = shape_of(&row);
    struct inputs in = make_inputs(t, &s);
    struct results with = make_results(t, &s), without = make_results(t, &s);
    int64_t area = s.out_height * s.out_width;

    run_all(t, &row, &in, &with, NULL, 0);
    worked(t, t->b->conv_forward(t->o, &s, in.x.v, in.w.v, NULL, without.y.v, NULL, 0, NULL), row.why);
    worked(t, t->b->conv_backward_weights(t->o, &s, in.x.v, in.dy.v, without.dw.v, NULL, NULL, 0, NULL), row.why);
    assert_int_equal(first_difference(&with.dw, &without.dw), -1);
    for (size_t i = 0; i < with.y.n; i++)
        if (fabs((double)with.y.v[i] - (double)without.y.v[i] -
                 (double)in.bias.v[i / (size_t)area % (size_t)s.out_channels]) > 1e-5)
            fail_msg("%s: y[%zu] with and without a bias: %g and %g", t->b->name, i, (double)with.y.v[i],
                     (double)without.y.v[i]);
    inputs_done(&in);
    results_done(&with);
    results_done(&without);
}

static void no_bias(void **state)
{
    (void)state;
    each_backend(check_no_bias);
}

/* Shapes that differ in one size alone, and each of them again. */
static void check_many_shapes(struct bench *t)
{
    struct conv_row row = { "many shapes", 1, 1, 1, 3, 3, 1, 1, 0, 0, 0, 0 };
    struct tensor x = tensor(t, 4 * 6, 1), w = tensor(t, 1, 2), y = tensor(t, 4 * 6, 0);

    for (int64_t i = 0; i < 2 * 24; i++) {
        struct conv_shape s;

        row.height = 1 + i % 24 / 6;
        row.width = 1 + i % 6;
        s = shape_of(&row);
        tensor_fill(&y, 0);
        worked(t, t->b->conv_forward(t->o, &s, x.v, w.v, NULL, y.v, NULL, 0, NULL), row.why);
        for (size_t j = 0; j < y.n; j++)
            if (y.v[j] != (j < noutput(&s) ? x.v[j] * w.v[0] : -777))
                fail_msg("%s: shape %lld: y[%zu] is %g", t->b->name, (long long)i, j, (double)y.v[j]);
    }
    tensor_done(&x);
    tensor_done(&w);
    tensor_done(&y);
}

static void many_shapes(void **state)
{
    (void)state;
    each_backend(check_many_shapes);
}

static const struct fc_row {
    int64_t batch, in, out;
} fc_rows[] = { { 1, 1, 1 }, { 3, 7, 5 }, { 1, 130, 67 }, { 17, 65, 33 }, { 2, 9000, 150 }, { 5, 150, 9000 } };

static void fc_all(struct bench *t, const struct fc_row *r, struct inputs *in, struct results *out)
{
    tensor_fill(&out->y, 0);
    tensor_fill(&out->dx, 0);
    tensor_fill(&out->dw, 4);
    tensor_fill(&out->db, 5);
    worked(t, t->b->fc_forward(t->o, r->batch, r->in, r->out, in->x.v, in->w.v, in->bias.v, out->y.v, NULL), "fc");
    worked(t, t->b->fc_backward_data(t->o, r->batch, r->in, r->out, in->dy.v, in->w.v, out->dx.v, NULL), "fc");
    worked(t, t->b->fc_backward_weights(t->o, r->batch, r->in, r->out, in->x.v, in->dy.v, out->dw.v, out->db.v, NULL),
           "fc");
}

static void check_fc_row(struct bench *t, const struct fc_row *r)
{
    /* A convolution of an image of one value. */
    const struct conv_row row = { "fc", r->batch, r->in, r->out, 1, 1, 1, 1, 0, 0, 0, 0 };
    struct conv_shape s = shape_of(&row);
    struct inputs in = make_inputs(t, &s);
    struct results want = make_results(t, &s), got = make_results(t, &s), again = make_results(t, &s);
    char why[64];
    struct bench reference = { &ops_reference, ops_reference.open(why, sizeof(why)), NULL };

    snprintf(why, sizeof(why), "fully connected %lld to %lld", (long long)r->in, (long long)r->out);
    fc_all(&reference, r, &in, &want);
    ops_reference.close(reference.o);
    threads(1);
    fc_all(t, r, &in, &got);
    near(t, why, "y", &got.y, &want.y, r->in);
    near(t, why, "dx", &got.dx, &want.dx, r->out);
    near(t, why, "dw", &got.dw, &want.dw, r->batch);
    near(t, why, "dbias", &got.db, &want.db, r->batch);
    for (int n = 1; n <= 3; n++) {
        threads(n);
        fc_all(t, r, &in, &again);
        same(t, why, "with 1 thread and again with more", &got, &again);
    }
    threads(2);
    inputs_done(&in);
    results_done(&want);
    results_done(&got);
    results_done(&again);
}

static void check_fc(struct bench *t)
{
    for (size_t i = 0; i < COUNT(fc_rows); i++)
        check_fc_row(t, &fc_rows[i]);
}

static void fully_connected(void **state)
{
    (void)state;
    each_backend(check_fc);
}

/* The window does not give these outputs: refused, with a message, and nothing is written. */
static void check_refused(struct bench *t)
{
    const struct conv_row row = { "refused", 1, 1, 1, 4, 4, 3, 1, 0, 0, 0, 0 };
    struct conv_shape s = shape_of(&row);
    struct inputs in = make_inputs(t, &s);
    struct results r = make_results(t, &s), before = make_results(t, &s);

    s.out_width++;
    assert_true(t->b->conv_forward(t->o, &s, in.x.v, in.w.v, NULL, r.y.v, NULL, 0, NULL) < 0);
    assert_true(strlen(t->b->error(t->o)) > 0);
    assert_true(t->b->conv_backward_data(t->o, &s, in.dy.v, in.w.v, r.dx.v, NULL, 0, NULL) < 0);
    assert_true(t->b->conv_backward_weights(t->o, &s, in.x.v, in.dy.v, r.dw.v, r.db.v, NULL, 0, NULL) < 0);
    same(t, "refused", "before and after", &before, &r);
    inputs_done(&in);
    results_done(&r);
    results_done(&before);
}

static void refused(void **state)
{
    (void)state;
    each_backend(check_refused);
}

static void table(void **state)
{
    size_t n = 0;

    (void)state;
    while (ops_backends[n])
        n++;
    assert_true(n >= 1);
    assert_ptr_equal(ops_backends[n - 1], &ops_reference);
    assert_ptr_equal(ops_backend_find("reference"), &ops_reference);
    assert_null(ops_backend_find("no such backend"));
    assert_non_null(ops_backend_find(""));
    assert_true(ops_backend_find("")->usable());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),       cmocka_unit_test(convolutions),    cmocka_unit_test(no_bias),
        cmocka_unit_test(many_shapes), cmocka_unit_test(fully_connected), cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
