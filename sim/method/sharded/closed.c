#include "sim/method/sharded/closed.h"

#include <math.h>

double closed_act_ps(const struct sharded_plan *p, const struct act *a)
{
    double ps = 0;

    for (size_t i = 0; i < a->n; i++) {
        const struct piece *x = &a->list[i];
        ps += x->on == PIECE_WIRE ? (double)wire_ps(p->rates, x->wire, x->bytes, x->hops) : (double)x->ps;
    }
    return ps;
}

/* What a stage's passes of one micro-batch take, and what is on the wires meanwhile. */
struct loads {
    double forward, backward, gather, gather_again, reduce, update, first_gather, last_reduce, compute;
};

static void add_unit(struct loads *l, const struct sharded_plan *p, const struct unit *u, double times)
{
    double gather = closed_act_ps(p, &u->gather);

    l->forward += times * closed_act_ps(p, &u->forward);
    l->backward += times * closed_act_ps(p, &u->backward);
    l->compute += times * (double)(act_gpu_ps(&u->forward) + act_gpu_ps(&u->backward));
    l->gather += times * gather;
    l->gather_again += times * (u->gather_again.n ? closed_act_ps(p, &u->gather_again) : gather);
    l->reduce += times * closed_act_ps(p, &u->reduce);
    l->update += times * (closed_act_ps(p, &u->fetch) + closed_act_ps(p, &u->update) + closed_act_ps(p, &u->store));
}

static struct loads loads_of(const struct sharded_plan *p, const struct stage *stage)
{
    const struct unit *first = stage->chunks[0].units;
    struct loads l = { .first_gather = closed_act_ps(p, &first->gather),
                       .last_reduce = closed_act_ps(p, &first->reduce) };

    for (size_t c = 0; c < stage->nchunks; c++) {
        const struct chunk *chunk = &stage->chunks[c];
        double times = 1 + (double)chunk->more;
        for (size_t i = 0; i < chunk->nunits; i++)
            add_unit(&l, p, &chunk->units[i], times * (1 + (double)chunk->units[i].more));
        l.forward += times * closed_act_ps(p, &chunk->take_forward);
        l.backward += times * closed_act_ps(p, &chunk->take_backward);
    }
    return l;
}

/* Passes and wires at once: the longer, or one after the other. */
static double together(bool overlap, double passes, double wires)
{
    return overlap ? fmax(passes, wires) : passes + wires;
}

struct closed_step closed_step(const struct sharded_plan *p)
{
    const struct pipeline *q = &p->step.pipeline;
    const struct sharded *m = p->m;
    double slowest = 0, sum = 0, compute = 0, blocking = 0, tail = 0, m_batches = (double)q->micro_batches,
           v = (double)q->chunks;
    struct closed_step out = { 0 };

    for (size_t s = 0; s < p->step.nstages; s++) {
        const struct stage *stage = &p->step.stages[s];
        const struct chunk *c = &stage->chunks[0];
        struct loads l = loads_of(p, stage);
        bool each = !p->step.keep_gathered;
        double forward = together(m->overlap, l.forward, each ? l.gather : 0);
        double backward =
            together(m->overlap, l.backward, (each ? l.gather_again : 0) + (m->reduce_each ? l.reduce : 0));
        double once = each ? l.first_gather : 0, after = 0;
        if (!each && m->level)
            once = m->overlap ? fmax(l.first_gather, l.gather - l.forward * m_batches) : l.gather;
        if (m->reduce_each)
            after = m->overlap ? l.last_reduce : 0;
        else
            after = m->overlap ? fmax(l.last_reduce, l.reduce - l.backward) : l.reduce;
        slowest = fmax(slowest, forward + backward);
        sum += (1 + (double)stage->more) * (forward + backward);
        if (stage->number + 1 < q->stages)
            sum +=
                (1 + (double)stage->more) * (closed_act_ps(p, &c->send_forward) + closed_act_ps(p, &c->send_backward));
        compute = fmax(compute, l.compute);
        blocking = fmax(blocking, l.forward + l.backward - l.compute);
        if (once + after + l.update > tail) {
            tail = once + after + l.update;
            out.update_ps = l.update;
        }
    }
    sum += q->stages > 1 ? closed_act_ps(p, &p->step.stages[0].tie) : 0;
    out.compute_ps = compute * m_batches;
    out.blocking_ps = blocking * m_batches;
    out.exposed_ps = (slowest - compute) * m_batches;
    out.bubble_ps = (sum - slowest) / v;
    out.tail_ps = tail;
    out.step_ps = m_batches * slowest + out.bubble_ps + tail;
    return out;
}
