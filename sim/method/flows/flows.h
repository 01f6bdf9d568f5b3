/* flows.h - traffic as given: each flow leaves at its time and shares the links with the others; no model, no codec.
 * Messages   a flow between two machines is one message: platform.network.message_bytes travel with it, and
 *            message_time passes before its first byte leaves. Within a machine there are none.
 * Order      a flow sets out 'delay_ps' after its start, or after the last of those it waits for has arrived if that is
 *            later. One without bytes from an end to itself is a delay alone: what is computed there.
 * Machines   ends are machines, or their GPUs, of the platform; a flow from an end to itself takes no time.
 * Units      bytes, integer picoseconds. */
#ifndef NARROWS_SIM_METHOD_FLOWS_H
#define NARROWS_SIM_METHOD_FLOWS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/network/topology.h"

struct flow_spec {
    int64_t id; /* the file's */
    struct end src, dst;
    int64_t bytes, start_ps;
    int64_t line;          /* of the file, for messages */
    int64_t delay_ps;      /* before it sets out */
    const uint32_t *after; /* nafter places in the list: these have arrived before */
    size_t nafter;
};

struct flows {
    const char *file;       /* CSV: id,src,dst,bytes,start_s[,after,delay_s] */
    const char *digest;     /* of its content, 32 hex digits: supplied by the harness, part of the point's key */
    struct flow_spec *list; /* supplied by the harness */
    size_t n;
};

struct job;
struct readings;
struct task_graph;
struct timeline;

int flows_check(const struct job *j, char *why, size_t nwhy);

/* Reports flows (number), bytes, end_ms (of the last), mean_ms and longest_ms (of a flow, without its delay), rate_GBps
 * (bytes, without framing, over end), link_utilisation (busiest channel), besides step_ms = end_ms. The timeline has a
 * span for each flow, on the track of its source, from when only its delay holds it; its 'id' is the file's. */
int flows_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy);

/* The same with the end of each flow, in the file's order, in end_ps[0..n). */
int flows_ends(const struct platform *p, const struct flows *f, int64_t end_ps[], char *why, size_t nwhy);

/* The same as tasks to execute: ranks are machines, a GPU's traffic is its machine's. E_INVAL for flows that wait for
 * others or have a delay. */
int flows_graph(const struct job *j, struct task_graph *out, char *why, size_t nwhy);

#endif
