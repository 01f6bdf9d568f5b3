/* Where a network is split and what is refused. */
#include "tests/model/split/patches_rig.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "tests/draw.h"
#include "tests/model/split/split_check.h"
#include "tests/test.h"

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

static void oblong_windows_are_cut_along_both_axes(void **state)
{
    struct layer_spec list[] = {
        { .kind = LAYER_CONV, .channels = 4, .kernel = 1, .kernel_width = 5, .pad_width = 4 },
        { .kind = LAYER_CONV, .channels = 4, .kernel = 5, .kernel_width = 2, .stride = 2, .pad = 2 },
        CONV(1, 1, 0),
        { .kind = LAYER_CLASSIFIER },
    };
    struct model m = inferred(list, COUNT(list), 30, 24);

    (void)state;
    for (int64_t rows = 1; rows <= 3; rows++)
        for (int64_t columns = rows > 1 ? 1 : 2; columns <= 3; columns++) {
            struct split_spec spec = spec_of(1, rows, columns);
            struct split_net s = made(&spec, &m);
            split_check(&spec, &s, &m);
            split_check_zeros(&s, &m);
            assert_int_equal(split_net_taps(&s, &m, 0).zeros > 0, columns > 1); /* its rows are of one position */
            for (int64_t i = 1; i < rows; i++)
                assert_int_equal(s.height.parts[i].in_start, s.height.parts[i].out_start);
            for (int64_t i = 1; i < columns; i++) /* the middle of its five columns, of which four stand before */
                assert_int_equal(s.width.parts[i].in_start, s.width.parts[i].out_start - 2);
            split_net_free(&s);
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
                                   { .kind = LAYER_ATTENTION, .bias = 1, .heads = 2 } };
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
                                   { .kind = LAYER_ATTENTION, .bias = 1, .heads = 1, .memory = "conv1" } };
    struct model m = inferred(tokens, COUNT(tokens), 1, 8);
    struct split_net net = made(&(struct split_spec){ .depth = 1, .rows = 1, .columns = 2 }, &m);
    assert_int_equal(net.nlayers, 1); /* tokens read nothing in front of them; behind, the first is still read */
    split_net_free(&net);
    model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins),
        cmocka_unit_test(oblong_windows_are_cut_along_both_axes),
        cmocka_unit_test(nothing_to_split),
        cmocka_unit_test(bad_specs),
        cmocka_unit_test(empty_parts),
        cmocka_unit_test(layers_without_a_rule),
        cmocka_unit_test(sequences_without_a_rule),
    };

    return cmocka_run_group_tests_name("patches", tests, NULL, NULL);
}
