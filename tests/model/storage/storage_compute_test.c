/* Storage objects do not change what networks compute: plans are computed in shared memory. */
#include "tests/model/storage/storage_rig.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "model/storage/storage.h"
#include "tests/draw.h"
#include "tests/model/graph/graph_nets.h"
#include "tests/model/graph/graph_player.h"
#include "tests/test.h"

/* The moments by brute force, from the tensors alone. */
static void check_moments(const struct built *b)
{
    const struct graph *g = &b->g;
    struct storage *want = calloc(b->s.n, sizeof(*want));
    int64_t generated = 0;

    for (size_t i = 0; i < b->s.n; i++)
        want[i] = (struct storage){ .first = NO_OPERATION,
                                    .last_write = NO_OPERATION,
                                    .last_forward = NO_OPERATION,
                                    .first_backward = NO_OPERATION };
    want[0].first = 0; /* the images are there, even if tokens are all that is read */
    for (size_t t = 0; t < g->ntensors; t++) {
        assert_in_range(g->tensors[t].storage, 0, b->s.n - 1);
        assert_int_equal(b->s.items[g->tensors[t].storage].bytes, g->tensors[t].bytes);
        want[g->tensors[t].storage].references++;
    }
    for (int32_t i = 0; i < (int32_t)g->noperations; i++) {
        int32_t touched[2 * OPERATION_PLACES];
        int reads = operation_reads(&g->operations[i], touched);
        int all = reads + operation_writes(&g->operations[i], touched + reads);
        for (int k = 0; k < all; k++) {
            struct storage *w = &want[g->tensors[touched[k]].storage];
            w->first = w->first == NO_OPERATION ? i : w->first;
            w->last = i;
            w->last_write = k >= reads && i < (int32_t)g->nforward ? i : w->last_write;
            w->last_forward = i < (int32_t)g->nforward ? i : w->last_forward;
            if (k < reads && i >= (int32_t)g->nforward && w->first_backward == NO_OPERATION)
                w->first_backward = i;
        }
    }
    for (size_t i = 0; i < b->s.n; i++) {
        const struct storage *s = &b->s.items[i], *w = &want[i];
        assert_int_equal(s->first, w->first);
        assert_int_equal(s->last_write, w->last_write);
        assert_int_equal(s->last_forward, w->last_forward);
        assert_int_equal(s->references, w->references);
        assert_true(i == 0 || s->first >= b->s.items[i - 1].first);
        if (g->generated == GENERATED_STORED || g->generated == GENERATED_CUDNN)
            assert_int_equal(s->last, w->last);
        assert_true(s->last >= w->last);
        if (w->first_backward != NO_OPERATION)
            assert_int_equal(s->first_backward, w->first_backward);
        else
            assert_int_equal(s->first_backward, s->last >= (int32_t)g->nforward && s->last > w->last ? s->last : -1);
        assert_int_equal(s->generated, s->first < (int32_t)g->nforward && s->first_backward != NO_OPERATION &&
                                           g->tensors[s->tensor].role == TENSOR_ACTIVATION);
        generated += s->generated ? s->bytes : 0;
    }
    assert_true(generated == b->s.generated_bytes);
    free(want);
}

static bool same_storages(const struct storage_list *a, const struct storage_list *b)
{
    for (size_t i = 0; i < a->n && i < b->n; i++) {
        const struct storage *s = &a->items[i], *t = &b->items[i];
        if (s->tensor != t->tensor || s->first != t->first || s->last != t->last || s->references != t->references)
            return false;
    }
    return a->n == b->n && a->generated_bytes == b->generated_bytes;
}

/* Options may be tried one after another on one graph. */
static void assigning_again_forgets_what_was(void **state)
{
    struct built b = infer(residual, COUNT(residual));
    struct storage_list again;

    (void)state;
    assign(&b, &unsplit, 2, &(struct graph_options){ .generated = GENERATED_STORED }, &sharing);
    assert_int_equal(storage_assign(&b.g, &(struct storage_options){ .in_place = 1 }, &again), E_OK);
    assert_false(same_storages(&b.s, &again));
    assert_true(named(&b, "add1 backward")->bytes > 0);
    storage_free(&again);
    assert_int_equal(storage_assign(&b.g, &sharing, &again), E_OK);
    assert_true(same_storages(&b.s, &again));
    assert_true(named(&b, "add1 backward")->bytes == 0);
    storage_free(&again);
    release(&b);
    model_free(&b.m);
}

/* Cutting and joining keeps nothing. */
static void patches_generate_as_much_as_the_whole(void **state)
{
    struct model models[] = { nets_vgg_19(), nets_resnet(18) };
    struct split_spec spec = { .depth = 0.75, .rows = 2, .columns = 2 };
    char why[200];

    (void)state;
    for (size_t i = 0; i < COUNT(models); i++) {
        struct built whole = { .m = models[i] }, parts = { .m = models[i] };
        struct split_net split;
        assert_int_equal(split_net_make(&spec, &models[i], &split, why, sizeof(why)), E_OK);
        for (int k = 0; k < GENERATED_KINDS; k++) {
            struct graph_options options = { .generated = (enum generated)k };
            assign(&whole, &unsplit, 1, &options, &sharing);
            assign(&parts, &split, 1, &options, &sharing);
            assert_true(parts.s.generated_bytes == whole.s.generated_bytes);
            release(&whole);
            release(&parts);
        }
        split_net_free(&split);
        model_free(&models[i]);
    }
}

static int splits_tried, nets_tried, dropped_tried;

static void try_network(struct built *b, const struct split_net *split)
{
    for (int k = 0; k < GENERATED_KINDS * 8; k++) {
        struct graph_options options = { .generated = (enum generated)(k / 8), .recompute_norm = k % 8 / 4 };
        struct storage_options storage = { .in_place = k % 4 / 2, .share_sums = k % 2 };
        char why[200];
        if (options.recompute_norm && options.generated > GENERATED_ALGORITHM)
            continue;
        assign(b, split, 1, &options, &storage);
        if (!player_run(&b->g, split, &b->s, why, sizeof(why)))
            fail_msg("network %d, split %d, %s, recompute %d, in place %d, sharing %d: %s", nets_tried,
                     (int)split->nlayers, generated_name(options.generated), options.recompute_norm, storage.in_place,
                     storage.share_sums, why);
        check_moments(b);
        if (!split->nlayers && !options.recompute_norm && options.generated != GENERATED_ALGORITHM)
            assert_int_equal(b->s.generated_bytes, kept_bytes(&b->m, options.generated));
        for (size_t t = 0; t < b->g.ntensors; t++)
            dropped_tried += b->g.tensors[t].again != NO_TENSOR;
        release(b);
    }
}

static bool try_some_split(struct built *b, uint64_t *seed)
{
    struct split_spec spec = { .depth = (double)(1 + draw(seed) % 4) / 4,
                               .rows = 1 + (int64_t)(draw(seed) % 3),
                               .columns = 1 + (int64_t)(draw(seed) % 3) };
    struct split_net split;
    char why[200];
    bool tried;

    if (split_net_make(&spec, &b->m, &split, why, sizeof(why)) != E_OK)
        return false;
    tried = split.nlayers > 0;
    if (tried)
        try_network(b, &split);
    split_net_free(&split);
    return tried;
}

static int readers_of(const struct model *m, int l)
{
    int readers = 0;

    for (size_t r = 0; r < m->nlayers; r++)
        readers += (m->layers[r].input == l) + (m->layers[r].second == l);
    return readers;
}

/* Joined channels, and tensors that several attentions read. */
static void networks_of_other_kinds_compute_what_their_layers_say(void **state)
{
    uint64_t seed = 9;
    int tried[LAYER_ADD + 1] = { 0 }, memories = 0, sides = 0, splits = 0;

    (void)state;
    for (int round = 0; round < 1500; round++) {
        struct built b = { .s = { 0 } };
        if (round < 2)
            b.m = nets_recommender(round);
        else if (!(round % 2 ? nets_random_branches : nets_random_sequences)(&seed, &b.m))
            continue;
        nets_tried = round;
        try_network(&b, &unsplit);
        splits += try_some_split(&b, &seed);
        for (size_t l = 0; l < b.m.nlayers; l++)
            tried[b.m.layers[l].kind]++, sides += b.m.layers[l].ends_side;
        for (size_t l = 0; l < b.m.nlayers; l++)
            memories += b.m.layers[l].second >= 0 && b.m.layers[l].kind == LAYER_ATTENTION &&
                        readers_of(&b.m, b.m.layers[l].second) > 3;
        model_free(&b.m);
    }
    nets_tried = 0;
    assert_in_range(splits, 60, 1000);
    assert_in_range(sides, 50, 100000);
    for (int kind = LAYER_TOKENS; kind <= LAYER_PRODUCT; kind++)
        assert_in_range(tried[kind], 100, 100000);
    assert_in_range(memories, 50, 100000);
}

static void random_networks_compute_what_their_layers_say(void **state)
{
    uint64_t seed = 5;

    (void)state;
    while (nets_tried < 250) {
        struct built b = { .s = { 0 } };
        if (!nets_random(&seed, &b.m))
            continue;
        nets_tried++;
        try_network(&b, &unsplit);
        splits_tried += try_some_split(&b, &seed);
        model_free(&b.m);
    }
    assert_in_range(splits_tried, 60, 250);
    assert_in_range(dropped_tried, 500, 1000000);
}

static void the_papers_networks_compute_what_their_layers_say(void **state)
{
    struct model models[] = { nets_vgg_19(), nets_resnet(18), nets_resnet(50) };
    char why[200];

    (void)state;
    for (size_t i = 0; i < COUNT(models); i++) {
        struct built b = { .m = models[i] };
        struct split_net split;
        struct split_spec spec = { .depth = 0.75, .rows = 2, .columns = 2 };
        assert_int_equal(split_net_make(&spec, &b.m, &split, why, sizeof(why)), E_OK);
        try_network(&b, &unsplit);
        try_network(&b, &split);
        split_net_free(&split);
        model_free(&b.m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assigning_again_forgets_what_was),
        cmocka_unit_test(patches_generate_as_much_as_the_whole),
        cmocka_unit_test(networks_of_other_kinds_compute_what_their_layers_say),
        cmocka_unit_test(random_networks_compute_what_their_layers_say),
        cmocka_unit_test(the_papers_networks_compute_what_their_layers_say),
    };

    return cmocka_run_group_tests_name("storage_compute", tests, NULL, NULL);
}
