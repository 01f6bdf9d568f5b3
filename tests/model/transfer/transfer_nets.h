/* transfer_nets.h - the networks of Split-CNN's section 6 at batch 64, timed for a P100-SXM2. */
#ifndef NARROWS_TESTS_MODEL_TRANSFER_NETS_H
#define NARROWS_TESTS_MODEL_TRANSFER_NETS_H

#include "model/graph/graph.h"
#include "model/storage/storage.h"

enum transfer_network { NET_VGG_19, NET_RESNET_18, NET_RESNET_50, NET_RESNET_152 };

struct transfer_net {
    struct model model;
    struct split_net split;
    struct graph graph;
    struct storage_list storages;
    int64_t *ps; /* [graph.noperations] */
};

/* What streams does so at 550 GB/s in both. */
enum transfer_times {
    TIMES_WINOGRAD, /* 3x3 convolutions of stride 1 at 150 % of 10.6 TFlop/s, others at 65 %: explains Figure 1 */
    TIMES_MEASURED, /* VGG's convolutions by DeepBench on a P100 (PCIe, cuDNN 6, 16 samples), nearest shape */
};

/* The first three quarters of the convolutions on 'patches' x 'patches' patches; 1: not split. */
void transfer_net_make(struct transfer_net *n, enum transfer_network which, enum generated generated, int64_t patches);
void transfer_net_time(struct transfer_net *n, enum transfer_times times); /* TIMES_WINOGRAD until called */
void transfer_net_free(struct transfer_net *n);

#endif
