/* storage.h - which tensors share memory: tensor storage objects (TSO; Split-CNN, ASPLOS 2019, section 4.2).
 * In place   ReLU and dropout write over their input if nothing else still refers to it: its reference count is 1 and no backward
 *            operation needs it. Their errors likewise, and the sum of two errors is written over the first of them. The input images and their patches are never written over.
 * Sums       the errors of a sum's two inputs are the error of its output: all three share a TSO, unless the shortcut strides. An
 *            operation works in place only on a TSO that no other operation still has to read, so a shared error is never
 *            overwritten too early.
 * Order      TSOs are numbered by their first operation.
 * Steps      are indices into the graph's operations. */
#ifndef NARROWS_SIM_MEMORY_STORAGE_H
#define NARROWS_SIM_MEMORY_STORAGE_H

#include <stddef.h>
#include <stdint.h>

#include "model/graph/graph.h"

struct storage_options {
    _Bool in_place; /* ReLU, dropout and sums of errors in place where they may be */
    _Bool share_sums;
};

struct storage {
    int64_t bytes;
    int32_t tensor; /* its first tensor */
    int32_t first;  /* first operation that writes it; the input images: 0 */
    int32_t
        last_write; /* last forward operation that writes it, for one born in forward: offloading may start after it */
    int32_t last_forward; /* last forward operation that reads or writes it; NO_OPERATION: born in backward */
    int32_t
        first_backward; /* first backward operation that reads it, or until which the definition keeps it; NO_OPERATION: forward alone
                               uses it */
    int32_t last;       /* last operation that reads or writes it: it lives in [first, last] */
    int32_t references; /* tensors that share it */
    _Bool generated;    /* born in forward, kept for backward, not the input images: what may be offloaded */
};

struct storage_list {
    struct storage *items;
    size_t n;
    int64_t generated_bytes;
};

/* Fills the tensors' 'storage' too, and what the backward operations of sums move. E_NOMEM. */
int storage_assign(struct graph *g, const struct storage_options *options, struct storage_list *out);
void storage_free(struct storage_list *s); /* accepts an all-zero one */

#endif
