/* kineto.h - a trace of PyTorch's profiler (export_chrome_trace) as times of a network's layers.
 * Layers     calls of modules, where the trace has them (with_stack=True); else record_function() annotations; else the
 *            operators of the forward pass themselves. The k-th call of a module in a step, or of an operator, is a
 *            layer of its own: "Conv2d_3", the second one "ReLU_0#2". What runs in several scopes is the innermost's.
 * Passes     forward: what is outside the engine of the backward pass and before its end. backward: the engine's nodes;
 *            each belongs to the layer of the operator that made it, by the trace's flows, else by sequence number. A
 *            node that accumulates a gradient belongs to the layer of the node before it.
 * Times      with kernels in the trace: what they took on the GPU, each where its launch was (correlation, else
 *            external id); collectives and copies to and from the host are apart. Without: the outermost operators.
 * Steps      ProfilerStep#N; every time is the median over them, a pass the sum of those of its layers and of what
 *            belongs to none. Without any, the whole trace is one step.
 * Units      seconds.
 * Errors     0 or a negative nw_status, the reason written to 'err'. */
#ifndef NARROWS_HARNESS_IMPORT_KINETO_KINETO_H
#define NARROWS_HARNESS_IMPORT_KINETO_KINETO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/import/kineto/events.h"
#include "model/model.h"

enum kineto_by { KINETO_BY_ANY, KINETO_BY_MODULES, KINETO_BY_ANNOTATIONS, KINETO_BY_OPERATORS };

struct kineto_layer {
    char *name;
    double forward_s, backward_s;
    int model_layer; /* index into the model's; -1: none */
};

/* What of a step is what. The two shares are in 0..1: of the pass's time, what a layer is known of. */
struct kineto_profile {
    struct kineto_layer *layers;
    size_t nlayers;
    double forward_s, backward_s, forward_share, backward_share;
    double optimizer_s, communication_s, copies_s, other_s;
    size_t nlost;  /* kernels without a launch and an operator in the trace, which count nowhere */
    double lost_s; /* they all */
    size_t nsteps, nevents;
    size_t nnodes, nunknown; /* of the backward pass; those without a layer */
    enum kineto_by by;
    bool gpu, marked; /* the times are kernels'; the trace marks its steps */
    int64_t samples;  /* of a step, by the shapes of the first layer's input; 0: the trace has none */
    char samples_of[64];
};

int kineto_read(const struct byte_source *from, enum kineto_by by, struct kineto_profile *out, FILE *err);
int kineto_read_file(const char *path, enum kineto_by by, struct kineto_profile *out, FILE *err);
void kineto_free(struct kineto_profile *p); /* accepts an all-zero one */

/* Find each layer's in the model: the one of its name, else, of each kind (convolutions, matrices, norms, ...) of which
 * the trace has as many as the model, the one at its place. The number of those that were found. */
size_t kineto_match(struct kineto_profile *p, const struct model *m);

/* The times as keys of a scenario, to be included by one: method.profile. The rows are those that have a layer of 'm';
 * without a model they are comments. 'from' names the trace. */
void kineto_write(const struct kineto_profile *p, const struct model *m, const char *from, FILE *out);

/* What was found, for a person. */
void kineto_report(const struct kineto_profile *p, const struct model *m, FILE *out);

const char *kineto_by_name(enum kineto_by by);

#endif
