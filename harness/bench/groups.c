/* groups.c - what can be timed. */
#include "harness/bench/group/groups.h"
#include "harness/bench/bench.h"

const struct group *const bench_groups[] = {
    &group_copy,
    &group_codec,
    NULL,
};
