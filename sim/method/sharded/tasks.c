#include "sim/method/sharded/tasks.h"

#include <stdlib.h>

#include "model/status.h"
#include "sim/parallel/rates.h"

/* Where a rank's work stands. */
struct strand {
    int gpu, host;     /* resources */
    int compute;       /* the last piece of its passes */
    int gather;        /* the last of its gathers has left the wires */
    int reduce;        /* the last of its reductions has */
    int reduced;       /* all of its reductions, and what is decoded of them, are done */
    int *use_ended;    /* of each use of a unit so far */
    int64_t uses;      /* how many */
    const struct unit *resident; /* gathered last, and still there */
};

struct build {
    struct engine *e;
    const struct step_plan *p;
    const struct fold *f;
    size_t shown;
    struct step_traffic *traffic;
    struct strand *strands; /* of each class */
    size_t **of_stage;      /* the classes of a stage */
    size_t *nof_stage;
    int64_t *turn;          /* of each stage: the next one */
    int *arrived;           /* [class][turn kind][micro-batch][chunk]: what a pass waits for; -1: nothing */
    int *now;               /* of each class, while an act is added */
    int *ready;             /* the same */
    int *off;               /* the same: when the act's last piece on a wire was done; -1: it had none */
    bool *kept;             /* of each unit of a stage: gathered in this step (keep_gathered) */
    int rc;
};

static void after(struct build *b, int task, int earlier)
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
static void add_flows(struct build *b, size_t class, const struct piece *piece, int ready, int done)
{
    const struct fold_wire *w = fold_wire(b->f, class, piece->wire);

    for (size_t i = 0; i < w->nflows; i++) {
        const struct fold_flow *flow = &b->f->flows[w->first_flow + i];
        int64_t bytes = part_of(piece->bytes, flow->parts, flow->of), latency = flow->latency_ps;
        if (wire_is_ring(piece->wire))
            latency = piece->hops * ring_hops_ps(w->ranks, w->machines, flow->away,
                                                 flow->latency_ps + b->p->step_ps);
        int task = engine_transfer(b->e, ENGINE_NO_RESOURCE, flow->route, bytes, latency, label(b, class, piece->row));
        after(b, task, ready);
        after(b, done, task);
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
            after(b, ready, b->now[together[k]]);
        after(b, done, ready);
        for (size_t k = 0; k < w->nclasses; k++)
            add_flows(b, (size_t)together[k], piece, ready, done);
        for (size_t k = 0; k < w->nclasses; k++)
            b->now[together[k]] = b->off[together[k]] = done;
    }
}

/* To or from the host: each rank by itself. */
static void add_host_wire(struct build *b, size_t class, const struct piece *piece)
{
    int done = engine_sync(b->e);

    after(b, done, b->now[class]);
    add_flows(b, class, piece, b->now[class], done);
    b->now[class] = b->off[class] = done;
}

static void add_work(struct build *b, size_t class, const struct piece *piece)
{
    int resource = piece->on == PIECE_GPU    ? b->strands[class].gpu
                   : piece->on == PIECE_HOST ? b->strands[class].host
                                             : ENGINE_NO_RESOURCE;
    int task = engine_compute(b->e, resource, piece->ps, label(b, class, piece->row));

    after(b, task, b->now[class]);
    b->now[class] = task;
}

/* Adds an act of all classes of a stage, after now[] of each; now[] is then its end. */
static void add_act(struct build *b, int64_t stage, const struct act *a)
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
                add_work(b, classes[c], piece);
    }
}

enum { PASSES = 2 };

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
    int64_t to = t->backward ? (stage + b->p->pipeline.stages - 1) % b->p->pipeline.stages
                             : (stage + 1) % b->p->pipeline.stages;

    if (chunk < 0 || chunk >= b->p->pipeline.chunks)
        return;
    for (size_t i = 0; i < b->nof_stage[stage]; i++) {
        struct strand *s = &b->strands[b->of_stage[stage][i]];
        b->now[b->of_stage[stage][i]] = s->compute;
    }
    for (size_t k = 0; k < a->n; k++) {
        const struct piece *piece = &a->list[k];
        for (size_t i = 0; piece->on != PIECE_WIRE && i < b->nof_stage[stage]; i++)
            add_work(b, b->of_stage[stage][i], piece);
        for (size_t i = 0; piece->on == PIECE_WIRE && i < b->nof_stage[to]; i++) {
            size_t class = b->of_stage[to][i];
            int32_t source = fold_wire(b->f, class, piece->wire)->from;
            int *arrives = slot(b, class, t->backward, t->micro_batch, chunk);
            *arrives = engine_sync(b->e);
            if (source >= 0)
                after(b, *arrives, b->now[source]);
        }
        for (size_t i = 0; piece->on == PIECE_WIRE && i < b->nof_stage[stage]; i++) {
            size_t class = b->of_stage[stage][i];
            const struct fold_wire *w = fold_wire(b->f, class, piece->wire);
            for (size_t j = 0; j < w->nflows; j++) {
                int done = *slot(b, (size_t)b->f->flows[w->first_flow + j].to, t->backward, t->micro_batch, chunk);
                add_flows(b, class, piece, b->now[class], done);
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
        after(b, b->now[classes[i]], s->gather);
        if (from >= 0 && !b->p->keep_gathered)
            after(b, b->now[classes[i]], s->use_ended[from]);
        s->resident = unit;
    }
    *kept = true;
    if (there)
        return;
    forget(b, stage);
    add_act(b, stage, a);
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
        after(b, b->now[classes[i]], s->compute);
        after(b, b->now[classes[i]], s->reduce);
    }
    forget(b, stage);
    add_act(b, stage, &unit->reduce);
    for (size_t i = 0; i < n; i++) {
        struct strand *s = &b->strands[classes[i]];
        int all = engine_sync(b->e);
        s->reduce = b->off[classes[i]] >= 0 ? b->off[classes[i]] : b->now[classes[i]];
        after(b, all, s->reduced);
        after(b, all, b->now[classes[i]]);
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
        after(b, begin, s->compute);
        after(b, begin, b->ready[classes[i]]);
        b->now[classes[i]] = begin;
    }
    add_act(b, stage, t->backward ? &unit->backward : &unit->forward);
    for (size_t i = 0; i < n; i++) {
        struct strand *s = &b->strands[classes[i]];
        s->compute = b->now[classes[i]];
        s->use_ended[s->uses++] = s->compute;
    }
    if (t->backward && (b->p->reduce_each || t->micro_batch + 1 == b->p->pipeline.micro_batches))
        reduce(b, stage, unit);
}

/* A stage's next turn. False: it waits for another stage's. */
static bool turn(struct build *b, int64_t stage)
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
        add_act(b, stage, take);
    for (size_t i = 0; waits && i < b->nof_stage[stage]; i++) {
        size_t class = b->of_stage[stage][i];
        int both = engine_sync(b->e);
        after(b, both, b->now[class]);
        after(b, both, b->strands[class].compute);
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
    return true;
}

static void update(struct build *b, int64_t stage)
{
    const struct stage *plan = &b->p->stages[stage];
    const size_t *classes = b->of_stage[stage];
    size_t n = b->nof_stage[stage];

    for (size_t i = 0; i < n; i++) {
        struct strand *s = &b->strands[classes[i]];
        int all = engine_sync(b->e);
        after(b, all, s->compute);
        after(b, all, s->reduced);
        s->compute = all;
    }
    /* Units follow each other on the GPU (or the host's processors), and on the way there and back. */
    for (size_t i = 0; i < n; i++)
        b->strands[classes[i]].gather = b->strands[classes[i]].reduce = b->strands[classes[i]].compute;
    for (int64_t c = 0; c < b->p->pipeline.chunks; c++)
        for (size_t u = 0; u < plan->chunks[c].nunits; u++) {
            const struct unit *unit = &plan->chunks[c].units[u];
            for (size_t i = 0; i < n; i++)
                b->now[classes[i]] = b->strands[classes[i]].gather;
            add_act(b, stage, &unit->fetch);
            for (size_t i = 0; i < n; i++) {
                struct strand *s = &b->strands[classes[i]];
                int both = engine_sync(b->e);
                s->gather = b->now[classes[i]];
                after(b, both, s->gather);
                after(b, both, s->compute);
                b->now[classes[i]] = both;
            }
            add_act(b, stage, &unit->update);
            for (size_t i = 0; i < n; i++) {
                struct strand *s = &b->strands[classes[i]];
                int both = engine_sync(b->e);
                s->compute = b->now[classes[i]];
                after(b, both, s->compute);
                after(b, both, s->reduce);
                b->now[classes[i]] = both;
            }
            add_act(b, stage, &unit->store);
            for (size_t i = 0; i < n; i++)
                b->strands[classes[i]].reduce = b->now[classes[i]];
        }
}

/* What the first and the last stage have in common: each sends the other its gradient. */
static void tie(struct build *b)
{
    int64_t last = b->p->pipeline.stages - 1;
    const struct act *a = &b->p->stages[0].tie;

    for (size_t k = 0; last && k < a->n; k++) {
        static const enum wire ways[] = { WIRE_BACKWARD, WIRE_FORWARD };
        const int64_t ends[] = { 0, last };
        for (int way = 0; way < 2; way++)
            for (size_t i = 0; i < b->nof_stage[ends[way]]; i++) {
                size_t class = b->of_stage[ends[way]][i];
                const struct fold_wire *w = fold_wire(b->f, class, ways[way]);
                struct piece piece = a->list[k];
                piece.wire = ways[way];
                piece.row = (enum act_row)(ACT_WIRE + (int)ways[way]);
                int ready = engine_sync(b->e), done = engine_sync(b->e);
                after(b, ready, b->strands[class].compute);
                after(b, ready, b->strands[class].reduced);
                for (size_t j = 0; j < w->nflows; j++) {
                    size_t to = (size_t)b->f->flows[w->first_flow + j].to;
                    after(b, ready, b->strands[to].compute); /* both have to have it */
                    after(b, ready, b->strands[to].reduced);
                }
                add_flows(b, class, &piece, ready, done);
                b->now[class] = done;
            }
    }
    for (int end = 0; last && a->n && end < 2; end++) {
        int64_t stage = end ? last : 0;
        enum wire in = end ? WIRE_BACKWARD : WIRE_FORWARD;
        for (size_t i = 0; i < b->nof_stage[stage]; i++) {
            size_t class = b->of_stage[stage][i];
            int32_t source = fold_wire(b->f, class, in)->from;
            struct strand *s = &b->strands[class];
            int both = engine_sync(b->e);
            after(b, both, s->reduced);
            after(b, both, b->now[class]);
            if (source >= 0)
                after(b, both, b->now[source]);
            s->reduced = both;
        }
    }
}

static int64_t uses_of(const struct stage *s, const struct pipeline *p)
{
    int64_t n = 0;

    for (int64_t c = 0; c < p->chunks; c++)
        n += 2 * p->micro_batches * (int64_t)s->chunks[c].nunits;
    return n;
}

static int begin(struct build *b)
{
    const struct pipeline *p = &b->p->pipeline;
    size_t classes = b->f->nclasses, stages = (size_t)p->stages, most_units = 0;
    size_t nslots = classes * PASSES * (size_t)p->micro_batches * (size_t)p->chunks;

    b->strands = calloc(classes, sizeof(*b->strands));
    b->of_stage = calloc(stages, sizeof(*b->of_stage));
    b->nof_stage = calloc(stages, sizeof(*b->nof_stage));
    b->turn = calloc(stages, sizeof(*b->turn));
    b->arrived = malloc(nslots * sizeof(*b->arrived));
    b->now = malloc(classes * sizeof(*b->now));
    b->ready = malloc(classes * sizeof(*b->ready));
    b->off = malloc(classes * sizeof(*b->off));
    if (!b->strands || !b->of_stage || !b->nof_stage || !b->turn || !b->arrived || !b->now || !b->ready || !b->off)
        return E_NOMEM;
    for (size_t i = 0; i < nslots; i++)
        b->arrived[i] = -1;
    for (size_t s = 0; s < stages; s++) {
        size_t units = 0;
        for (int64_t c = 0; c < p->chunks; c++)
            units += b->p->stages[s].chunks[c].nunits;
        most_units = units > most_units ? units : most_units;
        b->of_stage[s] = malloc((classes + 1) * sizeof(**b->of_stage));
        if (!b->of_stage[s])
            return E_NOMEM;
    }
    b->kept = calloc(stages * most_units + 1, sizeof(*b->kept));
    if (!b->kept)
        return E_NOMEM;
    for (size_t i = 0; i < classes; i++) {
        int64_t at[AXES];
        parallel_place(&b->p->layout, b->f->classes[i].rank, at);
        size_t s = (size_t)at[AXIS_PIPELINE];
        b->of_stage[s][b->nof_stage[s]++] = i;
        b->strands[i] = (struct strand){ .gpu = engine_resource(b->e, "gpu", (int)b->f->classes[i].rank, 1),
                                         .host = engine_resource(b->e, "cpu", (int)b->f->classes[i].rank, 1),
                                         .compute = -1,
                                         .gather = -1,
                                         .reduce = -1,
                                         .reduced = -1 };
        b->strands[i].use_ended = malloc(((size_t)uses_of(&b->p->stages[s], p) + 1) * sizeof(int));
        if (!b->strands[i].use_ended)
            return E_NOMEM;
    }
    return E_OK;
}

static void end(struct build *b)
{
    for (size_t i = 0; b->strands && i < b->f->nclasses; i++)
        free(b->strands[i].use_ended);
    for (int64_t s = 0; b->of_stage && s < b->p->pipeline.stages; s++)
        free(b->of_stage[s]);
    free(b->strands);
    free(b->of_stage);
    free(b->nof_stage);
    free(b->turn);
    free(b->arrived);
    free(b->now);
    free(b->ready);
    free(b->off);
    free(b->kept);
}

/* Stages take their turns as far as they can, until all are done. E_CYCLE: the orders of two stages contradict. */
static int all_turns(struct build *b)
{
    int64_t turns = pipeline_turns(&b->p->pipeline), stages = b->p->pipeline.stages;
    bool more = true, moved = true;

    while (more && moved) {
        more = moved = false;
        for (int64_t s = 0; s < stages; s++) {
            while (b->turn[s] < turns && turn(b, s))
                moved = true;
            more = more || b->turn[s] < turns;
        }
    }
    return more ? E_CYCLE : E_OK;
}

int step_tasks(struct engine *e, const struct step_plan *p, const struct fold *f, size_t shown,
               struct step_traffic *traffic)
{
    struct build b = { .e = e, .p = p, .f = f, .shown = shown, .traffic = traffic };
    int rc = begin(&b);

    *traffic = (struct step_traffic){ { 0 } };
    rc = rc ? rc : all_turns(&b);
    if (!rc) {
        tie(&b);
        for (int64_t s = 0; s < p->pipeline.stages; s++)
            update(&b, s);
    }
    end(&b);
    return rc;
}
