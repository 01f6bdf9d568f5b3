/* history.h - private to snapshot.h: the events and segments of one device. */
#ifndef NARROWS_HARNESS_IMPORT_SNAPSHOT_HISTORY_H
#define NARROWS_HARNESS_IMPORT_SNAPSHOT_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/import/snapshot/snapshot.h"

struct memory_event {
    int64_t address, bytes, moment; /* from 1 */
    bool alloc;
};

struct range {
    int64_t from, to;
};

struct history {
    struct memory_event *events;
    size_t nevents;
    struct range *ranges; /* segments, those that were given back, too */
    size_t nranges;
    struct range *alive; /* blocks in use at the end */
    size_t nalive;
};

int history_buffers(struct history *h, struct snapshot *out); /* NW_ENOMEM; sorts the history */

#endif
