/* Models by hand, transformed into Split-CNNs: where they are joined, where blocks meet, what is refused and why. */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "tests/model/split_check.h"
#include "tests/test.h"

/* A convolution of 4 channels: kernel, stride, padding. */
#define CONV(k, s, p)                                                               \
    {                                                                               \
        .kind = LAYER_CONV, .channels = 4, .kernel = (k), .stride = (s), .pad = (p) \
    }
#define POOL(k, s)                                          \
    {                                                       \
        .kind = LAYER_MAXPOOL, .kernel = (k), .stride = (s) \
    }
#define BLOCK(how, down, list)                                                                                  \
    {                                                                                                           \
        .kind = LAYER_BLOCK, .repeat = 1, .shortcut = (how), .downsample = (down), .layers = (list), .relu = 1, \
        .nlayers = COUNT(list)                                                                                  \
    }

static struct model inferred(struct layer_spec *layers, size_t n, int64_t height, int64_t width)
{
    struct model_spec spec = {
        .name = "m", .channels = 4, .height = height, .width = width, .classes = 10, .layers = layers, .nlayers = n
    };
    struct model m;
    char why[256] = "";

    if (model_infer(&spec, &m, why, sizeof(why)))
        fail_msg("%s", why);
    return m;
}

static struct split_net made(const struct split_spec *spec, const struct model *m)
{
    struct split_net s;
    char why[512] = "";

    if (split_net_make(spec, m, &s, why, sizeof(why)))
        fail_msg("%s", why);
    return s;
}

/* Nothing is written but the reason, which must begin with 'want'. */
static void refused(const struct split_spec *spec, const struct model *m, const char *want)
{
    struct split_net s, before;
    char why[512] = "";

    memset(&s, 0x5a, sizeof(s));
    before = s;
    assert_int_equal(split_net_make(spec, m, &s, why, sizeof(why)), E_INVAL);
    assert_memory_equal(&s, &before, sizeof(s));
    if (strncmp(why, want, strlen(want)) != 0)
        fail_msg("'%s' does not begin with '%s'", why, want);
}

static struct split_spec spec_of(double depth, int64_t rows, int64_t columns)
{
    return (struct split_spec){ .depth = depth, .rows = rows, .columns = columns };
}

/* conv1 relu conv2 [conv relu conv | add relu] conv5, then a plain repetition of conv6, then fc. */
static struct layer_spec block_body[] = { CONV(3, 1, 1), { .kind = LAYER_RELU }, CONV(3, 1, 1) };
static struct layer_spec plain_body[] = { CONV(3, 1, 1) };

static void joins(void **state)
{
    struct layer_spec list[] = {
        CONV(3, 1, 1),
        { .kind = LAYER_RELU },
        CONV(3, 1, 1),
        BLOCK(SHORTCUT_IDENTITY, 1, block_body),
        CONV(3, 1, 1),
        { .kind = LAYER_BLOCK, .repeat = 1, .shortcut = SHORTCUT_NONE, .layers = plain_body, .nlayers = 1 },
        { .kind = LAYER_CLASSIFIER }
    };
    static const struct {
        double depth;
        const char *last;
        int64_t convs;
    } cases[] = {
        { 1e-6, "conv1", 1 },    { 1.0 / 6, "conv1", 1 }, { 0.2, "conv1", 1 },     { 0.25, "conv2", 2 },
        { 2.0 / 6, "conv2", 2 }, { 0.49, "conv2", 2 },    { 0.5, "add1", 4 },      { 4.0 / 6, "add1", 4 },
        { 0.74, "add1", 4 },     { 0.75, "conv5", 5 },    { 5.0 / 6, "conv5", 5 }, { 0.92, "block2.", 6 },
        { 1, "block2.", 6 },
    };
    struct model m = inferred(list, COUNT(list), 16, 16);

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct split_spec spec = spec_of(cases[i].depth, 2, 2);
        struct split_net s = made(&spec, &m);
        const char *last = m.layers[s.nlayers - 1].name;
        split_check(&spec, &s, &m);
        if (s.convs_split != cases[i].convs || s.convs != 6 ||
            (strcmp(last, cases[i].last) != 0 && !(cases[i].convs == 6 && s.nlayers == m.nlayers - 1)))
            fail_msg("depth %g: joined behind %s, %d of %d", cases[i].depth, last, (int)s.convs_split, (int)s.convs);
        split_net_free(&s);
        split_net_free(&s); /* an all-zero one */
    }
    model_free(&m);
}

static void nothing_to_split(void **state)
{
    static const struct split_spec none[] = {
        { .depth = 0, .rows = 4, .columns = 4 },
        { .depth = 1, .rows = 1, .columns = 1 },
        { .depth = 0, .rows = 1, .columns = 1, .wiggle = 0.2, .seed = 7 },
    };
    struct layer_spec list[] = { CONV(3, 1, 1), { .kind = LAYER_CLASSIFIER } };
    struct layer_spec dense[] = { { .kind = LAYER_CLASSIFIER } };
    struct model m = inferred(list, COUNT(list), 8, 8), d = inferred(dense, COUNT(dense), 8, 8);

    (void)state;
    for (size_t i = 0; i < COUNT(none); i++) {
        struct split_net s = made(&none[i], &m);
        assert_int_equal(s.nlayers, 0);
        assert_int_equal(s.rows * s.columns, 1);
        assert_int_equal(s.height.n * s.width.n, 1);
        assert_int_equal(s.convs, 1);
        assert_int_equal(s.convs_split + s.zeros + s.taps, 0);
        assert_int_equal(split_net_out(&s, &m, 0, 0, 0).height, 8);
        assert_int_equal(split_net_in(&s, &m, 0, 0, 0).width, 8);
        split_net_free(&s);
        s = made(&none[i], &d);
        assert_int_equal(s.nlayers + (size_t)s.convs, 0);
        split_net_free(&s);
    }
    refused(&(struct split_spec){ .depth = 0.5, .rows = 2, .columns = 2 }, &d, "depth: there is no convolution");
    model_free(&m);
    model_free(&d);
}

static void bad_specs(void **state)
{
    struct layer_spec list[] = { CONV(3, 1, 1), { .kind = LAYER_CLASSIFIER } };
    struct model m = inferred(list, COUNT(list), 8, 12);
    struct split_spec s = spec_of(0.5, 2, 2);

    (void)state;
    s.depth = -0.01;
    refused(&s, &m, "depth: expected a share of the convolutions, 0..1, got -0.01");
    s.depth = 1.01;
    refused(&s, &m, "depth: ");
    s.depth = NAN;
    refused(&s, &m, "depth: ");
    s = spec_of(0, 0, 2);
    refused(&s, &m, "rows: expected 1 patch or more, got 0");
    s = spec_of(0, 2, 0);
    refused(&s, &m, "columns: expected 1 patch or more, got 0");
    s = spec_of(0, 2, -3);
    refused(&s, &m, "columns: expected 1 patch or more, got -3");
    s = spec_of(0, 2, 2);
    s.wiggle = 0.5;
    refused(&s, &m, "wiggle: expected 0 or more and less than 0.5, got 0.5");
    s.wiggle = -0.1;
    refused(&s, &m, "wiggle: ");
    s.wiggle = NAN;
    refused(&s, &m, "wiggle: ");
    s = spec_of(1, 9, 2);
    refused(&s, &m, "rows: 9 patches of the 8 rows that layer conv1 puts out: 8 would do");
    s = spec_of(1, 2, INT64_MAX);
    refused(&s, &m, "columns: 9223372036854775807 patches of the 12 columns that layer conv1 puts out: 12 would do");
    s = spec_of(1, 8, 12);
    struct split_net net = made(&s, &m);
    split_check(&s, &net, &m);
    split_check_zeros(&net, &m);
    split_net_free(&net);
    model_free(&m);
}

/* A large padding moves the middle of the bounds so far that a part would be empty, though the plane is large
 * enough. */
static void empty_parts(void **state)
{
    struct layer_spec front[] = { CONV(7, 1, 0), CONV(7, 1, 6), { .kind = LAYER_CLASSIFIER } };
    struct layer_spec first[] = { CONV(9, 1, 8), { .kind = LAYER_CLASSIFIER } };
    struct model m = inferred(front, COUNT(front), 18, 18), f = inferred(first, COUNT(first), 8, 30);
    struct split_spec s = spec_of(1, 1, 1);

    (void)state;
    for (s.columns = 2; s.columns <= 18; s.columns++) { /* 12 wide, cut at O - 3 */
        int64_t cut[20];
        char want[128];
        int64_t works = 1;
        for (int64_t n = 2; n <= 18; n++) {
            bool good = true;
            split_even(18, n, cut);
            for (int64_t i = 1; i < n; i++)
                good = good && cut[i] - 3 > (i > 1 ? cut[i - 1] - 3 : 0) && cut[i] - 3 < 12;
            if (good && n < s.columns)
                works = n;
            if (n == s.columns && good) {
                struct split_net net = made(&s, &m);
                split_check(&s, &net, &m);
                split_check_zeros(&net, &m);
                split_net_free(&net);
                works = 0;
            }
        }
        if (!works)
            continue;
        snprintf(want, sizeof(want), "columns: %s%d patches of the 12 columns that layer conv1 puts out",
                 s.columns > 12 ? "" : "of ", (int)s.columns);
        refused(&s, &m, want);
        snprintf(want, sizeof(want), ": %d would do", (int)works);
        struct split_net net;
        char why[512];
        split_net_make(&s, &m, &net, why, sizeof(why));
        if (!strstr(why, want))
            fail_msg("'%s' does not end with '%s'", why, want);
    }
    s = spec_of(1, 4, 1); /* 16 rows out of 8, cut at 4, 8, 12 minus 4: 0, 4, 8 */
    refused(&s, &f, "rows: of 4 patches of the 8 rows of the network's input, patch 0 would be empty: 3 would do");
    model_free(&m);
    model_free(&f);
    struct layer_spec behind[] = { CONV(1, 1, 0), CONV(2, 1, 1), { .kind = LAYER_CLASSIFIER } };
    m = inferred(behind, COUNT(behind), 8, 12); /* 9 rows out of 8, cut where they are: the last would begin at 8 */
    s = spec_of(1, 9, 1);
    refused(&s, &m, "rows: 9 patches of the 8 rows that layer conv1 puts out: 8 would do");
    s = (struct split_spec){ 1, 8, 1, 0.2, 0 }; /* the last of 8 can only be drawn at 8 */
    refused(&s, &m, "rows: of 8 patches of the 8 rows that layer conv1 puts out, patch 7 would be empty: 7 would do");
    model_free(&m);
}

static void layers_without_a_rule(void **state)
{
    struct layer_spec pair[] = { { .kind = LAYER_RELU }, { .kind = LAYER_SIGMOID } };
    struct layer_spec bodies[][1] = { { { .kind = LAYER_CONCAT, .layers = pair, .nlayers = 2 } },
                                      { { .kind = LAYER_AVGPOOL } },
                                      { { .kind = LAYER_SOFTMAX } },
                                      { { .kind = LAYER_FC, .units = 8 } },
                                      { { .kind = LAYER_EMBEDDING, .tables = 1, .rows = 2, .dim = 2 } },
                                      { { .kind = LAYER_INTERACTION, .dim = 4 } } };
    static const char *const want[] = {
        "depth: layer concat1 (concat)",       "depth: layer avgpool1 (avgpool)",
        "depth: layer softmax1 (softmax)",     "depth: layer fc1 (fc)",
        "depth: layer embedding1 (embedding)", "depth: layer interaction1 (interaction)"
    };

    (void)state;
    for (size_t i = 0; i < COUNT(bodies); i++) {
        struct layer_spec list[] = { CONV(3, 1, 1), bodies[i][0], CONV(1, 1, 0), { .kind = LAYER_CLASSIFIER } };
        struct model m = inferred(list, COUNT(list), 8, 8);
        struct split_spec s = spec_of(1, 2, 2);
        refused(&s, &m, want[i]);
        s.depth = 0.5; /* joined before it */
        struct split_net net = made(&s, &m);
        split_check(&s, &net, &m);
        split_net_free(&net);
        model_free(&m);
        m = inferred(list + 1, COUNT(list) - 1, 8, 8); /* right at the network's input */
        s.depth = 1;
        refused(&s, &m, want[i]);
        model_free(&m);
    }
}

/* A plane of one row is a sequence. */
static void sequences_without_a_rule(void **state)
{
    struct layer_spec bodies[] = { { .kind = LAYER_LINEAR, .units = 8 },
                                   { .kind = LAYER_LAYERNORM },
                                   { .kind = LAYER_ATTENTION, .heads = 2 } };
    static const char *const want[] = { "depth: layer linear1 (linear)", "depth: layer layernorm1 (layernorm)",
                                        "depth: layer attention1 (attention)" };

    (void)state;
    for (size_t i = 0; i < COUNT(bodies); i++) {
        struct layer_spec list[] = { CONV(1, 1, 0), bodies[i], CONV(1, 1, 0), { .kind = LAYER_CLASSIFIER } };
        struct model m = inferred(list, COUNT(list), 1, 8);
        struct split_spec s = spec_of(1, 1, 2);
        refused(&s, &m, want[i]);
        s.depth = 0.5;
        struct split_net net = made(&s, &m);
        assert_int_equal(net.nlayers, 1);
        split_net_free(&net);
        model_free(&m);
    }
    struct layer_spec tokens[] = { CONV(1, 1, 0),
                                   { .kind = LAYER_TOKENS, .rows = 2, .dim = 8, .positions = 4 },
                                   CONV(1, 1, 0),
                                   { .kind = LAYER_LAYERNORM, .name = "n" },
                                   { .kind = LAYER_ATTENTION, .heads = 1, .memory = "conv1" } };
    struct model m = inferred(tokens, COUNT(tokens), 1, 8);
    struct split_net net = made(&(struct split_spec){ .depth = 1, .rows = 1, .columns = 2 }, &m);
    assert_int_equal(net.nlayers, 1); /* tokens read nothing in front of them; behind, the first is still read */
    split_net_free(&net);
    model_free(&m);
}

/* Blocks whose paths meet, over many planes and splits. */
static void blocks_meet(void **state)
{
    struct layer_spec plain[] = { CONV(3, 1, 1), { .kind = LAYER_BATCHNORM }, { .kind = LAYER_RELU }, CONV(3, 1, 1) };
    struct layer_spec bottleneck[] = { CONV(1, 1, 0), { .kind = LAYER_SIGMOID }, CONV(3, 1, 1), CONV(1, 1, 0) };
    struct layer_spec wide[] = { CONV(5, 1, 2), { .kind = LAYER_DROPOUT }, CONV(7, 1, 3) };
    struct layer_spec uneven[] = { CONV(2, 1, 0), CONV(2, 1, 1) };
    struct layer_spec four[] = { CONV(4, 1, 2) };
    struct layer_spec third[] = { CONV(3, 1, 1) };
    struct layer_spec shifted[] = { CONV(3, 1, 2), CONV(3, 1, 0) };
    struct layer_spec drifting[] = { CONV(5, 1, 2), CONV(2, 1, 0), CONV(2, 1, 1) };
    struct layer_spec pooled[] = { { .kind = LAYER_AVGPOOL, .kernel = 3, .stride = 1, .pad = 1 }, CONV(1, 1, 0) };
    struct layer_spec nested[] = { CONV(3, 1, 1), BLOCK(SHORTCUT_IDENTITY, 1, plain), CONV(3, 1, 1) };
    struct layer_spec blocks[] = {
        BLOCK(SHORTCUT_IDENTITY, 1, plain),    BLOCK(SHORTCUT_IDENTITY, 2, plain),
        BLOCK(SHORTCUT_PROJECTION, 2, plain),  BLOCK(SHORTCUT_PROJECTION, 2, bottleneck),
        BLOCK(SHORTCUT_IDENTITY, 1, wide),     BLOCK(SHORTCUT_IDENTITY, 1, uneven),
        BLOCK(SHORTCUT_PROJECTION, 2, four),   BLOCK(SHORTCUT_IDENTITY, 3, third),
        BLOCK(SHORTCUT_PROJECTION, 3, third),  BLOCK(SHORTCUT_IDENTITY, 1, shifted),
        BLOCK(SHORTCUT_IDENTITY, 1, pooled),   BLOCK(SHORTCUT_IDENTITY, 1, nested),
        BLOCK(SHORTCUT_IDENTITY, 2, nested),   BLOCK(SHORTCUT_PROJECTION, 2, pooled),
        BLOCK(SHORTCUT_IDENTITY, 1, drifting), BLOCK(SHORTCUT_PROJECTION, 2, drifting),
    };

    (void)state;
    for (size_t i = 0; i < COUNT(blocks); i++)
        for (int first = 0; first < 2; first++) /* the block reads the network's input, or a layer */
            for (int64_t size = 15; size <= 18; size++) {
                struct layer_spec list[] = { CONV(3, 1, 1), blocks[i], CONV(3, 1, 1), { .kind = LAYER_CLASSIFIER } };
                if (blocks[i].layers == four && size % 2 == 0)
                    continue; /* its shortcut has another shape */
                struct model m = inferred(list + first, COUNT(list) - (size_t)first, size, size + 2);
                for (int64_t n = 1; n <= 4; n++)
                    for (int depth = 1; depth <= 4; depth++) {
                        struct split_spec s = { depth / 4.0, n, 2, n % 2 ? 0 : 0.3, n + depth };
                        struct split_net net = made(&s, &m);
                        split_check(&s, &net, &m);
                        split_check_zeros(&net, &m);
                        split_net_free(&net);
                    }
                model_free(&m);
            }
}

/* Four even kernels drift by two positions, of which the first of them can take back one. */
static void blocks_that_do_not_meet(void **state)
{
    struct layer_spec drift[] = { CONV(2, 1, 0), CONV(2, 1, 0), CONV(2, 1, 1), CONV(2, 1, 1) };
    struct layer_spec list[] = { CONV(3, 1, 1), BLOCK(SHORTCUT_IDENTITY, 1, drift), { .kind = LAYER_CLASSIFIER } };
    struct model m = inferred(list, COUNT(list), 16, 16);
    struct split_spec s = spec_of(1, 2, 1);

    (void)state;
    refused(
        &s, &m,
        "depth: the paths of a block do not meet: cut 1 of the 16 rows that layer conv1 puts out can be at 9..10 for "
        "layer conv2 and at 8..8 for layer add1");
    s = spec_of(1, 1, 2);
    refused(&s, &m, "depth: the paths of a block do not meet: cut 1 of the 16 columns that layer conv1 puts out");
    model_free(&m);
}

/* Where the path's own wish is out of the shortcut's bounds, the nearest position in them: two even kernels drift by
 * one. */
static void wishes_give_way(void **state)
{
    static const struct {
        int64_t kernel, pad, down;
        enum shortcut_kind shortcut;
        int64_t cut; /* of 24 positions, for the block's output cut in the middle */
    } cases[] = {
        { 5, 2, 1, SHORTCUT_IDENTITY, 12 },   /* bounds 11..15, wish 13; the sum 12 */
        { 7, 3, 2, SHORTCUT_PROJECTION, 12 }, /* 11..16, wish 14; the projection 11..12 */
        { 7, 3, 2, SHORTCUT_IDENTITY, 12 },
        { 5, 2, 2, SHORTCUT_PROJECTION, 12 }, /* 12..15; 11..12 */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct layer_spec body[] = { CONV(cases[i].kernel, 1, cases[i].pad), CONV(2, 1, 0), CONV(2, 1, 1) };
        struct layer_spec list[] = { CONV(1, 1, 0),
                                     BLOCK(cases[i].shortcut, cases[i].down, body),
                                     { .kind = LAYER_CLASSIFIER } };
        struct model m = inferred(list, COUNT(list), 24, 24);
        struct split_spec s = spec_of(1, 2, 2);
        struct split_net net = made(&s, &m);
        split_check(&s, &net, &m);
        if (net.height.parts[3].in_start != cases[i].cut)
            fail_msg("case %d: cut at %d", (int)i, (int)net.height.parts[3].in_start);
        split_net_free(&net);
        model_free(&m);
    }
}

static void cuts_by_hand(void **state)
{
    struct layer_spec body[] = { CONV(3, 1, 1), { .kind = LAYER_RELU }, CONV(3, 1, 1) };
    struct layer_spec list[] = { CONV(7, 2, 3),
                                 { .kind = LAYER_MAXPOOL, .kernel = 3, .stride = 2, .pad = 1 },
                                 BLOCK(SHORTCUT_IDENTITY, 2, body),
                                 { .kind = LAYER_CLASSIFIER } };
    struct model m = inferred(list, COUNT(list), 64, 48);
    struct split_spec s = spec_of(1, 2, 3);
    static const struct split_part rows[][2] = {
        { { 0, 32, 0, 16, 3, 2 }, { 32, 32, 16, 16, 3, 3 } }, /* 7/2 */
        { { 0, 16, 0, 8, 1, 0 }, { 16, 16, 8, 8, 1, 1 } },    /* pool 3/2 */
        { { 0, 8, 0, 4, 1, 0 }, { 8, 8, 4, 4, 1, 1 } },       /* 3/2 */
        { { 0, 4, 0, 4, 0, 0 }, { 4, 4, 4, 4, 0, 0 } },       /* relu */
        { { 0, 4, 0, 4, 1, 1 }, { 4, 4, 4, 4, 1, 1 } },       /* 3/1 */
        { { 0, 4, 0, 4, 0, 0 }, { 4, 4, 4, 4, 0, 0 } },       /* add */
    };
    static const struct split_part shortcut[] = { { 0, 8, 0, 4, 0, -1 }, { 8, 8, 4, 4, 0, 0 } };
    static const int64_t widths[][3] = {
        { 16, 16, 16 }, { 8, 8, 8 }, { 4, 4, 4 }, { 2, 2, 2 }, { 2, 2, 2 }, { 2, 2, 2 }
    };

    (void)state;
    struct split_net net = made(&s, &m);
    split_check(&s, &net, &m);
    assert_int_equal(net.nlayers, COUNT(rows));
    assert_memory_equal(net.height.parts, rows, sizeof(rows));
    assert_memory_equal(net.height.second + 5 * 2, shortcut, sizeof(shortcut));
    for (size_t l = 0; l < COUNT(rows); l++)
        for (int64_t i = 0; i < 3; i++) {
            assert_int_equal(split_net_in(&net, &m, l, 0, i).width, widths[l][i]);
            assert_int_equal(split_net_in(&net, &m, l, 1, i).height, rows[l][1].in_length);
            assert_int_equal(split_net_out(&net, &m, l, 1, i).height, rows[l][1].out_length);
            assert_int_equal(split_net_out(&net, &m, l, 1, i).channels, 4);
        }
    for (size_t l = 0; l < 5; l++) /* no second input */
        for (size_t i = 0; i < 2; i++)
            assert_int_equal(net.height.second[l * 2 + i].in_length, 0);
    split_net_free(&net);
    model_free(&m);
}

/* VGG's planes with one cut along each axis. Of all taps the share behind a cut is 1 - (1 - 2 / 3 L)^2. */
static void zeros_of_vgg(void **state)
{
    static const struct {
        int64_t size;
        double zeros, cut;
    } cases[] = { { 56, 2.395, 2.367 }, { 28, 4.818, 4.705 }, { 14, 9.75, 9.297 } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct layer_spec list[] = { CONV(3, 1, 1), { .kind = LAYER_CLASSIFIER } };
        struct model m = inferred(list, COUNT(list), cases[i].size, cases[i].size);
        struct split_spec s = spec_of(1, 2, 2);
        struct split_net net = made(&s, &m);
        struct split_taps t = split_net_taps(&net, &m, 0);
        double zeros = 100.0 * (double)t.zeros / (double)t.values, cut = 100.0 * (double)t.cut / (double)t.all;
        if (fabs(zeros - cases[i].zeros) > 0.001 || fabs(cut - cases[i].cut) > 0.001)
            fail_msg("%d: zeros %.4f %%, cut %.4f %%", (int)cases[i].size, zeros, cut);
        assert_int_equal(t.all, 16 * 9 * cases[i].size * cases[i].size);
        assert_int_equal(net.taps, t.values);
        assert_int_equal(net.zeros, t.zeros);
        split_net_free(&net);
        model_free(&m);
    }
}

static void draws(void **state)
{
    struct layer_spec list[] = { CONV(3, 1, 1), POOL(2, 2), CONV(3, 1, 1), { .kind = LAYER_CLASSIFIER } };
    struct model m = inferred(list, COUNT(list), 64, 64);
    int differ = 0, apart = 0;

    (void)state;
    for (int64_t seed = -20; seed < 20; seed++) {
        struct split_spec s = { 1, 2, 2, 0.2, seed }, alone = { 1, 1, 2, 0.2, seed }, next = { 1, 2, 2, 0.2, seed + 1 };
        struct split_net a = made(&s, &m), b = made(&s, &m), c = made(&alone, &m), d = made(&next, &m);
        size_t bytes = a.nlayers * 2 * sizeof(struct split_part);
        split_check(&s, &a, &m);
        split_check(&alone, &c, &m);
        assert_memory_equal(a.height.parts, b.height.parts, bytes);
        assert_memory_equal(a.width.parts, b.width.parts, bytes);
        assert_memory_equal(a.width.parts, c.width.parts, bytes);    /* one axis does not change the other's draws */
        assert_in_range(a.width.parts[2 * 2 + 1].out_start, 13, 19); /* 32 x (1 -+ 0.2) / 2 */
        differ += memcmp(a.height.parts, d.height.parts, bytes) != 0;
        apart += memcmp(a.height.parts, a.width.parts, bytes) != 0;
        split_net_free(&a);
        split_net_free(&b);
        split_net_free(&c);
        split_net_free(&d);
    }
    assert_true(differ > 25 && apart > 25);
    model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins),
        cmocka_unit_test(nothing_to_split),
        cmocka_unit_test(bad_specs),
        cmocka_unit_test(empty_parts),
        cmocka_unit_test(layers_without_a_rule),
        cmocka_unit_test(sequences_without_a_rule),
        cmocka_unit_test(blocks_meet),
        cmocka_unit_test(cuts_by_hand),
        cmocka_unit_test(zeros_of_vgg),
        cmocka_unit_test(draws),
        cmocka_unit_test(blocks_that_do_not_meet),
        cmocka_unit_test(wishes_give_way),
    };
    return cmocka_run_group_tests_name("patches", tests, NULL, NULL);
}
