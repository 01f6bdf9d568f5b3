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

/* One micro-batch through a stage, and what the step's beginning and end add. */
struct turn {
    double forward, backward, tail;
};

static struct turn turn_of(const struct sharded_plan *p, const struct loads *l)
{
    const struct sharded *m = p->m;
    bool each = !p->step.keep_gathered;
    double once = each ? l->first_gather : 0, after;
    struct turn t = {
        together(m->overlap, l->forward, each ? l->gather : 0),
        together(m->overlap, l->backward, (each ? l->gather_again : 0) + (m->reduce_each ? l->reduce : 0)), 0
    };

    if (!each && m->level)
        once = m->overlap ? fmax(l->first_gather, l->gather - l->forward * (double)p->step.pipeline.micro_batches)
                          : l->gather;
    if (m->reduce_each)
        after = m->overlap ? l->last_reduce : 0;
    else
        after = m->overlap ? fmax(l->last_reduce, l->reduce - l->backward) : l->reduce;
    t.tail = once + after + l->update;
    return t;
}

/* The pipeline so far, from the last stage on. */
struct behind {
    double stages;            /* seen */
    double sum, slowest;      /* of a micro-batch's passes */
    double forward, backward; /* the slowest of each */
    double loop;              /* the longest that a micro-batch under way keeps a stage from the next one */
};

/* As many stages alike. 1F1B lets a stage have as many micro-batches under way as there are stages from it on: before
 * it takes another one the first is to come back. */
static void go_through(struct behind *b, const struct turn *t, double times, double message)
{
    double pass = t->forward + t->backward;

    for (int last = 0; last < 2; last++) {
        double n = last ? times : 1, stages = b->stages + n;
        b->loop = fmax(b->loop, (b->sum + n * pass + (stages - 1) * message) / stages);
    }
    b->stages += times;
    b->sum += times * pass;
    b->slowest = fmax(b->slowest, pass);
    b->forward = fmax(b->forward, t->forward);
    b->backward = fmax(b->backward, t->backward);
}

/* What stages wait for messages, besides those on the first and the last micro-batch's way. */
static double waits_ps(const struct sharded_plan *p, const struct behind *b, double forward, double backward)
{
    const struct pipeline *q = &p->step.pipeline;
    double m = (double)q->micro_batches, v = (double)q->chunks, n = (double)q->stages, cycle;

    if (q->stages < 2 || q->schedule == PIPELINE_GPIPE)
        return 0;
    if (q->chunks == 1)
        return fmax(0, m - n) * fmax(0, b->loop - b->slowest);
    cycle = fmax(b->forward + v * forward, b->backward + v * backward);
    double rounds = fmin(v - 1, m * v / n - 1), steady = fmax(0, m - ((v - 1) * n + 2 * (n - 1)) / v);
    return rounds * n * (forward + backward) + steady * fmax(0, cycle - b->slowest);
}

struct closed_step closed_step(const struct sharded_plan *p)
{
    const struct pipeline *q = &p->step.pipeline;
    const struct chunk *first = &p->step.stages[0].chunks[0];
    double to = closed_act_ps(p, &first->send_forward), back = closed_act_ps(p, &first->send_backward);
    double compute = 0, blocking = 0, m = (double)q->micro_batches;
    struct behind b = { 0 };
    struct closed_step out = { 0 };

    for (size_t s = p->step.nstages; s-- > 0;) {
        struct loads l = loads_of(p, &p->step.stages[s]);
        struct turn t = turn_of(p, &l);
        go_through(&b, &t, 1 + (double)p->step.stages[s].more, to + back);
        compute = fmax(compute, l.compute);
        blocking = fmax(blocking, l.forward + l.backward - l.compute);
        if (t.tail > out.tail_ps) {
            out.tail_ps = t.tail;
            out.update_ps = l.update;
        }
    }
    out.compute_ps = compute * m;
    out.blocking_ps = blocking * m;
    out.exposed_ps = (b.slowest - compute) * m;
    out.bubble_ps = (b.sum - b.slowest) / (double)q->chunks + (double)(q->stages - 1) * (to + back) +
                    waits_ps(p, &b, to, back) + closed_act_ps(p, &p->step.stages[0].tie);
    out.step_ps = m * b.slowest + out.bubble_ps + out.tail_ps;
    return out;
}
