#include "tests/model/transfer/transfer_nets.h"

#include <stdlib.h>

#include "sim/plan/timing.h"
#include "tests/model/graph/graph_nets.h"
#include "tests/test.h"

enum { BATCH = 64 };

static struct model model_of(enum transfer_network which)
{
    static const int64_t depths[] = { [NET_RESNET_18] = 18, [NET_RESNET_50] = 50, [NET_RESNET_152] = 152 };

    return which == NET_VGG_19 ? nets_vgg_19() : nets_resnet(depths[which]);
}

#define CONV(out_plane, from, to, tflops)                                                                     \
    {                                                                                                         \
        .kernel = 3, .plane = out_plane, .in_channels = from, .out_channels = to, .rate_flops = tflops * 1e12 \
    }

void transfer_net_time(struct transfer_net *n, enum transfer_times times)
{
    struct conv_rate winograd[] = { { .kernel = 3, .stride = 1, .efficiency = 1.5 }, { .efficiency = 0.65 } };
    struct conv_rate measured[] = {
        CONV(224, 3, 64, 4.26),    CONV(224, 64, 64, 11.74), CONV(112, 64, 128, 12.75), CONV(112, 128, 128, 16.2),
        CONV(56, 128, 256, 18.59), CONV(56, 256, 256, 20.5), CONV(28, 256, 512, 21.8),  CONV(28, 512, 512, 18.4),
        CONV(14, 512, 512, 17.0),  { .efficiency = 0.65 },
    };
    struct timing t = { .memory_Bps = 550e9, .split_efficiency = 1 };
    struct platform p = { .compute_scale = 1, .gpu = { .peak_flops = 10.6e12 } };
    char why[200] = "";

    t.rates = times == TIMES_MEASURED ? measured : winograd;
    t.nrates = times == TIMES_MEASURED ? COUNT(measured) : COUNT(winograd);
    if (timing_check(&t, &p, &n->model, why, sizeof(why)))
        fail_msg("%s", why);
    assert_int_equal(timing_operations(&t, &p, &n->graph, n->ps), 0);
}

void transfer_net_make(struct transfer_net *n, enum transfer_network which, enum generated generated, int64_t patches)
{
    struct split_spec split = { .depth = patches > 1 ? 0.75 : 0, .rows = patches, .columns = patches };
    struct graph_options graph = { .generated = generated };
    struct storage_options storage = { .in_place = generated == GENERATED_STORED || generated == GENERATED_ALGORITHM,
                                       .share_sums = 1 };
    char why[200] = "";

    *n = (struct transfer_net){ .model = model_of(which) };
    if (split_net_make(&split, &n->model, &n->split, why, sizeof(why)) ||
        graph_build(&n->model, &n->split, BATCH, &graph, &n->graph, why, sizeof(why)))
        fail_msg("%s", why);
    assert_int_equal(storage_assign(&n->graph, &storage, &n->storages), 0);
    n->ps = calloc(n->graph.noperations, sizeof(*n->ps));
    assert_non_null(n->ps);
    transfer_net_time(n, TIMES_WINOGRAD);
}

void transfer_net_free(struct transfer_net *n)
{
    free(n->ps);
    storage_free(&n->storages);
    graph_free(&n->graph);
    split_net_free(&n->split);
    model_free(&n->model);
}
