/* plan.h - a job of the method sharded as acts: what each stage computes, gathers, reduces, sends and updates. */
#ifndef NARROWS_SIM_METHOD_SHARDED_PLAN_H
#define NARROWS_SIM_METHOD_SHARDED_PLAN_H

#include "sim/method/sharded/acts.h"
#include "sim/method/sharded/sharded.h"
#include "sim/network/topology.h"
#include "sim/parallel/rates.h"

enum plan_form {
    PLAN_WHOLE, /* every stage, chunk and unit */
    PLAN_ALIKE, /* of those that follow each other and are alike the first (acts.h: 'more'): for sums, not for tasks */
};

/* What the platform's links give a layout: all that a plan needs of its topology. */
struct plan_links {
    struct parallel layout;
    struct wire_rates rates;
    int64_t within, machines; /* of a shard group: its ranks on one machine; on how many */
};

struct sharded_plan {
    const struct job *job;
    const struct sharded *m;
    enum plan_form form;
    struct step_plan step;
    const struct wire_rates *rates; /* those of the links that it was made with */
    int64_t shard, copies;          /* ranks of a shard group; groups with a copy each */
    int64_t within, machines;       /* of a shard group: its ranks on one machine; on how many */
    enum wire ring, spread;         /* of a shard group, or of ranks with the same experts (shards.c) */
    double model_flops;             /* of one step, all ranks; 0: not counted */
};

/* 'topology' is the platform's. Status. */
int plan_links_of(const struct platform *platform, struct topology *topology, const struct parallel *l,
                  struct plan_links *out);

/* A plan of a job that has been checked, whose layout 'links' has; both must outlive it. plan_sizes() makes its units
 * with their values and bytes, all that their memory follows from; plan_times() adds what they take and send;
 * plan_make() does both. Status; plan_free() releases it in any case. */
int plan_sizes(const struct job *j, const struct plan_links *links, enum plan_form form, struct sharded_plan *out);
int plan_times(struct sharded_plan *p);
int plan_make(const struct job *j, const struct plan_links *links, enum plan_form form, struct sharded_plan *out);
void plan_free(struct sharded_plan *p);

/* What a rank does before it takes part in a collective of so many bytes: launching, and taking them in. */
int plan_collective(const struct sharded_plan *p, struct act *a, enum wire w, double bytes, int64_t sent, int64_t hops);
int64_t plan_collective_ps(const struct sharded_plan *p, enum wire w, double bytes, int64_t sent, int64_t hops);

/* Fills in how the unit's parameters are gathered, reduced and updated (shards.c). */
int plan_shards(const struct sharded_plan *p, struct unit *u);

/* Stages and chunks without units; a decoder's layers of one part of the network, which are numbered in the order in
 * which a sample goes through them (parts.c). */
int plan_parts(struct sharded_plan *p);
int64_t plan_layers_of(const struct sharded_plan *p, int64_t part_number);

/* The units of every chunk: a decoder's, their sizes alone or the rest (decoder_units.c); any model's
 * (network_units.c). */
int plan_decoder(struct sharded_plan *p, bool sizes);
int plan_network(struct sharded_plan *p);

/* Sends n values of activations of each rank to the next part; with the codec's work at both ends. 'whole': the next
 * part gathers them among its tensor group (Megatron's scatter-gather, arXiv 2104.04473, 4.1). */
int plan_send(const struct sharded_plan *p, struct chunk *c, int64_t values, int64_t row, bool whole);

#endif
