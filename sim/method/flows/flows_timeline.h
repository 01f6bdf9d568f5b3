/* flows_timeline.h - private to flows: a span for each of them, on the track of its source. */
#ifndef NARROWS_SIM_METHOD_FLOWS_TIMELINE_H
#define NARROWS_SIM_METHOD_FLOWS_TIMELINE_H

#include "sim/engine/timeline.h"
#include "sim/method/flows/flows_order.h"

/* Includes flows that take no time. Spans are sorted by start, then in the file's order. E_NOMEM: the timeline is
 * empty. */
int flows_timeline(struct timeline *t, const struct platform *p, const struct flows *f, const struct flow_times *times);

#endif
