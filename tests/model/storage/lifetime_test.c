/* Lifetimes: with transfers by hand, and of whole networks. */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/status.h"
#include "model/storage/lifetime.h"
#include "tests/draw.h"
#include "tests/model/graph/graph_nets.h"
#include "tests/test.h"

static const struct split_net unsplit = { .rows = 1, .columns = 1 };

struct want {
    int64_t lower, upper, bytes;
    int32_t storage, operation, part;
};

static void check_buffers(const struct lifetimes *l, const struct want *want, size_t n)
{
    assert_int_equal(l->n, n);
    for (size_t i = 0; i < n; i++) {
        const struct buffer *b = &l->buffers[i];
        const struct resident *r = &l->residents[i];
        if (b->lower != want[i].lower || b->upper != want[i].upper || b->bytes != want[i].bytes ||
            r->storage != want[i].storage || r->operation != want[i].operation || r->part != want[i].part)
            fail_msg("buffer %d: [%d, %d) of %d bytes, storage %d, operation %d, part %d", (int)i, (int)b->lower,
                     (int)b->upper, (int)b->bytes, (int)r->storage, (int)r->operation, (int)r->part);
    }
}

static void storages_transfers_and_workspaces_by_hand(void **state)
{
    struct storage items[] = {
        { .bytes = 100, .first = 0, .last = 9 },
        { .bytes = 40, .first = 0, .last = 7 },
        { .bytes = 20, .first = 1, .last = 8 },
        { .bytes = 10, .first = 5, .last = 5 },
    };
    struct transfer moves[] = {
        { .storage = 1, .start = 1, .free_after = 2, .back = 5, .need = 6 },
        { .storage = 2, .start = 2, .free_after = 4, .back = 5, .need = 8 },
    };
    struct operation operations[10] = {
        [0] = { .workspace_bytes = 5 }, [1] = { .workspace_bytes = 7 }, [5] = { .workspace_bytes = 3 }
    };
    struct graph g = { .operations = operations, .noperations = 10, .nforward = 5 };
    struct storage_list s = { .items = items, .n = COUNT(items) };
    struct transfer_list t = { .items = moves, .n = COUNT(moves) }, none = { .n = 0 };
    static const struct want kept[] = {
        { 0, 10, 100, 0, NO_OPERATION, 0 }, { 0, 8, 40, 1, NO_OPERATION, 0 }, { 0, 1, 5, NO_STORAGE, 0, 0 },
        { 1, 9, 20, 2, NO_OPERATION, 0 },   { 1, 2, 7, NO_STORAGE, 1, 0 },    { 5, 6, 10, 3, NO_OPERATION, 0 },
        { 5, 6, 3, NO_STORAGE, 5, 0 },
    };
    static const struct want moved[] = {
        { 0, 10, 100, 0, NO_OPERATION, 0 }, { 0, 3, 40, 1, NO_OPERATION, 0 }, { 0, 1, 5, NO_STORAGE, 0, 0 },
        { 1, 5, 20, 2, NO_OPERATION, 0 },   { 1, 2, 7, NO_STORAGE, 1, 0 },    { 5, 8, 40, 1, NO_OPERATION, 1 },
        { 5, 9, 20, 2, NO_OPERATION, 1 },   { 5, 6, 10, 3, NO_OPERATION, 0 }, { 5, 6, 3, NO_STORAGE, 5, 0 },
    };
    static const struct want homes[] = { { 1, 7, 40, 1, NO_OPERATION, 0 }, { 2, 9, 20, 2, NO_OPERATION, 0 } };
    static const int64_t live[] = { 145, 167, 160, 120, 120, 173, 160, 160, 120, 100 };
    struct lifetimes l;
    int64_t got[10];

    (void)state;
    assert_int_equal(lifetimes_of(&g, &s, &none, &l), E_OK);
    check_buffers(&l, kept, COUNT(kept));
    lifetimes_free(&l);
    assert_int_equal(lifetimes_of(&g, &s, &t, &l), E_OK);
    check_buffers(&l, moved, COUNT(moved));
    lifetimes_live(&l, 10, got);
    for (size_t i = 0; i < 10; i++)
        assert_int_equal(got[i], live[i]);
    lifetimes_live(&l, 6, got); /* the rest is not asked for */
    assert_int_equal(got[5], live[5]);
    lifetimes_live(&l, 5, got);
    assert_int_equal(got[4], live[4]);
    assert_int_equal(got[5], live[5]); /* untouched */
    lifetimes_free(&l);
    assert_int_equal(lifetimes_host(&s, &t, &l), E_OK);
    check_buffers(&l, homes, COUNT(homes));
    lifetimes_free(&l);
    assert_int_equal(lifetimes_host(&s, &none, &l), E_OK);
    assert_int_equal(l.n, 0);
    lifetimes_free(&l);
    lifetimes_free(&l);
}

static int64_t peak(const struct model *m, enum generated generated, double workspace, size_t *at)
{
    struct graph_options options = { .generated = generated, .workspace_factor = workspace };
    struct storage_options storage = { .in_place = 1, .share_sums = 1 };
    struct transfer_list none = { .n = 0 };
    struct storage_list s;
    struct lifetimes l;
    struct graph g;
    int64_t highest = 0;
    char why[200] = "";

    assert_int_equal(graph_build(m, &unsplit, 1, &options, &g, why, sizeof(why)), E_OK);
    assert_int_equal(storage_assign(&g, &storage, &s), E_OK);
    assert_int_equal(lifetimes_of(&g, &s, &none, &l), E_OK);
    int64_t *live = calloc(g.noperations, sizeof(*live));
    lifetimes_live(&l, g.noperations, live);
    for (size_t i = 0; i < g.noperations; i++)
        if (live[i] > highest)
            highest = live[i], *at = i;
    free(live);
    lifetimes_free(&l);
    storage_free(&s);
    graph_free(&g);
    return highest;
}

/* Bytes alive per image where nothing moves, against an independent plan of the same networks (images included). Of
 * VGG-19 that holds the last pool's output, 512 x 7 x 7 values, while the pool runs backward, which needs its input
 * alone. Of ResNet-18 it holds a copy of the last sum's error, 512 x 7 x 7 values, for the shortcut: ours shares it.
 * Both have their peak there; with that gone, ResNet-18's is two operations before, in the average pool. */
static void most_alive_of_whole_networks(void **state)
{
    struct model vgg = nets_vgg_19(), resnet = nets_resnet(18);
    const int64_t pool = 4 * 512 * 7 * 7;
    size_t at = 0;

    (void)state;
    assert_int_equal(peak(&vgg, GENERATED_STORED, 0, &at), 66633728 - pool);
    assert_int_equal(vgg.nlayers * 2 - 1 - at, 36); /* maxpool5 backward */
    assert_int_equal(peak(&vgg, GENERATED_STORED, 2.25, &at), 96940032);
    assert_int_equal(peak(&resnet, GENERATED_STORED, 0, &at), 20772864 - pool + 2048);
    model_free(&vgg);
    model_free(&resnet);
}

static int64_t pick(uint64_t *seed, int64_t from, int64_t to)
{
    return from + (int64_t)(draw(seed) % (uint64_t)(to - from + 1));
}

/* Random transfers of what may move: whatever an operation touches is there, a moved storage is gone in between. */
static void what_is_touched_is_there(void **state)
{
    uint64_t seed = 3;

    (void)state;
    for (int round = 0; round < 200; round++) {
        struct model m;
        struct graph g;
        struct storage_list s;
        struct lifetimes l, host;
        char why[200] = "";
        if (!nets_random(&seed, &m))
            continue;
        struct graph_options options = { .generated = (enum generated)(draw(&seed) % GENERATED_KINDS),
                                         .workspace_factor = 1 };
        assert_int_equal(graph_build(&m, &unsplit, 1, &options, &g, why, sizeof(why)), E_OK);
        assert_int_equal(storage_assign(&g, &(struct storage_options){ 1, 1 }, &s), E_OK);
        struct transfer_list t = { .items = calloc(s.n, sizeof(*t.items)) };
        for (size_t i = 0; i < s.n; i++) {
            const struct storage *k = &s.items[i];
            if (!k->generated || k->first_backward <= k->last_forward + 1 || draw(&seed) % 3 == 0)
                continue;
            int32_t free_after = (int32_t)pick(&seed, k->last_forward, k->first_backward - 1);
            t.items[t.n++] = (struct transfer){ .storage = (int32_t)i,
                                                .start = k->last_write + 1,
                                                .free_after = free_after,
                                                .back = (int32_t)pick(&seed, free_after + 1, k->first_backward),
                                                .need = k->first_backward };
        }
        assert_int_equal(lifetimes_of(&g, &s, &t, &l), E_OK);
        assert_int_equal(lifetimes_host(&s, &t, &host), E_OK);
        assert_int_equal(host.n, t.n);
        int64_t *live = calloc(g.noperations, sizeof(*live));
        lifetimes_live(&l, g.noperations, live);
        for (int32_t i = 0; i < (int32_t)g.noperations; i++) {
            int64_t sum = 0;
            bool there[4096] = { 0 };
            for (size_t k = 0; k < l.n; k++) {
                if (i < l.buffers[k].lower || i >= l.buffers[k].upper)
                    continue;
                sum += l.buffers[k].bytes;
                if (l.residents[k].storage >= 0) {
                    assert_false(there[l.residents[k].storage]);
                    there[l.residents[k].storage] = 1;
                } else
                    assert_int_equal(l.residents[k].operation, i);
            }
            assert_int_equal(live[i], sum);
            int32_t tensors[2 * OPERATION_PLACES];
            int n = operation_reads(&g.operations[i], tensors);
            n += operation_writes(&g.operations[i], tensors + n);
            for (int k = 0; k < n; k++)
                assert_true(there[g.tensors[tensors[k]].storage]);
            for (size_t k = 0; k < t.n; k++)
                if (i > t.items[k].free_after && i < t.items[k].back)
                    assert_false(there[t.items[k].storage]);
        }
        for (size_t k = 1; k < l.n; k++)
            assert_true(l.buffers[k].lower >= l.buffers[k - 1].lower);
        free(live);
        free(t.items);
        lifetimes_free(&host);
        lifetimes_free(&l);
        storage_free(&s);
        graph_free(&g);
        model_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(storages_transfers_and_workspaces_by_hand),
        cmocka_unit_test(most_alive_of_whole_networks),
        cmocka_unit_test(what_is_touched_is_there),
    };
    return cmocka_run_group_tests_name("lifetime", tests, NULL, NULL);
}
