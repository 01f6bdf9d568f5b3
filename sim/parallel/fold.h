/* fold.h - ranks that do the same at the same time over alike links, as one: a step of thousands of GPUs is played with
 * a rank of each class.
 * Classes    ranks are alike if they begin alike (the caller's marks: stages) and every flow that they send or receive
 *            has an alike counterpart: same wire and share, alike ranks at its ends, alike channels on its way.
 *            Channels are alike if they have one capacity and are crossed by as many flows of each class, at the same
 *            places of their ways. The division is refined from the coarsest until nothing changes (colour refinement:
 *            an equitable partition). Then rates and times of alike flows are equal at every moment, so one of each
 *            class shows those of all.
 * Channels   a channel of the folded platform stands for one of its class. It may be crossed by several flows where the
 *            folded one has one: its capacity is then that share of the channel's. Only shares that are powers of two
 *            are folded, so that every rate, and every picosecond, is that of the whole.
 * Whole      where that does not hold, and where the caller asks for it, every rank is a class of its own.
 * Ownership  fold_free() releases it; the platform's names are used, and must outlive it. */
#ifndef NARROWS_SIM_PARALLEL_FOLD_H
#define NARROWS_SIM_PARALLEL_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/engine/engine.h"
#include "sim/parallel/wires.h"

struct fold_class {
    int64_t rank;  /* the first of its ranks */
    int64_t ranks; /* how many it stands for */
};

struct fold_flow {
    int64_t parts, of;
    int64_t latency_ps; /* of one message */
    int32_t to;         /* class that receives it; -1: the host's memory */
    bool away;          /* to another machine */
    int32_t route;
};

/* What a class does on a wire: its own flows, and the classes that its group is of. */
struct fold_wire {
    size_t first_flow, nflows;
    size_t first_class, nclasses; /* in 'together', ascending */
    int64_t ranks, machines;      /* of the group; ranks 0: the wire is not used */
    int32_t from;                 /* point wires: class whose rank sends to this one; -1: none, or the host */
};

struct fold_channel {
    const char *kind;
    int number;
    double capacity_Bps; /* its share */
};

struct fold_route {
    size_t first, n; /* in 'hops' */
};

struct topology;

struct fold {
    struct topology *topology; /* has the names of the channels' kinds */
    bool whole;
    const char *why_whole; /* NULL: it was asked for, or it is not whole */
    struct fold_class *classes;
    size_t nclasses;
    int32_t *class_of; /* of each rank */
    int64_t ranks;
    struct fold_wire *wires; /* [class][wire] */
    struct fold_flow *flows;
    size_t nflows;
    int32_t *together;
    size_t ntogether;
    struct fold_channel *channels;
    size_t nchannels;
    struct fold_route *routes;
    size_t nroutes;
    uint32_t *hops;
    size_t nhops;
};

/* marks[r] differs for ranks that do different things. 'whole': fold nothing. E_INVAL with the reason if the platform's
 * links cannot be placed, or have token buckets. */
int fold_new(const struct platform *platform, const struct parallel *p, const bool used[WIRES], const int64_t marks[],
             bool whole, struct fold **out, char *why, size_t nwhy);
void fold_free(struct fold *f); /* accepts NULL */

/* Adds channels and routes to an engine without any: their numbers are those of the fold. Status. */
int fold_engine(const struct fold *f, struct engine *e);

static inline const struct fold_wire *fold_wire(const struct fold *f, size_t class, enum wire w)
{
    return &f->wires[class * WIRES + w];
}

#endif
