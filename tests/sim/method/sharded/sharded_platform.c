#include "tests/sim/method/sharded/sharded_platform.h"

#include "tests/test.h"

void sharded_rig_make(struct sharded_rig *r, int64_t machines, int64_t nics, int64_t per_switch,
                      double oversubscription)
{
    *r = (struct sharded_rig){
        .links = { { .name = "nvlink", .bandwidth_Bps = 300e9, .latency_s = 1e-6 },
                   { .name = "pcie", .bandwidth_Bps = 31.5e9, .latency_s = 1e-6 },
                   { .name = "ib", .bandwidth_Bps = 25e9, .latency_s = 2e-6 } },
        .platform = { .name = "rig",
                      .peak_flops = 2.5e15,
                      .compute_scale = 1,
                      .machines = machines,
                      .cpu = { .sockets = 2,
                               .cores_per_socket = 32,
                               .memory_Bps = 400e9,
                               .memory_efficiency = 1,
                               .codec_speed = 1,
                               .efficiency = 1 },
                      .gpu = { .name = "gpu",
                               .count = 8,
                               .peak_flops = 19.5e12,
                               .precision_flops = { [COMPUTE_BF16] = 312e12, [COMPUTE_FP16] = 312e12 },
                               .matrix_share = 0.8,
                               .matrix_tile_rows = 128,
                               .matrix_tile_columns = 128,
                               .attention_share = 1,
                               .attention_back_share = 1,
                               .memory_Bps = 2e12,
                               .memory_bytes = (int64_t)80e9,
                               .efficiency_convolution = 1,
                               .efficiency_fully_connected = 1,
                               .efficiency_memory = 0.8,
                               .launch_latency_s = 2e-6,
                               .link = "pcie",
                               .peer_link = "nvlink" },
                      .network = { .topology = per_switch ? TOPOLOGY_RAILS : TOPOLOGY_STAR,
                                   .link = "ib",
                                   .nics = nics,
                                   .per_switch = per_switch,
                                   .oversubscription = oversubscription,
                                   .gpu_direct = true,
                                   .connections = 1 } },
        .method = { .kind = METHOD_SHARDED,
                    .sharded = { .tensor = 1,
                                 .context = 1,
                                 .expert = 1,
                                 .pipeline = 1,
                                 .order = "tensor, context, data, pipeline",
                                 .level = 3,
                                 .schedule = PIPELINE_1F1B,
                                 .chunks = 1,
                                 .micro_batch = 1,
                                 .sequence = true,
                                 .attention = ATTENTION_FLASH,
                                 .recompute = RECOMPUTE_FULL,
                                 .fused_loss = true,
                                 .weights = COMPUTE_BF16,
                                 .gradients = COMPUTE_FP32,
                                 .activations = COMPUTE_BF16,
                                 .products = COMPUTE_PRECISIONS,
                                 .optimizer = OPTIMIZER_ADAM,
                                 .master = true,
                                 .unit_layers = 1,
                                 .bucket_bytes = 25 << 20,
                                 .prefetch = 1,
                                 .reshard = true,
                                 .overlap = true,
                                 .usable = 1,
                                 .local_steps = 1 } },
    };
    for (int i = 0; i < 3; i++)
        r->links[i] = (struct link_spec){ .name = r->links[i].name,
                                          .bandwidth_Bps = r->links[i].bandwidth_Bps,
                                          .latency_s = r->links[i].latency_s,
                                          .shared_by = 1,
                                          .efficiency_to_device = 1,
                                          .efficiency_to_host = 1,
                                          .efficiency_wire = 1,
                                          .efficiency_pageable = 1,
                                          .above = "" };
    r->platform.links = r->links;
    r->platform.nlinks = 3;
    r->job = (struct job){ &r->platform, &r->model, &r->method, 1 };
}

void sharded_rig_decoder(struct sharded_rig *r, struct gpt_spec gpt)
{
    struct model_spec spec = { .name = "decoder", .gpt = gpt };
    char why[256] = "";

    if (model_infer(&spec, &r->model, why, sizeof(why)))
        fail_msg("%s", why);
}

void sharded_rig_free(struct sharded_rig *r)
{
    model_free(&r->model);
}
