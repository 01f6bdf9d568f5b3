/* content.h - what travels and is worked on when a task graph is executed: gradients, vectors that are summed,
 * payloads, and a server's parameters. Each rank has its own.
 * Values     of an item's tensors, one after another. Where nothing is encoded, gradients are whole numbers that differ
 *            between ranks and places, so that every sum is exact, and content_wrong() knows it.
 * Vectors    of an allreduce: what a bucket has on the wire, the parts that are added and those that are gathered.
 *            A part of n bytes begins and ends at the value that the byte is in.
 * Threads    content_work() may run on one thread while another calls content_message() and content_arrived(), for
 *            other tasks.
 * Ownership  content_close() releases. What arrives belongs to the content from then on, and is freed by it.
 * Errors     a nw_status, the message printed. */
#ifndef NARROWS_HARNESS_EXEC_CONTENT_CONTENT_H
#define NARROWS_HARNESS_EXEC_CONTENT_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/engine/task_graph.h"

struct content;

/* NW_EINPUT, with the reason in why[], for a codec that has no kernel, or whose payloads cannot be added on their
 * way. */
int content_check(const struct task_graph *g, char *why, size_t nwhy);

int content_open(const struct task_graph *g, int32_t rank, struct content **out);

/* Is anything encoded? Then gradients should be real ones. */
bool content_codes(const struct task_graph *g);

/* This rank's gradient of a tensor of the graph, to be filled with a real one, once or before each step that is to have
 * another: sums are then unknown. */
float *content_gradient(struct content *c, size_t tensor);
void content_close(struct content *c); /* accepts NULL */

/* The vector of an item that is summed by others: nothing of it is encoded. */
float *content_vector(struct content *c, int32_t item, size_t *n);

/* The bytes of a transfer that begins here; they stay until it is over. */
int content_message(struct content *c, int32_t task, const void **bytes, size_t *n);

/* The most bytes that a transfer may have. */
int64_t content_most(const struct content *c, int32_t task);

/* A transfer's bytes are here, and what they wait for is done. */
int content_arrived(struct content *c, int32_t task, void *bytes, size_t n);

/* Fill, encode, decode, sum, update. */
int content_work(struct content *c, int32_t task);

/* Before a repetition: as at the start. */
void content_restart(struct content *c);

/* How many values of the last result are not what they must be; -1: there is nothing to know it from. */
int64_t content_wrong(const struct content *c);

/* Payload bytes that left this rank since the restart. */
int64_t content_sent_bytes(const struct content *c);

#endif
