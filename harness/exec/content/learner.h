/* learner.h - a worker's network for real: its share of the batch of synthetic images, its layers computed on the CPU
 * by the trainer's operations, and its gradients. Weights are the same for all workers, samples are each one's own.
 * Pieces     a pass may be computed piece by piece, as a task graph has it: a piece is what one task computes, and
 *            learner_piece() returns when all operations of the layers up to the next piece's are done. Pieces come in
 *            the order of a step: forward, then backward.
 * Threads    one calls, another (the learner's own) computes.
 * Ownership  learner_close() releases; the model must outlive it.
 * Errors     a nw_status: NW_EINPUT with the reason in why[] for a network that is not trained here, the message
 *            printed for others. */
#ifndef NARROWS_HARNESS_EXEC_CONTENT_LEARNER_H
#define NARROWS_HARNESS_EXEC_CONTENT_LEARNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/engine/task_graph.h"

struct model;
struct learner;

int learner_open(const struct model *m, int64_t samples, int32_t worker, struct learner **out, char *why, size_t nwhy);
void learner_close(struct learner *l); /* accepts NULL */

/* A whole pass: afterwards the gradients are those of the next samples. */
int learner_pass(struct learner *l);

/* The layers that pieces begin with, forward ones ascending, backward ones descending; each belongs to the piece with
 * the largest layer that is not above it, or to the first. */
int learner_plan(struct learner *l, const int32_t *forward, size_t nforward, const int32_t *backward, size_t nbackward);
int learner_piece(struct learner *l, bool backward, int32_t layer);

/* Of one of the graph's tensors, t->values of them, from what was computed last. */
void learner_gradient(const struct learner *l, const struct graph_tensor *t, float *out);

#endif
