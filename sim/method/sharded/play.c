#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/refuse.h"
#include "model/status.h"
#include "sim/cost.h"
#include "sim/method/method.h"
#include "sim/method/report.h"
#include "sim/method/sharded/closed.h"
#include "sim/method/sharded/memory.h"
#include "sim/method/sharded/outer.h"
#include "sim/method/sharded/tasks.h"

static const char *const row_names[ACT_WIRE] = { "forward", "recompute", "backward", "update",
                                                 "encode",  "decode",    "dispatch", "hop" };

struct play {
    const struct job *job;
    struct engine *scratch, *e;
    struct topology *topology;
    struct plan_links links;
    struct sharded_plan plan;
    struct fold *fold;
    struct step_traffic traffic;
    double step_ps;
    double outer_ps; /* of the exchange between copies that make steps by themselves: what a step waits for */
};

/* The plan of a job, of every stage or, for a closed form, of one of those that are alike. */
static int plan_job(struct play *p, enum plan_form form, char *why, size_t nwhy)
{
    const struct job *j = p->job;
    int rc = sharded_check(j, why, nwhy);

    p->scratch = engine_new();
    if (!rc)
        rc = p->scratch ? topology_new(j->platform, p->scratch, NULL, &p->topology, why, nwhy) : E_NOMEM;
    rc = rc ? rc : sharded_layout(j, &p->links.layout, why, nwhy);
    rc = rc ? rc : plan_links_of(j->platform, p->topology, &p->links.layout, &p->links);
    return rc ? rc : plan_make(j, &p->links, form, &p->plan);
}

static int fold_ranks(struct play *p, char *why, size_t nwhy)
{
    const struct parallel *l = &p->plan.step.layout;
    int64_t n = parallel_ranks(l), at[AXES];
    int64_t *marks = malloc((size_t)n * sizeof(*marks));
    bool used[WIRES];
    int rc = E_NOMEM;

    for (int64_t r = 0; marks && r < n; r++) {
        parallel_place(l, r, at);
        marks[r] = at[AXIS_PIPELINE];
    }
    step_plan_uses(&p->plan.step, used);
    if (p->plan.step.stages[0].tie.n)
        used[WIRE_FORWARD] = used[WIRE_BACKWARD] = true;
    if (marks)
        rc = fold_new(p->job->platform, l, used, marks, p->plan.m->play == PLAY_WHOLE, &p->fold, why, nwhy);
    free(marks);
    return rc;
}

static int play_step(struct play *p, char *why, size_t nwhy)
{
    int rc = fold_ranks(p, why, nwhy);

    p->e = engine_new();
    if (!rc && !p->e)
        rc = E_NOMEM;
    rc = rc ? rc : fold_engine(p->fold, p->e);
    rc = rc ? rc : step_tasks(p->e, &p->plan.step, p->fold, 0, &p->traffic);
    rc = rc ? rc : engine_run(p->e);
    if (!rc)
        p->step_ps = (double)engine_end_ps(p->e);
    return rc;
}

static int read_rows(const struct play *p, struct readings *out)
{
    double computing = (double)engine_resource_busy_ps(p->e, 0); /* the first stage's GPU */
    int rc = E_OK;

    for (int row = 0; !rc && row < ACT_ROWS; row++) {
        int64_t ps;
        rc = engine_row_ps(p->e, row, &ps);
        if (rc || (!ps && row >= ACT_UPDATE))
            continue;
        if (row < ACT_WIRE)
            reading_add(out, (double)ps / 1e9, "ms", "%s_ms", row_names[row]);
        else
            reading_add(out, (double)ps / 1e9, "ms", "wire.%s_ms", wire_name((enum wire)(row - ACT_WIRE)));
    }
    reading_add(out, (p->step_ps - computing) / 1e9, "ms", "exposed_ms");
    return rc;
}

/* Of the GPUs' time, mean over the classes: resources come in pairs, a GPU and its host. */
static double idle_share(const struct play *p)
{
    double busy = 0;

    for (size_t i = 0; i < p->fold->nclasses; i++)
        busy += (double)engine_resource_busy_ps(p->e, (int)(2 * i)) * (double)p->fold->classes[i].ranks;
    return 1 - busy / ((double)p->fold->ranks * p->step_ps);
}

static void read_memory(const struct play *p, struct readings *out)
{
    struct stage_memory most = memory_fullest(&p->plan);

    reading_add(out, most.total, "B", "memory_bytes");
    for (int c = 0; c < MEMORY_CLASSES; c++)
        if (most.bytes[c] > 0)
            reading_add(out, most.bytes[c], "B", "memory.%s", memory_class_name((enum memory_class)c));
    reading_add(out, (double)most.stage, "1", "memory_stage");
    if (most.host > 0)
        reading_add(out, most.host, "B", "host_bytes");
}

static void read_rates(const struct play *p, struct readings *out)
{
    const struct job *j = p->job;
    double step_s = (p->step_ps + p->outer_ps) / 1e12, gpus = (double)parallel_ranks(&p->plan.step.layout);
    double peak = platform_peak_flops(j->platform, sharded_products(p->plan.m)) * j->platform->compute_scale;

    if (p->plan.model_flops > 0)
        reading_add(out, p->plan.model_flops / (step_s * peak * gpus), "share", "mfu");
    if (j->model->gpt.hidden)
        reading_add(out, (double)(j->batch * j->model->gpt.sequence) / step_s / gpus, "1/s", "tokens_per_s_gpu");
    reading_add(out, (double)p->plan.step.pipeline.micro_batches, "1", "micro_batches");
    reading_add(out, gpus, "1", "ranks");
}

static int read_played(const struct play *p, struct readings *out)
{
    int rc = E_OK;

    if (p->outer_ps > 0)
        report_rates(out, p->step_ps + p->outer_ps, (double)p->job->batch);
    else
        rc = report_readings(out, p->e, 0, engine_end_ps(p->e), 1, (double)p->job->batch);
    rc = rc ? rc : read_rows(p, out);
    reading_add(out, idle_share(p), "share", "bubble_share");
    for (int w = 0; w < WIRES; w++)
        if (p->traffic.bytes[w] > 0)
            reading_add(out, p->traffic.bytes[w], "B", "sent.%s", wire_name((enum wire)w));
    reading_add(out, (double)p->fold->nclasses, "1", "classes");
    return rc;
}

static void read_closed(struct play *p, struct readings *out)
{
    struct closed_step c = closed_step(&p->plan);

    p->step_ps = c.step_ps;
    p->outer_ps = outer_step_ps(&p->plan, p->step_ps);
    report_rates(out, p->step_ps + p->outer_ps, (double)p->job->batch);
    reading_add(out, c.exposed_ps / 1e9, "ms", "exposed_ms");
    reading_add(out, c.bubble_ps / c.step_ps, "share", "bubble_share");
    reading_add(out, c.tail_ps / 1e9, "ms", "tail_ms");
}

static void name_item(const void *context, size_t item, char *name, size_t size)
{
    (void)context;
    snprintf(name, size, "%zu", item);
}

static int take_timeline(const struct play *p, struct timeline *timeline)
{
    const char *rows[ACT_ROWS];

    for (int i = 0; i < ACT_ROWS; i++)
        rows[i] = i < ACT_WIRE ? row_names[i] : wire_name((enum wire)(i - ACT_WIRE));
    return timeline_take(timeline, p->e, rows, ACT_ROWS, name_item, p);
}

static void release(struct play *p)
{
    plan_free(&p->plan);
    fold_free(p->fold);
    topology_free(p->topology);
    engine_free(p->scratch);
    engine_free(p->e);
}

int sharded_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy)
{
    struct play p = { .job = j };
    bool closed = j->method->sharded.play == PLAY_CLOSED;
    int rc = plan_job(&p, closed ? PLAN_ALIKE : PLAN_WHOLE, why, nwhy);

    if (!rc && closed && timeline)
        rc = refuse(why, nwhy, "method.play: a closed form has no timeline: expected folded or whole");
    if (!rc && closed) {
        read_closed(&p, out);
    } else if (!rc) {
        rc = play_step(&p, why, nwhy);
        if (!rc)
            p.outer_ps = outer_step_ps(&p.plan, p.step_ps);
        rc = rc ? rc : read_played(&p, out);
    }
    if (!rc) {
        read_memory(&p, out);
        read_rates(&p, out);
    }
    if (!rc && timeline)
        rc = take_timeline(&p, timeline);
    release(&p);
    return rc;
}

int sharded_why_whole(const struct job *j, const char **reason, char *why, size_t nwhy)
{
    struct play p = { .job = j };
    int rc = E_OK;

    *reason = NULL;
    if (j->method->sharded.play == PLAY_FOLDED) {
        rc = plan_job(&p, PLAN_WHOLE, why, nwhy);
        rc = rc ? rc : fold_ranks(&p, why, nwhy);
        *reason = rc ? NULL : p.fold->why_whole;
        release(&p);
    }
    return rc;
}
