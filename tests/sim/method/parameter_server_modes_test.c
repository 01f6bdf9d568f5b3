/* Workers that wait for all, for most, for some or for none: against recursions that know no tasks. */
#include "model/status.h"
#include "tests/sim/method/parameter_server_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/timeline.h"
#include "sim/method/parameter_server/play.h"
#include "tests/draw.h"
#include "tests/test.h"

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

/* A worker between two rounds: through with the last one at 'free', or in 'round' until 'done'. */
struct between {
    int64_t round;
    double done;
};

static double when_made(const struct parameter_server *m, const struct between of[], int64_t round)
{
    double there[16];
    int64_t n = 0;

    for (int64_t w = 0; w < m->workers; w++)
        if (of[w].round == round)
            there[n++] = of[w].done;
    qsort(there, (size_t)n, sizeof(double), ascending);
    return n < m->workers - m->backup_workers ? INFINITY : there[m->workers - m->backup_workers - 1];
}

static int64_t first_through(const struct parameter_server *m, const struct between of[], int64_t before, double until)
{
    int64_t first = -1;

    for (int64_t w = 0; w < m->workers; w++)
        if (of[w].round < before && of[w].done < until && (first < 0 || of[w].done < of[first].done))
            first = w;
    return first;
}

/* Round by round: it is taken up by whoever is through with an earlier one before it is made, and made of the first
 * that are done with it. */
static double with_backups(const struct parameter_server *m)
{
    struct between of[16];
    double made = 0, first = 0;

    for (int64_t w = 0; w < m->workers; w++)
        of[w] = (struct between){ -1, 0 };
    for (int64_t i = 0; i <= m->steps; i++) {
        double before = made;
        for (int64_t w; made = when_made(m, of, i), (w = first_through(m, of, i, made)) >= 0;)
            of[w] = (struct between){ i, fmax(of[w].done, before) + 4 * ps_jitter(m, (uint64_t)w, (uint64_t)i) };
        first = i ? first : made;
    }
    return (made - first) / (double)m->steps;
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
        near("what was trained", reading(&g, "samples_per_s"), (double)(8 - backups) / step * 1e3, 1e-9);
        assert_true(step < last);
        last = step;
    }
    /* Without jitter nobody is slow, and what backups compute is lost. */
    struct rig even = jittery(8, 2);
    of(&even)->jitter = 0;
    of(&even)->backup_workers = 3;
    near("even", play(&even), 4, 1e-6);
    near("of eight five", reading(&even, "samples_per_s"), 5 / 4e-3, 1e-6);
}

/* Three workers with 2, 1 and 1 samples: 8, 4 and 4 ms. A push takes 0.5 ms and a pull 0.5, latency alone; to add a
 * push takes 0.12 ms, one after the other, to update 0.2. Two of the three pushes make an update: round i's are there
 * at 4.74 + 5.44 i ms, and its update at 4.94 + 5.44 i. The slow worker pushes round 0 at 8.5 ms and round 1 at 17.5:
 * too late. Round 2 is made by then (15.82), so it takes up round 3 (21.26), pushes at 26.5, takes up 4 (26.70), pushes
 * at 35.5; 5 is made (32.14), it takes up 6 (37.58), pushes at 44.5, and 7, the last one, is made (43.02). */
static void who_is_late_drops_it_and_catches_up(void **state)
{
    struct rig g = rig(1, 3);
    struct timeline t = { 0 };
    char why[256];
    int sums = 0, pushes = 0, pulls = 0, forwards[3] = { 0 };

    (void)state;
    g.job.batch = 4;
    g.links[1].latency_s = 0.25e-3;
    g.links[0].bandwidth_Bps = g.links[1].bandwidth_Bps = 1e18;
    g.platform.cpu.memory_Bps = 1e11;
    of(&g)->backup_workers = 1;
    of(&g)->steps = 6;
    assert_int_equal(try_play(&g, &t, why, sizeof(why)), E_OK);
    near("step", reading(&g, "step_ms"), 5.44, 1e-8);
    near("samples", reading(&g, "samples_per_s"), 2 / 5.44e-3, 1e-8);
    for (size_t i = 0; i < t.nspans; i++) {
        int gpu = -1;
        sums += !strncmp(t.spans[i].name, "sum ", 4);
        pushes += !strncmp(t.spans[i].name, "push ", 5);
        pulls += !strncmp(t.spans[i].name, "pull ", 5);
        if (!strncmp(t.spans[i].name, "forward ", 8) && sscanf(t.tracks[t.spans[i].track].name, "gpu %d", &gpu) == 1)
            forwards[gpu]++;
    }
    assert_true(forwards[0] == 5 && forwards[1] == 8 && forwards[2] == 8);
    assert_true(pushes == 5 + 8 + 8 && sums == 2 * 8);
    assert_int_equal(pulls, 4 + 1 + 8 + 8); /* the slow one's for rounds 1, 3, 4 and 6, and the last model */
    timeline_free(&t);
}

/* Faster links bring late pushes sooner, of which the server then drops more, and no less is trained for it. Six
 * workers of whom two are wanted, and two are next to the server. */
static void faster_links_do_not_wake_sleepers(void **state)
{
    double rate[3];

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct rig g = rig(3, 6);
        g.platform.gpu.count = 2;
        g.platform.gpu.peak_flops = 1e12;
        g.platform.machines = 3;
        g.links[0].bandwidth_Bps = 1e10;
        g.links[1].bandwidth_Bps = 1e8 * pow(10, i);
        g.platform.cpu.memory_Bps = 1e11;
        of(&g)->workers_per_machine = 2;
        of(&g)->colocated = 1;
        of(&g)->backup_workers = 4;
        of(&g)->steps = 40;
        of(&g)->push.format = WIRE_RATIO;
        of(&g)->push.ratio = 4;
        of(&g)->push.decode.rate_Bps = 1e9;
        play(&g);
        rate[i] = reading(&g, "samples_per_s");
        near("two of six", rate[i] * reading(&g, "step_ms") / 1e3, 2, 1e-9);
    }
    /* A push that will be dropped may be ahead of one that is wanted, but the four of them do not take the server's
       time. */
    assert_true(rate[1] > 0.75 * rate[0] && rate[2] > 0.75 * rate[0]);
}

/* Whatever the barrier, the streams, the codecs: every update is made of as many pushes as are wanted, and the bytes
 * that machines send are those of the rounds that were taken up (parameter_server_use.c asserts it). */
static void backups_of_any_kind(void **state)
{
    uint64_t seed = 3;

    (void)state;
    for (int i = 0; i < 300; i++) {
        struct rig g = rig(1 + draw(&seed) % 4, 1 + (int64_t)(draw(&seed) % 7));
        struct parameter_server *m = of(&g);
        g.platform.machines = 20;
        g.platform.cpu.memory_Bps = 1e9 * (double)(1 + draw(&seed) % 100);
        g.links[1].bandwidth_Bps = 1e7 * (double)(1 + draw(&seed) % 1000);
        g.links[1].latency_s = 1e-6 * (double)(draw(&seed) % 1000);
        g.links[1].duplex = draw(&seed) % 3 ? DUPLEX_FULL : DUPLEX_HALF;
        g.platform.network.message_s = draw(&seed) % 2 ? 1e-4 : 0;
        m->servers = 1 + (int64_t)(draw(&seed) % 3);
        m->colocated = draw(&seed) % 2 && m->servers <= m->workers;
        m->backup_workers = (int64_t)(draw(&seed) % (uint64_t)m->workers);
        m->barrier = (enum ps_barrier)(draw(&seed) % 3);
        m->barrier_s = draw(&seed) % 2 ? 1e-3 : 0;
        m->streams = (int64_t)(draw(&seed) % 3);
        m->local_steps = 1 + (int64_t)(draw(&seed) % 3);
        m->shared_pull = draw(&seed) % 2;
        m->jitter = draw(&seed) % 3 ? 0.1 * (double)(draw(&seed) % 20) : 0;
        m->steps = 1 + (int64_t)(draw(&seed) % 20);
        for (int way = 0; way < 2; way++) {
            struct codec_spec *c = way ? &m->pull : &m->push;
            c->format = draw(&seed) % 2 ? WIRE_RATIO : WIRE_NONE;
            c->place = draw(&seed) % 2 ? CODEC_ON_CPU : CODEC_ON_GPU;
            c->ratio = 3;
            c->threads = 1 + (int64_t)(draw(&seed) % 4);
            c->encode.rate_Bps = 1e9;
            c->decode.rate_Bps = 2e9;
        }
        g.job.batch = 4 * m->workers;
        double step = play(&g), samples = reading(&g, "samples_per_s") * step / 1e3;
        near("samples of an update", samples * (double)m->local_steps,
             4 * (double)((m->workers - m->backup_workers) * m->local_steps), 1e-9);
    }
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
    assert_int_equal(try_play(&g, &t, why, sizeof(why)), E_OK);
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
    assert_int_equal(try_play(&a, &ta, why, sizeof(why)), E_OK);
    assert_int_equal(try_play(&b, &tb, why, sizeof(why)), E_OK);
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
        cmocka_unit_test(who_is_late_drops_it_and_catches_up),
        cmocka_unit_test(faster_links_do_not_wake_sleepers),
        cmocka_unit_test(backups_of_any_kind),
        cmocka_unit_test(staleness_lies_between),
        cmocka_unit_test(staleness_0_is_lockstep),
        cmocka_unit_test(async_throughput),
        cmocka_unit_test(determinism),
        cmocka_unit_test(jitter_is_log_normal),
    };
    return cmocka_run_group_tests_name("parameter_server_modes", tests, NULL, NULL);
}
