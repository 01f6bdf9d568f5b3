/* fold_test.c - folds of random layouts: ranks are classed as comparing them one by one does, and every flow ends on
 * the folded links at the picosecond at which those that it stands for end on the whole platform's. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "tests/draw.h"
#include "tests/sanitized.h"
#include "tests/sim/parallel/draws.h"
#include "tests/sim/parallel/naive.h"
#include "tests/sim/parallel/played.h"
#include "tests/test.h"

enum { MOST = 64, LAYOUTS = SANITIZED ? 60 : 300, PAIRS = 6 };

struct drawn {
    struct cluster c;
    struct parallel p;
    bool used[WIRES];
    int64_t ranks, marks[MOST];
    struct wiring w;
    struct fold *f;
};

/* Any wires, and marks by stage. Of eight machines, and every fourth time of six. */
static void make(uint64_t *state, int i, bool whole, struct drawn *d)
{
    int64_t machines = i % 4 == 3 ? 6 : 8;

    *d = (struct drawn){ .ranks = machines * DRAWN_GPUS };
    draw_platform(state, i % DRAWN_NETWORKS, machines, &d->c);
    draw_layout(state, d->ranks, DRAWN_GPUS, &d->p);
    for (int w = 0; w < WIRES; w++)
        d->used[w] = draw_between(state, 0, 1);
    for (int64_t r = 0; r < d->ranks; r++) {
        int64_t at[AXES];
        parallel_place(&d->p, r, at);
        d->marks[r] = at[AXIS_PIPELINE];
    }
    assert_int_equal(wiring_make(&d->c.platform, &d->p, d->used, d->ranks, &d->w), E_OK);
    assert_int_equal(fold_new(&d->c.platform, &d->p, d->used, d->marks, whole, &d->f, NULL, 0), E_OK);
}

static void drop(struct drawn *d)
{
    fold_free(d->f);
    wiring_free(&d->w);
}

static const char *text(const struct drawn *d)
{
    return drawn_as(&d->p, &d->c.platform);
}

/* The first rank of each class is its own, and classes are numbered by it; they count every rank once. */
static void check_classes(const struct drawn *d)
{
    const struct fold *f = d->f;
    int64_t count[MOST] = { 0 }, all = 0;

    assert_int_equal(f->ranks, d->ranks);
    for (int64_t r = 0; r < d->ranks; r++) {
        assert_in_range(f->class_of[r], 0, f->nclasses - 1);
        if (!count[f->class_of[r]]++)
            assert_int_equal(f->classes[f->class_of[r]].rank, r);
    }
    for (size_t c = 0; c < f->nclasses; c++) {
        assert_int_equal(f->classes[c].ranks, count[c]);
        assert_true(!c || f->classes[c - 1].rank < f->classes[c].rank);
        all += f->classes[c].ranks;
    }
    assert_int_equal(all, d->ranks);
}

/* Whom the group of a class's own rank is of, and who sends to it. */
static void check_groups(const struct drawn *d)
{
    const struct fold *f = d->f;

    for (size_t c = 0; c < f->nclasses; c++)
        for (int w = 0; w < WIRES; w++) {
            const struct fold_wire *wire = fold_wire(f, c, (enum wire)w);
            bool is[MOST] = { false };
            int64_t list[MOST], from = -1;
            int64_t n = group_ranks(&d->p, wire_group_of((enum wire)w), f->classes[c].rank, list);
            size_t classes = 0;
            if (!d->used[w]) {
                assert_int_equal(wire->ranks, 0);
                continue;
            }
            for (int64_t i = 0; i < n; i++) {
                classes += !is[f->class_of[list[i]]];
                is[f->class_of[list[i]]] = true;
            }
            assert_int_equal(wire->ranks, n);
            assert_int_equal(wire->nclasses, classes);
            for (size_t i = 0; i < classes; i++) {
                assert_true(is[f->together[wire->first_class + i]]);
                assert_true(!i || f->together[wire->first_class + i - 1] < f->together[wire->first_class + i]);
            }
            for (size_t i = 0; i < d->w.nflows; i++)
                if ((int)d->w.flows[i].wire == w && d->w.flows[i].to == f->classes[c].rank &&
                    wire_is_point((enum wire)w) && d->w.flows[i].from != RANK_HOST)
                    from = f->class_of[d->w.flows[i].from];
            assert_int_equal(wire->from, from);
        }
}

/* Refining the fold's classes further changes nothing (equitable), and refining the marks gives as many (coarsest). */
static void check_partition(const struct drawn *d)
{
    int64_t class[MOST];
    size_t n;

    for (int64_t r = 0; r < d->ranks; r++)
        class[r] = d->f->class_of[r];
    n = naive_classes(&d->c.platform, &d->p, &d->w, class);
    if (n != d->f->nclasses)
        fail_msg("%s: %zu classes, not alike: they fall apart into %zu", text(d), d->f->nclasses, n);
    memcpy(class, d->marks, sizeof(class));
    n = naive_classes(&d->c.platform, &d->p, &d->w, class);
    if (n != d->f->nclasses)
        fail_msg("%s: %zu classes, more than the %zu that are alike", text(d), d->f->nclasses, n);
}

struct counts {
    int folded, whole, classes;
    const char *why[8];
    int n[8];
};

static void count(struct counts *c, const struct fold *f)
{
    c->folded += !f->whole;
    c->whole += f->whole;
    c->classes += f->whole ? 0 : (int)f->nclasses;
    for (size_t i = 0; f->whole && i < COUNT(c->why); i++)
        if (!c->why[i] || c->why[i] == f->why_whole) {
            c->why[i] = f->why_whole;
            c->n[i]++;
            break;
        }
}

static void say(const struct counts *c)
{
    print_message("%d folded, to %.1f classes; %d whole\n", c->folded, c->classes / (double)c->folded, c->whole);
    for (size_t i = 0; i < COUNT(c->why) && c->why[i]; i++)
        print_message("%d whole: %s\n", c->n[i], c->why[i]);
}

static void ranks_are_classed_as_comparing_them_does(void **state)
{
    struct counts counts = { 0 };
    uint64_t s = 1;

    (void)state;
    for (int i = 0; i < LAYOUTS; i++) {
        struct drawn d;
        make(&s, i, false, &d);
        check_classes(&d);
        check_groups(&d);
        if (!d.f->whole)
            check_partition(&d);
        count(&counts, d.f);
        drop(&d);
    }
    say(&counts);
    assert_true(counts.folded > LAYOUTS / 2);
}

static void check_ends(const struct drawn *d, const struct started s[], size_t n)
{
    struct ends whole, folded;

    play_whole(&d->c.platform, &d->p, &d->w, d->f, s, n, &whole);
    play_folded(d->f, s, n, &folded);
    assert_int_equal(whole.n, folded.n);
    for (size_t i = 0; i < whole.n; i++)
        if (memcmp(&whole.list[i], &folded.list[i], sizeof(*whole.list)))
            fail_msg("%s: wire %s%s%s of %zu: flow %zu, of class %" PRId64 " to %" PRId64 ", %" PRId64 " / %" PRId64
                     ", ends at %" PRId64 " ps, folded (%" PRId64 " to %" PRId64 ", %" PRId64 " / %" PRId64
                     ") at %" PRId64,
                     text(d), wire_name(s[0].wire), n > 1 ? " and " : "", n > 1 ? wire_name(s[1].wire) : "", n, i,
                     whole.list[i].class, whole.list[i].to, whole.list[i].parts, whole.list[i].of, whole.list[i].end_ps,
                     folded.list[i].class, folded.list[i].to, folded.list[i].parts, folded.list[i].of,
                     folded.list[i].end_ps);
    free(whole.list);
    free(folded.list);
}

/* Each wire by itself; then pairs of them, the second while the first is on its way; then all of them. */
static void flows_end_at_the_same_picosecond(void **state)
{
    uint64_t s = 2;

    (void)state;
    for (int i = 0; i < LAYOUTS; i++) {
        struct drawn d;
        enum wire wires[WIRES];
        int n = 0;
        make(&s, i, false, &d);
        for (int w = 0; w < WIRES; w++)
            if (d.used[w]) {
                const struct started one = { .wire = (enum wire)w, .bytes = draw_between(&s, 1, 100000000) };
                check_ends(&d, &one, 1);
                wires[n++] = (enum wire)w;
            }
        for (int k = 0; n > 1 && k < PAIRS; k++) {
            int first = (int)draw_between(&s, 0, n - 1), second = (first + 1 + (int)draw_between(&s, 0, n - 2)) % n;
            const struct started two[] = {
                { .wire = wires[first], .bytes = draw_between(&s, 50000000, 100000000) },
                { .wire = wires[second],
                  .at_ps = draw_between(&s, 0, 2000000000),
                  .bytes = draw_between(&s, 1, 100000000) },
            };
            check_ends(&d, two, 2);
        }
        struct started all[WIRES];
        for (int k = 0; k < n; k++)
            all[k] = (struct started){ .wire = wires[k],
                                       .at_ps = draw_between(&s, 0, 2000000000),
                                       .bytes = draw_between(&s, 1, 100000000) };
        check_ends(&d, all, (size_t)n);
        drop(&d);
    }
}

static void whole_has_a_class_for_every_rank(void **state)
{
    uint64_t s = 3;

    (void)state;
    for (int i = 0; i < 20; i++) {
        struct drawn d;
        make(&s, i, true, &d);
        assert_true(d.f->whole && !d.f->why_whole);
        assert_int_equal(d.f->nclasses, d.ranks);
        check_classes(&d);
        check_groups(&d);
        for (int w = 0; w < WIRES; w++)
            if (d.used[w])
                check_ends(&d, &(struct started){ .wire = (enum wire)w, .bytes = draw_between(&s, 1, 100000000) }, 1);
        drop(&d);
    }
}

/* Ranks of a machine's three GPUs on each link are alike, but a third of a link's capacity is no exact number. */
static void links_of_three_gpus_are_not_folded(void **state)
{
    struct drawn d = { .ranks = 24,
                       .p = { { 1, 1, 24, 1 }, 1, 0, { AXIS_DATA, AXIS_TENSOR, AXIS_CONTEXT, AXIS_PIPELINE }, 6 } };
    const struct started one = { .wire = WIRE_SHARD, .bytes = 10000019 };

    (void)state;
    cluster_gpus(cluster_make(&d.c, TOPOLOGY_STAR, 4, 0), 6, 3);
    d.c.platform.network.nics = 6;
    d.used[WIRE_SHARD] = true;
    assert_int_equal(wiring_make(&d.c.platform, &d.p, d.used, d.ranks, &d.w), E_OK);
    assert_int_equal(fold_new(&d.c.platform, &d.p, d.used, d.marks, false, &d.f, NULL, 0), E_OK);
    assert_true(d.f->whole);
    assert_string_equal(d.f->why_whole, "a link is shared by a number of alike flows that is no power of two");
    assert_int_equal(d.f->nclasses, 24);
    check_classes(&d);
    check_groups(&d);
    check_ends(&d, &one, 1);
    drop(&d);
    assert_int_equal(wiring_make(&d.c.platform, &d.p, d.used, d.ranks, &d.w), E_OK);
    d.c.links[1].shared_by = 2;
    assert_int_equal(fold_new(&d.c.platform, &d.p, d.used, d.marks, false, &d.f, NULL, 0), E_OK);
    assert_false(d.f->whole);
    assert_int_equal(d.f->nclasses, 1);
    check_ends(&d, &one, 1);
    drop(&d);
}

/* Links of a torus are alike, and a flow crosses several of them. */
static void a_way_over_alike_links_is_not_folded(void **state)
{
    struct drawn d = { .ranks = 64,
                       .p = { { 1, 1, 16, 4 }, 1, 0, { AXIS_PIPELINE, AXIS_TENSOR, AXIS_CONTEXT, AXIS_DATA }, 1 } };

    (void)state;
    cluster_gpus(cluster_make(&d.c, TOPOLOGY_TORUS, 64, 8), 1, 1);
    d.used[WIRE_SHARD_SPREAD] = true;
    assert_int_equal(wiring_make(&d.c.platform, &d.p, d.used, d.ranks, &d.w), E_OK);
    assert_int_equal(fold_new(&d.c.platform, &d.p, d.used, d.marks, false, &d.f, NULL, 0), E_OK);
    assert_true(d.f->whole);
    assert_string_equal(d.f->why_whole, "a flow crosses two channels that are alike");
    check_ends(&d, &(struct started){ .wire = WIRE_SHARD_SPREAD, .bytes = 1000003 }, 1);
    drop(&d);
}

/* The first two machines send faster than the others: each of four machines in a ring has another one before it. */
static void links_of_one_kind_may_differ(void **state)
{
    struct drawn d = { .ranks = 32,
                       .p = { { 1, 1, 32, 1 }, 1, 0, { AXIS_DATA, AXIS_TENSOR, AXIS_CONTEXT, AXIS_PIPELINE }, 8 } };
    uint64_t s = 5;

    (void)state;
    draw_platform(&s, 1, 4, &d.c);
    d.c.platform.network.nics = 8;
    d.c.platform.network.unshaped_Bps = 5e9;
    d.c.platform.network.unshaped_machines = 2;
    d.used[WIRE_SHARD] = true;
    assert_int_equal(wiring_make(&d.c.platform, &d.p, d.used, d.ranks, &d.w), E_OK);
    assert_int_equal(fold_new(&d.c.platform, &d.p, d.used, d.marks, false, &d.f, NULL, 0), E_OK);
    assert_int_equal(d.f->nclasses, 4);
    check_partition(&d);
    check_ends(&d, &(struct started){ .wire = WIRE_SHARD, .bytes = 100000007 }, 1);
    drop(&d);
}

/* Ranks send as much to a neighbour in groups of two, four and six on a machine: only the groups tell them apart. */
static void groups_of_other_sizes_are_other_classes(void **state)
{
    struct drawn d = { .ranks = 24,
                       .p = { { 2, 1, 12, 1 }, 1, 6, { AXIS_DATA, AXIS_TENSOR, AXIS_CONTEXT, AXIS_PIPELINE }, 8 } };
    uint64_t s = 5;

    (void)state;
    draw_platform(&s, 1, 3, &d.c);
    d.used[WIRE_WITHIN] = true;
    assert_int_equal(wiring_make(&d.c.platform, &d.p, d.used, d.ranks, &d.w), E_OK);
    assert_int_equal(fold_new(&d.c.platform, &d.p, d.used, d.marks, false, &d.f, NULL, 0), E_OK);
    assert_int_equal(d.f->nclasses, 3);
    check_groups(&d);
    check_partition(&d);
    drop(&d);
}

static void links_that_cannot_be_placed_are_refused(void **state)
{
    struct drawn d;
    uint64_t s = 4;
    struct fold *f = NULL;
    char why[256] = "";

    (void)state;
    make(&s, 0, false, &d);
    d.c.platform.gpu.link = "nothing";
    assert_int_equal(fold_new(&d.c.platform, &d.p, d.used, d.marks, false, &f, why, sizeof(why)), E_INVAL);
    assert_null(f);
    assert_memory_equal(why, "platform.gpu.link", strlen("platform.gpu.link"));
    d.c.platform.gpu.link = "pcie";
    d.c.links[0].burst_bytes = 1e6;
    assert_int_equal(fold_new(&d.c.platform, &d.p, d.used, d.marks, false, &f, why, sizeof(why)), E_INVAL);
    assert_string_equal(why, "platform.link.eth.burst: expected 0 where parallel ranks share links, got 1e+06");
    assert_null(f);
    drop(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_classed_as_comparing_them_does),
        cmocka_unit_test(flows_end_at_the_same_picosecond),
        cmocka_unit_test(whole_has_a_class_for_every_rank),
        cmocka_unit_test(links_of_three_gpus_are_not_folded),
        cmocka_unit_test(a_way_over_alike_links_is_not_folded),
        cmocka_unit_test(links_of_one_kind_may_differ),
        cmocka_unit_test(groups_of_other_sizes_are_other_classes),
        cmocka_unit_test(links_that_cannot_be_placed_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
