/* Workers that wait for all, for most, for some or for none: against recursions that know no tasks. */
#include "tests/sim/parameter_server_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/method/parameter_server_play.h"
#include "sim/timeline.h"

/* Compute alone matters: 2 + 2 ms times the jitter. Tensors of 1000 values over fast links take no time. */
static struct rig jittery(int64_t workers, int64_t steps)
{
    struct rig g = rig(1, workers);

    g.links[0].bandwidth_Bps = g.links[1].bandwidth_Bps = 1e18;
    of(&g)->steps = steps;
    of(&g)->jitter = 0.3;
    of(&g)->seed = 42;
    return g;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The same by a recursion: a worker begins when its last step is done and the last update is there. */
static double with_backups(const struct parameter_server *m)
{
    double done[16] = { 0 }, sorted[16], updated = 0, first = 0;

    for (int64_t i = 0; i <= m->steps; i++) {
        for (int64_t w = 0; w < m->workers; w++) {
            double begin = done[w] > updated ? done[w] : updated;
            sorted[w] = done[w] = begin + 4 * ps_jitter(m, (uint64_t)w, (uint64_t)i);
        }
        qsort(sorted, (size_t)m->workers, sizeof(double), ascending);
        double now = sorted[m->workers - 1 - m->backup_workers];
        updated = now > updated ? now : updated;
        first = i ? first : updated;
    }
    return (updated - first) / (double)m->steps;
}

static void backups_skip_the_slowest(void **state)
{
    double last = INFINITY;

    (void)state;
    for (int64_t backups = 0; backups < 8; backups++) {
        struct rig g = jittery(8, 50);
        of(&g)->backup_workers = backups;
        double step = play(&g);
        near("by recursion", step, with_backups(of(&g)), 1e-6);
        assert_true(step < last);
        last = step;
    }
    /* Without jitter nobody is slow. */
    struct rig even = jittery(8, 2);
    of(&even)->jitter = 0;
    of(&even)->backup_workers = 3;
    near("even", play(&even), 4, 1e-6);
}

/* Rounds per ms of workers that wait at most for those 'staleness' rounds behind: by recursion, over all rounds. */
static double stale_rate(const struct parameter_server *m, int64_t staleness)
{
    static double done[1002][16];
    double slowest = 0, warm = 0, first = INFINITY, rate = 0;

    for (int64_t i = 0; i < m->steps + 2; i++)
        for (int64_t w = 0; w < m->workers; w++) {
            double begin = i ? done[i - 1][w] : 0;
            for (int64_t v = 0; i - staleness - 1 >= 0 && v < m->workers; v++)
                begin = fmax(begin, done[i - staleness - 1][v]);
            done[i][w] = begin + 4 * ps_jitter(m, (uint64_t)w, (uint64_t)i);
        }
    for (int64_t w = 0; w < m->workers; w++) {
        warm = fmax(warm, done[0][w]);
        first = fmin(first, done[m->steps][w]);
        slowest = fmax(slowest, done[m->steps][w]);
    }
    for (int64_t w = 0; w < m->workers; w++) {
        double at[2] = { 0, 0 };
        for (int end = 0; end < 2; end++) {
            double when = end ? first : warm;
            int64_t i = 0;
            while (done[i][w] <= when)
                i++;
            double before = i ? done[i - 1][w] : 0;
            at[end] = (double)i + (when - before) / (done[i][w] - before);
        }
        rate += (at[1] - at[0]) / (first - warm);
    }
    return rate;
}

static void staleness_lies_between(void **state)
{
    static const int64_t staleness[] = { 0, 1, 2, 5, 1000 };
    double last = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(staleness); i++) {
        struct rig g = jittery(6, 200);
        of(&g)->mode = PS_STALE;
        of(&g)->staleness = staleness[i];
        play(&g);
        double rate = reading(&g, "samples_per_s") / 1e3;
        near("by recursion", rate, stale_rate(of(&g), staleness[i]), 1e-6);
        near("step_ms is of one worker", reading(&g, "step_ms"), 6 / rate, 1e-9);
        assert_true(rate > last);
        last = rate;
        if (staleness[i] && staleness[i] < 1000)
            continue;
        of(&g)->mode = staleness[i] ? PS_ASYNC : PS_SYNC; /* nobody waits, or everybody for all */
        play(&g);
        near("the limit", reading(&g, "samples_per_s") / 1e3, rate, staleness[i] ? 0 : 5e-3);
    }
}

/* No worker begins a step before all have finished the one before: on the timeline. */
static void staleness_0_is_lockstep(void **state)
{
    struct rig g = rig(3, 4);
    struct timeline t = { 0 };
    char why[256];
    int64_t end_ps[16] = { 0 }, begin_ps[16] = { 0 };
    int seen[4] = { 0 };

    (void)state;
    of(&g)->mode = PS_STALE;
    of(&g)->jitter = 0.5;
    of(&g)->steps = 8;
    assert_int_equal(try_play(&g, &t, why, sizeof(why)), SIM_OK);
    for (int i = 0; i < 16; i++)
        begin_ps[i] = INT64_MAX;
    for (size_t i = 0; i < t.nspans; i++) { /* by start: the n-th forward pass of a layer on a GPU is step n's */
        const struct span *s = &t.spans[i];
        int gpu;
        if (sscanf(t.tracks[s->track].name, "gpu %d", &gpu) != 1)
            continue;
        if (!strcmp(s->name, "forward fc1"))
            seen[gpu]++;
        int step = seen[gpu] - 1;
        begin_ps[step] = s->start_ps < begin_ps[step] ? s->start_ps : begin_ps[step];
        end_ps[step] = s->end_ps > end_ps[step] ? s->end_ps : end_ps[step];
    }
    for (int gpu = 0; gpu < 4; gpu++)
        assert_int_equal(seen[gpu], 10);
    for (int step = 1; step < 10; step++)
        assert_true(begin_ps[step] >= end_ps[step - 1]);
    timeline_free(&t);
}

/* Hogwild on a link that limits: nobody waits, and the link is never idle once the workers have drifted apart. */
static void async_throughput(void **state)
{
    struct rig g = rig(1, 4), sync;

    (void)state;
    g.links[1].bandwidth_Bps = 4e9;
    of(&g)->mode = PS_ASYNC;
    /* All alike: 4 ms compute, 4 pushes and 4 pulls of 1 ms that share. */
    near("in step", play(&g), 4 + 4 + 4, 1e-9);
    near("of all", reading(&g, "samples_per_s"), 4e3 / 12, 1e-9);
    of(&g)->jitter = 0.3;
    of(&g)->steps = 100;
    sync = g;
    of(&sync)->mode = PS_SYNC;
    double async_step = play(&g), sync_step = play(&sync);
    assert_true(async_step < 0.85 * sync_step);
    assert_true(async_step > 4 + 1 + 1);
    double crossed = 4 * reading(&g, "push_bytes") / 4e9 / (async_step / 1e3);
    near("utilisation is what was carried", reading(&g, "server_nic_utilisation"), crossed, 0.02);
    near("workers' share", reading(&g, "gpu_utilisation") * async_step, 4, 0.05);
}

static void determinism(void **state)
{
    struct rig a = rig(4, 5), b, c;
    struct timeline ta = { 0 }, tb = { 0 };
    char why[256];

    (void)state;
    of(&a)->mode = PS_ASYNC;
    of(&a)->jitter = 0.2;
    of(&a)->steps = 5;
    b = c = a;
    of(&c)->seed = 2;
    assert_int_equal(try_play(&a, &ta, why, sizeof(why)), SIM_OK);
    assert_int_equal(try_play(&b, &tb, why, sizeof(why)), SIM_OK);
    play(&c);
    assert_true(a.r.n == b.r.n && a.r.n > 15);
    for (size_t i = 0; i < a.r.n; i++)
        assert_true(!strcmp(a.r.list[i].name, b.r.list[i].name) && a.r.list[i].value == b.r.list[i].value);
    assert_true(ta.nspans == tb.nspans && ta.nspans > 100);
    for (size_t i = 0; i < ta.nspans; i++)
        assert_true(ta.spans[i].start_ps == tb.spans[i].start_ps && ta.spans[i].end_ps == tb.spans[i].end_ps &&
                    !strcmp(ta.spans[i].name, tb.spans[i].name));
    assert_true(reading(&a, "step_ms") != reading(&c, "step_ms"));
    timeline_free(&ta);
    timeline_free(&tb);
}

/* Mean 1, the asked deviation, independent of each other; the first ones by heart. */
static void jitter_is_log_normal(void **state)
{
    struct parameter_server m = { .seed = 3, .jitter = 0.25 };
    double sum = 0, squares = 0, neighbours = 0, last = 1;
    enum { N = 40000 };

    (void)state;
    for (uint64_t i = 0; i < N; i++) {
        double f = ps_jitter(&m, i % 16, i / 16);
        assert_true(f > 0);
        sum += f;
        squares += (f - 1) * (f - 1);
        neighbours += (f - 1) * (last - 1);
        last = f;
    }
    near("mean", sum / N, 1, 0.005);
    near("deviation", sqrt(squares / N), 0.25, 0.02);
    assert_true(fabs(neighbours / squares) < 0.02);
    assert_true(ps_jitter(&m, 1, 2) != ps_jitter(&m, 2, 1));
    m.jitter = 0;
    assert_true(ps_jitter(&m, 1, 2) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backups_skip_the_slowest),
        cmocka_unit_test(staleness_lies_between),
        cmocka_unit_test(staleness_0_is_lockstep),
        cmocka_unit_test(async_throughput),
        cmocka_unit_test(determinism),
        cmocka_unit_test(jitter_is_log_normal),
    };
    return cmocka_run_group_tests_name("parameter_server_modes", tests, NULL, NULL);
}
