/* profile.h - compute times of a network's layers: from the platform's roofline, or from a measured total that is
 * divided among the layers.
 * Law        one measured batch: times are in proportion to the samples. Two, of n1 < n2 samples and times t1 <= t2:
 *            the line through both, t = a + b n, between and beyond them; below n1 the time in proportion, t1 n / n1,
 *            where that is more: if a < 0, as larger batches took longer per sample.
 * Layers     of a pass, each layer takes the share that its row has of the pass's time; what the rows leave of that
 *            time is shared by all layers in proportion to their FLOPs. Without rows that is all of it.
 * Units      seconds, samples, integer picoseconds. */
#ifndef NARROWS_SIM_METHOD_PROFILE_H
#define NARROWS_SIM_METHOD_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "sim/platform.h"

enum compute_device { COMPUTE_ON_GPU, COMPUTE_ON_CPU };

struct compute_times {
    double forward_s, backward_s, step_s;
    int64_t samples;
};

struct layer_times {
    const char *layer; /* of the model */
    double forward_s, backward_s;
};

/* forward_s and backward_s are of 'samples' samples on one device (GPU, or core of the CPU) and replace the roofline's
 * sums; each layer gets its share, and the sum over layers is exact to the picosecond. A GPU's are divided by
 * platform.compute_scale. 0 samples: the roofline. */
struct compute_profile {
    double forward_s, backward_s;
    int64_t samples;
    double scale; /* what if the device took this many times as long; 1 is as given */
    /* In place of both passes' times: a step as it was measured on one device, its update included. Each pass has a
       share in proportion to its FLOPs. 0: not given. */
    double step_s;
    struct compute_times second; /* of another batch; 0 samples: not measured */
    double update_s;             /* no key: the share of step_s that a method plays as an update of its own */
    /* Of 'samples' samples, in any order, best in the model's; together no more than the pass they are of. A pass that
       is 0 takes as long as they do. */
    struct layer_times *layers;
    size_t nlayers;
};

/* E_INVAL with "KEY: reason", KEY as in the method ("profile.forward"), or the full one of a figure of the platform
 * that the roofline needs ("platform.cpu.peak"), which reason_prefix() leaves as it is. */
int profile_check(const struct compute_profile *c, const struct platform *p, const struct model *m,
                  enum compute_device device, char *why, size_t nwhy);

/* Time of one layer's forward or backward pass over 'samples' samples on one GPU, or on one core of the CPU. Layers
 * without weights take none by the roofline (cost.h), and their FLOPs' share of a profile. */
int64_t profile_forward_ps(const struct compute_profile *c, const struct platform *p, const struct model *m,
                           size_t layer, int64_t samples, enum compute_device device);
int64_t profile_backward_ps(const struct compute_profile *c, const struct platform *p, const struct model *m,
                            size_t layer, int64_t samples, enum compute_device device);

#endif
