/* turns.c - gradients from step to step. They are computed once, and a codec that keeps its threshold for many steps
 * would let more and more of gradients through that never change: what it left out adds up. So where there is one,
 * every other step has the opposite, which takes back what was left out, and each step sends the density that the codec
 * was asked for. */
#include <stdlib.h>
#include <string.h>

#include "harness/exec/content/private.h"
#include "harness/status.h"

struct turns {
    float *opposite;
    bool *made, *now; /* of each tensor: its opposite is there; the gradient itself was the last */
};

static bool keeps_threshold(const struct codec_spec *c)
{
    return c->format == WIRE_DCT || c->format == WIRE_DCT_MP;
}

int turns_open(struct content *c)
{
    const struct task_graph *g = c->graph;
    bool any = false;

    for (size_t i = 0; i < g->ntensors; i++)
        any |= keeps_threshold(&g->tensors[i].push) || keeps_threshold(&g->tensors[i].pull);
    if (!any)
        return NW_OK;
    c->turns = calloc(1, sizeof(*c->turns));
    if (!c->turns)
        return NW_ENOMEM;
    c->turns->opposite = malloc((size_t)c->nvalues * sizeof(float));
    c->turns->made = calloc(g->ntensors, sizeof(bool));
    c->turns->now = calloc(g->ntensors, sizeof(bool));
    return c->turns->opposite && c->turns->made && c->turns->now ? NW_OK : NW_ENOMEM;
}

void turns_close(struct content *c)
{
    if (c->turns) {
        free(c->turns->opposite);
        free(c->turns->made);
        free(c->turns->now);
    }
    free(c->turns);
}

const float *content_next(struct content *c, size_t tensor)
{
    const float *gradient = c->gradients + c->at[tensor];
    struct turns *t = c->turns;

    if (!t)
        return gradient;
    t->now[tensor] = !t->now[tensor];
    if (t->now[tensor])
        return gradient;
    float *opposite = t->opposite + c->at[tensor];
    for (int64_t i = 0; !t->made[tensor] && i < c->graph->tensors[tensor].values; i++)
        opposite[i] = -gradient[i];
    t->made[tensor] = true;
    return opposite;
}

float *content_gradient(struct content *c, size_t tensor)
{
    c->known = false;
    if (c->turns)
        c->turns->now[tensor] = c->turns->made[tensor] = false;
    return c->gradients + c->at[tensor];
}
