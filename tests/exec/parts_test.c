/* The small parts of an execution: jobs next to messages, the links' counters, the time of a step, damaged messages. */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/exec/content/content.h"
#include "harness/exec/rank/doze.h"
#include "harness/exec/rank/jobs.h"
#include "harness/exec/rank/link_bytes.h"
#include "harness/host/clock.h"
#include "harness/status.h"
#include "tests/exec/graphs.h"
#include "tests/test.h"

enum { JOBS = 1000 };

static int order[JOBS], norder; /* written by the jobs' thread, read after it has ended */

static int work(void *context, int32_t number)
{
    order[norder++] = number;
    return number % 100 == 99 ? *(int *)context : 0;
}

static void test_jobs(void **state)
{
    struct doze *doze;
    struct jobs *jobs;
    struct job_done done;
    int wrong = -7, taken = 0, given = 0;

    (void)state;
    norder = 0;
    assert_int_equal(doze_open(&doze), 0);
    assert_int_equal(jobs_start(work, &wrong, doze, &jobs), 0);
    assert_false(jobs_take(jobs, &done));
    while (taken < JOBS) {
        for (int i = 0; i < 7 && given < JOBS; i++)
            assert_int_equal(jobs_give(jobs, given++), 0);
        while (jobs_take(jobs, &done)) {
            assert_int_equal(done.number, taken);
            assert_int_equal(done.status, taken % 100 == 99 ? wrong : 0);
            assert_true(done.end_ns >= done.start_ns);
            taken++;
        }
    }
    jobs_stop(jobs);
    for (int i = 0; i < JOBS; i++)
        assert_int_equal(order[i], i);
    jobs_stop(NULL);
    doze_close(doze);
}

static int slow(void *context, int32_t number)
{
    (void)number;
    usleep(20000);
    ++*(int *)context;
    return 0;
}

/* Stopped at once: the one under way is finished, the others are not begun. */
static void test_jobs_dropped(void **state)
{
    struct doze *doze;
    struct jobs *jobs;
    int n = 0;

    (void)state;
    assert_int_equal(doze_open(&doze), 0);
    assert_int_equal(jobs_start(slow, &n, doze, &jobs), 0);
    for (int i = 0; i < 50; i++)
        assert_int_equal(jobs_give(jobs, i), 0);
    jobs_stop(jobs);
    doze_close(doze);
    assert_in_range(n, 0, 49);
}

/* A TCP connection of this process with itself: ends[0] receives. */
static void connect_ends(int ends[2])
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof(at);
    int listening = socket(AF_INET, SOCK_STREAM, 0);

    ends[1] = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listening, (struct sockaddr *)&at, sizeof(at)), 0);
    assert_int_equal(listen(listening, 1), 0);
    assert_int_equal(getsockname(listening, (struct sockaddr *)&at, &size), 0);
    assert_int_equal(connect(ends[1], (struct sockaddr *)&at, sizeof(at)), 0);
    ends[0] = accept(listening, NULL, NULL);
    assert_true(ends[0] >= 0);
    close(listening);
}

/* Where nothing else wakes it, the test would take an hour. */
static void test_doze(void **state)
{
    const int64_t hour_ns = 3600000000000;
    struct doze *doze;
    int ends[2];

    (void)state;
    connect_ends(ends);
    assert_int_equal(doze_open(&doze), 0);
    assert_false(doze_until(doze, clock_ns() - 1));
    int64_t until_ns = clock_ns() + 1000000;
    assert_false(doze_until(doze, until_ns));
    assert_true(clock_ns() >= until_ns);
    doze_wake(doze); /* also before it sleeps, and once for all */
    doze_wake(doze);
    assert_false(doze_until(doze, clock_ns() + hour_ns));
    assert_int_equal(write(ends[1], "m", 1), 1);
    assert_true(doze_until(doze, clock_ns() + hour_ns));
    doze_wake(doze);
    assert_true(doze_until(doze, clock_ns() + hour_ns));
    doze_close(doze);
    doze_close(NULL);
    close(ends[0]);
    close(ends[1]);
}

static void test_link_bytes(void **state)
{
    struct link_bytes before = link_bytes(), after = link_bytes();

    (void)state;
    assert_true(before.sent >= 0 && after.sent >= before.sent && after.received >= before.received);
}

static void test_step(void **state)
{
    int32_t marks[] = { 0, 1, 2, 3, 4, 5 };
    struct graph_task tasks[6] = { { .end_ps = 10 }, { .end_ps = 30 }, { .end_ps = 70 },
                                   { .end_ps = 20 }, { .end_ps = 90 }, { .end_ps = 100 } };
    int64_t ends_ps[] = { 0, 5, 12, 100, 101, 106 };
    const struct {
        size_t lanes, nmarks;
        double steps, simulated_ps, executed_ps;
    } cases[] = {
        { 1, 3, 2, 30, 6 },               /* (70 - 10) / 2; (12 - 0) / 2 */
        { 2, 3, 2, 35, 4.5 },             /* and (100 - 20) / 2; (106 - 100) / 2 */
        { 1, 1, 5, 2, 0 },                /* from the start */
        { 3, 2, 1, -20.0 / 3, 98.0 / 3 }, /* 20, -50, 10; 5, 88, 5 */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct task_graph g = { .tasks = tasks,
                                .ntasks = 6,
                                .marks = marks,
                                .lanes = cases[i].lanes,
                                .nmarks = cases[i].nmarks,
                                .steps = cases[i].steps };
        assert_true(task_graph_step_ps(&g, NULL) == cases[i].simulated_ps);
        assert_true(task_graph_step_ps(&g, ends_ps) == cases[i].executed_ps);
    }
}

/* A message that is not as long as its transfer is refused, in every kind of content. */
static void refuse(const char *file, const char *variant)
{
    struct graph_point p;
    struct content *c;
    size_t tried = 0;

    graph_open(file, variant, &p);
    for (int32_t r = 0; r < (int32_t)p.graph.nranks; r++) {
        assert_int_equal(content_open(&p.graph, r, &c), 0);
        for (int32_t i = 0; i < (int32_t)p.graph.ntasks; i++) {
            const struct task_place *place = &p.graph.tasks[i].place;
            if (place->work != WORK_MOVE || place->peer != r || place->rank == r)
                continue;
            assert_true(content_most(c, i) >= place->bytes);
            assert_int_equal(content_arrived(c, i, calloc(1, 3), 3), NW_EIO);
            tried++;
        }
        content_close(c);
    }
    assert_in_range(tried, 2, 100000);
    graph_close(&p);
}

static void test_refused(void **state)
{
    static const char *const cases[][2] = { { "allreduce", "ring" },
                                            { "allreduce", "bf16" },
                                            { "servers", "sync" },
                                            { "servers", "two-servers" },
                                            { "flows", "flows" } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        refuse(cases[i][0], cases[i][1]);
}

/* The first task of a kind that a rank does, or that passes its own payload on. */
static int32_t task_of(const struct task_graph *g, enum task_work work, int32_t rank, int32_t item)
{
    for (int32_t i = 0; i < (int32_t)g->ntasks; i++) {
        const struct graph_task *t = &g->tasks[i];
        if (t->place.work == work && (t->place.rank == rank || t->place.rank == RANK_EACH) && t->item == item &&
            (work != WORK_MOVE || (t->place.bytes < 0 && t->place.offset == rank)))
            return i;
    }
    fail();
    return -1;
}

/* Its tensors one after another, each once, as in a step of rank 0. */
static void encode_item(struct content *c, const struct task_graph *g, int32_t item)
{
    int32_t encoded = 0;

    for (int32_t i = task_of(g, WORK_ENCODE, 0, item); g->tasks[i].place.work == WORK_ENCODE; i++, encoded++)
        assert_int_equal(content_work(c, i), 0);
    assert_int_equal(encoded, 3);
}

/* A codec that keeps its threshold sends in every step what it was asked for, though gradients are computed once. */
static void test_density_stays(void **state)
{
    struct graph_point p;
    struct content *c;
    const void *bytes;
    size_t first = 0, n;

    (void)state;
    graph_open("allreduce", "dct", &p);
    const struct task_graph *g = &p.graph;
    assert_int_equal(content_open(g, 0, &c), 0);
    for (size_t i = 0; i < g->ntensors; i++) {
        float *gradient = content_gradient(c, i);
        for (int64_t k = 0; k < g->tensors[i].values; k++)
            gradient[k] = (float)((k * 37) % 1009 - 504);
    }
    for (int step = 0; step < 7; step++) {
        encode_item(c, g, g->tensors[0].item);
        assert_int_equal(content_work(c, task_of(g, WORK_FILL, 0, g->tensors[0].item)), 0);
        assert_int_equal(content_message(c, task_of(g, WORK_MOVE, 0, g->tensors[0].item), &bytes, &n), 0);
        first = step ? first : n;
        assert_in_range(n, first, first + first / 20); /* later steps also send what equals the threshold */
    }
    content_close(c);
    graph_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jobs),          cmocka_unit_test(test_jobs_dropped), cmocka_unit_test(test_doze),
        cmocka_unit_test(test_link_bytes),    cmocka_unit_test(test_step),         cmocka_unit_test(test_refused),
        cmocka_unit_test(test_density_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
