/* The modes of set_precision(): their arithmetic by hand, the same bits as the reference, and the multiply-adds that
 * are counted. */
#include <stdlib.h>
#include <string.h>

#include "kernels/gemm/fma_lane.h"
#include "tests/sanitized.h"
#include "tests/train/ops/help.h"
#include "train/ops/reference/chain.h"

/* Each image is one band of the backend "gemm", so that its chains are the reference's. */
static const struct conv_row rows[] = {
    /*                              batch in  out  h   w   k  s  top bottom left right */
    { "odd everything", 3, 5, 7, 9, 11, 3, 1, 1, 1, 1, 1 },
    { "four paddings", 2, 16, 33, 10, 9, 3, 1, 0, 2, 1, 0 },
    { "wide enough for planes", 5, 7, 16, 8, 9, 3, 1, 1, 1, 1, 1 },
    { "1x1", 2, 40, 24, 7, 7, 1, 1, 0, 0, 0, 0 },
    { "3x3 stride 2", 2, 17, 20, 13, 14, 3, 2, 1, 1, 1, 1 },
    { "skips rows and columns", 2, 6, 5, 12, 13, 3, 1, -2, 1, 0, -3 },
    { "a window in the padding alone", 1, 3, 4, 4, 4, 2, 1, 0, 3, 2, 0 },
};
static const enum fma_mode modes[] = { FMA_FP32, FMA_MP, FMA_BF16 };

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

static void conv(struct bench *t, const struct conv_shape *s, struct arrays *a, const char *why)
{
    tensor_fill(&a->dw, 5);
    tensor_fill(&a->db, 6);
    worked(t, t->b->conv_forward(t->o, s, a->x.v, a->w.v, a->bias.v, a->y.v, NULL, 0, NULL), why);
    worked(t, t->b->conv_backward_data(t->o, s, a->dy.v, a->w.v, a->dx.v, NULL, 0, NULL), why);
    worked(t, t->b->conv_backward_weights(t->o, s, a->x.v, a->dy.v, a->dw.v, a->db.v, NULL, 0, NULL), why);
}

/* The same sizes, an image of one value. */
static void fc(struct bench *t, const struct conv_shape *s, struct arrays *a, const char *why)
{
    int64_t n = s->batch, in = s->in_channels, out = s->out_channels;

    tensor_fill(&a->dw, 5);
    tensor_fill(&a->db, 6);
    worked(t, t->b->fc_forward(t->o, n, in, out, a->x.v, a->w.v, a->bias.v, a->y.v, NULL), why);
    worked(t, t->b->fc_backward_data(t->o, n, in, out, a->dy.v, a->w.v, a->dx.v, NULL), why);
    worked(t, t->b->fc_backward_weights(t->o, n, in, out, a->x.v, a->dy.v, a->dw.v, a->db.v, NULL), why);
}

/* A bias's gradient is each backend's own, in any mode. */
static void same(struct bench *t, const char *why, enum fma_mode mode, const struct arrays *a, const struct arrays *b)
{
    const struct tensor *x[] = { &a->y, &a->dx, &a->dw }, *y[] = { &b->y, &b->dx, &b->dw };
    static const char *const names[] = { "y", "dx", "dw" };

    for (size_t i = 0; i < COUNT(x); i++) {
        int64_t at = first_difference(x[i], y[i]);

        if (at >= 0)
            fail_msg("%s: mode %d: %s: %s[%lld] is %.9g, and %.9g by the definition", t->b->name, (int)mode, why,
                     names[i], (long long)at, (double)x[i]->v[at], (double)y[i]->v[at]);
    }
}

typedef void all_fn(struct bench *t, const struct conv_shape *s, struct arrays *a, const char *why);

/* Against the reference, with one to three threads; and against the same in fp32: the mode is used. */
static void check_bits(struct bench *t, const struct conv_shape *s, all_fn *all, enum ops_chains chains,
                       const char *why)
{
    struct bench reference = { &ops_reference, ops_reference.open((char[64]){ 0 }, 64), NULL };
    struct arrays want = arrays(&reference, s), got = arrays(t, s), fp32 = arrays(t, s);

    all(t, s, &fp32, why);
    for (size_t m = 1; m < COUNT(modes); m++) {
        ops_reference.set_chains(reference.o, chains);
        t->b->set_chains(t->o, chains);
        assert_int_equal(ops_reference.set_precision(reference.o, modes[m]), 0);
        all(&reference, s, &want, why);
        worked(t, t->b->set_precision(t->o, modes[m]), "set_precision");
        for (int n = 1; n <= 3; n++) {
            threads(n);
            all(t, s, &got, why);
            same(t, why, modes[m], &got, &want);
        }
        threads(2);
        assert_true(first_difference(&got.y, &fp32.y) >= 0 && first_difference(&got.dx, &fp32.dx) >= 0 &&
                    first_difference(&got.dw, &fp32.dw) >= 0);
        assert_int_equal(first_difference(&got.db, &fp32.db), -1);
    }
    worked(t, t->b->set_precision(t->o, FMA_FP32), "set_precision");
    all(t, s, &got, why);
    same(t, why, FMA_FP32, &got, &fp32);
    ops_reference.close(reference.o);
    done(&want);
    done(&got);
    done(&fp32);
}

static void check_backend(struct bench *t)
{
    static const struct conv_row connected[] = {
        { "3 to 5", 7, 3, 5, 1, 1, 1, 1, 0, 0, 0, 0 },
        { "130 to 67", 17, 130, 67, 1, 1, 1, 1, 0, 0, 0, 0 },
        { "in two pieces", 2, 5000, 70, 1, 1, 1, 1, 0, 0, 0, 0 },
    };

    if (t->b->on_device) /* its chains are others: ops_cuda_test */
        return;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct conv_shape s = shape_of(&rows[i]);

        if (!sampled() || i % 2 == 0)
            check_bits(t, &s, conv, OPS_CHAINS_WHOLE, rows[i].why);
        if (!sampled() || i % 2)
            check_bits(t, &s, conv, OPS_CHAINS_CUT, rows[i].why);
    }
    for (size_t i = 0; i < COUNT(connected); i++) {
        struct conv_shape s = shape_of(&connected[i]);

        check_bits(t, &s, fc, OPS_CHAINS_WHOLE, connected[i].why);
    }
}

static void by_the_definition(void **state)
{
    (void)state;
    each_backend(check_backend);
}

/* The backend "gemm" keeps to the definition in fp32, too, whichever loops it takes. */
static void check_fp32(struct bench *t)
{
    if (strcmp(t->b->name, "gemm") != 0)
        return;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct conv_shape s = shape_of(&rows[i]);
        struct arrays got = arrays(t, &s), want = arrays(t, &s);

        conv(t, &s, &got, rows[i].why);
        chain_conv_forward(FMA_FP32, &s, want.x.v, want.w.v, want.bias.v, want.y.v);
        assert_int_equal(first_difference(&got.y, &want.y), -1);
        done(&got);
        done(&want);
    }
}

static void fp32_by_the_definition(void **state)
{
    (void)state;
    each_backend(check_fp32);
}

/* bf16 has 8 significant bits: 1 + 2^-8 lies half way from 1 to the next one and goes to 1; 256 + 1 becomes 256. */
static const struct {
    const char *why;
    float x[2], w[2], bias, y[COUNT(modes)]; /* y = bias + x0 w0 + x1 w1 in each mode */
} sums[] = {
    { "nothing to round", { 1, 2 }, { 3, 4 }, 5, { 16, 16, 16 } },
    { "operands", { 1.00390625f, 0 }, { 1, 0 }, 0, { 1.00390625f, 1, 1 } },
    { "other operands", { 1, 1 }, { 1.01171875f, -1 }, 0, { 0.01171875f, 0.015625f, 0.015625f } },
    { "the accumulator", { 1, 1 }, { 256, 1 }, 0, { 257, 257, 256 } },
    { "the accumulator, twice", { 1, 1 }, { 1, 1 }, 256, { 258, 258, 256 } },
    { "what it starts from", { 0, 0 }, { 1, 1 }, 257, { 257, 257, 256 } },
};

static void check_sums(struct bench *t)
{
    const struct conv_row row = { "1x1", 1, 2, 1, 1, 1, 1, 1, 0, 0, 0, 0 };
    struct conv_shape s = shape_of(&row);
    struct arrays a = arrays(t, &s);

    for (size_t i = 0; i < COUNT(sums); i++)
        for (size_t m = 0; m < COUNT(modes); m++) {
            if (t->b->set_precision(t->o, modes[m]))
                continue;
            memcpy(a.x.v, sums[i].x, sizeof(sums[i].x));
            memcpy(a.w.v, sums[i].w, sizeof(sums[i].w));
            a.bias.v[0] = sums[i].bias;
            for (int k = 0; k < 2; k++) {
                if (k)
                    worked(t, t->b->fc_forward(t->o, 1, 2, 1, a.x.v, a.w.v, a.bias.v, a.y.v, NULL), sums[i].why);
                else
                    worked(t, t->b->conv_forward(t->o, &s, a.x.v, a.w.v, a.bias.v, a.y.v, NULL, 0, NULL), sums[i].why);
                if (a.y.v[0] != sums[i].y[m])
                    fail_msg("%s: %s: mode %d gives %.9g, not %.9g", t->b->name, sums[i].why, (int)modes[m],
                             (double)a.y.v[0], (double)sums[i].y[m]);
            }
        }
    done(&a);
}

static void by_hand(void **state)
{
    (void)state;
    each_backend(check_sums);
}

/* A gradient is added in fp32 to what is there: 257 stays what it is. */
static void check_gradient(struct bench *t)
{
    const struct conv_row row = { "1x1", 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0 };
    struct conv_shape s = shape_of(&row);
    struct arrays a = arrays(t, &s);

    for (size_t m = 0; m < COUNT(modes); m++)
        for (int k = 0; k < 2; k++) {
            if (t->b->set_precision(t->o, modes[m]))
                continue;
            a.x.v[0] = a.dy.v[0] = 1;
            a.dw.v[0] = 256;
            a.db.v[0] = 256;
            if (k)
                worked(t, t->b->fc_backward_weights(t->o, 1, 1, 1, a.x.v, a.dy.v, a.dw.v, a.db.v, NULL), "fc");
            else
                worked(t, t->b->conv_backward_weights(t->o, &s, a.x.v, a.dy.v, a.dw.v, a.db.v, NULL, 0, NULL), "conv");
            if (a.dw.v[0] != 257 || a.db.v[0] != 257)
                fail_msg("%s: mode %d: 256 + 1 is %g and %g", t->b->name, (int)modes[m], (double)a.dw.v[0],
                         (double)a.db.v[0]);
        }
    done(&a);
}

static void gradients_keep_what_is_there(void **state)
{
    (void)state;
    each_backend(check_gradient);
}

/* Of the one weight of a 1x1 layer: 256 + 1 + 1 over three images of one value, and over one image of three. Of the
 * input in the middle of 3x3, that nine windows see, the first of them with an error of 256. */
static const struct {
    const char *why;
    enum fma_mode mode;
    enum ops_chains chains;
    float images, positions, windows;
} links[] = {
    { "fp32", FMA_FP32, OPS_CHAINS_WHOLE, 258, 258, 264 },
    { "mp", FMA_MP, OPS_CHAINS_WHOLE, 258, 258, 264 },
    { "mp is cut as it was", FMA_MP, OPS_CHAINS_CUT, 258, 258, 264 },
    { "bf16, whole", FMA_BF16, OPS_CHAINS_WHOLE, 256, 256, 256 },
    { "bf16, cut", FMA_BF16, OPS_CHAINS_CUT, 258, 256, 264 },
};

static void check_links(struct bench *t)
{
    const struct conv_row forms[] = { { "images", 3, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0 },
                                      { "positions", 1, 1, 1, 1, 3, 1, 1, 0, 0, 0, 0 },
                                      { "windows", 1, 1, 1, 3, 3, 3, 1, 1, 1, 1, 1 } };

    for (size_t i = 0; i < COUNT(links) * COUNT(forms); i++) {
        size_t form = i % COUNT(forms), l = i / COUNT(forms);
        struct conv_shape s = shape_of(&forms[form]);
        struct arrays a = arrays(t, &s);
        float want = form == 0 ? links[l].images : form == 1 ? links[l].positions : links[l].windows, got;

        t->b->set_chains(t->o, links[l].chains);
        for (int j = 0; j < 9; j++) {
            a.w.v[form == 2 ? j : 0] = 1;
            if (form == 2 || j < 3)
                a.x.v[j] = 1, a.dy.v[j] = j == (form == 2 ? 8 : 0) ? 256 : 1;
        }
        a.dw.v[0] = 0;
        if (t->b->set_precision(t->o, links[l].mode) == 0) {
            if (form == 2)
                worked(t, t->b->conv_backward_data(t->o, &s, a.dy.v, a.w.v, a.dx.v, NULL, 0, NULL), links[l].why);
            else
                worked(t, t->b->conv_backward_weights(t->o, &s, a.x.v, a.dy.v, a.dw.v, NULL, NULL, 0, NULL),
                       links[l].why);
            got = form == 2 ? a.dx.v[4] : a.dw.v[0];
            if (got != want)
                fail_msg("%s: %s: %s give %g, not %g", t->b->name, links[l].why, forms[form].why, (double)got,
                         (double)want);
        }
        done(&a);
    }
}

static void chains_end_where_they_should(void **state)
{
    (void)state;
    each_backend(check_links);
}

/* An image of the backend "gemm" is two bands here: a whole chain goes on over both, and over both images. Link by
 * link, in the plainest way, of the last weight. */
static void check_bands(struct bench *t)
{
    const struct conv_row row = { "two bands", 2, 32, 1, 40, 64, 3, 1, 1, 1, 1, 1 };
    struct conv_shape s = shape_of(&row);
    struct arrays a = arrays(t, &s);
    float sum = 0;

    if (t->b->on_device || t->b->set_precision(t->o, FMA_BF16))
        return;
    for (int64_t i = 0; i < 2 * 40 * 64; i++) {
        int64_t n = i / (40 * 64), h = i / 64 % 40 + 1, w = i % 64 + 1;
        float x = h < 40 && w < 64 ? a.x.v[((n * 32 + 31) * 40 + h) * 64 + w] : 0;

        sum = fma_round_bf16(fmaf(fma_round_bf16(x), fma_round_bf16(a.dy.v[i]), sum));
    }
    sum += a.dw.v[32 * 9 - 1];
    worked(t, t->b->conv_backward_weights(t->o, &s, a.x.v, a.dy.v, a.dw.v, NULL, NULL, 0, NULL), row.why);
    if (a.dw.v[32 * 9 - 1] != sum)
        fail_msg("%s: the chain gives %.9g, link by link %.9g", t->b->name, (double)a.dw.v[32 * 9 - 1], (double)sum);
    done(&a);
}

static void a_chain_goes_on_over_bands(void **state)
{
    (void)state;
    each_backend(check_bands);
}

static void check_refused(struct bench *t)
{
    const enum fma_mode none = FMA_NMODES;
    const struct conv_row row = { "1x1", 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0 };
    struct conv_shape s = shape_of(&row);
    struct arrays a = arrays(t, &s);
    uint64_t counts[FMA_NMODES][OPS_NPASSES];

    worked(t, t->b->set_precision(t->o, FMA_MP), "set_precision");
    assert_true(t->b->set_precision(t->o, FMA_BF16DOT) < 0);
    assert_non_null(strstr(t->b->error(t->o), "bf16dot"));
    assert_true(t->b->set_precision(t->o, none) < 0);
    conv(t, &s, &a, "after a refusal");
    t->b->multiply_adds(t->o, counts);
    for (int p = 0; p < OPS_NPASSES; p++)
        assert_int_equal(counts[FMA_MP][p], 1);
    done(&a);
}

static void refused(void **state)
{
    (void)state;
    each_backend(check_refused);
}

/* So that no two passes have done as much: one forward more, two backward to the data. */
static void uneven(struct bench *t, const struct conv_shape *s, struct arrays *a, bool connected)
{
    int64_t n = s->batch, in = s->in_channels, out = s->out_channels;

    for (int i = 0; i < 3; i++)
        if (connected)
            worked(t,
                   i ? t->b->fc_backward_data(t->o, n, in, out, a->dy.v, a->w.v, a->dx.v, NULL)
                     : t->b->fc_forward(t->o, n, in, out, a->x.v, a->w.v, a->bias.v, a->y.v, NULL),
                   "fc again");
        else
            worked(t,
                   i ? t->b->conv_backward_data(t->o, s, a->dy.v, a->w.v, a->dx.v, NULL, 0, NULL)
                     : t->b->conv_forward(t->o, s, a->x.v, a->w.v, a->bias.v, a->y.v, NULL, 0, NULL),
                   "conv again");
}

static void add_uneven(uint64_t want[OPS_NPASSES], uint64_t count)
{
    want[OPS_FORWARD] += 2 * count;
    want[OPS_BACKWARD_DATA] += 3 * count;
    want[OPS_BACKWARD_WEIGHTS] += count;
}

/* By hand. The batch of 2 has 4 x 3 positions of 3 outputs with 5 x 9 taps: 2 * 12 * 3 * 45 = 3240; at stride 2, 2 x 2
 * positions: 1080; connected, 2 * 5 * 3 = 30. What fails counts nothing. */
static void check_counts(struct bench *t)
{
    static const struct {
        struct conv_row row;
        uint64_t count;
    } cases[] = { { { "3x3", 2, 5, 3, 4, 3, 3, 1, 1, 1, 1, 1 }, 3240 },
                  { { "at stride 2", 2, 5, 3, 4, 3, 3, 2, 1, 1, 1, 1 }, 1080 },
                  { { "a window in the padding alone", 1, 1, 1, 4, 4, 2, 1, 0, 3, 2, 0 }, 120 } };
    uint64_t want[FMA_NMODES][OPS_NPASSES] = { 0 }, got[FMA_NMODES][OPS_NPASSES];

    for (size_t i = 0; i < COUNT(cases) * COUNT(modes); i++) {
        enum fma_mode mode = modes[i % COUNT(modes)];
        struct conv_shape s = shape_of(&cases[i / COUNT(modes)].row), wrong = s;
        struct arrays a = arrays(t, &s);

        if (t->b->set_precision(t->o, mode) == 0) {
            conv(t, &s, &a, "counted");
            uneven(t, &s, &a, 0);
            add_uneven(want[mode], cases[i / COUNT(modes)].count);
            if (s.batch == 2) {
                fc(t, &s, &a, "counted");
                uneven(t, &s, &a, 1);
                add_uneven(want[mode], 30);
            }
        }
        wrong.out_height++;
        assert_true(t->b->conv_forward(t->o, &wrong, a.x.v, a.w.v, NULL, a.y.v, NULL, 0, NULL) < 0);
        assert_true(t->b->fc_forward(t->o, 0, 1, 1, a.x.v, a.w.v, NULL, a.y.v, NULL) < 0);
        t->b->multiply_adds(t->o, got);
        for (int m = 0; m < FMA_NMODES; m++)
            for (int p = 0; p < OPS_NPASSES; p++)
                if (got[m][p] != want[m][p])
                    fail_msg("%s: %s: %llu multiply-adds in mode %d, pass %d, not %llu", t->b->name,
                             cases[i / COUNT(modes)].row.why, (unsigned long long)got[m][p], m, p,
                             (unsigned long long)want[m][p]);
        done(&a);
    }
}

static void counted(void **state)
{
    (void)state;
    each_backend(check_counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(by_the_definition),
        cmocka_unit_test(fp32_by_the_definition),
        cmocka_unit_test(gradients_keep_what_is_there),
        cmocka_unit_test(chains_end_where_they_should),
        cmocka_unit_test(a_chain_goes_on_over_bands),
        cmocka_unit_test(refused),
        cmocka_unit_test(counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
