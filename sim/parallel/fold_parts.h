/* fold_parts.h - private to the fold: what is there while one is made. */
#ifndef NARROWS_SIM_PARALLEL_FOLD_PARTS_H
#define NARROWS_SIM_PARALLEL_FOLD_PARTS_H

#include "sim/network/topology.h"
#include "sim/parallel/colour.h"
#include "sim/parallel/fold.h"
#include "sim/parallel/ways.h"

struct fold_make {
    const struct platform *platform;
    const struct parallel *p;
    struct wiring wiring;
    struct engine *scratch; /* holds the channels of the whole platform */
    struct topology *topology;
    struct ways ways;
    struct colours c;
    int32_t *channel_class;  /* of each channel of the whole platform; -1: not crossed */
    uint32_t *channel_first; /* of each folded channel: the first one of its class */
    struct fold *f;
};

/* Numbers classes in the order in which they are first seen: first[i] is the first of i's colour. E_NOMEM. */
int fold_firsts(const uint64_t colours[], size_t n, size_t first[]);

/* Does the class's own rank send it (or get it from the host)? */
bool fold_shown(const struct fold_make *m, size_t flow);

/* From colours to classes; then the flows of the classes' own ranks, wire by wire of each class; then the classes that
 * their groups are of. E_NOMEM. */
int fold_make_classes(struct fold_make *m);
int fold_make_flows(struct fold_make *m);
int fold_make_groups(struct fold_make *m);

/* Divides the folded channels' capacities by how many flows there are for one that is shown. *why_not: there is no such
 * number. E_NOMEM. */
int fold_check_shares(struct fold_make *m, const char **why_not);

#endif
