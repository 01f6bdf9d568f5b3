/* sharded_platform.h - machines with eight GPUs behind NVSwitch and some NICs, for tests of the method sharded. */
#ifndef NARROWS_TESTS_SHARDED_PLATFORM_H
#define NARROWS_TESTS_SHARDED_PLATFORM_H

#include "sim/method/method.h"

struct sharded_rig {
    struct link_spec links[4];
    struct platform platform;
    struct model model;
    struct method method;
    struct job job;
};

/* 'nics' of 25 GB/s a machine; 'per_switch' 0: a star, else rails whose leaves' uplinks are so many times narrower. */
void sharded_rig_make(struct sharded_rig *r, int64_t machines, int64_t nics, int64_t per_switch,
                      double oversubscription);
void sharded_rig_decoder(struct sharded_rig *r, struct gpt_spec gpt); /* once */
void sharded_rig_free(struct sharded_rig *r);

#endif
