#include "sim/method/sharded/tasks.h"

#include <stdlib.h>

#include "model/status.h"
#include "sim/method/sharded/tasks_parts.h"

static void update(struct build *b, int64_t stage)
{
    const struct stage *plan = &b->p->stages[stage];
    const size_t *classes = b->of_stage[stage];
    size_t n = b->nof_stage[stage];

    for (size_t i = 0; i < n; i++) {
        struct strand *s = &b->strands[classes[i]];
        int all = engine_sync(b->e);
        tasks_after(b, all, s->compute);
        tasks_after(b, all, s->reduced);
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
            tasks_act(b, stage, &unit->fetch);
            for (size_t i = 0; i < n; i++) {
                struct strand *s = &b->strands[classes[i]];
                int both = engine_sync(b->e);
                s->gather = b->now[classes[i]];
                tasks_after(b, both, s->gather);
                tasks_after(b, both, s->compute);
                b->now[classes[i]] = both;
            }
            tasks_act(b, stage, &unit->update);
            for (size_t i = 0; i < n; i++) {
                struct strand *s = &b->strands[classes[i]];
                int both = engine_sync(b->e);
                s->compute = b->now[classes[i]];
                tasks_after(b, both, s->compute);
                tasks_after(b, both, s->reduce);
                b->now[classes[i]] = both;
            }
            tasks_act(b, stage, &unit->store);
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
                tasks_after(b, ready, b->strands[class].compute);
                tasks_after(b, ready, b->strands[class].reduced);
                for (size_t j = 0; j < w->nflows; j++) {
                    size_t to = (size_t)b->f->flows[w->first_flow + j].to;
                    tasks_after(b, ready, b->strands[to].compute); /* both have to have it */
                    tasks_after(b, ready, b->strands[to].reduced);
                }
                tasks_flows(b, class, &piece, ready, done);
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
            tasks_after(b, both, s->reduced);
            tasks_after(b, both, b->now[class]);
            if (source >= 0)
                tasks_after(b, both, b->now[source]);
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

/* Of each class where its work stands, among those of its stage. */
static int begin_strands(struct build *b)
{
    const struct pipeline *p = &b->p->pipeline;

    for (size_t i = 0; i < b->f->nclasses; i++) {
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
    return begin_strands(b);
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
            while (b->turn[s] < turns && tasks_turn(b, s))
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
