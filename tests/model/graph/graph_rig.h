/* graph_rig.h - shared by graph_test.c and graph_cost_test.c. */
#ifndef NARROWS_TESTS_MODEL_GRAPH_GRAPH_RIG_H
#define NARROWS_TESTS_MODEL_GRAPH_GRAPH_RIG_H

#include "tests/draw.h"
#include "tests/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/graph/graph.h"
#include "model/status.h"
#include "tests/model/graph/graph_nets.h"

static const struct split_net unsplit = { .rows = 1, .columns = 1 };

static inline struct model infer(struct layer_spec *list, size_t n)
{
    struct model_spec spec = {
        .name = "m", .channels = 4, .height = 8, .width = 8, .classes = 10, .layers = list, .nlayers = n
    };
    struct model m;
    char why[200] = "";

    if (model_infer(&spec, &m, why, sizeof(why)) != E_OK)
        fail_msg("%s", why);
    return m;
}

static inline struct graph build(const struct model *m, const struct split_net *split,
                                 const struct graph_options *options)
{
    struct graph g;
    char why[200] = "";

    if (graph_build(m, split, 2, options, &g, why, sizeof(why)) != E_OK)
        fail_msg("%s", why);
    return g;
}

/* An operation as text: its name, then its tensors, each as the layer (i: the images, j: the joined one) and '' behind
 * it for an error, ' for what is computed again; of a patch its number behind a dot. */
static inline void tensor_text(const struct graph *g, const char *place, int32_t tensor, char *text, size_t size)
{
    static const char *const marks[] = { "", "", "''", "'" };
    const struct tensor *t = &g->tensors[tensor < 0 ? 0 : tensor];
    size_t used = strlen(text);

    if (tensor == NO_TENSOR)
        return;
    if (t->layer == LAYER_NO_LAYER)
        snprintf(text + used, size - used, " %s=i", place);
    else
        snprintf(text + used, size - used, " %s=%d%s", place, (int)t->layer, marks[t->role]);
    used = strlen(text);
    if (t->patch != NO_PATCH)
        snprintf(text + used, size - used, ".%d", (int)t->patch);
}

static inline void check_operations(const struct graph *g, const struct split_net *split, const char *const *want,
                                    size_t n, size_t nforward)
{
    for (size_t i = 0; i < g->noperations && i < n; i++) {
        const struct operation *o = &g->operations[i];
        char text[200];
        graph_operation_name(g, split, (int32_t)i, text, sizeof(text));
        size_t used = strlen(text);
        snprintf(text + used, sizeof(text) - used, ":");
        tensor_text(g, "x", o->x, text, sizeof(text));
        tensor_text(g, "x2", o->x2, text, sizeof(text));
        tensor_text(g, "y", o->y, text, sizeof(text));
        tensor_text(g, "dy", o->dy, text, sizeof(text));
        tensor_text(g, "dx", o->dx, text, sizeof(text));
        tensor_text(g, "dx2", o->dx2, text, sizeof(text));
        if (strcmp(text, want[i]))
            fail_msg("operation %d: got '%s', want '%s'", (int)i, text, want[i]);
        if (o->backward != (i >= nforward))
            fail_msg("operation %d (%s): which pass", (int)i, text);
    }
    assert_int_equal(g->noperations, n);
    assert_int_equal(g->nforward, nforward);
}

/* Twins are each other's, groups follow them, producers come first; backward is the exact reverse. */
static inline void check_structure(const struct graph *g)
{
    int32_t last_twin = (int32_t)g->nforward;

    for (int32_t i = 0; i < (int32_t)g->noperations; i++) {
        const struct operation *o = &g->operations[i];
        int32_t tensors[OPERATION_PLACES];
        for (int k = 0, n = operation_writes(o, tensors); k < n; k++)
            assert_true(g->tensors[tensors[k]].producer == i || o->kind == OPERATION_JOIN);
        for (int k = 0, n = operation_reads(o, tensors); k < n; k++)
            assert_true(g->tensors[tensors[k]].producer <= i);
        if (o->twin != NO_OPERATION) {
            assert_int_equal(g->operations[o->twin].twin, i);
            assert_int_equal(g->operations[o->twin].group, o->group);
            assert_int_equal(g->operations[o->twin].backward, !o->backward);
        }
        if (o->backward && o->twin != NO_OPERATION) {
            assert_true(o->twin < last_twin);
            last_twin = o->twin;
        }
        if (o->kind == OPERATION_SUM)
            assert_int_equal(o->group, g->operations[i - 1].group);
        if (o->kind == OPERATION_RECOMPUTE)
            assert_int_equal(o->group, g->operations[i + 1].group);
        if (i)
            assert_true(o->backward ? i == (int32_t)g->nforward || o->group <= g->operations[i - 1].group
                                    : o->group >= g->operations[i - 1].group);
        assert_in_range(o->group, 0, g->ngroups - 1);
    }
}

#endif
