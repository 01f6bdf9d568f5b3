/* allreduce_rig.h - a small cluster, a network of four layers and a data-parallel job, to be bent by each test. */
#ifndef NARROWS_TESTS_SIM_METHOD_ALLREDUCE_RIG_H
#define NARROWS_TESTS_SIM_METHOD_ALLREDUCE_RIG_H

#include "tests/draw.h"
#include "tests/test.h"

#include "model/status.h"
#include "sim/method/method.h"

/* Machines on a star, each with GPUs on a PCIe link of their own (or shared), NVLink between them on request. */
struct world {
    struct link_spec links[3];
    struct platform platform;
    struct method method;
    struct model model;
    int64_t batch;
};

static const double update_ms = 4.5e6 * 20 / 400e9 * 1e3;

/* Another network: fully connected layers on 1000 values. */
void world_model(struct world *w, const struct layer_spec *layers, size_t n);

/* Four layers of 1, 2, 1 and 0.5 M weights; a forward pass of 10 ms, a backward pass of 20. */
void world_new(struct world *w);

struct readings play(const struct world *w);
double get(const struct world *w, const char *name); /* a reading of play() */
void near(const char *what, double got, double want, double relative);

/* The job is refused with a reason that begins like 'want', and not played. Frees the world's model. */
void is_refused(struct world *w, const char *want);

struct codec_spec ratio(double ratio_, enum codec_class_of class_, enum codec_place place, double rate_Bps);

#endif
