/* pieces.h - private to the placement: the lifetimes of buffers, cut at their gaps. */
#ifndef NARROWS_MODEL_PLACEMENT_PIECES_H
#define NARROWS_MODEL_PLACEMENT_PIECES_H

#include <stdbool.h>

#include "model/placement/private.h"

/* In [lower, upper) a buffer occupies the addresses of 'part', whose sections are not known yet. */
struct piece {
    int64_t lower, upper;
    struct part part; /* in units */
    size_t buffer;
    bool first; /* of its buffer */
};

struct pieces {
    struct piece *list; /* in the order of the buffers, those of one in time order; from malloc */
    size_t n, nbuffers; /* buffers that have pieces */
    int64_t alignment;  /* of all */
    int64_t unit;       /* bytes: divides all that an offset may be the sum of */
    int64_t biggest;    /* size of any buffer, in units */
    int64_t largest;    /* alignment of a single buffer, in bytes; 0: there is none */
    bool plain;         /* neither gaps nor alignments to look after: a piece is a buffer */
    bool windows;       /* a gap leaves a part of a buffer in use */
};

/* Sets all of *out; E_INVAL, E_RANGE, E_NOMEM, with 'list' NULL. */
int pieces_cut(struct pieces *out, const struct buffer *buffers, size_t n, int64_t alignment);

/* The least common multiple of that of all and the buffer's own; 0: past 2^62. */
int64_t pieces_alignment(const struct buffer *buffer, int64_t alignment);

#endif
