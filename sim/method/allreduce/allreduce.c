#include "sim/method/allreduce/allreduce.h"

#include "model/refuse.h"
#include "model/status.h"
#include "sim/method/allreduce/readings.h"
#include "sim/method/allreduce/tasks.h"
#include "sim/method/report.h"

static int play(const struct ar_plan *p, struct ar_step *g, char *why, size_t nwhy)
{
    int64_t from_ps, to_ps;
    int rc = ar_new(p, g, why, nwhy);

    rc = rc ? rc : ar_tasks(g);
    rc = rc ? rc : engine_run(g->e);
    if (!rc && ar_window(g, &from_ps, &to_ps) <= 0)
        rc = refuse(why, nwhy, "method.profile: a step takes no time at all");
    return rc;
}

/* The step of one worker with its share of the batch and nobody to talk to. Without copies its stream never waits. */
static int play_alone(const struct ar_plan *p, double *step_ps, char *why, size_t nwhy)
{
    struct method method = *p->job->method;
    struct job job = *p->job;
    struct ar_plan plan = { 0 };
    struct ar_step g = { 0 };
    int64_t from_ps, to_ps;
    int rc;

    *step_ps = 0;
    for (size_t i = 0; i < p->job->model->nlayers; i++)
        *step_ps += (double)p->layers[i].forward_ps[SHARE_LARGER] + (double)p->layers[i].backward_ps[SHARE_LARGER];
    for (size_t b = 0; b < p->nbuckets; b++)
        *step_ps += (double)p->buckets[b].update_ps;
    if (!(p->method->offload_share > 0))
        return E_OK;
    method.allreduce.workers = method.allreduce.local_steps = method.allreduce.steps = 1;
    method.allreduce.level = COLLECTIVE_FLOWS;
    job.method = &method;
    job.batch = ar_plan_samples(p, SHARE_LARGER);
    rc = ar_plan_make(&job, &plan, why, nwhy);
    if (!rc)
        rc = play(&plan, &g, why, nwhy);
    if (!rc)
        *step_ps = (double)ar_window(&g, &from_ps, &to_ps) / (double)g.measured;
    ar_free(&g);
    ar_plan_free(&plan);
    return rc;
}

int allreduce_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy)
{
    struct ar_plan plan = { 0 };
    struct ar_step g = { 0 };
    double alone_ps = 0;
    int rc = allreduce_check_keys(j, why, nwhy);

    rc = rc ? rc : ar_plan_make(j, &plan, why, nwhy);
    rc = rc ? rc : play(&plan, &g, why, nwhy);
    rc = rc ? rc : play_alone(&plan, &alone_ps, why, nwhy);
    if (!rc && timeline)
        rc = ar_timeline(&g, timeline);
    if (!rc)
        rc = ar_read(&g, alone_ps, out);
    ar_free(&g);
    ar_plan_free(&plan);
    return rc;
}
