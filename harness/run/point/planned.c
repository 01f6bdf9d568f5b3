#include "harness/run/point/planned.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/point/measures.h"
#include "harness/status.h"
#include "model/status.h"
#include "sim/method/method.h"

int planned_make(const struct scenario *sc, bool largest, struct planned *out, char *why, size_t nwhy)
{
    struct planned p = { .scenario = sc, .largest = -1 };
    struct method method = sc->method;
    int rc = measures_model(sc, &p.model, why, nwhy);

    if (rc)
        return rc == E_NOMEM ? NW_ENOMEM : NW_ESIM;
    *out = p;
    method.memory_planned.largest |= largest;
    struct job job = { .platform = &sc->platform, .model = &out->model, .method = &method, .batch = sc->batch };
    rc = method_check(&job, why, nwhy);
    rc = rc ? rc : memory_planned_make(&job, &out->plan, &out->largest, why, nwhy);
    if (rc)
        planned_free(out);
    return !rc ? NW_OK : rc == E_NOMEM ? NW_ENOMEM : NW_ESIM;
}

void planned_free(struct planned *p)
{
    memory_plan_free(&p->plan);
    model_free(&p->model);
    memset(p, 0, sizeof(*p));
}

/* What backward will need is attributed to the operation that first writes it, as in Figure 1. */
static void count_generated(const struct memory_plan *plan, struct plan_step_fact *steps)
{
    for (size_t i = 0; i < plan->storages.n; i++) {
        const struct storage *s = &plan->storages.items[i];
        if (s->generated)
            steps[s->first].generated_bytes += s->bytes;
    }
    for (size_t i = 0; i < plan->transfers.n; i++) {
        const struct storage *s = &plan->storages.items[plan->transfers.items[i].storage];
        steps[s->first].offloaded_bytes += s->bytes;
    }
}

int plan_rows_of(const struct planned *p, struct plan_rows *out)
{
    const struct memory_plan *plan = &p->plan;
    const struct graph *g = &plan->graph;
    const struct link_spec *link = platform_gpu_link(&p->scenario->platform);
    double rate_Bps = link ? link->bandwidth_Bps * link->efficiency_to_host : 0;

    *out = (struct plan_rows){ .steps = calloc(g->noperations + 1, sizeof(*out->steps)),
                               .names = calloc(g->noperations + 1, sizeof(*out->names)) };
    if (!out->steps || !out->names) {
        plan_rows_free(out);
        return NW_ENOMEM;
    }
    count_generated(plan, out->steps);
    for (size_t i = 0; i < g->noperations; i++) {
        const struct operation *o = &g->operations[i];
        struct plan_step_fact *f = &out->steps[i];
        graph_operation_name(g, &plan->split, (int32_t)i, out->names[i], sizeof(out->names[i]));
        f->name = out->names[i];
        f->layer = o->layer == LAYER_NO_LAYER ? "" : p->model.layers[o->layer].name;
        f->backward = o->backward;
        f->duration_ps = plan->operation_ps[i];
        f->offloadable_bytes = o->backward ? 0 : llround((double)f->duration_ps * 1e-12 * rate_Bps);
        f->live_bytes = plan->live[i];
    }
    out->fact = (struct plan_fact){ .steps = out->steps, .nsteps = g->noperations };
    return NW_OK;
}

void plan_rows_free(struct plan_rows *r)
{
    free(r->steps);
    free(r->names);
    memset(r, 0, sizeof(*r));
}
