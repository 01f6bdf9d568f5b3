#include "sim/method/sharded/acts.h"

#include <stdlib.h>

#include "model/status.h"
#include "model/vec.h"

static int add(struct act *a, struct piece p)
{
    if (!p.ps && !p.bytes)
        return E_OK;
    if (!VEC_RESERVE(a->list, a->capacity, a->n))
        return E_NOMEM;
    a->list[a->n++] = p;
    return E_OK;
}

/* Of successive pieces of one row the GPU has one task. */
int act_gpu(struct act *a, enum act_row row, int64_t ps)
{
    struct piece *last = a->n ? &a->list[a->n - 1] : NULL;

    if (last && last->on == PIECE_GPU && last->row == row) {
        last->ps += ps;
        return E_OK;
    }
    return add(a, (struct piece){ .on = PIECE_GPU, .row = row, .ps = ps });
}

int act_host(struct act *a, enum act_row row, int64_t ps)
{
    return add(a, (struct piece){ .on = PIECE_HOST, .row = row, .ps = ps });
}

int act_wait(struct act *a, enum act_row row, int64_t ps)
{
    return add(a, (struct piece){ .on = PIECE_WAIT, .row = row, .ps = ps });
}

int act_wire(struct act *a, enum wire w, int64_t bytes, int64_t hops)
{
    return add(
        a, (struct piece){
               .on = PIECE_WIRE, .row = (enum act_row)(ACT_WIRE + (int)w), .wire = w, .bytes = bytes, .hops = hops });
}

int act_all(struct act *a, const struct act *more)
{
    int rc = E_OK;

    for (size_t i = 0; !rc && i < more->n; i++)
        rc = more->list[i].on == PIECE_GPU ? act_gpu(a, more->list[i].row, more->list[i].ps) : add(a, more->list[i]);
    return rc;
}

int64_t act_gpu_ps(const struct act *a)
{
    int64_t ps = 0;

    for (size_t i = 0; i < a->n; i++)
        ps += a->list[i].on == PIECE_GPU ? a->list[i].ps : 0;
    return ps;
}

/* The acts of a unit, of a chunk and of a stage, for whoever goes through all of them. */
static void each_act(const struct step_plan *p, void (*visit)(void *context, struct act *a), void *context)
{
    for (size_t s = 0; s < p->nstages; s++) {
        struct stage *stage = &p->stages[s];
        for (size_t c = 0; c < stage->nchunks; c++) {
            struct chunk *chunk = &stage->chunks[c];
            for (size_t u = 0; chunk->units && u < chunk->nunits; u++) {
                struct unit *unit = &chunk->units[u];
                struct act *all[] = { &unit->forward, &unit->backward, &unit->gather, &unit->gather_again,
                                      &unit->reduce,  &unit->fetch,    &unit->update, &unit->store };
                for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
                    visit(context, all[i]);
            }
            visit(context, &chunk->send_forward);
            visit(context, &chunk->send_backward);
            visit(context, &chunk->take_forward);
            visit(context, &chunk->take_backward);
        }
        visit(context, &stage->tie);
    }
}

static void release(void *context, struct act *a)
{
    (void)context;
    free(a->list);
}

void step_plan_free(struct step_plan *p)
{
    each_act(p, release, NULL);
    for (size_t s = 0; s < p->nstages; s++) {
        for (size_t c = 0; c < p->stages[s].nchunks; c++)
            free(p->stages[s].chunks[c].units);
        free(p->stages[s].chunks);
    }
    free(p->stages);
}

static void note(void *context, struct act *a)
{
    bool *used = context;

    for (size_t i = 0; i < a->n; i++)
        if (a->list[i].on == PIECE_WIRE)
            used[a->list[i].wire] = true;
}

void step_plan_uses(const struct step_plan *p, bool used[WIRES])
{
    for (int w = 0; w < WIRES; w++)
        used[w] = false;
    each_act(p, note, used);
}
