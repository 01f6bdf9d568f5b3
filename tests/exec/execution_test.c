/* Whole executions among threads: every method, with messages that arrive in an order that is drawn. All ranks must end
 * up with the same values; where these are known beforehand, with the right ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/exec/content/private.h"
#include "harness/exec/execute.h"
#include "harness/exec/rank/rank.h"
#include "harness/host/clock.h"
#include "harness/status.h"
#include "tests/exec/graphs.h"
#include "tests/exec/memory_wire.h"
#include "tests/test.h"

enum { ROUNDS = 2 };

struct execution {
    const struct task_graph *graph;
    struct content **contents; /* [nranks] */
    struct acts *acts;
    struct act_time **times;
    int64_t start_ns;
};

static int one_rank(void *context, int number)
{
    struct execution *x = context;
    struct wire *wire;
    int rc = wire_open((int)x->graph->nranks, &wire);

    assert_int_equal(acts_make(x->graph, number, &x->acts[number]), 0);
    x->times[number] = calloc(x->acts[number].n + 1, sizeof(struct act_time));
    rc = rc ? rc : content_open(x->graph, number, &x->contents[number]);
    struct rank rank = { .acts = &x->acts[number], .content = x->contents[number], .wire = wire, .limit_s = 60 };
    for (int round = 0; !rc && round < ROUNDS; round++) {
        content_restart(x->contents[number]);
        wire_barrier(wire);
        int64_t start_ns = clock_ns() + 1000000;
        wire_share(wire, &start_ns, sizeof(start_ns));
        rc = rank_execute(&rank, start_ns, x->times[number]);
        if (!number)
            x->start_ns = start_ns;
    }
    return rc;
}

static void open_execution(const struct task_graph *g, struct execution *x)
{
    *x = (struct execution){ .graph = g };
    x->contents = calloc(g->nranks, sizeof(struct content *));
    x->acts = calloc(g->nranks, sizeof(struct acts));
    x->times = calloc(g->nranks, sizeof(struct act_time *));
}

static void close_execution(struct execution *x)
{
    for (size_t r = 0; r < x->graph->nranks; r++) {
        content_close(x->contents[r]);
        acts_free(&x->acts[r]);
        free(x->times[r]);
    }
    free(x->contents);
    free(x->acts);
    free(x->times);
}

/* Nothing ends before it begins, nor before what it waits for at its rank. */
static void check_times(const char *name, const struct execution *x)
{
    for (size_t r = 0; r < x->graph->nranks; r++)
        for (size_t i = 0; i < x->acts[r].n; i++) {
            const struct act *a = &x->acts[r].list[i];
            const struct act_time *t = &x->times[r][i];
            if (a->kind == ACT_HEAR)
                continue;
            if (t->start_ns < x->start_ns || t->end_ns < t->start_ns)
                fail_msg("%s: rank %zu, task %d: from %lld to %lld", name, r, (int)a->task, (long long)t->start_ns,
                         (long long)t->end_ns);
        }
}

/* Exchanges begin at every rank as they do in the simulation: in another order two ranks would wait for each other. */
static void check_order(const char *name, const struct execution *x)
{
    for (size_t r = 0; r < x->graph->nranks; r++)
        for (size_t i = 0; i < x->acts[r].n; i++)
            for (size_t k = 0; k < i; k++) {
                const struct graph_task *a = &x->graph->tasks[x->acts[r].list[i].task];
                const struct graph_task *b = &x->graph->tasks[x->acts[r].list[k].task];
                int64_t later_ns = x->times[r][i].start_ns - x->times[r][k].start_ns;
                if (a->place.work != WORK_FILL || b->place.work != WORK_FILL || a->resource != b->resource)
                    continue;
                if ((a->start_ps < b->start_ps && later_ns > 0) || (a->start_ps > b->start_ps && later_ns < 0))
                    fail_msg("%s: rank %zu: items %d and %d begin in another order than they are simulated in", name, r,
                             (int)a->item, (int)b->item);
            }
}

/* Payload bytes that were sent, as the graph has them, where no codec and no group changes them: a part is moved to the
 * beginning of a value, so that one rank may send some bytes more and another fewer. */
static void check_bytes(const char *name, const struct execution *x)
{
    int64_t sent = 0, expected = 0;

    for (size_t r = 0; r < x->graph->nranks; r++)
        sent += content_sent_bytes(x->contents[r]);
    for (size_t i = 0; i < x->graph->ntasks; i++) {
        const struct task_place *p = &x->graph->tasks[i].place;
        if (p->work == WORK_MOVE && p->peer != p->rank)
            expected += p->bytes;
    }
    if (sent != expected)
        fail_msg("%s: %lld bytes were sent, not %lld", name, (long long)sent, (long long)expected);
}

static bool is_coded(const struct task_graph *g)
{
    for (size_t i = 0; i < g->ntensors; i++)
        if (g->tensors[i].push.format != WIRE_NONE || g->tensors[i].pull.format != WIRE_NONE)
            return true;
    return false;
}

static size_t known, unknown;

static void check(const char *name, const struct task_graph *g)
{
    struct execution x;

    open_execution(g, &x);
    int rc = memory_world((int)g->nranks, 7 + (unsigned)known, one_rank, &x);
    if (rc)
        fail_msg("%s: status %d", name, rc);
    check_times(name, &x);
    check_order(name, &x);
    if (!is_coded(g) && g->summed)
        check_bytes(name, &x);
    int64_t most = -1;
    for (size_t r = 0; r < g->nranks; r++) {
        int64_t wrong = content_wrong(x.contents[r]);
        if (wrong > 0)
            fail_msg("%s: rank %zu: %lld values are wrong", name, r, (long long)wrong);
        most = wrong > most ? wrong : most;
    }
    known += most == 0;
    unknown += most < 0;
    close_execution(&x);
}

static void test_every_method(void **state)
{
    (void)state;
    graphs_each(check);
    assert_in_range(known, 17, 100); /* what nothing encodes */
    assert_in_range(unknown, 10, 100);
}

/* Of most codecs the sums are not known, but all ranks decode the same streams. Of one that sends what it kept later,
 * each is a multiple of a step's sum. */
enum sums { UNKNOWN, EXACT, MULTIPLE };

static bool is_sum(enum sums sums, float got, float want)
{
    return sums == UNKNOWN || got == want || (sums == MULTIPLE && (want == 0 ? got == 0 : fmodf(got, want) == 0));
}

static void check_agreement(const char *variant, enum sums kind)
{
    struct graph_point p;
    struct execution x;

    graph_open("allreduce", variant, &p);
    open_execution(&p.graph, &x);
    assert_int_equal(memory_world((int)p.graph.nranks, 3, one_rank, &x), 0);
    for (size_t i = 0; i < p.graph.ntensors; i++) {
        const struct content *first = x.contents[0];
        int64_t at = first->at[i] - first->at[first->items[p.graph.tensors[i].item].first];
        const float *sums = content_sums(first, p.graph.tensors[i].item) + at;
        for (size_t r = 1; r < p.graph.nranks; r++)
            assert_memory_equal(content_sums(x.contents[r], p.graph.tensors[i].item) + at, sums,
                                (size_t)p.graph.tensors[i].values * sizeof(float));
        for (int64_t k = 0; k < p.graph.tensors[i].values; k++) {
            float want = 0;
            for (size_t r = 0; r < p.graph.nranks; r++)
                want += content_pattern((int32_t)r, first->at[i] + k);
            if (!is_sum(kind, sums[k], want))
                fail_msg("%s: tensor %zu, value %lld: %g, not %g", variant, i, (long long)k, (double)sums[k],
                         (double)want);
        }
    }
    close_execution(&x);
    graph_close(&p);
}

static void test_agreement(void **state)
{
    static const struct {
        const char *variant;
        enum sums sums; /* small whole numbers are halves, too */
    } cases[] = { { "bf16", EXACT },
                  { "fp16-tree", EXACT },
                  { "bf16-halving", EXACT },
                  { "fp32", EXACT },
                  { "randomk", MULTIPLE },
                  { "randomk-whole", EXACT },
                  { "8bit", UNKNOWN },
                  { "1bit", UNKNOWN },
                  { "3lc", UNKNOWN },
                  { "stoch3", UNKNOWN },
                  { "sparsify", UNKNOWN },
                  { "8bit-scattered", UNKNOWN },
                  { "3lc-scattered", UNKNOWN },
                  { "adt-scattered", EXACT },
                  { "adt-some-scattered", EXACT },
                  { "blockwise", UNKNOWN },
                  { "blockwise-scattered", UNKNOWN } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        check_agreement(cases[i].variant, cases[i].sums);
}

/* The same through execute(), with what it reports. */
struct reported {
    const struct task_graph *graph;
    const struct model *model;
    struct execute_options options;
    struct executed executed;
};

static int execute_rank(void *context, int number)
{
    struct reported *r = context;
    struct world world = { .rank = number, .ranks = (int)r->graph->nranks, .threads = true };
    struct executed unused;

    return execute(r->graph, r->model, &world, &r->options, number ? &unused : &r->executed);
}

static void test_report(void **state)
{
    static const char *const cases[][2] = {
        { "allreduce", "halving-doubling" }, { "servers", "backup" }, { "servers", "async" }, { "flows", "flows" }
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct graph_point p;
        struct reported r = { .options = { .repetitions = 3, .limit_s = 60, .timeline = true } };
        graph_open(cases[i][0], cases[i][1], &p);
        r.graph = &p.graph;
        r.model = &p.model;
        assert_int_equal(memory_world((int)p.graph.nranks, 5, execute_rank, &r), 0);
        assert_int_equal(r.executed.nranks, p.graph.nranks);
        assert_int_equal(r.executed.wrong, i ? -1 : 0);
        for (size_t k = 0; k < 3; k++)
            assert_true(r.executed.step_ns[k] > 0);
        for (size_t k = 0; k < 3 * p.graph.nranks; k++)
            assert_true(r.executed.ranks[k].end_ns > 0);
        for (size_t k = 0; k < p.graph.ntasks; k++)
            assert_true(r.executed.tasks[k].end_ns >= r.executed.tasks[k].start_ns);
        executed_free(&r.executed);
        graph_close(&p);
    }
}

/* More ranks than there are: refused by all alike. Past its limit: an error, not a wait. */
static bool at_once(void)
{
    return true;
}

static int too_few(void *context, int number)
{
    struct reported *r = context;
    struct world world = { .rank = number, .ranks = (int)r->graph->nranks - 1, .threads = true };

    return execute(r->graph, r->model, &world, &r->options, &r->executed);
}

static void test_ends(void **state)
{
    struct graph_point p;
    struct reported r = { .options = { .repetitions = 1, .limit_s = 60 } };

    (void)state;
    graph_open("allreduce", "ring", &p);
    r.graph = &p.graph;
    r.model = &p.model;
    assert_int_equal(memory_world(1, 1, too_few, &r), NW_EINPUT);
    executed_free(&r.executed);
    r.options.stop = at_once;
    assert_int_equal(memory_world((int)p.graph.nranks, 1, execute_rank, &r), NW_EINTR);
    executed_free(&r.executed);
    r.options.stop = NULL;
    r.options.limit_s = 1e-9;
    assert_int_equal(memory_world((int)p.graph.nranks, 1, execute_rank, &r), NW_EIO);
    executed_free(&r.executed);
    graph_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method),
        cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
