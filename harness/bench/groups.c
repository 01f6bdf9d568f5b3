/* groups.c - what can be timed. */
#include "harness/bench/group/groups.h"
#include "harness/bench/bench.h"

const struct group *const bench_groups[] = {
    &group_copy,   &group_adt,    &group_l2norm, &group_threelc, &group_quantize, &group_reduce, &group_cast,
    &group_select, &group_sparse, &group_gemm,   &group_offload, &group_codec,    &group_ops,    NULL,
};
