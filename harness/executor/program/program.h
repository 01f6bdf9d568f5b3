/* program.h - a plan made ready to run: what each operation reads and writes and where that lies, and what is copied and waited
 * for around it. It follows the plan's numbers and corrects none of them: a plan that is wrong gives a program that is.
 * Content    a value is what one operation leaves in a storage; a storage's values are its versions, from 1. What an operation
 *            reads is the value that the tensor's producer left: who wrote last in the order of the graph, whatever has been
 *            moved or freed meanwhile. Parts of one tensor (JOIN) are one value.
 * Units      bytes of the plan.
 * Errors     NW_EINPUT (a plan that no program can be made of: a tensor without a place, one past the pool's end), NW_ENOMEM. */
#ifndef NARROWS_HARNESS_EXECUTOR_PROGRAM_PROGRAM_H
#define NARROWS_HARNESS_EXECUTOR_PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/plan/plan.h"

enum { NO_VALUE = -1 };

struct value {
    int32_t storage, version;
    int32_t tensor; /* that it was first written as */
    int32_t writer; /* the last operation that wrote of it; NO_OPERATION: the input images, which come from outside */
};

/* One tensor at one operation. */
struct place {
    int32_t tensor, storage, value;
    int64_t at, bytes;     /* offset in the pool */
    int32_t share, shares; /* the part that this operation reads or writes; 0 of 1: all */
    bool adds;             /* a write beside other parts that stay */
    bool replaced;         /* a read of what the same operation writes over */
};

struct program_operation {
    struct place reads[OPERATION_PLACES], writes[OPERATION_PLACES];
    int nreads, nwrites;
    int32_t given; /* a tensor that it reads and that no operation writes: the loss's error; NO_TENSOR */
    int64_t workspace_at, workspace_bytes;
    size_t
        first_use; /* number of its first look at a tensor, over all operations: two for each read, before and after it;
                         one for a write that adds to other parts */
    bool after_wait, waits; /* a wait stands before it, after it */
};

/* What happens around an operation, in the order of happening: copies back begin when it is its turn, before it waits for any,
 * since one may be its own; copies to the host begin as it does. */
enum moment {
    MOMENT_BACK,
    MOMENT_NEED,
    MOMENT_START,
    MOMENT_FREE, /* after the operation; all others before it */
};

struct program_event {
    int32_t operation;
    enum moment moment;
    int32_t key, copy;
};

struct program_copy {
    int32_t storage;
    int64_t bytes, before, after,
        home; /* offsets: in the pool before it leaves and after it is back; among the homes */
};

struct program {
    const struct memory_plan *plan;
    struct program_operation *operations;
    size_t noperations, nuses;
    struct value *values;
    size_t nvalues;
    struct program_copy *copies;
    size_t ncopies;
    struct program_event *events; /* sorted; those of operations that are none are never reached */
    size_t nevents;
    struct place images; /* tensor NO_TENSOR: the network has none */
    int64_t height, homes;
};

int program_make(const struct memory_plan *plan, struct program *out);
void program_free(struct program *p); /* accepts an all-zero one */

/* Where a tensor lies while the operation runs; NULL if the operation does not touch it. */
const struct place *program_place(const struct program *p, size_t operation, int32_t tensor);

/* "the error of block1.relu [0,1]": into text[0..size). */
void program_tensor_name(const struct memory_plan *plan, int32_t tensor, char *text, size_t size);

#endif
