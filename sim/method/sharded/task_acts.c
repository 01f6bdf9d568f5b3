#include "model/status.h"
#include "sim/method/sharded/tasks_parts.h"
#include "sim/parallel/rates.h"

void tasks_after(struct build *b, int task, int earlier)
{
    if (earlier >= 0 && task >= 0)
        engine_after(b->e, task, earlier);
}

static int label(const struct build *b, size_t class, enum act_row row)
{
    return class == b->shown ? (int)row : ENGINE_NO_LABEL;
}

static int64_t part_of(int64_t bytes, int64_t parts, int64_t of)
{
    return (int64_t)(((__int128)bytes * parts + of - 1) / of);
}

/* The flows of one class on a wire: 'done' waits for them. */
void tasks_flows(struct build *b, size_t class, const struct piece *piece, int ready, int done)
{
    const struct fold_wire *w = fold_wire(b->f, class, piece->wire);

    for (size_t i = 0; i < w->nflows; i++) {
        const struct fold_flow *flow = &b->f->flows[w->first_flow + i];
        int64_t bytes = part_of(piece->bytes, flow->parts, flow->of), latency = flow->latency_ps;
        if (wire_is_ring(piece->wire))
            latency = piece->hops * ring_hops_ps(w->ranks, w->machines, flow->away, flow->latency_ps + b->p->step_ps);
        int task = engine_transfer(b->e, ENGINE_NO_RESOURCE, flow->route, bytes, latency, label(b, class, piece->row));
        tasks_after(b, task, ready);
        tasks_after(b, done, task);
        b->traffic->bytes[piece->wire] += (double)bytes * (double)b->f->classes[class].ranks;
    }
}

/* All ranks of each group together. now[] of the classes moves on. */
static void add_wire(struct build *b, const size_t classes[], size_t n, const struct piece *piece)
{
    for (size_t i = 0; i < n; i++) {
        const struct fold_wire *w = fold_wire(b->f, classes[i], piece->wire);
        const int32_t *together = &b->f->together[w->first_class];
        if (w->ranks < 2 || (size_t)together[0] != classes[i])
            continue; /* added with the group's first class */
        int ready = engine_sync(b->e), done = engine_sync(b->e);
        for (size_t k = 0; k < w->nclasses; k++)
            tasks_after(b, ready, b->now[together[k]]);
        tasks_after(b, done, ready);
        for (size_t k = 0; k < w->nclasses; k++)
            tasks_flows(b, (size_t)together[k], piece, ready, done);
        for (size_t k = 0; k < w->nclasses; k++)
            b->now[together[k]] = b->off[together[k]] = done;
    }
}

/* To or from the host: each rank by itself. */
static void add_host_wire(struct build *b, size_t class, const struct piece *piece)
{
    int done = engine_sync(b->e);

    tasks_after(b, done, b->now[class]);
    tasks_flows(b, class, piece, b->now[class], done);
    b->now[class] = b->off[class] = done;
}

void tasks_work(struct build *b, size_t class, const struct piece *piece)
{
    int resource = piece->on == PIECE_GPU    ? b->strands[class].gpu
                   : piece->on == PIECE_HOST ? b->strands[class].host
                                             : ENGINE_NO_RESOURCE;
    int task = engine_compute(b->e, resource, piece->ps, label(b, class, piece->row));

    tasks_after(b, task, b->now[class]);
    b->now[class] = task;
}

/* Adds an act of all classes of a stage, after now[] of each; now[] is then its end. */
void tasks_act(struct build *b, int64_t stage, const struct act *a)
{
    const size_t *classes = b->of_stage[stage];
    size_t n = b->nof_stage[stage];

    for (size_t i = 0; i < a->n; i++) {
        const struct piece *piece = &a->list[i];
        if (piece->on == PIECE_WIRE && !wire_is_point(piece->wire)) {
            add_wire(b, classes, n, piece);
            continue;
        }
        for (size_t c = 0; c < n; c++)
            if (piece->on == PIECE_WIRE)
                add_host_wire(b, classes[c], piece);
            else
                tasks_work(b, classes[c], piece);
    }
}
