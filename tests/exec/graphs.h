/* graphs.h - the task graphs of the small scenarios in tests/exec/data: every method that can be executed. */
#ifndef NARROWS_TESTS_EXEC_GRAPHS_H
#define NARROWS_TESTS_EXEC_GRAPHS_H

#include "harness/scenario/scenario.h"
#include "sim/engine/task_graph.h"

/* visit() gets the graph of each point of each file, and its name ("servers backup"). */
void graphs_each(void (*visit)(const char *name, const struct task_graph *g));

/* That of one point; what it points to lives as long as 'point' and 'file'. */
struct graph_point {
    struct scenario_file *file;
    struct point point;
    struct model model;
    struct task_graph graph;
};
void graph_open(const char *file, const char *variant, struct graph_point *out);
void graph_close(struct graph_point *g);

#endif
