/* storage.h - which tensors share memory: tensor storage objects (TSO; Split-CNN, ASPLOS 2019, section 4.2).
 * In place   ReLU, dropout and their backward operations write over their input, and the sum of two errors over the
 *            first of them, if no later operation needs that TSO. The input images and their patches are never
 *            overwritten.
 * Sums       backward, the errors of a sum's two inputs equal the error of its output: all three share a TSO, unless
 *            the shortcut strides. Sharing is safe because an operation works in place only on a TSO that no later
 *            operation reads.
 * Order      TSOs are numbered by their first operation.
 * Steps      are indices of the graph's operations. */
#ifndef NARROWS_MODEL_STORAGE_STORAGE_H
#define NARROWS_MODEL_STORAGE_STORAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/graph/graph.h"

struct storage_options {
    bool in_place; /* ReLU, dropout and sums of errors in place where they may be */
    bool share_sums;
};

struct storage {
    int64_t bytes;
    int32_t tensor; /* its first tensor */
    int32_t first;  /* first operation that writes it; the input images: 0 */
    /* Last forward operation that writes it: offloading may start after it. NO_OPERATION: born in backward. */
    int32_t last_write;
    /* Last forward operation that reads or writes it. NO_OPERATION: born in backward. */
    int32_t last_forward;
    /* First backward operation that reads it; if none does, the one until which the definition of generated data keeps
     * it. NO_OPERATION: only forward uses it. */
    int32_t first_backward;
    int32_t last;       /* last operation that needs it: it lives in [first, last] */
    int32_t references; /* tensors that share it */
    bool generated;     /* born in forward, kept for backward, not the input images: what may be offloaded */
};

struct storage_list {
    struct storage *items;
    size_t n;
    int64_t generated_bytes;
};

/* Also fills the tensors' 'storage', and the bytes that the backward operations of sums move. E_NOMEM. */
int storage_assign(struct graph *g, const struct storage_options *options, struct storage_list *out);
void storage_free(struct storage_list *s); /* accepts an all-zero one */

#endif
