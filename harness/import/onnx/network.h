/* network.h - what onnx_read() gives. */
#ifndef NARROWS_HARNESS_IMPORT_ONNX_NETWORK_H
#define NARROWS_HARNESS_IMPORT_ONNX_NETWORK_H

#include "harness/import/onnx/net.h"

struct onnx_network {
    struct net net;
    struct model_spec spec;
    struct model model;
    int64_t parameters, model_parameters;
};

#endif
