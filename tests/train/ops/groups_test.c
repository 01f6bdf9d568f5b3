/* Grouped convolutions against ungrouped ones whose weights are zero between the groups; and in lower precision, where
 * zeros would lengthen chains, against each group's convolution on its own. */
#include <string.h>

#include "tests/train/ops/help.h"

static const struct {
    struct conv_row row;
    int64_t groups;
} cases[] = {
    { { "two groups", 2, 6, 4, 7, 9, 3, 1, 1, 1, 1, 1 }, 2 },
    { { "three, uneven padding", 3, 6, 9, 8, 5, 3, 1, 0, 2, 1, 0 }, 3 },
    { { "1x1", 2, 8, 12, 5, 6, 1, 1, 0, 0, 0, 0 }, 4 },
    { { "stride 2", 2, 32, 32, 9, 11, 5, 2, 2, 2, 2, 2 }, 2 },
    { { "a channel each", 2, 5, 10, 6, 7, 3, 1, 1, 1, 1, 1 }, 5 },
};

/* Up to 800 products of numbers below 1, summed in fp32 in another order. */
#define TOLERANCE 1e-4

struct arrays {
    struct tensor x, w, bias, dy, y, dx, dw, db;
};

static struct arrays arrays(const struct bench *t, const struct conv_shape *s)
{
    size_t out = (size_t)s->out_channels;

    return (struct arrays){ tensor(t, nimage(s), 1),   tensor(t, nweights(s), 2), tensor(t, out, 3),
                            tensor(t, noutput(s), 4),  tensor(t, noutput(s), 0),  tensor(t, nimage(s), 0),
                            tensor(t, nweights(s), 5), tensor(t, out, 6) };
}

static void done(struct arrays *a)
{
    struct tensor *all[] = { &a->x, &a->w, &a->bias, &a->dy, &a->y, &a->dx, &a->dw, &a->db };

    for (size_t i = 0; i < COUNT(all); i++)
        tensor_done(all[i]);
}

static void conv(struct bench *t, const struct conv_shape *s, struct arrays *a)
{
    worked(t, t->b->conv_forward(t->o, s, a->x.v, a->w.v, a->bias.v, a->y.v, NULL, 0, NULL), "forward");
    worked(t, t->b->conv_backward_data(t->o, s, a->dy.v, a->w.v, a->dx.v, NULL, 0, NULL), "backward, data");
    worked(t, t->b->conv_backward_weights(t->o, s, a->x.v, a->dy.v, a->dw.v, a->db.v, NULL, 0, NULL), "weights");
}

/* Weight i of the grouped layer, among those of the layer without groups. */
static int64_t whole_weight(const struct conv_shape *s, int64_t i)
{
    int64_t out = i / conv_taps(s), group = out / (s->out_channels / s->groups), taps = conv_taps(s);

    return (out * s->groups + group) * taps + i % taps;
}

static void check_whole(struct bench *t)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct conv_shape s = shape_of(&cases[i].row), whole = s;
        struct arrays a, b;

        s.groups = cases[i].groups;
        a = arrays(t, &s);
        b = arrays(t, &whole);
        memset(b.w.v, 0, nweights(&whole) * sizeof(float));
        for (size_t j = 0; j < nweights(&s); j++) {
            b.w.v[whole_weight(&s, (int64_t)j)] = a.w.v[j];
            b.dw.v[whole_weight(&s, (int64_t)j)] = a.dw.v[j];
        }
        conv(t, &s, &a);
        conv(t, &whole, &b);
        expect(t, cases[i].row.why, a.y.v, b.y.v, noutput(&s), TOLERANCE);
        expect(t, cases[i].row.why, a.dx.v, b.dx.v, nimage(&s), TOLERANCE);
        expect(t, cases[i].row.why, a.db.v, b.db.v, (size_t)s.out_channels, TOLERANCE);
        for (size_t j = 0; j < nweights(&s); j++)
            expect(t, cases[i].row.why, a.dw.v + j, b.dw.v + whole_weight(&s, (int64_t)j), 1, TOLERANCE);
        done(&a);
        done(&b);
    }
}

EACH(check_whole)

/* Channels 'first' .. of each image, 'count' of 'all'; and back. */
static void take(float *to, const float *from, int64_t batch, int64_t area, int64_t all, int64_t first, int64_t count)
{
    for (int64_t n = 0; n < batch; n++)
        memcpy(to + n * count * area, from + (n * all + first) * area, (size_t)(count * area) * sizeof(float));
}

static void check_same(struct bench *t, const char *why, struct tensor *got, const float *want)
{
    if (memcmp(got->v, want, got->n * sizeof(float)) != 0)
        fail_msg("%s: %s: a group is not what it is on its own", t->b->name, why);
}

static void check_group(struct bench *t, const struct conv_shape *s, const struct arrays *a, int64_t g, const char *why)
{
    struct conv_shape one = *s;
    struct arrays b;
    struct tensor y, dx;
    int64_t ins = s->in_channels / s->groups, outs = s->out_channels / s->groups;
    int64_t in_area = s->in_height * s->in_width, out_area = s->out_height * s->out_width;
    size_t weights;

    one.groups = 0, one.in_channels = ins, one.out_channels = outs;
    weights = nweights(&one);
    b = arrays(t, &one);
    y = tensor(t, noutput(&one), 0);
    dx = tensor(t, nimage(&one), 0);
    take(b.x.v, a->x.v, s->batch, in_area, s->in_channels, g * ins, ins);
    take(b.dy.v, a->dy.v, s->batch, out_area, s->out_channels, g * outs, outs);
    memcpy(b.w.v, a->w.v + (size_t)g * weights, weights * sizeof(float));
    memcpy(b.bias.v, a->bias.v + g * outs, (size_t)outs * sizeof(float));
    memset(b.dw.v, 0, weights * sizeof(float));
    conv(t, &one, &b);
    take(y.v, a->y.v, s->batch, out_area, s->out_channels, g * outs, outs);
    take(dx.v, a->dx.v, s->batch, in_area, s->in_channels, g * ins, ins);
    check_same(t, why, &b.y, y.v);
    check_same(t, why, &b.dx, dx.v);
    check_same(t, why, &b.dw, a->dw.v + (size_t)g * weights);
    tensor_done(&y);
    tensor_done(&dx);
    done(&b);
}

static void check_alone(struct bench *t)
{
    const enum fma_mode modes[] = { FMA_MP, FMA_BF16 };

    for (size_t i = 0; i < COUNT(cases) * COUNT(modes); i++) {
        struct conv_shape s = shape_of(&cases[i / COUNT(modes)].row);
        struct arrays a;

        if (t->b->on_device || t->b->set_precision(t->o, modes[i % COUNT(modes)]))
            continue;
        s.groups = cases[i / COUNT(modes)].groups;
        a = arrays(t, &s);
        memset(a.dw.v, 0, nweights(&s) * sizeof(float));
        conv(t, &s, &a);
        for (int64_t g = 0; g < s.groups; g++)
            check_group(t, &s, &a, g, cases[i / COUNT(modes)].row.why);
        done(&a);
    }
}

EACH(check_alone)

/* Two groups of 3 channels onto 2: 2 x 4 outputs of 12 positions, 27 taps each. */
static void check_count(struct bench *t)
{
    const struct conv_row row = { "counted", 2, 6, 4, 4, 3, 3, 1, 1, 1, 1, 1 };
    struct conv_shape s = shape_of(&row);
    uint64_t counts[FMA_NMODES][OPS_NPASSES];
    struct arrays a;

    s.groups = 2;
    a = arrays(t, &s);
    conv(t, &s, &a);
    t->b->multiply_adds(t->o, counts);
    for (int p = 0; p < OPS_NPASSES; p++)
        assert_int_equal(counts[FMA_FP32][p], 2 * 4 * 12 * 27);
    s.groups = 4;
    assert_true(t->b->conv_forward(t->o, &s, a.x.v, a.w.v, NULL, a.y.v, NULL, 0, NULL) < 0);
    assert_non_null(strstr(t->b->error(t->o), "4 groups do not divide 6 to 4 channels"));
    done(&a);
}

EACH(check_count)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_check_whole),
        cmocka_unit_test(each_check_alone),
        cmocka_unit_test(each_check_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
