#include "harness/trace/live.h"

#include <stdlib.h>
#include <string.h>

#include "harness/run/point/planned.h"
#include "harness/status.h"

/* Operations run in the plan's order, on one track, under the names that its rows have. An operation that took no
 * time has no span; after the last one that has, nothing is alive. */
static void fill(const struct plan_rows *rows, const struct timeline *t, struct live *out)
{
    const struct plan_fact *f = &rows->fact;
    int64_t end_ps = 0;
    size_t step = 0;

    for (size_t i = 0; i < t->nspans; i++) {
        size_t at = step;

        while (at < f->nsteps && strcmp(rows->steps[at].name, t->spans[i].name) != 0)
            at++;
        if (at == f->nsteps) /* a copy */
            continue;
        out->at_ps[out->n] = t->spans[i].start_ps;
        out->GB[out->n++] = 1e-9 * (double)rows->steps[at].live_bytes;
        end_ps = t->spans[i].end_ps;
        step = at + 1;
    }
    out->at_ps[out->n] = end_ps;
    out->GB[out->n++] = 0;
}

int live_of(const struct scenario *sc, const struct timeline *t, struct live *out)
{
    struct planned planned = { 0 };
    struct plan_rows rows = { 0 };
    char why[256];
    int rc;

    *out = (struct live){ 0 };
    if (sc->method.kind != METHOD_MEMORY_PLAN)
        return NW_OK;
    rc = planned_make(sc, 0, &planned, why, sizeof(why));
    if (!rc)
        rc = plan_rows_of(&planned, &rows);
    out->at_ps = calloc(t->nspans + 1, sizeof(*out->at_ps));
    out->GB = calloc(t->nspans + 1, sizeof(*out->GB));
    if (!rc && (!out->at_ps || !out->GB))
        rc = NW_ENOMEM;
    if (!rc)
        fill(&rows, t, out);
    plan_rows_free(&rows);
    planned_free(&planned);
    if (rc)
        live_free(out);
    return rc;
}

void live_free(struct live *l)
{
    free(l->at_ps);
    free(l->GB);
    *l = (struct live){ 0 };
}
