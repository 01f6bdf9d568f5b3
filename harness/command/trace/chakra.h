/* chakra.h - a point's tasks as Chakra execution traces. */
#ifndef NARROWS_HARNESS_COMMAND_TRACE_CHAKRA_H
#define NARROWS_HARNESS_COMMAND_TRACE_CHAKRA_H

#include "harness/scenario/scenario.h"

/* "step.et" becomes step.0.et, step.1.et, ...; a %d is where the rank goes. An nw_status, the message printed. */
int trace_chakra(const struct scenario_file *file, const struct point *p, const char *output);

#endif
