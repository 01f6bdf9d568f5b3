/* names.c - names of tensors for messages: "the error of block1.relu [0,1]". */
#include <inttypes.h>
#include <stdio.h>

#include "harness/executor/program/program.h"

static const char *what_of(const struct tensor *t)
{
    return t->role == TENSOR_ERROR ? "the error" : t->role == TENSOR_RECOMPUTED ? "again the output" : "the output";
}

void program_tensor_name(const struct memory_plan *plan, int32_t tensor, char *text, size_t size)
{
    const struct tensor *t = &plan->graph.tensors[tensor];
    int64_t columns = plan->split.columns;
    char patch[48] = "";

    if (t->patch != NO_PATCH)
        snprintf(patch, sizeof(patch), " [%" PRId64 ",%" PRId64 "]", t->patch / columns, t->patch % columns);
    if (t->role == TENSOR_INPUT)
        snprintf(text, size, "the images%s", patch);
    else
        snprintf(text, size, "%s of %s%s", what_of(t), plan->model->layers[t->layer].name, patch);
}
