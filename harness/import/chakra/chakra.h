/* chakra.h - Chakra execution traces, one of each rank, as flows that wait for each other.
 * Format     messages of protobuf, each behind its length as a varint: the metadata, then nodes.
 * Nodes      A computation lasts as long as it says. Those of one rank on its GPU (is_cpu_op false) exclude each other,
 *            and so do those on its CPU: in the order of their starts, or of when they can begin. Loads, stores and
 *            nodes of other types last as long as they say, and exclude nothing.
 * Messages   the n-th send from one rank to another with a tag is what the n-th such receive waits for.
 * Collectives  the n-th of each rank in a group (pg_name; all ranks without one) belong together. All-reduce,
 *            all-gather, reduce-scatter and barriers are rings, broadcast and reduce chains of as many parts as there
 *            are ranks; the others go directly. comm_size is what a rank puts in, of a scatter the root.
 * Flows      an id each, counted from 0, in an order in which they can run; ranks are machines, or GPUs.
 * Units      bytes, integer picoseconds; files have microseconds, and may have duration_ps as an attribute.
 * Ownership  chakra_free() releases what chakra_new() gives, with its flows.
 * Errors     0, NW_EINPUT or NW_ENOMEM. A refusal is printed as "FILE: byte N: ..." or "FILE: node ID: ...", with what
 *            was expected and what was found. */
#ifndef NARROWS_HARNESS_IMPORT_CHAKRA_CHAKRA_H
#define NARROWS_HARNESS_IMPORT_CHAKRA_CHAKRA_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/method/flows/flows.h"

enum { CHAKRA_MOST_RANKS = 65536, CHAKRA_MOST_NODES = 20000000, CHAKRA_MOST_FLOWS = 20000000 };
#define CHAKRA_MOST_B 2147483647 /* bytes of a file */

struct chakra;

struct chakra *chakra_new(FILE *err); /* NULL: no memory */
void chakra_free(struct chakra *c);   /* accepts NULL */

/* Computations without a duration take num_ops at this rate; 0, the default: no time. Before the traces are read. */
void chakra_set_rate(struct chakra *c, double flops_per_s);

/* Read the trace of the next rank. 'file' stands for it in messages, and must live as long as 'c'. */
int chakra_read(struct chakra *c, const char *file, const void *bytes, size_t n);

/* All ranks as flows: rank r is machine r, or with gpus > 0 GPU r % gpus of machine r / gpus. Once. */
int chakra_lower(struct chakra *c, int gpus, const struct flow_spec **list, size_t *n);

/* What was found and what was left out, a line each. */
void chakra_report(const struct chakra *c, FILE *out);

#endif
