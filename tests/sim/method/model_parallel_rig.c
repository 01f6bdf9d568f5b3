#include "tests/sim/method/model_parallel_rig.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "tests/test.h"

void set_up(struct rig *r, int n, int64_t width)
{
    char why[200];

    memset(r, 0, sizeof(*r));
    r->layers[0] = (struct layer_spec){ .kind = LAYER_EMBEDDING, .tables = 1, .rows = 1, .dim = 1 };
    for (int i = 1; i <= n; i++)
        r->layers[i] = (struct layer_spec){ .kind = LAYER_FC, .units = width };
    struct model_spec spec = { .name = "chain", .height = 1, .width = 1, .layers = r->layers };
    spec.channels = width - 1;
    spec.nlayers = (size_t)n + 1;
    assert_int_equal(model_infer(&spec, &r->model, why, sizeof(why)), E_OK);
    r->model.layers[0].sparse_values = 0; /* its row is no traffic here */
    r->model.layers[0].flops_backward = 0;
    r->model.flops_backward--;
    r->links[0] = (struct link_spec){ .name = "eth", .bandwidth_Bps = 2e9, .shared_by = 1, .efficiency_wire = 0.5 };
    r->links[0].efficiency_to_device = r->links[0].efficiency_to_host = r->links[0].efficiency_pageable = 1;
    r->links[0].above = "";
    r->platform = (struct platform){
        .name = "cluster",
        .compute_scale = 1,
        .machines = 64,
        .cpu = { .sockets = 2, .cores_per_socket = 2, .memory_Bps = 20e9, .memory_efficiency = 0.5 },
        .gpu = { .link = "", .peer_link = "" },
        .network = { .topology = TOPOLOGY_STAR, .link = "eth", .uplink = "", .via = "" },
        .links = r->links,
        .nlinks = 1,
    };
    r->platform.cpu.efficiency = 1;
    r->method.kind = METHOD_MODEL_PARALLEL;
    r->mp = &r->method.model_parallel;
    *r->mp = (struct model_parallel){ .trainers = 1,
                                      .stages = 1,
                                      .servers = 1,
                                      .device = COMPUTE_ON_CPU,
                                      .schedule = MP_HOGWILD,
                                      .micro_batches = 1,
                                      .threads = 1,
                                      .cuts = r->cuts,
                                      .parameter_scale = 1,
                                      .activation_scale = 1,
                                      .steps = 3,
                                      .profile = { 3e-3, 6e-3, 10, 1 } };
    r->job = (struct job){ &r->platform, &r->model, &r->method, 10 };
}

struct readings play(const struct rig *r)
{
    struct readings out = { .n = 0 };
    char why[300] = "";
    int rc = model_parallel_play(&r->job, &out, NULL, why, sizeof(why));

    if (rc)
        fail_msg("%d: %s", rc, why);
    return out;
}

void near(const struct readings *r, const char *name, double want, double relative, const char *what)
{
    double got = reading_value(r, name);

    if (!(fabs(got - want) <= relative * fabs(want) + 1e-15))
        fail_msg("%s: %s is %.12g, want %.12g", what, name, got, want);
}

struct codec_spec sparse(enum wire_format format, double density)
{
    return (struct codec_spec){ .format = format,
                                .density = density,
                                .indices = 1,
                                .place = CODEC_ON_CPU,
                                .threads = 1,
                                .scale = 1,
                                .encode = { .rate_Bps = 2e9 },
                                .decode = { .rate_Bps = 4e9 },
                                .select_rate_Bps = 1e9,
                                .life = 1 };
}
