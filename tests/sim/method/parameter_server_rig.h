/* parameter_server_rig.h - a small cluster, a network of fully connected layers and a method, to be bent by each
 * test. */
#ifndef NARROWS_TESTS_SIM_METHOD_PARAMETER_SERVER_RIG_H
#define NARROWS_TESTS_SIM_METHOD_PARAMETER_SERVER_RIG_H

#include <math.h>
#include <stdbool.h>

#include "model/status.h"
#include "sim/method/method.h"
#include "tests/test.h"

/* Everything that a play needs, so that a case says only what is particular to it. Times come out in round numbers:
 * links of 1 GB/s, GPUs of 1 GFLOP/s, memory that takes no time. */
struct rig {
    struct link_spec links[2];
    struct platform platform;
    struct layer_spec layers[8];
    struct model_spec spec;
    struct model model;
    struct method method;
    struct job job;
    struct readings r;
    bool bare; /* take the parameters from the model */
};

static inline struct parameter_server *of(struct rig *g)
{
    return &g->method.parameter_server;
}

static const struct codec_spec uncoded = {
    .format = WIRE_NONE, .place = CODEC_ON_GPU, .threads = 1, .scale = 1, .life = 1
};

/* Fully connected layers without biases, 1000 values wide: a million weights each, 2 ms forward, 4 ms backward (the
 * first one 2 ms). */
static inline struct rig rig(size_t nlayers, int64_t workers)
{
    struct rig g = {
        .links = { { .name = "pcie", .bandwidth_Bps = 1e12, .shared_by = 1 },
                   { .name = "eth", .bandwidth_Bps = 1e9, .shared_by = 1 } },
        .platform = { .name = "cluster",
                      .peak_flops = 1e9,
                      .compute_scale = 1,
                      .machines = workers + 1,
                      .cpu = { .sockets = 1,
                               .cores_per_socket = 16,
                               .memory_Bps = 1e30,
                               .memory_efficiency = 1,
                               .peak_flops = 1e9,
                               .efficiency = 1 },
                      .gpu = { .count = 1,
                               .peak_flops = 1e9,
                               .memory_Bps = 1e30,
                               .efficiency_convolution = 1,
                               .efficiency_fully_connected = 1,
                               .efficiency_memory = 1,
                               .link = "pcie",
                               .peer_link = "" },
                      .network = { .topology = TOPOLOGY_STAR, .link = "eth", .uplink = "", .via = "" },
                      .nlinks = 2 },
        .spec = { .name = "fc", .channels = 1000, .height = 1, .width = 1, .classes = 10, .nlayers = nlayers },
        .method = { .kind = METHOD_PARAMETER_SERVER,
                    .parameter_server = { .workers = workers,
                                          .servers = 1,
                                          .workers_per_machine = 1,
                                          .device = COMPUTE_ON_GPU,
                                          .local_steps = 1,
                                          .update_bytes = 20,
                                          .computing_share = 1,
                                          .shared_pull = 1,
                                          .push = uncoded,
                                          .pull = uncoded,
                                          .seed = 1,
                                          .steps = 1,
                                          .profile = { .scale = 1 } } },
    };

    for (size_t i = 0; i < 2; i++) {
        g.links[i].efficiency_to_device = g.links[i].efficiency_to_host = 1;
        g.links[i].efficiency_wire = g.links[i].efficiency_pageable = 1;
        g.links[i].above = "";
    }
    for (size_t i = 0; i < nlayers; i++)
        g.layers[i] = (struct layer_spec){ .kind = LAYER_FC, .units = 1000 };
    g.job.batch = workers;
    return g;
}

/* Pointers into itself, which no copy may keep. */
static inline void bind(struct rig *g)
{
    char why[256] = "";

    g->platform.links = g->links;
    g->spec.layers = g->layers;
    if (model_infer(&g->spec, &g->model, why, sizeof(why)))
        fail_msg("model: %s", why);
    for (size_t i = 0; g->bare && i < g->model.nlayers; i++)
        g->model.layers[i].weights = g->model.layers[i].biases = 0;
    g->job.platform = &g->platform;
    g->job.model = &g->model;
    g->job.method = &g->method;
    g->r.n = 0;
}

static inline int try_play(struct rig *g, struct timeline *timeline, char *why, size_t nwhy)
{
    why[0] = 0;
    bind(g);
    int rc = parameter_server_play(&g->job, &g->r, timeline, why, nwhy);
    model_free(&g->model);
    return rc;
}

static inline double reading(const struct rig *g, const char *name)
{
    double v = reading_value(&g->r, name);

    if (isnan(v))
        fail_msg("no reading %s", name);
    return v;
}

/* step_ms of one play. */
static inline double play(struct rig *g)
{
    char why[256];

    if (try_play(g, NULL, why, sizeof(why)))
        fail_msg("%s", why);
    return reading(g, "step_ms");
}

static inline void near(const char *what, double got, double want, double relative)
{
    if (!(fabs(got - want) <= relative * fabs(want)))
        fail_msg("%s: %.12g, want %.12g", what, got, want);
}

/* Half a picosecond in milliseconds. */
static inline void exactly_ms(const char *what, double got, double want)
{
    if (!(fabs(got - want) < 0.5e-9))
        fail_msg("%s: %.9f ms, want %.9f", what, got, want);
}

#endif
