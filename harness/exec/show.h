/* show.h - what an execution came to: a line on the terminal, a timeline for Perfetto. */
#ifndef NARROWS_HARNESS_EXEC_SHOW_H
#define NARROWS_HARNESS_EXEC_SHOW_H

#include <stdio.h>

#include "harness/exec/execute.h"

/* Simulated and executed time of a step, their difference, the spread of the repetitions. */
void show_executed(const struct scenario_file *file, const struct point *p, const struct task_graph *g,
                   const struct executed *x, FILE *out);

/* Every task of the last repetition, as executed and, on the track next to it, as simulated. */
int show_timeline(const char *path, const struct task_graph *g, const struct executed *x);

#endif
