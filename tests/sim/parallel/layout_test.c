/* layout_test.c - every rank's place and groups against their definitions, for all orders of the axes and groups that
 * machines share evenly or not. */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "tests/sim/parallel/draws.h"
#include "tests/test.h"

enum { MOST = 4 * 4 * 4 * 4 };

/* All permutations of the axes: 'number' in the factorial number system. */
static void order_axes(struct parallel *p, int number)
{
    bool taken[AXES] = { false };

    for (int i = 0, left = AXES; i < AXES; i++, left--) {
        int skip = number % left, a = 0;
        number /= left;
        for (;; a++)
            if (!taken[a] && skip-- == 0)
                break;
        taken[a] = true;
        p->order[i] = (enum rank_axis)a;
    }
}

static void ranks_and_places_round_trip(void **state)
{
    bool seen[MOST];

    (void)state;
    for (int number = 0; number < 24; number++) {
        struct parallel p = { .degree = { 2, 3, 4, 3 }, .expert = 1, .gpus_per_machine = 8 };
        order_axes(&p, number);
        memset(seen, 0, sizeof(seen));
        assert_int_equal(parallel_ranks(&p), 72);
        for (int64_t r = 0; r < 72; r++) {
            int64_t at[AXES], place = 0;
            parallel_place(&p, r, at);
            assert_int_equal(parallel_rank(&p, at), r);
            for (int a = 0; a < AXES; a++) {
                assert_true(at[a] >= 0 && at[a] < p.degree[a]);
                place = place * p.degree[a] + at[a];
            }
            assert_false(seen[place]);
            seen[place] = true;
            at[p.order[0]] = (at[p.order[0]] + 1) % p.degree[p.order[0]]; /* neighbours differ in the first axis */
            if (at[p.order[0]])
                assert_int_equal(parallel_rank(&p, at), r + 1);
        }
    }
}

static int64_t replica_of(const struct parallel *p, const int64_t at[AXES])
{
    return at[AXIS_CONTEXT] + p->degree[AXIS_CONTEXT] * at[AXIS_DATA];
}

static bool alike_but(const int64_t a[AXES], const int64_t b[AXES], enum rank_axis axis, enum rank_axis also)
{
    for (int i = 0; i < AXES; i++)
        if (a[i] != b[i] && i != (int)axis && i != (int)also)
            return false;
    return true;
}

static bool together(const struct parallel *p, enum rank_group g, int64_t r, int64_t s);

/* How many of its shard group's ranks on its machine come before it. */
static int64_t position(const struct parallel *p, int64_t r)
{
    int64_t before = 0;

    for (int64_t s = 0; s < r; s++)
        before += together(p, GROUP_SHARD_WITHIN, r, s);
    return before;
}

/* The definition of each group. */
static bool together(const struct parallel *p, enum rank_group g, int64_t r, int64_t s)
{
    int64_t a[AXES], b[AXES], shard = p->shard ? p->shard : p->degree[AXIS_DATA] * p->degree[AXIS_CONTEXT];

    parallel_place(p, r, a);
    parallel_place(p, s, b);
    int64_t x = replica_of(p, a), y = replica_of(p, b);
    bool replicas = alike_but(a, b, AXIS_DATA, AXIS_CONTEXT);
    switch (g) {
    case GROUP_TENSOR: return alike_but(a, b, AXIS_TENSOR, AXIS_TENSOR);
    case GROUP_CONTEXT: return alike_but(a, b, AXIS_CONTEXT, AXIS_CONTEXT);
    case GROUP_STAGES: return alike_but(a, b, AXIS_PIPELINE, AXIS_PIPELINE);
    case GROUP_EXPERT: return replicas && x / p->expert == y / p->expert;
    case GROUP_EXPERT_COPY: return replicas && x % p->expert == y % p->expert;
    case GROUP_SHARD: return replicas && x / shard == y / shard;
    case GROUP_SHARD_COPY: return replicas && x % shard == y % shard;
    case GROUP_SHARD_WITHIN:
        return together(p, GROUP_SHARD, r, s) && r / p->gpus_per_machine == s / p->gpus_per_machine;
    default: return together(p, GROUP_SHARD, r, s) && position(p, r) == position(p, s);
    }
}

static void check_group(const struct parallel *p, enum rank_group g, int64_t rank)
{
    int64_t out[MOST], n = group_ranks(p, g, rank, out), want = 0;

    for (int64_t s = 0; s < parallel_ranks(p); s++) {
        bool listed = false;
        for (int64_t i = 0; i < n; i++)
            listed |= out[i] == s;
        if (listed != together(p, g, rank, s))
            fail_msg("%s: group %d of rank %" PRId64 " and rank %" PRId64, drawn_as(p, NULL), (int)g, rank, s);
        want += listed;
    }
    if (n != want || group_size(p, g, rank) != n)
        fail_msg("%s: group %d of rank %" PRId64 " lists %" PRId64 ", has %" PRId64 ", says %" PRId64,
                 drawn_as(p, NULL), (int)g, rank, n, want, group_size(p, g, rank));
    for (int64_t i = 1; i < n; i++) {
        int64_t before[AXES], here[AXES];
        parallel_place(p, out[i - 1], before);
        parallel_place(p, out[i], here);
        assert_true(g == GROUP_STAGES ? before[AXIS_PIPELINE] + 1 == here[AXIS_PIPELINE] : out[i - 1] < out[i]);
    }
}

/* Being together is an equivalence, so that the groups of each kind partition the ranks. */
static void groups_are_what_their_definitions_say(void **state)
{
    uint64_t s = 1;
    int uneven = 0;

    (void)state;
    for (int i = 0; i < 150; i++) {
        struct parallel p = { .gpus_per_machine = draw_between(&s, 1, 9) };
        for (int a = 0; a < AXES; a++)
            p.degree[a] = draw_between(&s, 1, 4);
        draw_groups(&s, &p);
        order_axes(&p, i);
        assert_int_equal(parallel_shard(&p), p.shard ? p.shard : parallel_replicas(&p));
        for (int64_t r = draw_between(&s, 0, 2); r < parallel_ranks(&p); r += draw_between(&s, 1, 8))
            for (int g = 0; g < RANK_GROUPS; g++) {
                check_group(&p, (enum rank_group)g, r);
                uneven += g == GROUP_SHARD_WITHIN && parallel_shard(&p) % group_size(&p, (enum rank_group)g, r);
            }
    }
    assert_true(uneven > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_and_places_round_trip),
        cmocka_unit_test(groups_are_what_their_definitions_say),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
