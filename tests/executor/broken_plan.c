#include "tests/executor/broken_plan.h"

#include <string.h>

const enum schedule broken_schedules[BROKEN_SCHEDULES] = { SCHEDULE_LAYER_WISE, SCHEDULE_ALGORITHM_1, SCHEDULE_CLAMPED,
                                                           SCHEDULE_PER_OBJECT };

struct memory_plan broken_make(struct model *m, enum schedule schedule, int64_t patches, bool residual)
{
    struct variation v = { .patches = patches,
                           .generated = GENERATED_STORED,
                           .in_place = 1,
                           .share_sums = 1,
                           .schedule = schedule,
                           .limit = 1,
                           .keep_last = -1,
                           .workspace_factor = 1 };
    struct memory_plan plan;

    *m = residual ? plans_residual() : plans_plain();
    assert_true(plans_make(m, &v, 2, &plan));
    assert_true(plan.transfers.n > 3 || schedule == SCHEDULE_KEEP_ALL);
    return plan;
}

void broken_drop(struct memory_plan *plan, struct model *m)
{
    memory_plan_free(plan);
    model_free(m);
}

static bool meet(const struct buffer *a, const struct buffer *b)
{
    return a->lower < b->upper && b->lower < a->upper && a->offset < b->offset + b->bytes &&
           b->offset < a->offset + a->bytes;
}

bool broken_valid(const struct lifetimes *l)
{
    for (size_t i = 0; i < l->n; i++)
        for (size_t j = 0; j < i; j++)
            if (meet(&l->buffers[i], &l->buffers[j]))
                return false;
    return true;
}

size_t broken_buffer_of(const struct lifetimes *l, int32_t storage, int32_t part)
{
    size_t i = 0;

    while (l->residents[i].storage != storage || l->residents[i].part != part)
        i++;
    return i;
}

void broken_stack(struct lifetimes *l, struct placement *pool, size_t a, size_t b)
{
    int64_t top = (pool->height + 255) / 256 * 256;
    int64_t more = l->buffers[a].bytes > l->buffers[b].bytes ? l->buffers[a].bytes : l->buffers[b].bytes;

    l->buffers[a].offset = l->buffers[b].offset = top;
    pool->height = top + more;
}

void broken_save(const struct memory_plan *plan, struct broken_saved *s)
{
    assert_true(plan->device.n <= COUNT(s->offsets) && plan->host.n <= COUNT(s->homes));
    for (size_t i = 0; i < plan->device.n; i++)
        s->offsets[i] = plan->device.buffers[i].offset;
    for (size_t i = 0; i < plan->host.n; i++)
        s->homes[i] = plan->host.buffers[i].offset;
    s->height = plan->device_pool.height;
    s->home_height = plan->host_pool.height;
}

void broken_restore(struct memory_plan *plan, const struct broken_saved *s)
{
    for (size_t i = 0; i < plan->device.n; i++)
        plan->device.buffers[i].offset = s->offsets[i];
    for (size_t i = 0; i < plan->host.n; i++)
        plan->host.buffers[i].offset = s->homes[i];
    plan->device_pool.height = s->height;
    plan->host_pool.height = s->home_height;
}

void broken_check_text(const struct memory_plan *plan, const struct executor_error *f)
{
    const struct tensor *t = plan->graph.tensors;
    char name[96];
    bool named = false;

    graph_operation_name(&plan->graph, &plan->split, f->operation, name, sizeof(name));
    if (strncmp(f->text, name, strlen(name)))
        fail_msg("'%s' does not begin with '%s'", f->text, name);
    for (size_t i = 0; i < plan->graph.ntensors && !named; i++)
        named = t[i].storage == f->storage &&
                (t[i].role == TENSOR_INPUT || strstr(f->text, plan->model->layers[t[i].layer].name));
    if (!named)
        fail_msg("'%s' does not name storage %d", f->text, f->storage);
}

void broken_expect_error(const char *what, const struct memory_plan *plan, enum lazy_mode mode, int32_t operation,
                         int32_t storage)
{
    struct ran r = plans_run(plan, EXECUTOR_STAMP, mode, 1);

    if (!r.errors || r.first.operation != operation || r.first.storage != storage)
        fail_msg("%s: %lld errors, expected operation %d, storage %d, got %d, %d: %s", what, (long long)r.errors,
                 operation, storage, r.first.operation, r.first.storage, r.first.text);
    assert_true(r.first.at_byte >= 0 && r.first.at_byte % 256 == 0);
    broken_check_text(plan, &r.first);
}

void broken_expect_refusal(const char *what, const struct memory_plan *plan, int32_t operation, const char *first,
                           const char *second)
{
    char why[512] = "runs", name[96];

    graph_operation_name(&plan->graph, &plan->split, operation, name, sizeof(name));
    if (plans_apart(plan, why) || strncmp(why, name, strlen(name)) || !strstr(why, first) || !strstr(why, second))
        fail_msg("%s: expected %s, '%s' and '%s', got: %s", what, name, first, second, why);
}

void broken_name_of(const struct memory_plan *plan, int32_t storage, char text[128])
{
    program_tensor_name(plan, plan->storages.items[storage].tensor, text, 128);
}

bool broken_reads(const struct memory_plan *plan, int32_t operation, int32_t storage)
{
    int32_t tensors[OPERATION_PLACES];

    for (int i = operation_reads(&plan->graph.operations[operation], tensors); i-- > 0;)
        if (plan->graph.tensors[tensors[i]].storage == storage)
            return true;
    return false;
}
