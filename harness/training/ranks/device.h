/* device.h - what NCCL needs to know of a rank's GPU, besides what train/ops/cuda/runtime.h does there: device.c asks
 * the CUDA runtime; tests that run without a device have their own. */
#ifndef NARROWS_HARNESS_TRAINING_RANKS_DEVICE_H
#define NARROWS_HARNESS_TRAINING_RANKS_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

struct device {
    uint8_t uuid[16]; /* no other device of any machine has it */
    char name[96];    /* and its place on the bus: "NVIDIA H200 at 0000:3B:00.0" */
};

/* The current one; false: there is none. */
bool device_current(struct device *out);

/* Is all work on the stream done, or has it failed? Does not wait. */
bool device_done(void *stream);

#endif
