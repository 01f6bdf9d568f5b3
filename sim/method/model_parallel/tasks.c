#include "sim/method/model_parallel/tasks.h"

#include "model/status.h"
#include "model/vec.h"

void mp_after(struct mp_plan *p, int task, int earlier)
{
    if (earlier >= 0)
        engine_after(p->e, task, earlier);
}

int mp_work(struct mp_plan *p, int resource, int64_t ps, int earlier, enum mp_row row, int item)
{
    if (!ps)
        return earlier;
    int task = engine_compute(p->e, resource, ps, row);
    engine_item(p->e, task, item);
    mp_after(p, task, earlier);
    return task;
}

static int copy(struct mp_plan *p, struct end from, struct end to, int64_t bytes, int earlier, int item)
{
    int64_t latency_ps = 0, route = topology_route(p->topology, from, to, &latency_ps);
    int task = engine_transfer(p->e, ENGINE_NO_RESOURCE, (int)route, bytes, latency_ps, MP_COPY);

    engine_item(p->e, task, item);
    mp_after(p, task, earlier);
    return task;
}

/* The connection from one machine to another: there are some between neighbouring stages, and between stages and
 * servers. Messages cross it one at a time. (Were all messages of hogwild threads to share a link evenly, those of one
 * moment would also arrive at one moment, and threads that once met would compute and send in step for ever.) */
static int connection(struct mp_plan *p, int64_t from, int64_t to)
{
    int64_t stages = p->nstage_nodes, servers = p->mp->servers;
    int *slot = from < stages && to < stages ? &p->node[from].neighbour[to > from]
                : from < stages              ? &p->to_server[from * servers + to - stages]
                                             : &p->from_server[to * servers + from - stages];

    if (*slot == ENGINE_NO_RESOURCE)
        *slot = engine_resource(p->e, "connection", p->nconnections++, 1);
    return *slot;
}

/* From machine to machine: what a message takes by itself, then its bytes. */
static int cross(struct mp_plan *p, struct end from, struct end to, int64_t bytes, int earlier, enum mp_row row,
                 int item)
{
    int64_t latency_ps = 0, route = topology_route(p->topology, from, to, &latency_ps);

    earlier = mp_work(p, p->node[from.machine].send, topology_message_ps(p->topology), earlier, row, item);
    int task = engine_transfer(p->e, connection(p, from.machine, to.machine), (int)route, bytes, latency_ps, row);
    engine_item(p->e, task, item);
    mp_after(p, task, earlier);
    if (!VEC_RESERVE(p->crossing, p->crossing_capacity, p->ncrossings))
        p->rc = E_NOMEM;
    else
        p->crossing[p->ncrossings++] =
            (struct mp_crossing){ latency_ps, task, (int32_t)from.machine, (int32_t)to.machine, row };
    return task;
}

int mp_send(struct mp_plan *p, const struct mp_message *m, int64_t from_node, int64_t to_node, int earlier,
            enum mp_row row, int item)
{
    const struct mp_node *from = &p->node[from_node], *to = &p->node[to_node];
    struct end source = m->on_cpu ? from->host : from->end, sink = m->on_cpu ? to->host : to->end;
    int task = earlier;

    if (!m->bytes)
        return earlier;
    if (source.gpu != from->end.gpu)
        task = copy(p, from->end, source, m->raw_bytes, task, item);
    task = mp_work(p, m->on_cpu ? from->cpu : from->device, m->select_ps, task, MP_SELECT, item);
    task = mp_work(p, m->on_cpu ? from->cpu : from->device, m->encode_ps, task, MP_ENCODE, item);
    task = cross(p, source, sink, m->bytes, task, row, item);
    task = mp_work(p, m->on_cpu ? to->cpu : to->device, m->decode_ps, task, MP_DECODE, item);
    if (sink.gpu != to->end.gpu)
        task = copy(p, sink, to->end, m->raw_bytes, task, item);
    return task;
}

int64_t mp_server_node(const struct mp_plan *p, int64_t server)
{
    return p->nstage_nodes + server;
}

int64_t mp_sample_node(const struct mp_plan *p, int64_t node)
{
    return mp_server_node(p, node % p->mp->servers);
}

int mp_cut_item(const struct mp_plan *p, size_t s)
{
    return (int)p->stage[s].end - 1;
}

int mp_stage_item(const struct mp_plan *p, size_t s)
{
    return (int)(p->m->nlayers + s);
}

int mp_sample_in(struct mp_plan *p, const struct mp_part *part, int64_t node, size_t s, int earlier)
{
    if (!part->sample_in.bytes)
        return -1;
    return mp_send(p, &part->sample_in, mp_sample_node(p, node), node, earlier, MP_SAMPLE, mp_stage_item(p, s));
}
