/* plan.h - a job of the method sharded as acts: what each stage computes, gathers, reduces, sends and updates. */
#ifndef NARROWS_SIM_METHOD_SHARDED_PLAN_H
#define NARROWS_SIM_METHOD_SHARDED_PLAN_H

#include "sim/method/sharded/acts.h"
#include "sim/method/sharded/sharded.h"
#include "sim/network/topology.h"
#include "sim/parallel/rates.h"

struct sharded_plan {
    const struct job *job;
    const struct sharded *m;
    struct step_plan step;
    struct wire_rates rates;
    int64_t shard, copies;    /* ranks of a shard group; groups with a copy each */
    int64_t within, machines; /* of a shard group: its ranks on one machine; on how many */
    enum wire ring, spread;   /* of a shard group, or of ranks with the same experts (shards.c) */
    double model_flops;       /* of one step, all ranks; 0: not counted */
};

/* 'topology' is the platform's, for the wires' rates. The job has been checked. plan_free() releases it in any case. */
int plan_make(const struct job *j, struct topology *topology, struct sharded_plan *out, char *why, size_t nwhy);
void plan_free(struct sharded_plan *p);

/* What a rank does before it takes part in a collective of so many bytes: launching, and taking them in. */
int plan_collective(const struct sharded_plan *p, struct act *a, enum wire w, double bytes, int64_t sent, int64_t hops);
int64_t plan_collective_ps(const struct sharded_plan *p, enum wire w, double bytes, int64_t sent, int64_t hops);

/* Fills in how the unit's parameters are gathered, reduced and updated (shards.c). */
int plan_shards(const struct sharded_plan *p, struct unit *u);

/* The units of every chunk (units.c: a decoder's; network.c: any model's). */
int plan_decoder(struct sharded_plan *p);
int plan_network(struct sharded_plan *p);

/* Sends n values of activations of each rank to the next part; with the codec's work at both ends. 'whole': the next
 * part gathers them among its tensor group (Megatron's scatter-gather, arXiv 2104.04473, 4.1). */
int plan_send(const struct sharded_plan *p, struct chunk *c, int64_t values, int64_t row, bool whole);

#endif
