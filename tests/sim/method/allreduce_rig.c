#include "tests/sim/method/allreduce_rig.h"

#include <math.h>
#include <string.h>

static struct layer_spec four[] = { { .kind = LAYER_FC, .units = 1000 },
                                    { .kind = LAYER_FC, .units = 2000 },
                                    { .kind = LAYER_FC, .units = 500 },
                                    { .kind = LAYER_FC, .units = 1000 } };

void world_model(struct world *w, const struct layer_spec *layers, size_t n)
{
    struct model_spec spec = {
        .name = "m", .channels = 1000, .height = 1, .width = 1, .layers = (struct layer_spec *)layers, .nlayers = n
    };
    char why[256];

    model_free(&w->model);
    assert_int_equal(model_infer(&spec, &w->model, why, sizeof(why)), E_OK);
}

void world_new(struct world *w)
{
    memset(w, 0, sizeof(*w));
    w->links[0] = (struct link_spec){ .name = "eth",
                                      .bandwidth_Bps = 1.25e9,
                                      .latency_s = 5e-6,
                                      .shared_by = 1,
                                      .efficiency_to_device = 1,
                                      .efficiency_to_host = 1,
                                      .efficiency_wire = 0.8,
                                      .efficiency_pageable = 0.5 };
    w->links[1] = w->links[2] = w->links[0];
    w->links[1].name = "pcie";
    w->links[1].bandwidth_Bps = 12e9;
    w->links[2].name = "nvlink";
    w->links[2].bandwidth_Bps = 50e9;
    w->platform = (struct platform){ .name = "p",
                                     .peak_flops = 1e13,
                                     .compute_scale = 1,
                                     .machines = 16,
                                     .cpu = { .sockets = 2,
                                              .cores_per_socket = 8,
                                              .peak_flops = 1e12,
                                              .efficiency = 0.5,
                                              .memory_Bps = 100e9,
                                              .memory_efficiency = 0.8,
                                              .codec_speed = 1 },
                                     .gpu = { .count = 4,
                                              .peak_flops = 1e13,
                                              .memory_Bps = 500e9,
                                              .memory_bytes = 16000000000,
                                              .efficiency_convolution = 0.5,
                                              .efficiency_fully_connected = 0.5,
                                              .efficiency_memory = 0.8,
                                              .link = "pcie",
                                              .peer_link = "nvlink" },
                                     .network = { .topology = TOPOLOGY_STAR, .link = "eth" },
                                     .links = w->links,
                                     .nlinks = 3 };
    w->method = (struct method){
        .kind = METHOD_ALLREDUCE,
        .allreduce = { .workers = 4,
                       .workers_per_machine = 1,
                       .overlap = 1,
                       .streams = 1,
                       .local_steps = 1,
                       .update_bytes = 20,
                       .computing_share = 1,
                       .steps = 2,
                       .pinned = 1,
                       .gradients = { .steps = 1,
                                      .life = 1,
                                      .scale = 1,
                                      .threads = 1,
                                      .ratio = 1,
                                      .density = 0.1,
                                      .bits = 1 },
                       .profile = { .forward_s = 10e-3, .backward_s = 20e-3, .samples = 32, .scale = 1 } }
    };
    w->batch = 128;
    world_model(w, four, COUNT(four));
}

struct readings play(const struct world *w)
{
    struct job j = { &w->platform, &w->model, &w->method, w->batch };
    struct readings r = { .n = 0 };
    char why[512] = "";

    int rc = method_play(&j, &r, NULL, why, sizeof(why));
    if (rc)
        fail_msg("%d: %s", rc, why);
    return r;
}

double get(const struct world *w, const char *name)
{
    struct readings r = play(w);

    return reading_value(&r, name);
}

void near(const char *what, double got, double want, double relative)
{
    if (!(fabs(got - want) <= relative * fabs(want)))
        fail_msg("%s: %.12g, not %.12g", what, got, want);
}

struct codec_spec ratio(double ratio_, enum codec_class_of class_, enum codec_place place, double rate_Bps)
{
    return (struct codec_spec){ .format = WIRE_RATIO,
                                .ratio = ratio_,
                                .aggregation = class_,
                                .place = place,
                                .threads = 2,
                                .steps = 1,
                                .life = 1,
                                .scale = 1,
                                .encode = { .rate_Bps = rate_Bps },
                                .decode = { .rate_Bps = rate_Bps } };
}

void is_refused(struct world *w, const char *want)
{
    struct job j = { &w->platform, &w->model, &w->method, w->batch };
    struct readings r = { .n = 0 };
    char why[512] = "";

    assert_int_equal(method_check(&j, why, sizeof(why)), E_INVAL);
    if (strncmp(why, want, strlen(want)) != 0)
        fail_msg("'%s' does not begin with '%s'", why, want);
    assert_int_equal(method_play(&j, &r, NULL, why, sizeof(why)), E_INVAL);
    assert_int_equal(r.n, 0);
    model_free(&w->model);
}
