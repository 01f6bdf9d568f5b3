/* patches_rig.h - shared by patches_test.c and patches_blocks_test.c. */
#ifndef NARROWS_TESTS_MODEL_SPLIT_PATCHES_RIG_H
#define NARROWS_TESTS_MODEL_SPLIT_PATCHES_RIG_H

#include "tests/draw.h"
#include "tests/test.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "tests/model/split/split_check.h"

/* A convolution of 4 channels: kernel, stride, padding. */
#define CONV(k, s, p)                                                               \
    {                                                                               \
        .kind = LAYER_CONV, .channels = 4, .kernel = (k), .stride = (s), .pad = (p) \
    }

#define BLOCK(how, down, list)                                                                                  \
    {                                                                                                           \
        .kind = LAYER_BLOCK, .repeat = 1, .shortcut = (how), .downsample = (down), .layers = (list), .relu = 1, \
        .nlayers = COUNT(list)                                                                                  \
    }

static inline struct model inferred(struct layer_spec *layers, size_t n, int64_t height, int64_t width)
{
    struct model_spec spec = {
        .name = "m", .channels = 4, .height = height, .width = width, .classes = 10, .layers = layers, .nlayers = n
    };
    struct model m;
    char why[256] = "";

    if (model_infer(&spec, &m, why, sizeof(why)))
        fail_msg("%s", why);
    return m;
}

static inline struct split_net made(const struct split_spec *spec, const struct model *m)
{
    struct split_net s;
    char why[512] = "";

    if (split_net_make(spec, m, &s, why, sizeof(why)))
        fail_msg("%s", why);
    return s;
}

/* Nothing is written but the reason, which must begin with 'want'. */
static inline void refused(const struct split_spec *spec, const struct model *m, const char *want)
{
    struct split_net s, before;
    char why[512] = "";

    memset(&s, 0x5a, sizeof(s));
    before = s;
    assert_int_equal(split_net_make(spec, m, &s, why, sizeof(why)), E_INVAL);
    assert_memory_equal(&s, &before, sizeof(s));
    if (strncmp(why, want, strlen(want)) != 0)
        fail_msg("'%s' does not begin with '%s'", why, want);
}

static inline struct split_spec spec_of(double depth, int64_t rows, int64_t columns)
{
    return (struct split_spec){ .depth = depth, .rows = rows, .columns = columns };
}

#endif
