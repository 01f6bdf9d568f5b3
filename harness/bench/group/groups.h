/* groups.h - a group a file. */
#ifndef NARROWS_HARNESS_BENCH_GROUP_GROUPS_H
#define NARROWS_HARNESS_BENCH_GROUP_GROUPS_H

#include "harness/bench/session.h"

extern const struct group group_adt, group_cast, group_codec, group_copy, group_gemm, group_l2norm, group_offload,
    group_ops, group_quantize, group_reduce, group_select, group_sparse, group_threelc;

/* The peer of ADT; nothing where the library is not installed, or on a device. */
int blosc_rows(struct session *s);

#endif
