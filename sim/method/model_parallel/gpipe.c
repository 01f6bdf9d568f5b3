/* gpipe.c - micro-batches through the stages, then the exchange, step after step. */
#include "sim/method/model_parallel/tasks.h"

#include <stdlib.h>

#include "model/status.h"

/* GPipe: what one step of all trainers needs to know of the one before, and of itself. */
struct step {
    int *fresh;   /* per node: after it the stage has its parameters, and nothing of the step before is on its way */
    int *next;    /* per node: the same of the next step */
    int *done;    /* per node: its last backward pass */
    int *arrived; /* per micro-batch: where it stands on its way from stage to stage */
};

static const struct mp_part *part_of(const struct mp_plan *p, int64_t micro, size_t s)
{
    return &p->part[p->nsizes == 2 && micro >= p->larger][s];
}

/* A stage works on one micro-batch after another, in order: *last is the one before. */
static int on_stage(struct mp_plan *p, int64_t node, size_t s, int64_t ps, int ready, int *last, enum mp_row row)
{
    int task = engine_compute(p->e, p->node[node].device, ps, row);

    engine_item(p->e, task, mp_stage_item(p, s));
    mp_after(p, task, ready);
    mp_after(p, task, *last);
    *last = task;
    return task;
}

static void gpipe_forward(struct mp_plan *p, struct step *st, int64_t trainer)
{
    size_t stages = (size_t)p->mp->stages;

    for (size_t s = 0; s < stages; s++) {
        int64_t node = trainer * p->mp->stages + (int64_t)s;
        st->done[node] = st->fresh[node];
        for (int64_t k = 0; k < p->mp->micro_batches; k++) {
            const struct mp_part *part = part_of(p, k, s);
            int rows = mp_sample_in(p, part, node, s, st->fresh[node]);
            int task = on_stage(p, node, s, part->forward_ps, s ? st->arrived[k] : -1, &st->done[node], MP_FORWARD);
            mp_after(p, task, rows);
            st->arrived[k] =
                s + 1 == stages ? task
                                : mp_send(p, &part->activation, node, node + 1, task, MP_ACTIVATION, mp_cut_item(p, s));
        }
    }
}

/* The last micro-batch first: its activations are the latest. */
static void gpipe_backward(struct mp_plan *p, struct step *st, int64_t trainer)
{
    for (size_t s = (size_t)p->mp->stages; s-- > 0;) {
        int64_t node = trainer * p->mp->stages + (int64_t)s;
        for (int64_t k = p->mp->micro_batches; k-- > 0;) {
            const struct mp_part *part = part_of(p, k, s);
            int task = on_stage(p, node, s, part->backward_ps, st->arrived[k], &st->done[node], MP_BACKWARD);
            if (s)
                st->arrived[k] = mp_send(p, &part_of(p, k, s - 1)->gradient, node, node - 1, task, MP_ACTIVATION,
                                         mp_cut_item(p, s - 1));
            if (part->sample_out.bytes)
                mp_after(
                    p, st->next[node],
                    mp_send(p, &part->sample_out, node, mp_sample_node(p, node), task, MP_SAMPLE, mp_stage_item(p, s)));
        }
    }
}

/* The server sums the pushes of all trainers, updates, and sends each the result. */
static void gpipe_exchange_part(struct mp_plan *p, struct step *st, size_t s, size_t i)
{
    const struct mp_exchange *x = &p->exchange[i];
    int64_t server = mp_server_node(p, x->server);
    int summed = engine_sync(p->e);

    for (int64_t t = 0; t < p->mp->trainers; t++) {
        int64_t node = t * p->mp->stages + (int64_t)s;
        mp_after(p, summed, mp_send(p, &x->push, node, server, st->done[node], MP_PUSH, (int)(i / p->parts)));
    }
    int updated = mp_work(p, p->node[server].memory, x->update_ps, summed, MP_UPDATE, (int)(i / p->parts));
    for (int64_t t = 0; t < p->mp->trainers; t++) {
        int64_t node = t * p->mp->stages + (int64_t)s;
        mp_after(p, st->next[node], mp_send(p, &x->pull, server, node, updated, MP_PULL, (int)(i / p->parts)));
    }
}

static void gpipe_exchange(struct mp_plan *p, struct step *st)
{
    for (size_t s = (size_t)p->mp->stages; s-- > 0;)
        for (size_t i = p->stage[s].first * p->parts; p->mp->servers && i < p->stage[s].end * p->parts; i++)
            if (p->exchange[i].values)
                gpipe_exchange_part(p, st, s, i);
    for (int64_t n = 0; n < p->nstage_nodes; n++) {
        size_t s = (size_t)(n % p->mp->stages);
        int task = st->done[n];
        if (!p->mp->servers)
            task = mp_work(p, p->node[n].device, p->local_update_ps[s], task, MP_UPDATE, mp_stage_item(p, s));
        mp_after(p, st->next[n], task);
    }
}

static void gpipe_step(struct mp_plan *p, struct step *st, struct mp_iteration *it)
{
    it->first_crossing = p->ncrossings;
    it->begin = engine_sync(p->e);
    it->end = engine_sync(p->e);
    for (int64_t n = 0; n < p->nstage_nodes; n++) {
        st->next[n] = engine_sync(p->e);
        mp_after(p, it->begin, st->fresh[n]);
        mp_after(p, it->end, st->next[n]);
    }
    for (int64_t t = 0; t < p->mp->trainers; t++) {
        gpipe_forward(p, st, t);
        gpipe_backward(p, st, t);
    }
    gpipe_exchange(p, st);
    for (int64_t n = 0; n < p->nstage_nodes; n++)
        st->fresh[n] = st->next[n];
}

int mp_add_gpipe(struct mp_plan *p)
{
    struct step st = {
        .fresh = malloc((size_t)p->nstage_nodes * sizeof(int)),
        .next = malloc((size_t)p->nstage_nodes * sizeof(int)),
        .done = malloc((size_t)p->nstage_nodes * sizeof(int)),
        .arrived = malloc((size_t)p->mp->micro_batches * sizeof(int)),
    };

    p->niterations = (size_t)p->mp->steps + MP_WARM_UP + 1;
    p->iteration = calloc(p->niterations, sizeof(*p->iteration));
    if (!st.fresh || !st.next || !st.done || !st.arrived || !p->iteration)
        p->rc = E_NOMEM;
    for (int64_t n = 0; !p->rc && n < p->nstage_nodes; n++)
        st.fresh[n] = -1;
    for (size_t k = 0; !p->rc && k < p->niterations; k++)
        gpipe_step(p, &st, &p->iteration[k]);
    free(st.fresh);
    free(st.next);
    free(st.done);
    free(st.arrived);
    return p->rc;
}
