/* hogwild.c - threads that do not wait for each other. */
#include "sim/method/model_parallel/tasks.h"

#include <stdlib.h>

#include "model/status.h"

/* One iteration of one thread: stage by stage forward, the gradients' way back, and each stage's exchange. */
struct thread {
    int64_t trainer;
    int begin, end;
};

static int64_t node_of(const struct mp_plan *p, const struct thread *th, size_t s)
{
    return th->trainer * p->mp->stages + (int64_t)s;
}

static int hogwild_forward(struct mp_plan *p, const struct thread *th)
{
    int task = th->begin;

    for (size_t s = 0; s < (size_t)p->mp->stages; s++) {
        const struct mp_part *part = &p->part[0][s];
        int64_t node = node_of(p, th, s);
        int rows = mp_sample_in(p, part, node, s, th->begin), ready = task;
        task = engine_compute(p->e, p->node[node].device, part->forward_ps, MP_FORWARD);
        engine_item(p->e, task, mp_stage_item(p, s));
        mp_after(p, task, ready);
        mp_after(p, task, rows);
        if (s + 1 < (size_t)p->mp->stages)
            task = mp_send(p, &part->activation, node, node + 1, task, MP_ACTIVATION, mp_cut_item(p, s));
    }
    return task;
}

/* Push, update at once, pull. */
static void hogwild_exchange(struct mp_plan *p, const struct thread *th, size_t s, int gradient)
{
    int64_t node = node_of(p, th, s);

    if (!p->mp->servers) {
        mp_after(p, th->end,
                 mp_work(p, p->node[node].device, p->local_update_ps[s], gradient, MP_UPDATE, mp_stage_item(p, s)));
        return;
    }
    for (size_t i = p->stage[s].first * p->parts; i < p->stage[s].end * p->parts; i++) {
        const struct mp_exchange *x = &p->exchange[i];
        int64_t server = mp_server_node(p, x->server);
        if (!x->values)
            continue;
        int task = mp_send(p, &x->push, node, server, gradient, MP_PUSH, (int)(i / p->parts));
        task = mp_work(p, p->node[server].memory, x->update_ps, task, MP_UPDATE, (int)(i / p->parts));
        task = mp_send(p, &x->pull, server, node, task, MP_PULL, (int)(i / p->parts));
        mp_after(p, th->end, task);
    }
    if (p->part[0][s].sample_out.bytes)
        mp_after(p, th->end,
                 mp_send(p, &p->part[0][s].sample_out, node, mp_sample_node(p, node), gradient, MP_SAMPLE,
                         mp_stage_item(p, s)));
}

/* The activations' gradient is encoded before the parameters': another stage waits for it. */
static void hogwild_backward(struct mp_plan *p, const struct thread *th, int task)
{
    for (size_t s = (size_t)p->mp->stages; s-- > 0;) {
        const struct mp_part *part = &p->part[0][s];
        int64_t node = node_of(p, th, s);
        int gradient = engine_compute(p->e, p->node[node].device, part->backward_ps, MP_BACKWARD);
        engine_item(p->e, gradient, mp_stage_item(p, s));
        mp_after(p, gradient, task);
        mp_after(p, th->end, gradient);
        if (s)
            task =
                mp_send(p, &p->part[0][s - 1].gradient, node, node - 1, gradient, MP_ACTIVATION, mp_cut_item(p, s - 1));
        hogwild_exchange(p, th, s, gradient);
    }
}

/* About what an iteration takes with everything idle: threads set out evenly over it, or they would all compute and
 * then all send at once, for ever. */
static int64_t idle_iteration_ps(const struct mp_plan *p)
{
    const struct link_spec *link = platform_link(p->job->platform, p->job->platform->network.link);
    double ps_per_B = link ? 1e12 / (link->bandwidth_Bps * link->efficiency_wire) : 0, ps = 0;

    for (size_t s = 0; s < (size_t)p->mp->stages; s++) {
        const struct mp_part *part = &p->part[0][s];
        const struct mp_message *way[] = { &part->activation, &part->gradient };
        ps += (double)part->forward_ps + (double)part->backward_ps;
        for (size_t i = 0; i < 2; i++)
            ps +=
                (double)(way[i]->select_ps + way[i]->encode_ps + way[i]->decode_ps) + ps_per_B * (double)way[i]->bytes;
    }
    return ps < 1e18 ? (int64_t)ps : (int64_t)1e18;
}

int mp_add_hogwild(struct mp_plan *p)
{
    size_t trainers = (size_t)p->mp->trainers, threads = trainers * (size_t)p->mp->threads;
    size_t rounds = (size_t)p->mp->steps + MP_WARM_UP + 1;
    int64_t spread_ps = idle_iteration_ps(p);

    p->niterations = rounds * threads;
    p->iteration = calloc(p->niterations, sizeof(*p->iteration));
    if (!p->iteration)
        return E_NOMEM;
    for (size_t k = 0; k < p->niterations; k++) {
        struct mp_iteration *it = &p->iteration[k];
        size_t thread = k % threads;
        it->first_crossing = p->ncrossings;
        it->begin = engine_sync(p->e);
        if (k < threads)
            engine_not_before(p->e, it->begin, (int64_t)((double)spread_ps * (double)thread / (double)threads));
        else
            engine_after(p->e, it->begin, p->iteration[k - threads].end);
        it->end = engine_sync(p->e);
        struct thread th = { (int64_t)(thread % trainers), it->begin, it->end };
        hogwild_backward(p, &th, hogwild_forward(p, &th));
    }
    return p->rc;
}
