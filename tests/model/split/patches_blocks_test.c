/* Split blocks: where their paths agree; zeros and draws. */
#include "tests/model/split/patches_rig.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "tests/draw.h"
#include "tests/model/split/split_check.h"
#include "tests/test.h"

#define POOL(k, s)                                          \
    {                                                       \
        .kind = LAYER_MAXPOOL, .kernel = (k), .stride = (s) \
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
        cmocka_unit_test(blocks_meet),
        cmocka_unit_test(cuts_by_hand),
        cmocka_unit_test(zeros_of_vgg),
        cmocka_unit_test(draws),
        cmocka_unit_test(blocks_that_do_not_meet),
        cmocka_unit_test(wishes_give_way),
    };

    return cmocka_run_group_tests_name("patches_blocks", tests, NULL, NULL);
}
