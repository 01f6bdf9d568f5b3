#include "tests/report/papers/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/store/synthetic.h"
#include "tests/test.h"

enum { MEASURES = 16, OPERATIONS = 130, GB = 1000000000 };

/* What a plan comes to. */
struct line {
    const char *variant;
    double samples_per_s, batch, forward_ms, turn_ms, backward_ms, slowed_ms; /* the stalls */
    double generated_GB, offloadable_GB, offloaded_GB, live_GB, peak_GB, host_GB, gap_pct;
    bool largest; /* the batch is the largest that fits */
};

static size_t measures_of(const struct line *l, struct measure_fact *m)
{
    double carried_pct = 100 * l->offloadable_GB / l->generated_GB;
    const struct measure_fact all[] = {
        { "step_ms", 1e3 * l->batch / l->samples_per_s, "ms" },
        { "sample_us", 1e6 / l->samples_per_s, "us" },
        { "samples_per_s", l->samples_per_s, "1/s" },
        { "stall_forward_ms", l->forward_ms, "ms" },
        { "stall_turn_ms", l->turn_ms, "ms" },
        { "stall_backward_ms", l->backward_ms, "ms" },
        { "slowed_ms", l->slowed_ms, "ms" },
        { "generated_bytes", GB * l->generated_GB, "B" },
        { "offloadable_bytes", GB * l->offloadable_GB, "B" },
        { "offloadable_pct", carried_pct < 100 ? carried_pct : 100, "%" },
        { "offloaded_bytes", GB * l->offloaded_GB, "B" },
        { "live_bytes", GB * l->live_GB, "B" },
        { "peak_bytes", GB * l->peak_GB, "B" },
        { "host_bytes", GB * l->host_GB, "B" },
        { "gap_pct", l->gap_pct, "%" },
        { "largest_batch", l->batch, "" },
    };
    _Static_assert(COUNT(all) == MEASURES, "space for all");

    memcpy(m, all, sizeof(all));
    return MEASURES - !l->largest;
}

/* One point, p, with what the line comes to. */
static void put(struct store *s, int64_t run, const char *scenario, const struct line *l, struct point_fact p)
{
    struct measure_fact m[MEASURES];
    char key[33], text[96];

    snprintf(text, sizeof(text), "%s %zu", scenario, p.index);
    synthetic_key(key, text);
    p.key = key;
    p.variant = l->variant;
    p.measures = m;
    p.nmeasures = measures_of(l, m);
    assert_int_equal(store_point(s, run, &p), 0);
}

/* --- plans operation by operation --- */

struct steps {
    char names[2 * OPERATIONS][40];
    struct plan_step_fact steps[2 * OPERATIONS];
    struct task_fact tasks[4 * OPERATIONS];
};

/* 'n' operations and their backward ones; 'held': the share of what is generated that stays. */
static struct plan_fact plan_of(struct steps *o, size_t n, double held)
{
    double alive = 0.3 * GB;

    for (size_t i = 0; i < 2 * n; i++) {
        bool backward = i >= n;
        size_t at = backward ? 2 * n - 1 - i : i;
        int64_t generated = at % 3 == 2 ? 0 : GB / (int64_t)(2 + at), duration_ps = GB * (int64_t)(1 + at * 7 % 5);

        snprintf(o->names[i], sizeof(o->names[i]), at % 16 == 12 ? "block%zu.projection-norm%s" : "conv%zu%s", at + 1,
                 backward ? " backward" : "");
        alive += (backward ? -1 : 1) * held * (double)generated;
        o->steps[i] = (struct plan_step_fact){ .name = o->names[i],
                                               .layer = at % 8 == 7 ? "" : "conv",
                                               .backward = backward,
                                               .duration_ps = duration_ps * (1 + backward),
                                               .generated_bytes = backward ? 0 : generated,
                                               .offloadable_bytes = backward ? 0 : duration_ps / 30,
                                               .offloaded_bytes = backward || held > 0.99 ? 0 : generated,
                                               .live_bytes = (int64_t)alive };
    }
    return (struct plan_fact){ o->steps, 2 * n };
}

/* The plan played: after every operation compute waits 'wait_ps', and what it offloads is copied meanwhile. */
static struct timeline_fact timeline_of(struct steps *o, const struct plan_fact *plan, int64_t wait_ps)
{
    size_t n = 0;
    int64_t now_ps = 0;

    for (size_t i = 0; i < plan->nsteps; i++) {
        const struct plan_step_fact *f = &plan->steps[i], *mirror = &plan->steps[plan->nsteps - 1 - i];
        int64_t copied = f->backward ? mirror->offloaded_bytes : f->offloaded_bytes, end_ps = now_ps + f->duration_ps;

        o->tasks[n] = (struct task_fact){ (int64_t)n, f->name, "gpu 0", 0, now_ps, end_ps, -1 };
        n++;
        if (copied) {
            o->tasks[n] =
                (struct task_fact){ (int64_t)n,          f->name, f->backward ? "to-device 0" : "to-host 0", 0, now_ps,
                                    now_ps + copied * 3, copied };
            n++;
        }
        now_ps = end_ps + wait_ps;
    }
    return (struct timeline_fact){ .tasks = o->tasks, .ntasks = n };
}

/* What the shipped scenarios say was chosen with this cell in view. */
static void choose(struct store *s, int64_t run, const char *table, const char *row, const char *column,
                   const char *what)
{
    const struct cell_fact cell = { "splitcnn", table, row, column, "" };

    assert_int_equal(store_assumption(s, run, &cell, what), 0);
}

/* --- Figure 1 --- */

static void figure1(struct store *s, bool least)
{
    static const struct line lines[] = {
        { "VGG-19", 120, 64, 0.1, 0.2, 0.3, 0.4, 4.2, 6.03, 0.5, 4.4, 4.6, 0.6, 0.7, false },
        { "ResNet-18", 900, 64, 0.1, 0.2, 0.3, 0.4, 1.52, 0.855, 0.5, 1.75, 1.8, 0.6, 0.7, false },
        { "ResNet-50", 250, 64, 0.1, 0.2, 0.3, 0.4, 7.15, 3.16, 0.5, 7.3, 7.5, 0.8, 0.9, false },
        { "ResNet-18 recomputed", 880, 64, 0.1, 0.2, 0.3, 0.4, 1.11, 0.86, 0.5, 1.3, 1.4, 0.6, 0.7, false },
    };
    static const size_t operations[] = { 9, 61, OPERATIONS, 5 };
    struct steps o;
    int64_t run = synthetic_run(s, "splitcnn-fig1", "", "");

    for (size_t i = 0; i < 3; i++)
        choose(s, run, "fig1", lines[i].variant, "offloadable", i < 2 ? "a profile" : "a network");

    for (size_t i = 0; i < (least ? 1 : COUNT(lines)); i++) {
        struct plan_fact plan = plan_of(&o, least ? 1 : operations[i], 1);
        struct cell_fact cell = { "splitcnn", "fig1", lines[i].variant, "offloadable", "offloadable_pct" };
        put(s, run, "splitcnn-fig1", &lines[i],
            (struct point_fact){ .index = i, .plan = &plan, .cells = &cell, .ncells = 1 });
    }
}

static void definitions(struct store *s)
{
    static const struct line lines[] = {
        { "VGG-19", 120, 64, 0.1, 0.2, 0.3, 0.4, 4.25, 6.03, 0.5, 4.4, 4.6, 0.6, 0.7, false },
        { "ResNet-18", 900, 64, 0.1, 0.2, 0.3, 0.4, 1.5, 0.855, 0.5, 1.75, 1.8, 0.6, 0.7, false },
    };
    int64_t run = synthetic_run(s, "splitcnn-fig1-definitions", "", "");

    for (size_t i = 0; i < 4 * COUNT(lines); i++) {
        struct line l = lines[i % 2];
        /* A profile is a path, or the name that its file has. */
        struct param_fact params[] = { { "method.timing", i < 4 ? "../../timings/p100-winograd.yaml" : "p100-deepbench",
                                         0, "" },
                                       { "method.generated", i / 2 % 2 ? "algorithm-1" : "stored", 0, "" } };

        l.generated_GB *= i / 2 % 2 ? 1.25 : 1;
        l.offloadable_GB *= i < 4 ? 1 : 0.9;
        put(s, run, "splitcnn-fig1-definitions", &l,
            (struct point_fact){ .index = i, .combination = i / 2, .params = params, .nparams = COUNT(params) });
    }
}

/* --- Figures 8 and 9 --- */

static void figure8(struct store *s, const char *scenario, const char *network, double scale, bool least)
{
    static const struct line lines[] = {
        { "baseline", 100, 64, 0, 0, 0, 0, 4.2, 6.03, 0, 4.4, 4.6, 0, 0.7, false },
        { "layer-wise", 88, 64, 48.2, 1.25, 26.4, 1.9, 4.2, 6.03, 4.1, 4.15, 4.3, 4.05, 0.3, false },
        { "layer-wise per operation", 81.5, 64, 51.4, 2.5, 68.9, 1.3, 4.2, 6.03, 4.1, 4.15, 4.35, 4.05, 0.4, false },
        { "HMMS", 99, 64, 0.2, 0.5, 0.75, 1.4, 4.2, 6.03, 4.12, 4.16, 4.2, 4.06, 0.1, false },
        { "HMMS per object", 99.25, 64, 0.1, 0.4, 0.6, 1.3, 4.2, 6.03, 4.13, 4.14, 4.18, 4.07, 0.2, false },
    };
    static const double held[] = { 1, 0.2, 0.1, 0.7, 0.4 };
    struct steps o;
    int64_t run = synthetic_run(s, scenario, lines[0].variant, "");

    choose(s, run, "fig8", network, "layer-wise", "where to synchronize");
    for (size_t i = 0; i < (least ? 1 : COUNT(lines)); i++) {
        struct line l = lines[i];
        struct plan_fact plan = plan_of(&o, least ? 1 : 12, held[i]);
        struct timeline_fact timeline = timeline_of(&o, &plan, i == 1 ? GB / 2 : i == 2 ? GB : 0);
        struct cell_fact cell = { "splitcnn", "fig8", network, l.variant, "loss_pct" };
        bool compared = !strcmp(l.variant, "layer-wise") || !strcmp(l.variant, "HMMS");

        l.samples_per_s *= i ? scale : 1;
        put(s, run, scenario, &l,
            (struct point_fact){
                .index = i, .plan = &plan, .timeline = &timeline, .cells = &cell, .ncells = compared });
    }
}

/* --- Figure 10 --- */

static void figure10(struct store *s, const char *scenario, const char *network, double scale, double larger)
{
    static const struct line lines[] = {
        { "baseline", 120, 100, 0.1, 0.2, 0.3, 0.4, 12.5, 6.03, 0, 14, 14.6, 0, 0.25, true },
        { "in place", 125, 180, 0.1, 0.2, 0.3, 0.4, 13.5, 6.03, 0, 14.1, 14.7, 0, 3.5, true },
        { "Split-CNN + HMMS", 117.6, 550, 0.1, 0.2, 0.3, 0.4, 42.2, 60.03, 41.9, 11.7, 14.9, 42.1, 27.1, true },
        { "… freed one by one", 117, 800, 0.1, 0.2, 0.3, 0.4, 53.7, 70.03, 53.4, 14.8, 14.9, 53.5, 0.1, true },
    };
    int64_t run = synthetic_run(s, scenario, lines[0].variant, "");

    choose(s, run, "fig10", network, "batch", "the baseline");
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct line l = lines[i];
        struct cell_fact cells[] = { { "splitcnn", "fig10", network, "batch", "batch_ratio" },
                                     { "splitcnn", "fig10", network, "throughput lost", "loss_pct" } };

        l.samples_per_s *= i ? scale : 1;
        l.batch *= i ? larger : 1;
        put(s, run, scenario, &l,
            (struct point_fact){ .index = i, .cells = cells, .ncells = i == 2 ? COUNT(cells) : 0 });
    }
}

/* --- the cliff, placements, Figure 11 planned --- */

static void cliff(struct store *s, bool least)
{
    static const struct line lines[] = {
        { "keep-all", 250, 64, 0.1, 0.2, 0.3, 0.4, 5.35, 3.16, 0, 5.4, 5.5, 0, 0.7, false },
        { "Algorithm 1", 240, 64, 0.1, 0.2, 0.3, 0.4, 5.35, 3.16, 2.5, 4.5, 5.5, 2.6, 0.7, false },
        { "per object", 240, 64, 0.1, 0.2, 0.3, 0.4, 5.35, 3.16, 2.5, 4, 5.5, 2.6, 0.7, false },
    };
    static const struct param_fact limits[] = { { "method.limit", "0.30", 0.3, "" },
                                                { "method.limit", "0.45", 0.45, "" },
                                                { "method.limit", "0.60", 0.6, "" } };
    static const double rise_GB[] = { 0, 0.45, -0.65 };
    int64_t run = synthetic_run(s, "splitcnn-cliff", lines[0].variant, "");

    for (size_t i = 0; i < (least ? 1 : COUNT(lines) * COUNT(limits)); i++) {
        struct line l = lines[i % COUNT(lines)];
        size_t at = i / COUNT(lines);

        l.live_GB += rise_GB[i % COUNT(lines)] * (double)at;
        put(s, run, "splitcnn-cliff", &l,
            (struct point_fact){ .index = i, .combination = at, .params = &limits[at], .nparams = 1 });
    }
}

static void placements(struct store *s)
{
    static const char *const variants[] = { "first-fit", "greedy-by-size", "exact" };
    static const double gap_pct[] = { 27.1, 3.5, 0 };
    int64_t run = synthetic_run(s, "splitcnn-placement", variants[0], "");

    for (size_t i = 0; i < 4 * COUNT(variants); i++) {
        size_t at = i / COUNT(variants), v = i % COUNT(variants);
        struct line l = { variants[v], 120, 64, 0, 0, 0, 0, 4.2, 6.03, 4.1, 4.4, 4.6, 4.05, 0, false };
        struct param_fact params[] = {
            { "model", at < 2 ? "../../models/vgg-19.yaml" : "resnet-18", 0, "" },
            { "method.schedule", "clamped", 0, "" },
            { "method.split.depth", at % 2 ? "0.75" : "0", at % 2 ? 0.75 : 0, "" },
            { "method.workspace.factor", at < 2 ? "2.25" : "1", at < 2 ? 2.25 : 1, "" },
        };
        l.gap_pct = gap_pct[v] * (double)(1 + at);
        put(s, run, "splitcnn-placement", &l,
            (struct point_fact){ .index = i, .combination = at, .params = params, .nparams = COUNT(params) });
    }
}

static void figure11(struct store *s)
{
    static const struct param_fact places[] = {
        { "platform.link.eth.bandwidth", "1 Gbit/s", 1.25e8, "bytes/s" },
        { "platform.link.eth.bandwidth", "10 Gbit/s", 1.25e9, "bytes/s" },
        { "platform.link.eth.bandwidth", "32 Gbit/s", 4e9, "bytes/s" },
    };
    static const char *const variants[] = { "baseline", "in place", "Split-CNN", "Split-CNN + HMMS" };
    static const double speedup[][3] = { { 1, 1, 1 }, { 1.75, 1.5, 1.01 }, { 3, 2, 1 }, { 5, 1.75, 0.99 } };
    int64_t run = synthetic_run(s, "splitcnn-fig11-planned", variants[0], "");

    for (size_t i = 0; i < COUNT(variants) * COUNT(places); i++) {
        size_t at = i / COUNT(variants), v = i % COUNT(variants);
        struct line l = { variants[v], 100, 64, 0.1, 0.2, 0.3, 0.4, 4.2, 6.03, 4.1, 4.4, 4.6, 4.05, 0.5, true };

        l.samples_per_s *= speedup[v][at];
        put(s, run, "splitcnn-fig11-planned", &l,
            (struct point_fact){ .index = i, .combination = at, .params = &places[at], .nparams = 1 });
    }
}

void memory_runs(struct store *s)
{
    figure1(s, false);
    definitions(s);
    figure8(s, "splitcnn-fig8-vgg-19", "VGG-19", 1, false);
    figure8(s, "splitcnn-fig8-resnet-50", "ResNet-50", 0.96, false);
    figure10(s, "splitcnn-fig10-vgg-19", "VGG-19", 1.025, 1.05);
    figure10(s, "splitcnn-fig10-resnet-18", "ResNet-18", 0.97, 0.6);
    cliff(s, false);
    placements(s);
    figure11(s);
}

void memory_runs_least(struct store *s)
{
    figure1(s, true);
    figure8(s, "splitcnn-fig8-vgg-19", "VGG-19", 1, true);
    cliff(s, true);
}
