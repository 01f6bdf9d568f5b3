/* plans.c - memory plans: made, placed alone, played, and made for the largest batch. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/sim/case.h"
#include "harness/host/clock.h"
#include "harness/host/home.h"
#include "harness/run/point/measures.h"
#include "harness/scenario/memory.h"
#include "harness/scenario/scenario.h"
#include "harness/status.h"
#include "model/status.h"
#include "sim/plan/plan.h"
#include "sim/plan/play.h"

/* One GPU of 16 GB behind a link like NVLink 1.0; the model is a file of the program's own. */
static const char on_p100[] =
    "name: plan\n"
    "platform:\n"
    "  name: one-p100\n"
    "  peak: 10.6 TFlop/s\n"
    "  cpu: {sockets: 1, cores_per_socket: 10, memory_bandwidth: 115 GB/s, memory_efficiency: 0.7, codec: calibrated}\n"
    "  gpu:\n"
    "    count: 1\n"
    "    peak: 10.6 TFlop/s\n"
    "    memory_bandwidth: 732 GB/s\n"
    "    memory: 16 GB\n"
    "    efficiency: {memory: 0.75}\n"
    "    link: nvlink\n"
    "  link:\n"
    "    nvlink: {bandwidth: 34.1 GB/s, duplex: full, shared_by: 1, efficiency: {to_device: 1, to_host: 1}}\n"
    "model: model.yaml\n"
    "batch: 64\n"
    "method:\n"
    "  kind: memory-plan\n"
    "  timing: {name: two-rates, rates: [{kernel: 3, stride: 1, efficiency: 1.5}, {efficiency: 0.65}]}\n"
    "  split: {depth: 0.75}\n"
    "  schedule: per-object\n"
    "  placement: exact\n";

struct planning {
    struct scenario_file *file;
    struct point point;
    struct model model;
    struct memory_plan plan;
    char why[256];
};

static int read_model(const char *net, char **text, size_t *size)
{
    char path[4096];
    int error;

    snprintf(path, sizeof(path), "%s/scenarios/models/%s.yaml", home_dir(), net);
    error = disk_reader.read(disk_reader.ctx, path, text, size);
    if (error)
        fprintf(stderr, "narrows bench: sim: %s: %s\n", path, strerror(error));
    return error ? NW_EIO : NW_OK;
}

/* The case's size is that of a square of patches. */
static int open_net(const struct sim_case *c, struct planning *p)
{
    char *text = NULL, rows[64], columns[64];
    const char *const sets[] = { rows, columns, c->sets ? c->sets[0] : NULL };
    long side = lround(sqrt((double)c->size));
    size_t size = 0;
    int rc = read_model(c->net, &text, &size);

    *p = (struct planning){ .file = NULL };
    snprintf(rows, sizeof(rows), "method.split.rows=%ld", side);
    snprintf(columns, sizeof(columns), "method.split.columns=%ld", side);
    if (!rc) {
        const struct memory_file texts[] = { { "plan.yaml", on_p100, sizeof(on_p100) - 1 },
                                             { "model.yaml", text, size } };
        struct memory_files files = { texts, 2 };

        rc = scenario_open_memory(&files, "plan.yaml", sets, c->sets ? 3 : 2, NULL, 0, stderr, &p->file);
    }
    free(text);
    return rc ? rc : scenario_point(p->file, 0, &p->point);
}

static const struct memory_plan_options *options_of(const struct planning *p)
{
    return &p->point.scenario.method.memory_planned.plan;
}

static int model_of(struct planning *p)
{
    return measures_model(&p->point.scenario, &p->model, p->why, sizeof(p->why));
}

static int plan(struct planning *p)
{
    int rc = model_of(p);

    return rc ? rc
              : memory_plan_make(&p->model, &p->point.scenario.platform, options_of(p), p->point.scenario.batch,
                                 &p->plan, p->why, sizeof(p->why));
}

/* 'rc' is the simulator's. */
static int closed(struct planning *p, int rc)
{
    if (rc)
        fprintf(stderr, "narrows bench: sim: %s\n", *p->why ? p->why : "a plan could not be made");
    memory_plan_free(&p->plan);
    model_free(&p->model);
    point_free(&p->point);
    scenario_close(p->file);
    return rc ? NW_ESIM : NW_OK;
}

/* Of these nets an exact search has always reached the bound, so that one that does not is a search gone wrong. */
static int check_placement(struct planning *p, enum placement_method method)
{
    const struct lifetimes *l = &p->plan.device;
    const struct placement *found = &p->plan.device_pool;
    size_t a, b;

    if (!placement_valid(l->buffers, l->n, p->plan.options.alignment, &a, &b))
        snprintf(p->why, sizeof(p->why), "the plan places buffers %zu and %zu over each other", a, b);
    else if (method == PLACEMENT_EXACT && found->height > found->bound)
        snprintf(p->why, sizeof(p->why), "the placement ends %.3g %% above its bound",
                 100 * ((double)found->height / (double)found->bound - 1));
    else
        return E_OK;
    return E_INVAL;
}

int run_plan(const struct sim_case *c, struct sim_result *r)
{
    struct planning p;
    int rc = open_net(c, &p);

    if (!rc) {
        int64_t began = clock_ns();

        rc = plan(&p);
        r->elapsed_ns = clock_ns() - began;
        r->events = (int64_t)p.plan.graph.noperations;
        rc = rc ? rc : check_placement(&p, p.plan.options.placement);
    }
    return closed(&p, rc);
}

/* The search for a placement alone, of a plan that was made before. */
int run_place(const struct sim_case *c, struct sim_result *r)
{
    struct planning p;
    int rc = open_net(c, &p);

    rc = rc ? rc : plan(&p);
    if (!rc) {
        const struct placement_options options = { .method = PLACEMENT_EXACT,
                                                   .alignment = p.plan.options.alignment,
                                                   .budget = (uint64_t)p.plan.options.placement_nodes };
        int64_t began = clock_ns();

        rc = placement_make(p.plan.device.buffers, p.plan.device.n, &options, &p.plan.device_pool);
        r->elapsed_ns = clock_ns() - began;
        r->events = (int64_t)p.plan.device.n;
        rc = rc ? rc : check_placement(&p, PLACEMENT_EXACT);
    }
    return closed(&p, rc);
}

int run_largest(const struct sim_case *c, struct sim_result *r)
{
    struct planning p;
    int64_t batch = 0;
    int rc = open_net(c, &p);

    if (!rc) {
        int64_t began = clock_ns();

        rc = model_of(&p);
        if (!rc)
            rc =
                memory_plan_largest(&p.model, &p.point.scenario.platform, options_of(&p), &batch, p.why, sizeof(p.why));
        r->elapsed_ns = clock_ns() - began;
        r->events = 1;
    }
    if (!rc && batch < 1) {
        snprintf(p.why, sizeof(p.why), "not one sample of %s fits", c->net);
        rc = E_INVAL;
    }
    return closed(&p, rc);
}

int run_plan_played(const struct sim_case *c, struct sim_result *r)
{
    struct planning p;
    struct plan_played played;
    int rc = open_net(c, &p);

    rc = rc ? rc : plan(&p);
    if (!rc) {
        int64_t began = clock_ns();

        rc = plan_play(&p.plan, &p.point.scenario.platform, &p.point.scenario.method.memory_planned.play, &played, NULL,
                       NULL, NULL);
        r->elapsed_ns = clock_ns() - began;
        r->events = (int64_t)p.plan.graph.noperations;
        r->end_s = rc ? 0 : (double)played.step_ps / 1e12;
    }
    return closed(&p, rc);
}
