/* layout.h - ranks as a product of groups: which rank is where in each of them, and on which GPU.
 * Axes       tensor (a layer's matrices are divided), context (a sequence is), data (the batch is), pipeline (the
 *            layers are). A rank is a place on every axis; 'order' says which axis neighbouring ranks differ in first.
 *            Rank r computes on GPU r mod gpus_per_machine of machine r / gpus_per_machine.
 * Replicas   ranks that differ in data and context alone have the same parameters: data x context of them, numbered
 *            with the context first. Groups of 'shard' successive ones share a copy of what is sharded (FSDP's hybrid
 *            sharding, where that is fewer than all), groups of 'expert' successive ones the experts of a layer.
 * Source     Megatron-LM (arXiv 2104.04473, 2205.05198), ZeRO (arXiv 1910.02054), FSDP (arXiv 2304.11277). */
#ifndef NARROWS_SIM_PARALLEL_LAYOUT_H
#define NARROWS_SIM_PARALLEL_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

enum rank_axis { AXIS_TENSOR, AXIS_CONTEXT, AXIS_DATA, AXIS_PIPELINE, AXES };

struct parallel {
    int64_t degree[AXES];       /* each at least 1 */
    int64_t expert;             /* a divisor of data x context */
    int64_t shard;              /* the same; 0: all of them */
    enum rank_axis order[AXES]; /* from the axis of neighbouring ranks to that of the most distant; each once */
    int64_t gpus_per_machine;
};

/* Ranks that do something together. */
enum rank_group {
    GROUP_TENSOR,
    GROUP_CONTEXT,
    GROUP_EXPERT,       /* of replicas: have an expert each, or some */
    GROUP_EXPERT_COPY,  /* of replicas: have the same experts */
    GROUP_SHARD,        /* of replicas: have a part each of one copy */
    GROUP_SHARD_COPY,   /* of replicas: have the same part, of different copies */
    GROUP_SHARD_WITHIN, /* of a shard group: those on one machine */
    GROUP_SHARD_ACROSS, /* of a shard group: those at the same position among their machine's */
    GROUP_STAGES,       /* the stages of one replica, first to last */
    RANK_GROUPS,
};

int64_t parallel_ranks(const struct parallel *p);
int64_t parallel_replicas(const struct parallel *p); /* data x context */
int64_t parallel_shard(const struct parallel *p);    /* with the default */

void parallel_place(const struct parallel *p, int64_t rank, int64_t at[AXES]);
int64_t parallel_rank(const struct parallel *p, const int64_t at[AXES]);

/* How many ranks a group of this kind has: of GROUP_SHARD_WITHIN and ACROSS, that of 'rank'. ACROSS takes time that
 * grows with the square of the shard group. */
int64_t group_size(const struct parallel *p, enum rank_group g, int64_t rank);

/* The ranks of the group that 'rank' is in, ascending (stages: from the first to the last); returns how many. out[] has
 * parallel_ranks() places. */
int64_t group_ranks(const struct parallel *p, enum rank_group g, int64_t rank, int64_t out[]);

#endif
