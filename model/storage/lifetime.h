/* lifetime.h - buffers with lifetimes, and the bytes alive at each step, from operations, storage objects and
 * transfers.
 * Steps      operation i is step i: a buffer alive in [lower, upper) exists while operations lower .. upper - 1 run. A
 *            TSO that stays lives in [first, last + 1). One that is offloaded lives in [first, free_after + 1) and
 *            again, as another buffer, in [back, last + 1). A convolution's workspace lives in [i, i + 1).
 * Alignment  sizes are those of the tensors; rounding is the placement's.
 * Order      by lower, then by storage; workspaces after those of their step. */
#ifndef NARROWS_MODEL_STORAGE_LIFETIME_H
#define NARROWS_MODEL_STORAGE_LIFETIME_H

#include <stddef.h>
#include <stdint.h>

#include "model/graph/graph.h"
#include "model/placement/placement.h"
#include "model/storage/storage.h"
#include "model/transfer/transfer.h"

struct resident {
    int32_t storage;   /* NO_STORAGE: a workspace */
    int32_t operation; /* of a workspace */
    int32_t part;      /* 0: from its birth; 1: after it came back */
};

enum { NO_STORAGE = -1 };

struct lifetimes {
    struct buffer *buffers;
    struct resident *residents; /* what each buffer is */
    size_t n;
};

/* E_NOMEM. */
int lifetimes_of(const struct graph *g, const struct storage_list *s, const struct transfer_list *t,
                 struct lifetimes *out);
void lifetimes_free(struct lifetimes *l); /* accepts an all-zero one */

/* live[0..nsteps): sum of the bytes alive at each step. */
void lifetimes_live(const struct lifetimes *l, size_t nsteps, int64_t *live);

/* Host buffers: an offloaded TSO's home lives from its start to its need + 1. 'out' as above. */
int lifetimes_host(const struct storage_list *s, const struct transfer_list *t, struct lifetimes *out);

#endif
