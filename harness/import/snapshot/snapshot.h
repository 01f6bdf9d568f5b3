/* snapshot.h - what PyTorch's allocator did, as buffers with lifetimes.
 * Form       torch.cuda.memory._snapshot(): a map with device_traces, a list of events for each GPU, and segments, the
 *            memory that it holds, with their blocks. As pickle (_dump_snapshot) or as JSON.
 * Lifetimes  in allocations and frees: the k-th of them, from 1, is moment k. A buffer lives from its alloc to its
 *            free_completed, when its memory may be used again. One whose alloc is before the history (the oldest
 *            events of a long one are dropped) lives from 0; one that is alive at the end until the end.
 * Sizes      as requested, not rounded.
 * Offsets    where it really was: its address, with the gaps between the allocator's segments closed.
 * Errors     0 or a negative nw_status, the reason written to 'err'. */
#ifndef NARROWS_HARNESS_IMPORT_SNAPSHOT_SNAPSHOT_H
#define NARROWS_HARNESS_IMPORT_SNAPSHOT_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/placement/placement.h"

struct snapshot {
    struct buffer *list; /* by lower, then address */
    size_t n;
    int device;               /* the one that was asked for, or the one with the most events */
    size_t nevents, ndevices; /* allocations and frees; devices with events */
    size_t nbefore, nafter;   /* alive before the history, at its end */
    size_t nlost;             /* allocations at an address whose last one was not seen to be freed */
    int64_t reserved;         /* bytes of the segments together */
};

/* 'device': -1 for the one with the most events. */
int snapshot_read(const char *name, const char *bytes, size_t size, int device, struct snapshot *out, FILE *err);
void snapshot_free(struct snapshot *s); /* accepts an all-zero one */

#endif
