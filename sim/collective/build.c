/* build.c - adds a collective of any algorithm to an engine. */
#include "sim/collective/build.h"

#include <stdlib.h>

#include "model/status.h"

static int (*const algorithms[COLLECTIVE_ALGORITHMS])(struct build *b, int64_t bytes) = {
    [COLLECTIVE_RING] = build_ring,
    [COLLECTIVE_TREE] = build_tree,
    [COLLECTIVE_HALVING_DOUBLING] = build_halving_doubling,
    [COLLECTIVE_HIERARCHICAL] = build_hierarchical,
    [COLLECTIVE_BOUND] = build_bound,
    [COLLECTIVE_IDEAL] = build_ideal,
};

/* What a transfer carries: a part of the vector, or the payload of one rank. */
static struct task_place carried(const struct build *b, int64_t from, int64_t to, struct part part, bool add)
{
    return (struct task_place){ .work = WORK_MOVE,
                                .rank = (int32_t)from,
                                .peer = (int32_t)to,
                                .offset = b->gathered ? part.payload : part.offset,
                                .bytes = b->gathered ? -1 : part.bytes,
                                .add = add,
                                .when_ready = b->when_ready,
                                .tensor = -1,
                                .share = (int32_t)part.share,
                                .shares = (int32_t)part.shares };
}

int build_transfer(struct build *b, int64_t from, int64_t to, struct part part, bool add)
{
    const struct collective_place *p = b->place;
    int64_t latency_ps = 0, route = p->route(p->context, from, to, &latency_ps);
    int64_t framed = p->framed ? p->framed(p->context, from, to, part.bytes) : part.bytes;
    int sender = p->sender ? p->sender(p->context, from) : ENGINE_NO_RESOURCE;
    int task = engine_transfer(b->e, sender, route < 0 ? -1 : (int)route, framed, latency_ps, b->label);

    if (task < 0)
        return task;
    engine_item(b->e, task, b->item);
    const struct task_place place = carried(b, from, to, part, add);
    engine_place(b->e, task, &place);
    if (p->carries)
        p->carries(p->context, task, from, to, part.offset, part.bytes, add);
    return task;
}

void build_wait(struct build *b, int task, int earlier)
{
    if (task >= 0 && earlier >= 0)
        engine_after(b->e, task, earlier);
}

void build_after(struct build *b, int task, int64_t rank)
{
    build_wait(b, task, b->held[rank].sent);
    if (b->held[rank].got != b->held[rank].sent)
        build_wait(b, task, b->held[rank].got);
}

void build_join(struct build *b)
{
    int all = engine_sync(b->e);

    engine_place(b->e, all, &(struct task_place){ .work = WORK_ORDER, .rank = RANK_EACH, .peer = -1, .tensor = -1 });
    for (int64_t r = 0; all >= 0 && r < b->place->ranks; r++)
        build_after(b, all, r);
    for (int64_t r = 0; r < b->place->ranks; r++)
        b->held[r] = (struct held){ .sent = all, .got = all };
}

static int build_start(struct build *b)
{
    b->held = malloc((size_t)b->place->ranks * sizeof(*b->held));
    if (!b->held)
        return E_NOMEM;
    for (int64_t r = 0; r < b->place->ranks; r++)
        b->held[r] = (struct held){ .sent = b->ready[r], .got = b->ready[r] };
    return E_OK;
}

/* One task for each rank, and whether anything went wrong on the way: the engine answers -1 from then on. */
static int build_finish(struct build *b, int done[])
{
    int last = 0;

    for (int64_t r = 0; r < b->place->ranks; r++) {
        done[r] = last = engine_sync(b->e);
        engine_place(b->e, last,
                     &(struct task_place){ .work = WORK_ORDER, .rank = (int32_t)r, .peer = -1, .tensor = -1 });
        if (done[r] >= 0)
            build_after(b, done[r], r);
    }
    return last < 0 ? E_INVAL : E_OK;
}

int build_run(struct build *b, int (*algorithm)(struct build *b, int64_t bytes), int64_t bytes, int done[])
{
    const struct collective_place *p = b->place;
    int rc = p->ranks < 1 || p->ranks_per_machine < 1 || p->block_bytes < 0 || bytes < 0 ? E_INVAL : build_start(b);

    if (!rc && algorithm)
        rc = algorithm(b, bytes);
    if (!rc)
        rc = build_finish(b, done);
    free(b->held);
    return rc;
}

int collective_allreduce(struct engine *e, enum collective_algorithm a, const struct collective_place *place,
                         int64_t bytes, const int ready[], int done[], int label, int item)
{
    struct build b = { .e = e, .place = place, .ready = ready, .label = label, .item = item };

    if (!algorithms[a])
        return E_INVAL;
    return build_run(&b, place->ranks > 1 && bytes ? algorithms[a] : NULL, bytes, done);
}

int collective_allgather(struct engine *e, const struct collective_place *place, int64_t bytes, const int ready[],
                         int done[], int label, int item)
{
    struct build b = { .e = e, .place = place, .ready = ready, .label = label, .item = item, .gathered = true };

    return build_run(&b, place->ranks > 1 && bytes ? build_allgather : NULL, bytes, done);
}

int collective_alltoall(struct engine *e, const struct collective_place *place, int64_t bytes, const int ready[],
                        int done[], int label, int item)
{
    struct build b = { .e = e, .place = place, .ready = ready, .label = label, .item = item, .gathered = true };

    return build_run(&b, place->ranks > 1 && bytes ? build_alltoall : NULL, bytes, done);
}

int collective_reduce_scatter(struct engine *e, const struct collective_place *place, int64_t bytes, const int ready[],
                              int done[], int label, int item)
{
    struct build b = { .e = e, .place = place, .ready = ready, .label = label, .item = item };

    return build_run(&b, place->ranks > 1 && bytes ? build_reduce_scatter : NULL, bytes, done);
}
