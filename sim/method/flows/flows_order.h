/* flows_order.h - private to flows: which flow waits for which, and when each was ready and ended.
 * Ownership  *_free() releases what *_new() made; both accept zeros. */
#ifndef NARROWS_SIM_METHOD_FLOWS_ORDER_H
#define NARROWS_SIM_METHOD_FLOWS_ORDER_H

#include "sim/method/flows/flows.h"

#define FLOW_NO_CAUSE UINT32_MAX

/* Those that wait for flow i are next[first[i] .. first[i + 1]); all NULL if none waits. */
struct flow_order {
    size_t *first;
    uint32_t *next;
    size_t *waiting; /* of each flow: for how many it still waits */
};

struct flow_times {
    int64_t *ready_ps; /* its start, or when the last of those before it arrived, if that is later */
    int64_t *end_ps;
    uint32_t *cause; /* the last of those before it; FLOW_NO_CAUSE: it waited for none */
};

int flow_order_new(struct flow_order *o, const struct flows *f);
void flow_order_free(struct flow_order *o);

/* Refuses flows that wait for one that is not there, or for themselves by way of others. */
int flow_order_check(const struct flows *f, char *why, size_t nwhy);

int flow_times_new(struct flow_times *t, size_t n);
void flow_times_free(struct flow_times *t);

#endif
