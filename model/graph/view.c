/* view.c - names of a graph's operations, and the tensors they touch. */
#include <stdbool.h>
#include <stdio.h>

#include "model/graph/graph.h"

const char *generated_name(enum generated g)
{
    static const char *const names[GENERATED_KINDS] = {
        [GENERATED_STORED] = "stored",
        [GENERATED_ALGORITHM] = "algorithm-1",
        [GENERATED_CUDNN] = "cudnn",
        [GENERATED_OUTPUTS] = "outputs",
    };

    return names[g];
}

void graph_operation_name(const struct graph *g, const struct split_net *s, int32_t operation, char *text, size_t size)
{
    static const char *const verbs[] = {
        [OPERATION_LAYER] = "",        [OPERATION_CUT] = "cut",  [OPERATION_JOIN] = "join",
        [OPERATION_UNJOIN] = "unjoin", [OPERATION_SUM] = "sum ", [OPERATION_RECOMPUTE] = "recompute ",
    };
    const struct operation *o = &g->operations[operation];
    bool named = o->kind == OPERATION_LAYER || o->kind == OPERATION_SUM || o->kind == OPERATION_RECOMPUTE;
    int64_t columns = s && s->columns > 0 ? s->columns : 1;
    char patch[48] = "";

    if (o->patch != NO_PATCH)
        snprintf(patch, sizeof(patch), " [%lld,%lld]", (long long)(o->patch / columns),
                 (long long)(o->patch % columns));
    snprintf(text, size, "%s%s%s%s", verbs[o->kind], named ? g->model->layers[o->layer].name : "",
             o->kind == OPERATION_LAYER && o->backward ? " backward" : "", patch);
}

static int list(const int32_t *places, int n, int32_t *tensors)
{
    int count = 0;

    for (int i = 0; i < n; i++)
        if (places[i] != NO_TENSOR)
            tensors[count++] = places[i];
    return count;
}

/* Backward of a layer reads its output; whatever else has a y writes it. */
static bool writes_y(const struct operation *o)
{
    return !o->backward || o->kind == OPERATION_SUM || o->kind == OPERATION_RECOMPUTE;
}

int operation_reads(const struct operation *o, int32_t tensors[OPERATION_PLACES])
{
    const int32_t places[] = { o->x, o->x2, o->dy, writes_y(o) ? NO_TENSOR : o->y };

    return list(places, 4, tensors);
}

int operation_writes(const struct operation *o, int32_t tensors[OPERATION_PLACES])
{
    const int32_t places[] = { writes_y(o) ? o->y : NO_TENSOR, o->dx, o->dx2 };

    return list(places, 3, tensors);
}
