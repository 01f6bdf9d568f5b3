/* plan_rig.h - shared by plan_test.c and plan_largest_test.c. */
#ifndef NARROWS_TESTS_SIM_PLAN_PLAN_RIG_H
#define NARROWS_TESTS_SIM_PLAN_PLAN_RIG_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "sim/plan/plan.h"
#include "sim/plan/play.h"
#include "tests/model/graph/graph_nets.h"
#include "tests/sanitized.h"
#include "tests/test.h"

/* Three convolutions with what follows them, 16x16 images: 8 channels, 8, pooled, 16; a classifier. */
static struct layer_spec layers[] = {
    { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1 },
    { .kind = LAYER_RELU },
    { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1 },
    { .kind = LAYER_RELU },
    { .kind = LAYER_MAXPOOL, .kernel = 2 },
    { .kind = LAYER_CONV, .channels = 16, .kernel = 3, .pad = 1 },
    { .kind = LAYER_RELU },
    { .kind = LAYER_CLASSIFIER },
    { .kind = LAYER_SOFTMAX },
};

static const struct model_spec spec = {
    .name = "small", .channels = 3, .height = 16, .width = 16, .classes = 10, .layers = layers, .nlayers = 9
};

static struct link_spec link = {
    .name = "bus", .bandwidth_Bps = 1e9, .efficiency_to_host = 1, .efficiency_to_device = 1
};

static struct conv_rate rates[] = { { .rate_flops = 1e9 } };

static inline struct platform machine(int64_t memory_bytes)
{
    struct platform p = { .compute_scale = 1, .machines = 1, .links = &link, .nlinks = 1 };

    p.gpu = (struct gpu_spec){ .count = 1,
                               .peak_flops = 1e9,
                               .memory_Bps = 1e9,
                               .memory_bytes = memory_bytes,
                               .efficiency_memory = 1,
                               .link = "bus" };
    return p;
}

static inline struct memory_plan_options usual(void)
{
    return (struct memory_plan_options){
        .split = { .rows = 1, .columns = 1 },
        .in_place = 1,
        .share_sums = 1,
        .schedule = SCHEDULE_CLAMPED,
        .limit = 1,
        .placement = PLACEMENT_EXACT,
        .placement_nodes = 100000,
        .alignment = 256,
        .parameter_copies = 3,
        .usable = 0.5,
        .timing = { .name = "flat", .memory_Bps = 1e9, .rates = rates, .nrates = 1, .split_efficiency = 1 },
    };
}

static inline struct model infer(void)
{
    struct model m;
    char why[256];

    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
    return m;
}

static inline void plan_of(const struct model *m, const struct memory_plan_options *o, int64_t batch,
                           struct memory_plan *out)
{
    struct platform p = machine(1000000000);
    char why[256] = "";
    int rc = memory_plan_make(m, &p, o, batch, out, why, sizeof(why));

    if (rc)
        fail_msg("status %d: %s", rc, why);
}

#endif
