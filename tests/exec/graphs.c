#include "tests/exec/graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/exec/execute.h"
#include "harness/run/point/measures.h"
#include "tests/test.h"

static struct scenario_file *open_file(const char *name)
{
    struct scenario_file *file = NULL;
    char path[4096];

    snprintf(path, sizeof(path), "%s/tests/exec/data/%s.yaml", getenv("NARROWS_HOME"), name);
    assert_int_equal(scenario_open(path, NULL, 0, NULL, 0, stderr, &file), 0);
    return file;
}

static void open_point(size_t index, struct graph_point *out)
{
    char why[512] = "";

    assert_int_equal(scenario_point(out->file, index, &out->point), 0);
    assert_int_equal(measures_model(&out->point.scenario, &out->model, why, sizeof(why)), 0);
    int rc = execute_graph(&out->point.scenario, &out->model, &out->graph, why, sizeof(why));
    assert_string_equal(why, "");
    assert_int_equal(rc, 0);
}

static void close_point(struct graph_point *g)
{
    task_graph_free(&g->graph);
    model_free(&g->model);
    point_free(&g->point);
}

void graph_open(const char *file, const char *variant, struct graph_point *out)
{
    *out = (struct graph_point){ .file = open_file(file) };
    for (size_t i = 0; i < scenario_npoints(out->file); i++) {
        open_point(i, out);
        if (!strcmp(out->point.variant, variant))
            return;
        close_point(out);
    }
    fail_msg("%s has no variant %s", file, variant);
}

void graph_close(struct graph_point *g)
{
    close_point(g);
    scenario_close(g->file);
}

void graphs_each(void (*visit)(const char *name, const struct task_graph *g))
{
    static const char *const files[] = { "allreduce", "servers", "flows" };

    for (size_t f = 0; f < COUNT(files); f++) {
        struct graph_point g = { .file = open_file(files[f]) };
        for (size_t i = 0; i < scenario_npoints(g.file); i++) {
            char name[128];
            open_point(i, &g);
            snprintf(name, sizeof(name), "%s %s", files[f], g.point.variant);
            visit(name, &g.graph);
            close_point(&g);
        }
        scenario_close(g.file);
    }
}
