/* Each rank's share of a graph: every task once where it belongs, every telling at both of its ends, nothing that waits
 * for ever. Over the graphs of every method that can be executed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/exec/rank/acts.h"
#include "tests/exec/graphs.h"
#include "tests/test.h"

struct all {
    const char *name;
    const struct task_graph *graph;
    struct acts *of; /* [nranks] */
};

#define CHECK(all, holds, ...)                \
    do {                                      \
        if (!(holds)) {                       \
            print_error("%s: ", (all)->name); \
            print_error(__VA_ARGS__);         \
            fail();                           \
        }                                     \
    } while (0)

static size_t count(const struct acts *a, enum act_kind kind, int32_t task, int32_t peer)
{
    size_t n = 0;

    for (size_t i = 0; i < a->n; i++)
        n += a->list[i].kind == kind && a->list[i].task == task && (peer < 0 || a->list[i].peer == peer);
    return n;
}

/* A task is worked on where it is placed, or everywhere; a transfer between two ranks is a send and a receipt. */
static void check_places(const struct all *all)
{
    for (size_t i = 0; i < all->graph->ntasks; i++) {
        const struct task_place *p = &all->graph->tasks[i].place;
        bool moves = p->work == WORK_MOVE && p->rank != p->peer;
        for (int32_t r = 0; r < (int32_t)all->graph->nranks; r++) {
            const struct acts *a = &all->of[r];
            size_t works = count(a, ACT_WORK, (int32_t)i, -1), sends = count(a, ACT_SEND, (int32_t)i, p->peer),
                   receives = count(a, ACT_RECEIVE, (int32_t)i, p->rank);
            CHECK(all, works == (!moves && (p->rank == r || p->rank == RANK_EACH)), "task %zu at rank %d: %zu\n", i, r,
                  works);
            CHECK(all, sends == (moves && p->rank == r), "sends of task %zu at rank %d: %zu\n", i, r, sends);
            CHECK(all, receives == (moves && p->peer == r), "receipts of task %zu at rank %d: %zu\n", i, r, receives);
            CHECK(all, (a->of_task[i] >= 0) == (works + sends + receives + count(a, ACT_HEAR, (int32_t)i, -1) > 0),
                  "task %zu has no act at rank %d, or one too many\n", i, r);
        }
    }
}

/* Sent once at one end, heard once at the other. */
static void check_tellings(const struct all *all)
{
    for (int32_t r = 0; r < (int32_t)all->graph->nranks; r++)
        for (size_t i = 0; i < all->of[r].n; i++) {
            const struct act *a = &all->of[r].list[i];
            if (a->kind != ACT_TELL && a->kind != ACT_HEAR)
                continue;
            enum act_kind other = a->kind == ACT_TELL ? ACT_HEAR : ACT_TELL;
            CHECK(all, count(&all->of[a->peer], other, a->task, r) == 1, "task %d: rank %d %s, rank %d does not\n",
                  a->task, r, a->kind == ACT_TELL ? "tells" : "hears", a->peer);
            CHECK(all, count(&all->of[r], a->kind, a->task, a->peer) == 1, "task %d is reported twice\n", a->task);
            CHECK(all, !(a->kind == ACT_HEAR && task_is_at(&all->graph->tasks[a->task], r)), "rank %d hears its own\n",
                  r);
        }
}

/* Played without time: acts begin when nothing is left to wait for, receipts when what they receive was sent. */
struct state {
    int32_t *waits; /* of each act of each rank */
    bool *ended;
};

static bool may_end(const struct all *all, const struct state states[], const struct act *a, int32_t rank)
{
    enum act_kind source = a->kind == ACT_RECEIVE ? ACT_SEND : ACT_TELL;

    if (a->kind != ACT_RECEIVE && a->kind != ACT_HEAR)
        return true;
    const struct acts *peer = &all->of[a->peer];
    for (size_t i = 0; i < peer->n; i++)
        if (peer->list[i].kind == source && peer->list[i].task == a->task && peer->list[i].peer == rank)
            return states[a->peer].ended[i];
    return false;
}

static size_t play_pass(const struct all *all, struct state states[])
{
    size_t n = 0;

    for (int32_t r = 0; r < (int32_t)all->graph->nranks; r++)
        for (size_t i = 0; i < all->of[r].n; i++) {
            const struct act *a = &all->of[r].list[i];
            if (states[r].ended[i] || states[r].waits[i] > 0 || !may_end(all, states, a, r))
                continue;
            states[r].ended[i] = true;
            n++;
            for (size_t k = a->first_next; k < a->first_next + a->nnext; k++)
                states[r].waits[all->of[r].next[k]]--;
        }
    return n;
}

static void check_ends(const struct all *all)
{
    struct state *states = calloc(all->graph->nranks, sizeof(*states));
    size_t left = 0, n;

    for (size_t r = 0; r < all->graph->nranks; r++) {
        states[r].waits = malloc((all->of[r].n + 1) * sizeof(*states[r].waits));
        states[r].ended = calloc(all->of[r].n + 1, sizeof(*states[r].ended));
        for (size_t i = 0; i < all->of[r].n; i++)
            states[r].waits[i] = all->of[r].list[i].waits_for;
        left += all->of[r].n;
    }
    while ((n = play_pass(all, states)))
        left -= n;
    CHECK(all, left == 0, "%zu acts wait for ever\n", left);
    for (size_t r = 0; r < all->graph->nranks; r++) {
        free(states[r].waits);
        free(states[r].ended);
    }
    free(states);
}

/* What becomes of a group is known at every rank that has a member: decided there, or reported once
 * by the one that does. */
static void check_groups(const struct all *all)
{
    size_t nranks = all->graph->nranks, notices = 0, expected = 0;

    for (size_t k = 0; k < all->graph->ngroups; k++)
        for (size_t r = 0; r < nranks; r++) {
            size_t members = 0, decides = 0, informed = 0;
            for (size_t i = 0; i < all->graph->ntasks; i++) {
                const struct graph_task *t = &all->graph->tasks[i];
                members += t->group == (int32_t)k && t->place.rank == (int32_t)r;
                decides += t->decides == (int32_t)k && t->place.rank == (int32_t)r;
            }
            for (size_t from = 0; from < nranks; from++)
                for (int32_t i = all->of[from].informs[k]; i < all->of[from].informs[k + 1]; i++)
                    informed += all->of[from].informed[i] == (int32_t)r;
            CHECK(all, informed == (members && !decides), "group %zu: rank %zu hears of it %zu times\n", k, r,
                  informed);
            notices += informed;
        }
    for (size_t r = 0; r < nranks; r++)
        expected += all->of[r].ndecided_elsewhere;
    CHECK(all, notices == expected, "%zu notices of groups are sent, %zu expected\n", notices, expected);
}

static size_t with_groups, with_tellings;

static void check(const char *name, const struct task_graph *g)
{
    struct all all = { name, g, calloc(g->nranks, sizeof(*all.of)) };

    for (int32_t r = 0; r < (int32_t)g->nranks; r++)
        assert_int_equal(acts_make(g, r, &all.of[r]), 0);
    check_places(&all);
    check_tellings(&all);
    check_ends(&all);
    check_groups(&all);
    with_groups += g->ngroups > 0;
    for (size_t i = 0; i < all.of[0].n; i++)
        if (all.of[0].list[i].kind == ACT_TELL || all.of[0].list[i].kind == ACT_HEAR) {
            with_tellings++;
            break;
        }
    for (size_t r = 0; r < g->nranks; r++)
        acts_free(&all.of[r]);
    free(all.of);
}

static void test_every_method(void **state)
{
    (void)state;
    graphs_each(check);
    assert_in_range(with_groups, 2, 100); /* the scenarios have what is checked */
    assert_in_range(with_tellings, 2, 100);
}

static void test_refusals(void **state)
{
    struct graph_point p;
    struct acts a;

    (void)state;
    graph_open("allreduce", "ring", &p);
    assert_int_not_equal(acts_make(&p.graph, -1, &a), 0);
    assert_int_not_equal(acts_make(&p.graph, (int32_t)p.graph.nranks, &a), 0);
    p.graph.tasks[p.graph.ntasks / 2].place.rank = RANK_NONE;
    assert_int_not_equal(acts_make(&p.graph, 0, &a), 0);
    acts_free(&a);
    graph_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method),
        cmocka_unit_test(test_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
