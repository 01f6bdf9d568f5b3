/* parts.c - the stages of a plan and their chunks, without units: all of them, or of those alike the first. */
#include <stdlib.h>

#include "model/status.h"
#include "sim/method/method.h"
#include "sim/method/sharded/plan.h"

/* As even as may be, the first parts one more. */
int64_t plan_layers_of(const struct sharded_plan *p, int64_t part_number)
{
    int64_t parts = p->step.pipeline.stages * p->step.pipeline.chunks, layers = p->job->model->gpt.layers;

    return layers / parts + (part_number < layers % parts);
}

/* The first part has the words, the last one the head. */
static bool at_an_end(const struct sharded_plan *p, int64_t number)
{
    return !number || number + 1 == p->step.pipeline.stages * p->step.pipeline.chunks;
}

static bool parts_alike(const struct sharded_plan *p, int64_t a, int64_t b)
{
    return p->form == PLAN_ALIKE && !p->job->model->gpt.experts && !at_an_end(p, a) && !at_an_end(p, b) &&
           plan_layers_of(p, a) == plan_layers_of(p, b);
}

/* The first and the last stage send in one direction each. */
static bool stages_alike(const struct sharded_plan *p, int64_t a, int64_t b)
{
    int64_t stages = p->step.pipeline.stages;
    bool alike = a && b + 1 < stages;

    for (int64_t c = 0; alike && c < p->step.pipeline.chunks; c++)
        alike = parts_alike(p, c * stages + a, c * stages + b);
    return alike;
}

static int list_chunks(const struct sharded_plan *p, struct stage *s)
{
    const struct pipeline *q = &p->step.pipeline;

    s->chunks = calloc((size_t)q->chunks, sizeof(*s->chunks));
    if (!s->chunks)
        return E_NOMEM;
    for (int64_t c = 0; c < q->chunks; c++) {
        int64_t number = c * q->stages + s->number;
        if (c && parts_alike(p, number - q->stages, number))
            s->chunks[s->nchunks - 1].more++;
        else
            s->chunks[s->nchunks++].number = c;
    }
    return E_OK;
}

int plan_parts(struct sharded_plan *p)
{
    struct step_plan *s = &p->step;
    int rc = E_OK;

    s->stages = calloc((size_t)s->pipeline.stages, sizeof(*s->stages));
    if (!s->stages)
        return E_NOMEM;
    for (int64_t i = 0; !rc && i < s->pipeline.stages; i++) {
        if (i && stages_alike(p, i - 1, i)) {
            s->stages[s->nstages - 1].more++;
            continue;
        }
        s->stages[s->nstages++].number = i;
        rc = list_chunks(p, &s->stages[s->nstages - 1]);
    }
    return rc;
}
