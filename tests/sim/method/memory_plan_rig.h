/* memory_plan_rig.h - shared by memory_plan_test.c and memory_plan_check_test.c. */
#ifndef NARROWS_TESTS_SIM_METHOD_MEMORY_PLAN_RIG_H
#define NARROWS_TESTS_SIM_METHOD_MEMORY_PLAN_RIG_H

#include "tests/draw.h"
#include "tests/test.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "sim/method/method.h"
#include "sim/method/splitcnn.h"

/* Eight machines with a GPU each, on a network and a link that take a while; a small network on it. */
struct world {
    struct link_spec links[3];
    struct platform platform;
    struct conv_rate rates[2];
    struct method method;
    struct layer_spec layers[8];
    struct model_spec spec;
    struct model model;
    int64_t batch;
};

static inline void infer(struct world *w)
{
    char why[256];

    model_free(&w->model);
    if (model_infer(&w->spec, &w->model, why, sizeof(why)))
        fail_msg("%s", why);
}

static inline void world_new(struct world *w)
{
    memset(w, 0, sizeof(*w));
    w->links[0] = (struct link_spec){ .name = "nvlink",
                                      .bandwidth_Bps = 10e9,
                                      .shared_by = 1,
                                      .efficiency_to_device = 0.5,
                                      .efficiency_to_host = 0.5,
                                      .efficiency_wire = 1 };
    w->links[1] = w->links[0];
    w->links[1].name = "eth";
    w->links[1].bandwidth_Bps = 100e6;
    w->links[1].efficiency_wire = 0.8;
    w->platform = (struct platform){ .compute_scale = 1,
                                     .machines = 8,
                                     .cpu = { .codec_speed = 1 },
                                     .gpu = { .count = 1,
                                              .peak_flops = 1e12,
                                              .memory_Bps = 100e9,
                                              .memory_bytes = 16 << 20,
                                              .efficiency_memory = 0.5,
                                              .link = "nvlink" },
                                     .network = { .topology = TOPOLOGY_STAR, .link = "eth" },
                                     .links = w->links,
                                     .nlinks = 2 };
    w->rates[0] = (struct conv_rate){ .kernel = 3, .efficiency = 0.5 };
    w->rates[1] = (struct conv_rate){ .rate_flops = 2e11 };
    w->method = (struct method){ .kind = METHOD_MEMORY_PLAN,
                                 .memory_planned = { .plan = { .split = { .rows = 1, .columns = 1 },
                                                               .in_place = 1,
                                                               .share_sums = 1,
                                                               .workspace_factor = 1,
                                                               .schedule = SCHEDULE_PER_OBJECT,
                                                               .limit = 1,
                                                               .alignment = 256,
                                                               .parameter_copies = 3,
                                                               .usable = 0.9,
                                                               .placement = PLACEMENT_GREEDY_SIZE,
                                                               .timing = { .name = "t",
                                                                           .rates = w->rates,
                                                                           .nrates = 2,
                                                                           .split_efficiency = 1 } },
                                                     .play = { .contention = 1, .streams = 1 },
                                                     .workers = 1 } };
    const struct layer_spec layers[] = {
        { .kind = LAYER_CONV, .channels = 16, .kernel = 3, .pad = 1 },
        { .kind = LAYER_RELU },
        { .kind = LAYER_CONV, .channels = 16, .kernel = 3, .pad = 1 },
        { .kind = LAYER_BATCHNORM },
        { .kind = LAYER_RELU },
        { .kind = LAYER_MAXPOOL, .kernel = 2 },
        { .kind = LAYER_CLASSIFIER },
        { .kind = LAYER_SOFTMAX },
    };
    memcpy(w->layers, layers, sizeof(layers));
    w->spec = (struct model_spec){ .name = "m",
                                   .channels = 3,
                                   .height = 16,
                                   .width = 16,
                                   .classes = 10,
                                   .layers = w->layers,
                                   .nlayers = COUNT(layers) };
    w->batch = 16;
    infer(w);
}

static inline int try(const struct world *w, struct readings *r, char *why, size_t nwhy)
{
    struct job j = { &w->platform, &w->model, &w->method, w->batch };

    return method_play(&j, r, NULL, why, nwhy);
}

static inline struct readings play(const struct world *w)
{
    struct readings r = { .n = 0 };
    char why[512] = "";
    int rc = try(w, &r, why, sizeof(why));

    if (rc)
        fail_msg("%d: %s", rc, why);
    return r;
}

#endif
