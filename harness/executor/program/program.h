/* program.h - a plan prepared to run: where the inputs and results of each operation are, and which copies and waits
 * surround it. It takes the plan's numbers as they are: a wrong plan gives a wrong program.
 * Content    a value is what an operation leaves in a storage; the values of a storage are its versions, from 1. An
 *            operation reads the value that the tensor's producer left, in the order of the graph, even if the plan
 *            moved or freed it in between. The parts of a joined tensor (JOIN) are one value.
 * Units      bytes of the plan.
 * Errors     NW_EINPUT (no program is possible: a tensor without a place, or past the pool's end), NW_ENOMEM. */
#ifndef NARROWS_HARNESS_EXECUTOR_PROGRAM_PROGRAM_H
#define NARROWS_HARNESS_EXECUTOR_PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/plan/plan.h"

enum { NO_VALUE = -1 };

struct value {
    int32_t storage, version;
    int32_t tensor; /* the tensor as which it was first written */
    int32_t writer; /* the last operation that wrote part of it; NO_OPERATION: the input images */
};

/* One tensor at one operation. */
struct place {
    int32_t tensor, storage, value;
    int64_t at, bytes;     /* offset in the pool */
    int32_t share, shares; /* the part that this operation reads or writes; 0 of 1: all */
    bool adds;             /* a write that leaves other parts as they are */
    bool replaced;         /* a read of what the same operation overwrites */
};

struct program_operation {
    struct place reads[OPERATION_PLACES], writes[OPERATION_PLACES];
    int nreads, nwrites;
    int32_t given; /* a tensor that it reads and no operation writes: the loss's error; or NO_TENSOR */
    int64_t workspace_at, workspace_bytes;
    /* Index of its first check of a tensor, counted over all operations: two for each read, before and after the
     * operation; one for each write that adds to other parts. */
    size_t first_use;
    bool after_wait, waits; /* there is a wait before it, after it */
};

/* What happens around an operation, in this order. Copies back start before the operation's waits, since one of those
 * may be for them; copies to the host start together with the operation. */
enum moment {
    MOMENT_BACK,
    MOMENT_NEED,
    MOMENT_START,
    MOMENT_FREE, /* after the operation; all other moments are before it */
};

struct program_event {
    int32_t operation;
    enum moment moment;
    int32_t key, copy;
};

struct program_copy {
    int32_t storage;
    int64_t bytes;
    int64_t before, after, home; /* offsets: in the pool before it leaves and after it is back; in the homes */
};

struct program {
    const struct memory_plan *plan;
    struct program_operation *operations;
    size_t noperations, nuses;
    struct value *values;
    size_t nvalues;
    struct program_copy *copies;
    size_t ncopies;
    struct program_event *events; /* sorted; those with no operation are never reached */
    size_t nevents;
    struct place images; /* tensor NO_TENSOR: the network has none */
    int64_t height, homes;
};

int program_make(const struct memory_plan *plan, struct program *out);
void program_free(struct program *p); /* accepts an all-zero one */

/* Where a tensor is while the operation runs; NULL if the operation does not use it. */
const struct place *program_place(const struct program *p, size_t operation, int32_t tensor);

/* Write "the error of block1.relu [0,1]" to text[0..size). */
void program_tensor_name(const struct memory_plan *plan, int32_t tensor, char *text, size_t size);

#endif
