/* shape.h - token buckets at both ends of every link of a lab: each shapes what leaves there. Where a link of the
 * platform has a latency, netem below the bucket holds every packet for so long.
 * Errors     nw_status, the message printed. */
#ifndef NARROWS_HARNESS_LAB_SPACE_SHAPE_H
#define NARROWS_HARNESS_LAB_SPACE_SHAPE_H

#include <stdbool.h>

struct lab_plan;

/* NW_EENV where this kernel has no netem. */
int shape_ask_netem(void);

/* Of the lab of that name. 'again': they are there already. */
int shape_links(const char *lab, const struct lab_plan *plan, bool again);

#endif
