/* Convolutions and pooling by patches. Cut where every window stays whole they give the unsplit operation, forward and
 * backward; cut elsewhere they give its values away from the cuts, and their own gradients are right: checked on two
 * layers with a relu between them.
 * Bits       pooling gives the same bits on every backend, convolutions on those that say in which order they sum
 *            ("reference", "gemm"). Libraries cut a sum over channels by the size of the image too: oneDNN does so in
 *            its 1x1 kernels. There the values agree to within rounding. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "model/split/split.h"
#include "tests/train/ops/help.h"

enum { MOST_PARTS = 3 };

/* A split of both axes: where the parts of the output begin, and where those of the input do. */
struct split {
    size_t rows, columns;
    int64_t out_top[MOST_PARTS], out_left[MOST_PARTS], in_top[MOST_PARTS], in_left[MOST_PARTS];
};

static struct split_part row_part(const struct conv_shape *s, const struct split *p, size_t i)
{
    const struct window w = { s->kernel, s->stride, s->pad_top, s->pad_bottom };

    return split_part(&w, s->in_height, s->out_height, p->rows, p->out_top, p->in_top, i);
}

static struct split_part column_part(const struct conv_shape *s, const struct split *p, size_t i)
{
    const struct window w = { s->kernel, s->stride, s->pad_left, s->pad_right };

    return split_part(&w, s->in_width, s->out_width, p->columns, p->out_left, p->in_left, i);
}

static struct conv_shape part_shape(const struct conv_shape *s, const struct split_part *r, const struct split_part *c)
{
    struct conv_shape part = *s;

    part.in_height = r->in_length;
    part.out_height = r->out_length;
    part.pad_top = r->pad_begin;
    part.pad_bottom = r->pad_end;
    part.in_width = c->in_length;
    part.out_width = c->out_length;
    part.pad_left = c->pad_begin;
    part.pad_right = c->pad_end;
    return part;
}

static struct image_shape image_in(const struct conv_shape *s)
{
    return (struct image_shape){ s->batch, s->in_channels, s->in_height, s->in_width };
}

static struct image_shape image_out(const struct conv_shape *s)
{
    return (struct image_shape){ s->batch, s->out_channels, s->out_height, s->out_width };
}

/* One operation on a part or the whole: forward y, backward dx, and for convolutions dw. */
enum kind { CONV, MAXPOOL, AVGPOOL };

struct data {
    struct tensor x, w, y, dy, dx, dw;
};

static void run(struct bench *t, enum kind kind, const struct conv_shape *s, const float *w, struct data *d, float *dw)
{
    int rc = 0;

    if (kind == CONV) {
        rc = t->b->conv_forward(t->o, s, d->x.v, w, NULL, d->y.v, NULL, 0, NULL);
        worked(t, rc, "forward");
        rc = t->b->conv_backward_weights(t->o, s, d->x.v, d->dy.v, dw, NULL, NULL, 0, NULL);
        worked(t, rc, "backward to the weights");
        rc = t->b->conv_backward_data(t->o, s, d->dy.v, w, d->dx.v, NULL, 0, NULL);
    } else if (kind == MAXPOOL) {
        worked(t, t->b->maxpool_forward(t->o, s, d->x.v, d->y.v, NULL), "forward");
        rc = t->b->maxpool_backward(t->o, s, d->x.v, d->dy.v, d->dx.v, NULL);
    } else {
        worked(t, t->b->avgpool_forward(t->o, s, d->x.v, d->y.v, NULL), "forward");
        rc = t->b->avgpool_backward(t->o, s, d->dy.v, d->dx.v, NULL);
    }
    worked(t, rc, "backward");
}

/* cut, run, paste. */
static void run_part(struct bench *t, enum kind kind, const struct conv_shape *s, const struct split_part *r,
                     const struct split_part *c, struct data *all)
{
    struct conv_shape part = part_shape(s, r, c);
    struct image_shape in = image_in(s), out = image_out(s), pin = image_in(&part), pout = image_out(&part);
    struct data d = { .x = tensor(t, nimage(&part), 0),
                      .y = tensor(t, noutput(&part), 0),
                      .dy = tensor(t, noutput(&part), 0),
                      .dx = tensor(t, nimage(&part), 0) };

    worked(t, t->b->cut(t->o, &in, &pin, r->in_start, c->in_start, all->x.v, d.x.v, NULL), "cut");
    worked(t, t->b->cut(t->o, &out, &pout, r->out_start, c->out_start, all->dy.v, d.dy.v, NULL), "cut");
    run(t, kind, &part, all->w.v, &d, all->dw.v);
    worked(t, t->b->paste(t->o, &out, &pout, r->out_start, c->out_start, d.y.v, all->y.v, NULL), "paste");
    worked(t, t->b->paste(t->o, &in, &pin, r->in_start, c->in_start, d.dx.v, all->dx.v, NULL), "paste");
    tensor_done(&d.x);
    tensor_done(&d.y);
    tensor_done(&d.dy);
    tensor_done(&d.dx);
}

static void run_parts(struct bench *t, enum kind kind, const struct conv_shape *s, const struct split *p,
                      struct data *all)
{
    for (size_t i = 0; i < p->rows; i++)
        for (size_t j = 0; j < p->columns; j++) {
            struct split_part r = row_part(s, p, i), c = column_part(s, p, j);

            run_part(t, kind, s, &r, &c, all);
        }
}

static struct data make(const struct bench *t, const struct conv_shape *s)
{
    return (struct data){ tensor(t, nimage(s), 1),  tensor(t, nweights(s), 2), tensor(t, noutput(s), 0),
                          tensor(t, noutput(s), 3), tensor(t, nimage(s), 0),   tensor(t, nweights(s), 4) };
}

static void data_done(struct data *d)
{
    tensor_done(&d->x);
    tensor_done(&d->w);
    tensor_done(&d->y);
    tensor_done(&d->dy);
    tensor_done(&d->dx);
    tensor_done(&d->dw);
}

/* k = s and no paddings: the windows tile the image, each part's input begins where its first window does. */
static const struct natural {
    enum kind kind;
    struct conv_row row;
    struct split split;
} naturals[] = {
    { CONV, { "conv 2x2", 2, 3, 5, 8, 10, 2, 2, 0, 0, 0, 0 }, { 2, 2, { 0, 1 }, { 0, 3 }, { 0 }, { 0 } } },
    { CONV, { "conv 1x1", 1, 6, 4, 7, 9, 1, 1, 0, 0, 0, 0 }, { 3, 2, { 0, 2, 5 }, { 0, 4 }, { 0 }, { 0 } } },
    { CONV, { "conv 3x3", 2, 16, 16, 12, 9, 3, 3, 0, 0, 0, 0 }, { 2, 3, { 0, 3 }, { 0, 1, 2 }, { 0 }, { 0 } } },
    { CONV, { "conv 1x1, many", 2, 64, 128, 14, 13, 1, 1, 0, 0, 0, 0 }, { 2, 2, { 0, 6 }, { 0, 7 }, { 0 }, { 0 } } },
    { CONV, { "conv 2x2, many", 1, 64, 64, 28, 32, 2, 2, 0, 0, 0, 0 }, { 2, 2, { 0, 5 }, { 0, 9 }, { 0 }, { 0 } } },
    { CONV,
      { "conv 1x1, strips", 1, 256, 256, 28, 28, 1, 1, 0, 0, 0, 0 },
      { 3, 1, { 0, 8, 17 }, { 0 }, { 0 }, { 0 } } },
    { CONV, { "conv 4x4 of RGB", 1, 3, 32, 32, 24, 4, 4, 0, 0, 0, 0 }, { 2, 2, { 0, 3 }, { 0, 2 }, { 0 }, { 0 } } },
    { MAXPOOL, { "max pool", 2, 3, 3, 8, 10, 2, 2, 0, 0, 0, 0 }, { 2, 3, { 0, 1 }, { 0, 1, 4 }, { 0 }, { 0 } } },
    { AVGPOOL, { "average pool", 2, 3, 3, 9, 12, 3, 3, 0, 0, 0, 0 }, { 2, 2, { 0, 2 }, { 0, 1 }, { 0 }, { 0 } } },
};

static void equal(struct bench *t, const struct natural *n, const char *what, const struct tensor *a,
                  const struct tensor *b)
{
    bool bits = n->kind != CONV || t->b == &ops_reference || strcmp(t->b->name, "gemm") == 0;
    double tolerance = (double)((n->row.in + n->row.out) * n->row.kernel * n->row.kernel) * 0x1p-23;
    int64_t at = first_difference(a, b);

    for (; at >= 0 && at < (int64_t)a->n; at++)
        if (bits || !(fabs((double)a->v[at] - (double)b->v[at]) <= tolerance))
            fail_msg("%s: %s: %s[%lld] is %.9g by patches, %.9g in one", t->b->name, n->row.why, what, (long long)at,
                     (double)a->v[at], (double)b->v[at]);
}

static void check_natural(struct bench *t, const struct natural *n)
{
    struct conv_shape s = shape_of(&n->row);
    struct data whole = make(t, &s), parts = make(t, &s);
    struct split p = n->split;

    for (size_t i = 0; i < MOST_PARTS; i++) {
        p.in_top[i] = p.out_top[i] * s.stride;
        p.in_left[i] = p.out_left[i] * s.stride;
    }
    run(t, n->kind, &s, whole.w.v, &whole, whole.dw.v);
    run_parts(t, n->kind, &s, &p, &parts);
    equal(t, n, "y", &parts.y, &whole.y);
    equal(t, n, "dx", &parts.dx, &whole.dx);
    for (size_t i = 0; i < parts.dw.n; i++)
        if (fabs((double)parts.dw.v[i] - (double)whole.dw.v[i]) > 1e-6 * (double)(64 + s.out_height * s.out_width))
            fail_msg("%s: %s: dw[%zu] is %g by patches, %g in one", t->b->name, n->row.why, i, (double)parts.dw.v[i],
                     (double)whole.dw.v[i]);
    data_done(&whole);
    data_done(&parts);
}

static void check_naturals(struct bench *t)
{
    for (size_t i = 0; i < COUNT(naturals); i++)
        check_natural(t, &naturals[i]);
}

static void natural_cuts(void **state)
{
    (void)state;
    each_backend(check_naturals);
}

/* Cut anywhere in the bounds, at 'at' of 0 .. 2 between them: outputs whose window crosses no cut are those of the
 * unsplit one. */
static int crosses(const struct window *w, const int64_t *in_starts, size_t n, int64_t o)
{
    int64_t first = o * w->stride - w->pad_begin, end = first + w->kernel;

    for (size_t i = 1; i < n; i++)
        if (first < in_starts[i] && end > in_starts[i])
            return 1;
    return 0;
}

static void set_starts(const struct window *w, size_t n, const int64_t *out, int64_t *in, int at)
{
    in[0] = 0;
    for (size_t i = 1; i < n; i++) {
        int64_t low, high;

        split_bounds(w, out[i], &low, &high);
        in[i] = low + (high - low) * at / 2;
    }
}

static void check_away(struct bench *t, const struct conv_row *row, struct split p, int at)
{
    struct conv_shape s = shape_of(row);
    const struct window rows = { s.kernel, s.stride, s.pad_top, s.pad_bottom };
    const struct window columns = { s.kernel, s.stride, s.pad_left, s.pad_right };
    struct data whole = make(t, &s), parts = make(t, &s);
    int64_t away = 0;

    set_starts(&rows, p.rows, p.out_top, p.in_top, at);
    set_starts(&columns, p.columns, p.out_left, p.in_left, at);
    run(t, CONV, &s, whole.w.v, &whole, whole.dw.v);
    run_parts(t, CONV, &s, &p, &parts);
    for (size_t i = 0; i < whole.y.n; i++) {
        int64_t oh = (int64_t)i / s.out_width % s.out_height, ow = (int64_t)i % s.out_width;
        double apart = fabs((double)whole.y.v[i] - (double)parts.y.v[i]);
        int cut = crosses(&rows, p.in_top, p.rows, oh) || crosses(&columns, p.in_left, p.columns, ow);

        away += !cut;
        if (!cut && apart > 1e-4)
            fail_msg("%s: %s at %d: y of (%lld, %lld) is %g by patches, %g in one", t->b->name, row->why, at,
                     (long long)oh, (long long)ow, (double)parts.y.v[i], (double)whole.y.v[i]);
        /* A window that lost values and gives the same would be a wonder. */
        if (cut && apart < 1e-7)
            fail_msg("%s: %s at %d: y of (%lld, %lld) is as if there were no cut", t->b->name, row->why, at,
                     (long long)oh, (long long)ow);
    }
    assert_true(away > 0);
    data_done(&whole);
    data_done(&parts);
}

static void check_splits(struct bench *t)
{
    static const struct {
        struct conv_row row;
        struct split split;
    } splits[] = {
        { { "3x3", 2, 3, 4, 12, 11, 3, 1, 1, 1, 1, 1 }, { 2, 3, { 0, 5 }, { 0, 4, 8 }, { 0 }, { 0 } } },
        { { "3x3, 16 channels", 1, 16, 16, 12, 14, 3, 1, 1, 1, 1, 1 }, { 2, 2, { 0, 6 }, { 0, 7 }, { 0 }, { 0 } } },
        { { "3x3 stride 2", 1, 3, 4, 13, 14, 3, 2, 1, 1, 1, 1 }, { 2, 2, { 0, 3 }, { 0, 4 }, { 0 }, { 0 } } },
        { { "7x7 stride 2", 1, 3, 16, 24, 22, 7, 2, 3, 3, 3, 3 }, { 2, 2, { 0, 6 }, { 0, 5 }, { 0 }, { 0 } } },
        { { "1x1 stride 3", 1, 3, 4, 13, 14, 1, 3, 0, 0, 0, 0 }, { 2, 2, { 0, 2 }, { 0, 3 }, { 0 }, { 0 } } },
    };

    for (size_t i = 0; i < COUNT(splits); i++)
        for (int at = 0; at <= 2; at++)
            check_away(t, &splits[i].row, splits[i].split, at);
}

static void away_from_the_cuts(void **state)
{
    (void)state;
    each_backend(check_splits);
}

/* Two layers by patches: x is cut once, each patch goes through conv, relu and conv, the results are pasted. The first
 * convolution's parts of the output are the second's parts of the input. */
struct net {
    struct conv_shape one, two;
    struct split split_one, split_two;
    struct tensor x, w1, w2, r;
};

static const struct conv_row row_one = { "one", 2, 2, 3, 9, 10, 3, 1, 1, 1, 1, 1 };
static const struct conv_row row_two = { "two", 2, 3, 2, 9, 10, 3, 1, 1, 1, 1, 1 };

static struct net make_net(const struct bench *t)
{
    struct net n = { .one = shape_of(&row_one), .two = shape_of(&row_two) };
    const struct window w = { 3, 1, 1, 1 };

    n.split_two = (struct split){ 2, 2, { 0, 4 }, { 0, 6 }, { 0 }, { 0 } };
    set_starts(&w, 2, n.split_two.out_top, n.split_two.in_top, 0);
    set_starts(&w, 2, n.split_two.out_left, n.split_two.in_left, 2);
    n.split_one = n.split_two;
    memcpy(n.split_one.out_top, n.split_two.in_top, sizeof(n.split_one.out_top));
    memcpy(n.split_one.out_left, n.split_two.in_left, sizeof(n.split_one.out_left));
    set_starts(&w, 2, n.split_one.out_top, n.split_one.in_top, 1);
    set_starts(&w, 2, n.split_one.out_left, n.split_one.in_left, 0);
    n.x = tensor(t, nimage(&n.one), 21);
    n.w1 = tensor(t, nweights(&n.one), 22);
    n.w2 = tensor(t, nweights(&n.two), 23);
    n.r = tensor(t, noutput(&n.two), 24);
    return n;
}

struct gradients {
    struct tensor x, w1, w2;
};

/* L = sum r y over the pasted y; '*kinks' collects which side of 0 the relu's inputs are on. g NULL: no gradients. */
static double net_patch(struct bench *t, struct net *n, size_t i, size_t j, struct gradients *g, uint64_t *kinks)
{
    struct split_part r1 = row_part(&n->one, &n->split_one, i), c1 = column_part(&n->one, &n->split_one, j);
    struct split_part r2 = row_part(&n->two, &n->split_two, i), c2 = column_part(&n->two, &n->split_two, j);
    struct conv_shape one = part_shape(&n->one, &r1, &c1), two = part_shape(&n->two, &r2, &c2);
    struct image_shape in = image_in(&n->one), pin = image_in(&one), out = image_out(&n->two), pout = image_out(&two);
    struct tensor x = tensor(t, nimage(&one), 0), h = tensor(t, noutput(&one), 0), y = tensor(t, noutput(&two), 0);
    struct tensor dy = tensor(t, noutput(&two), 0), dx = tensor(t, nimage(&one), 0);
    double sum = 0;

    assert_int_equal(h.n, nimage(&two));
    worked(t, t->b->cut(t->o, &in, &pin, r1.in_start, c1.in_start, n->x.v, x.v, NULL), "cut");
    worked(t, t->b->conv_forward(t->o, &one, x.v, n->w1.v, NULL, h.v, NULL, 0, NULL), "first conv");
    worked(t, t->b->relu_forward(t->o, (int64_t)h.n, h.v, h.v, NULL), "relu");
    worked(t, t->b->conv_forward(t->o, &two, h.v, n->w2.v, NULL, y.v, NULL, 0, NULL), "second conv");
    worked(t, t->b->cut(t->o, &out, &pout, r2.out_start, c2.out_start, n->r.v, dy.v, NULL), "cut of the errors");
    for (size_t k = 0; k < y.n; k++)
        sum += (double)dy.v[k] * (double)y.v[k];
    for (size_t k = 0; k < h.n; k++)
        *kinks = (*kinks ^ (h.v[k] > 0)) * UINT64_C(0x100000001b3);
    if (g) {
        struct tensor dh = tensor(t, h.n, 0);

        worked(t, t->b->conv_backward_weights(t->o, &two, h.v, dy.v, g->w2.v, NULL, NULL, 0, NULL), "second dw");
        worked(t, t->b->conv_backward_data(t->o, &two, dy.v, n->w2.v, dh.v, NULL, 0, NULL), "second dx");
        worked(t, t->b->relu_backward(t->o, (int64_t)h.n, h.v, dh.v, dh.v, NULL), "relu backward");
        worked(t, t->b->conv_backward_weights(t->o, &one, x.v, dh.v, g->w1.v, NULL, NULL, 0, NULL), "first dw");
        worked(t, t->b->conv_backward_data(t->o, &one, dh.v, n->w1.v, dx.v, NULL, 0, NULL), "first dx");
        worked(t, t->b->paste(t->o, &in, &pin, r1.in_start, c1.in_start, dx.v, g->x.v, NULL), "paste of dx");
        tensor_done(&dh);
    }
    tensor_done(&x);
    tensor_done(&h);
    tensor_done(&y);
    tensor_done(&dy);
    tensor_done(&dx);
    return sum;
}

static double net_loss(struct bench *t, struct net *n, struct gradients *g, uint64_t *kinks)
{
    double sum = 0;

    *kinks = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 2; j++)
            sum += net_patch(t, n, i, j, g, kinks);
    return sum;
}

/* Values near which a relu changes sides are left out: few. */
static void check_differences(struct bench *t, struct net *n, const char *what, struct tensor *x,
                              const struct tensor *gradient)
{
    const float h = 0.004f;
    size_t checked = 0;

    for (size_t i = 0; i < x->n; i++) {
        float before = x->v[i];
        uint64_t below, above;
        double low, high, want;

        x->v[i] = before - h;
        low = net_loss(t, n, NULL, &below);
        x->v[i] = before + h;
        high = net_loss(t, n, NULL, &above);
        x->v[i] = before;
        want = (high - low) / (2 * (double)h);
        if (below != above)
            continue;
        checked++;
        if (!(fabs(want - (double)gradient->v[i]) <= 2e-3 * (1 + fabs(want))))
            fail_msg("%s: split net: %s[%zu]: gradient %g, differences say %g", t->b->name, what, i,
                     (double)gradient->v[i], want);
    }
    if (checked * 10 < x->n * 4)
        fail_msg("split net: only %zu of %zu values of %s could be checked", checked, x->n, what);
}

static void check_net(struct bench *t)
{
    struct net n = make_net(t);
    struct gradients g = { tensor(t, n.x.n, 0), tensor(t, n.w1.n, 0), tensor(t, n.w2.n, 0) };
    uint64_t kinks;

    memset(g.w1.v, 0, g.w1.n * sizeof(float));
    memset(g.w2.v, 0, g.w2.n * sizeof(float));
    net_loss(t, &n, &g, &kinks);
    check_differences(t, &n, "x", &n.x, &g.x);
    check_differences(t, &n, "w1", &n.w1, &g.w1);
    check_differences(t, &n, "w2", &n.w2, &g.w2);
    tensor_done(&g.x);
    tensor_done(&g.w1);
    tensor_done(&g.w2);
    tensor_done(&n.x);
    tensor_done(&n.w1);
    tensor_done(&n.w2);
    tensor_done(&n.r);
}

static void gradients_of_a_split_net(void **state)
{
    (void)state;
    threads(1); /* many small calls */
    each_backend(check_net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(natural_cuts),
        cmocka_unit_test(away_from_the_cuts),
        cmocka_unit_test(gradients_of_a_split_net),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
