#include "model/status.h"
#include "sim/method/sharded/tasks_parts.h"

static int *slot(struct build *b, size_t class, bool backward, int64_t micro, int64_t chunk)
{
    const struct pipeline *p = &b->p->pipeline;

    return &b->arrived[((class * PASSES + backward) * (size_t)p->micro_batches + (size_t)micro) * (size_t)p->chunks +
                       (size_t)chunk];
}

/* Sends what a pass leaves to the stage that goes on with it. */
static void send(struct build *b, int64_t stage, const struct stage_turn *t, const struct chunk *from)
{
    const struct act *a = t->backward ? &from->send_backward : &from->send_forward;
    bool wraps = t->backward ? !stage : stage + 1 == b->p->pipeline.stages;
    int64_t chunk = t->chunk + (wraps ? (t->backward ? -1 : 1) : 0);
    int64_t to =
        t->backward ? (stage + b->p->pipeline.stages - 1) % b->p->pipeline.stages : (stage + 1) % b->p->pipeline.stages;

    if (chunk < 0 || chunk >= b->p->pipeline.chunks)
        return;
    for (size_t i = 0; i < b->nof_stage[stage]; i++) {
        struct strand *s = &b->strands[b->of_stage[stage][i]];
        b->now[b->of_stage[stage][i]] = s->compute;
    }
    for (size_t k = 0; k < a->n; k++) {
        const struct piece *piece = &a->list[k];
        for (size_t i = 0; piece->on != PIECE_WIRE && i < b->nof_stage[stage]; i++)
            tasks_work(b, b->of_stage[stage][i], piece);
        for (size_t i = 0; piece->on == PIECE_WIRE && i < b->nof_stage[to]; i++) {
            size_t class = b->of_stage[to][i];
            int32_t source = fold_wire(b->f, class, piece->wire)->from;
            int *arrives = slot(b, class, t->backward, t->micro_batch, chunk);
            *arrives = engine_sync(b->e);
            if (source >= 0)
                tasks_after(b, *arrives, b->now[source]);
        }
        for (size_t i = 0; piece->on == PIECE_WIRE && i < b->nof_stage[stage]; i++) {
            size_t class = b->of_stage[stage][i];
            const struct fold_wire *w = fold_wire(b->f, class, piece->wire);
            for (size_t j = 0; j < w->nflows; j++) {
                int done = *slot(b, (size_t)b->f->flows[w->first_flow + j].to, t->backward, t->micro_batch, chunk);
                tasks_flows(b, class, piece, b->now[class], done);
            }
        }
    }
}

/* What follows an act on the wires may begin when the act has left them: what is decoded of it then takes its turn on
 * the GPU. */
static void forget(struct build *b, int64_t stage)
{
    for (size_t i = 0; i < b->nof_stage[stage]; i++)
        b->off[b->of_stage[stage][i]] = -1;
}

/* The gather for the next use of a unit; what the pass waits for is left in ready[]. */
static void gather(struct build *b, int64_t stage, const struct unit *unit, bool backward, bool *kept)
{
    const struct act *a = backward && unit->gather_again.n ? &unit->gather_again : &unit->gather;
    const size_t *classes = b->of_stage[stage];
    size_t n = b->nof_stage[stage];
    bool there = !a->n || (b->p->keep_gathered ? *kept : b->strands[classes[0]].resident == unit);

    for (size_t i = 0; i < n; i++) {
        struct strand *s = &b->strands[classes[i]];
        int64_t from = s->uses - 1 - b->p->prefetch;
        if (!b->p->overlap)
            from = s->uses - 1;
        b->ready[classes[i]] = -1;
        b->now[classes[i]] = engine_sync(b->e);
        tasks_after(b, b->now[classes[i]], s->gather);
        if (from >= 0 && !b->p->keep_gathered)
            tasks_after(b, b->now[classes[i]], s->use_ended[from]);
        s->resident = unit;
    }
    *kept = true;
    if (there)
        return;
    forget(b, stage);
    tasks_act(b, stage, a);
    for (size_t i = 0; i < n; i++) {
        struct strand *s = &b->strands[classes[i]];
        b->ready[classes[i]] = b->now[classes[i]];
        s->gather = b->off[classes[i]] >= 0 ? b->off[classes[i]] : b->now[classes[i]];
    }
}

static void reduce(struct build *b, int64_t stage, const struct unit *unit)
{
    const size_t *classes = b->of_stage[stage];
    size_t n = b->nof_stage[stage];

    if (!unit->reduce.n)
        return;
    for (size_t i = 0; i < n; i++) {
        struct strand *s = &b->strands[classes[i]];
        b->now[classes[i]] = engine_sync(b->e);
        tasks_after(b, b->now[classes[i]], s->compute);
        tasks_after(b, b->now[classes[i]], s->reduce);
    }
    forget(b, stage);
    tasks_act(b, stage, &unit->reduce);
    for (size_t i = 0; i < n; i++) {
        struct strand *s = &b->strands[classes[i]];
        int all = engine_sync(b->e);
        s->reduce = b->off[classes[i]] >= 0 ? b->off[classes[i]] : b->now[classes[i]];
        tasks_after(b, all, s->reduced);
        tasks_after(b, all, b->now[classes[i]]);
        s->reduced = all;
        if (!b->p->overlap)
            s->compute = b->now[classes[i]];
    }
}

static void pass(struct build *b, int64_t stage, const struct stage_turn *t, size_t u, size_t unit_number)
{
    const struct unit *unit = &b->p->stages[stage].chunks[t->chunk].units[u];
    const size_t *classes = b->of_stage[stage];
    size_t n = b->nof_stage[stage];

    gather(b, stage, unit, t->backward, &b->kept[unit_number]);
    for (size_t i = 0; i < n; i++) {
        struct strand *s = &b->strands[classes[i]];
        int begin = engine_sync(b->e);
        tasks_after(b, begin, s->compute);
        tasks_after(b, begin, b->ready[classes[i]]);
        b->now[classes[i]] = begin;
    }
    tasks_act(b, stage, t->backward ? &unit->backward : &unit->forward);
    for (size_t i = 0; i < n; i++) {
        struct strand *s = &b->strands[classes[i]];
        s->compute = b->now[classes[i]];
        s->use_ended[s->uses++] = s->compute;
    }
    bool over = t->micro_batch + 1 == b->p->pipeline.micro_batches;
    if (t->backward && !b->p->reduce_behind && (b->p->reduce_each || over))
        reduce(b, stage, unit);
}

/* In the order in which backward passes end. The stage before has been sent what it waits for. */
static void reduce_behind(struct build *b, int64_t stage)
{
    const struct stage *plan = &b->p->stages[stage];

    for (int64_t c = b->p->pipeline.chunks; c-- > 0;)
        for (size_t u = plan->chunks[c].nunits; u-- > 0;)
            reduce(b, stage, &plan->chunks[c].units[u]);
}

/* A stage's next turn. False: it waits for another stage's. */
bool tasks_turn(struct build *b, int64_t stage)
{
    const struct pipeline *p = &b->p->pipeline;
    struct stage_turn t = pipeline_turn(p, stage, b->turn[stage]);
    const struct stage *plan = &b->p->stages[stage];
    const struct chunk *chunk = &plan->chunks[t.chunk];
    bool last = stage + 1 == p->stages && t.chunk + 1 == p->chunks, first = !stage && !t.chunk;
    bool waits = t.backward ? !last : !first;
    const struct act *take = t.backward ? &chunk->take_backward : &chunk->take_forward;
    size_t before = 0;

    for (size_t i = 0; i < b->nof_stage[stage]; i++) {
        size_t class = b->of_stage[stage][i];
        int come = *slot(b, class, t.backward, t.micro_batch, t.chunk);
        if (waits && come < 0)
            return false;
        b->now[class] = waits ? come : -1;
    }
    if (waits)
        tasks_act(b, stage, take);
    for (size_t i = 0; waits && i < b->nof_stage[stage]; i++) {
        size_t class = b->of_stage[stage][i];
        int both = engine_sync(b->e);
        tasks_after(b, both, b->now[class]);
        tasks_after(b, both, b->strands[class].compute);
        b->strands[class].compute = both;
    }
    for (int64_t c = 0; c < t.chunk; c++)
        before += plan->chunks[c].nunits;
    for (size_t u = 0; u < chunk->nunits; u++) {
        size_t at = t.backward ? chunk->nunits - 1 - u : u;
        pass(b, stage, &t, at, before + at);
    }
    send(b, stage, &t, chunk);
    b->turn[stage]++;
    if (b->p->reduce_behind && b->turn[stage] == pipeline_turns(p))
        reduce_behind(b, stage);
    return true;
}
