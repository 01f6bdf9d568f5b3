#include "model/transfer/transfer.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "model/refuse.h"
#include "model/status.h"
#include "model/transfer/private.h"

static const char *const schedule_names[SCHEDULE_KINDS] = {
    [SCHEDULE_KEEP_ALL] = "keep-all", [SCHEDULE_LAYER_WISE] = "layer-wise", [SCHEDULE_ALGORITHM_1] = "algorithm-1",
    [SCHEDULE_CLAMPED] = "clamped",   [SCHEDULE_PER_OBJECT] = "per-object",
};

const char *schedule_name(enum schedule s)
{
    return schedule_names[s];
}

static int check_options(const struct transfer_options *o, char *why, size_t nwhy)
{
    if (!(o->limit >= 0 && o->limit <= 1))
        return refuse(why, nwhy, "limit: expected a share of 0 to 1, got %g", o->limit);
    if (o->latency_ps < 0)
        return refuse(why, nwhy, "link: expected a latency of 0 or more, got %lld ps", (long long)o->latency_ps);
    return E_OK;
}

/* Asked for only where something is to move. */
static int check_link(const struct transfer_options *o, char *why, size_t nwhy)
{
    const double rates[] = { o->to_host_Bps, o->to_device_Bps };
    static const char *const ways[] = { "to the host", "to the device" };

    for (size_t i = 0; i < 2; i++)
        if (!(rates[i] > 0 && isfinite(rates[i])))
            return refuse(why, nwhy, "link: expected a bandwidth %s above 0 to offload anything over, got %g bytes/s",
                          ways[i], rates[i]);
    return E_OK;
}

/* Operations that the schedule takes as one, within one pass. */
static void fill_spans(struct transfer_task *task)
{
    const struct graph *g = task->g;
    bool groups = task->options->schedule == SCHEDULE_LAYER_WISE && task->options->granularity == GRANULARITY_GROUP;

    for (size_t i = 0; i < g->noperations; i++) {
        bool goes_on = groups && i && i != g->nforward && g->operations[i].group == g->operations[i - 1].group;
        task->first_of[i] = goes_on ? task->first_of[i - 1] : (int32_t)i;
    }
    for (size_t i = g->noperations; i-- > 0;) {
        bool goes_on = i + 1 < g->noperations && task->first_of[i + 1] == task->first_of[i];
        task->last_of[i] = goes_on ? task->last_of[i + 1] : (int32_t)i;
    }
}

static int task_make(struct transfer_task *task)
{
    size_t n = task->g->noperations;

    task->begin_ps = malloc((n + 1) * sizeof(*task->begin_ps));
    task->first_of = malloc((n + 1) * sizeof(*task->first_of));
    task->last_of = malloc((n + 1) * sizeof(*task->last_of));
    if (!task->begin_ps || !task->first_of || !task->last_of)
        return E_NOMEM;
    task->begin_ps[0] = 0;
    for (size_t i = 0; i < n; i++)
        task->begin_ps[i + 1] = transfer_add_ps(task->begin_ps[i], task->operation_ps[i]);
    fill_spans(task);
    return E_OK;
}

static void task_free(struct transfer_task *task)
{
    free(task->begin_ps);
    free(task->first_of);
    free(task->last_of);
    free(task->moves);
}

static int64_t carried_in_forward(const struct transfer_task *task)
{
    double bytes = (double)task->begin_ps[task->g->nforward] * (task->options->to_host_Bps / 1e12);

    if (!(bytes > 0))
        return 0;
    return bytes < 9e18 ? (int64_t)bytes : INT64_MAX;
}

/* The smaller of the two limits. */
static double share_limit(const struct transfer_task *task, int64_t offloadable)
{
    const struct transfer_options *o = task->options;
    double by_link = (double)offloadable / (double)task->s->generated_bytes;

    return o->limit_by_link && by_link < o->limit ? by_link : o->limit;
}

static int plan(struct transfer_task *task, int64_t offloadable, char *why, size_t nwhy)
{
    int rc = transfer_find(task);

    if (rc || !task->n || task->options->limit <= 0) {
        task->n = 0;
        return rc;
    }
    rc = check_link(task->options, why, nwhy);
    if (!rc) {
        transfer_copy_times(task);
        rc = transfer_choose(task, share_limit(task, offloadable));
    }
    return rc ? rc : transfer_schedule(task);
}

static int collect(const struct transfer_task *task, int64_t offloadable, struct transfer_list *out)
{
    struct transfer *items = malloc((task->n + 1) * sizeof(*items));
    int64_t bytes = 0;

    if (!items)
        return E_NOMEM;
    for (size_t i = 0; i < task->n; i++) {
        items[i] = task->moves[i].t;
        bytes += task->moves[i].bytes;
    }
    *out = (struct transfer_list){ items, task->n, bytes, offloadable };
    return E_OK;
}

int transfer_plan(const struct graph *g, const struct storage_list *s, const int64_t *operation_ps,
                  const struct transfer_options *options, struct transfer_list *out, char *why, size_t nwhy)
{
    struct transfer_task task = { .g = g, .s = s, .operation_ps = operation_ps, .options = options };
    int64_t offloadable = 0;
    int rc = check_options(options, why, nwhy);

    if (!rc)
        rc = task_make(&task);
    if (!rc) {
        offloadable = carried_in_forward(&task);
        if (options->schedule != SCHEDULE_KEEP_ALL)
            rc = plan(&task, offloadable, why, nwhy);
    }
    if (!rc)
        rc = collect(&task, offloadable, out);
    task_free(&task);
    return rc;
}

void transfer_free(struct transfer_list *t)
{
    free(t->items);
    *t = (struct transfer_list){ 0 };
}
