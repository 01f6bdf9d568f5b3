#include "sim/method/parameter_server/labour.h"

int after(struct ps_play *s, int task, int earlier)
{
    if (earlier >= 0)
        engine_after(s->e, task, earlier);
    return task;
}

int item_of(const struct ps_play *s, size_t tensor)
{
    return (int)(s->job->model->nlayers + tensor);
}

int in_group(struct ps_play *s, int task, int group)
{
    if (group >= 0)
        engine_in_group(s->e, task, group);
    return task;
}

int32_t server_rank(const struct ps_play *s, size_t server)
{
    return (int32_t)(s->nworkers + server);
}

int order(struct ps_play *s, int32_t rank)
{
    int task = engine_sync(s->e);

    engine_place(s->e, task, &(struct task_place){ .work = WORK_ORDER, .rank = rank, .peer = -1, .tensor = -1 });
    return task;
}

static enum task_work work_of(enum ps_row row)
{
    switch (row) {
    case PS_ENCODE: return WORK_ENCODE;
    case PS_DECODE: return WORK_DECODE;
    case PS_SUM: return WORK_SUM;
    case PS_UPDATE: return WORK_UPDATE;
    case PS_PUSH:
    case PS_PULL: return WORK_NOTHING;
    default: return WORK_CLOCK;
    }
}

/* Among all that wait for one resource. */
static int in_line(struct ps_play *s, int task, size_t tensor)
{
    if (s->method->order == PS_ORDER_FORWARD)
        engine_priority(s->e, task, (int)tensor);
    return task;
}

int takes(struct ps_play *s, struct labour l, size_t tensor, int earlier, int group)
{
    if (!l.ps)
        return earlier;
    int task = in_line(s, in_group(s, engine_compute(s->e, l.resource, l.ps, l.row), group), tensor);
    engine_item(s->e, task, item_of(s, tensor));
    engine_place(
        s->e, task,
        &(struct task_place){ .work = work_of(l.row), .rank = l.rank, .peer = l.peer, .tensor = -1, .shares = 1 });
    return after(s, task, earlier);
}

int moves(struct ps_play *s, struct ps_path path, int64_t bytes, struct labour l, size_t tensor, int earlier, int group,
          int *moved)
{
    int task = engine_transfer(s->e, path.stream, path.route, bytes, path.stream < 0 ? path.latency_ps : 0, l.row);

    in_line(s, in_group(s, task, group), tensor);
    engine_item(s->e, task, item_of(s, tensor));
    engine_place(s->e, task,
                 &(struct task_place){ .work = WORK_MOVE, .rank = l.rank, .peer = l.peer, .bytes = -1, .tensor = -1 });
    after(s, task, earlier);
    if (moved)
        *moved = task;
    if (path.stream < 0)
        return task;
    return takes(s, (struct labour){ ENGINE_NO_RESOURCE, path.latency_ps, l.row, l.peer, l.rank }, tensor, task, group);
}
