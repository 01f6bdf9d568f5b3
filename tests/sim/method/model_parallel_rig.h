/* model_parallel_rig.h - a small job for model_parallel, and what its tests ask of it. */
#ifndef NARROWS_TESTS_SIM_METHOD_MODEL_PARALLEL_RIG_H
#define NARROWS_TESTS_SIM_METHOD_MODEL_PARALLEL_RIG_H

#include "sim/method/method.h"

enum { MAX_LAYERS = 32 };

/* A job with all that it points to. */
struct rig {
    struct layer_spec layers[MAX_LAYERS];
    struct link_spec links[2];
    struct cut cuts[MAX_LAYERS];
    struct platform platform;
    struct model model;
    struct method method;
    struct model_parallel *mp;
    struct job job;
};

/* 'n' layers of 'width' x 'width' weights after an embedding that completes the input, so that all compute alike,
 * forward and backward: 3 and 6 ms for 10 samples of the whole. Machines of 4 cores, links of 1 GB/s, memories of 10
 * GB/s. Hogwild, one trainer, stage, thread and server, nothing coded. model_free(&r->model) releases it. */
void set_up(struct rig *r, int n, int64_t width);

struct readings play(const struct rig *r); /* or fail */

void near(const struct readings *r, const char *name, double want, double relative, const char *what);
#define exact 1e-12

/* A codec whose bytes are counted by hand in the tests: a header of 64 bytes and, of sparse ones, of 16; 4 + 4 bytes a
 * value. Encodes 2, decodes 4, selects 1 GB/s, each time. */
struct codec_spec sparse(enum wire_format format, double density);

#endif
