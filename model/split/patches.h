/* patches.h - turns a CNN into a Split-CNN (ASPLOS 2019, sections 3.2 and 4.1): its first layers work on h x w
 * independent patches, which are then joined.
 * Depth      the share of the model's convolutions that is split, those on shortcuts included. Patches are joined right
 *            after a convolution, or a residual block's sum, that no shortcut passes by (element-wise layers after it
 *            work on the joined tensor). Of these places, the one with the share nearest to the depth is taken, the
 *            deeper of two; with a depth above 0, at least the first.
 * Split      of the joined tensor: even, or stochastic (section 3.3; one random stream for each axis). The other splits
 *            follow backwards: a layer's input split is the output split of the layer before. In a residual block both
 *            paths must agree on the input split: it lies in the bounds of all readers of the tensor, as near as they
 *            allow to the middle that the block's own path wants. A sum's bounds are a single point or, with a strided
 *            shortcut, those of a window of 1.
 * Units      positions. Pure: the same spec and seed give the same split.
 * Ownership  split_net_free() releases what split_net_make() made. */
#ifndef NARROWS_MODEL_SPLIT_PATCHES_H
#define NARROWS_MODEL_SPLIT_PATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "model/split/split.h"

struct split_spec {
    double depth;          /* share of the convolutions, 0..1; 0: not split */
    int64_t rows, columns; /* patches along the height and the width; 1 x 1: not split */
    double wiggle;         /* 0: even; the paper's stochastic splitting has 0.2 */
    int64_t seed;          /* of the stochastic split: one draw, as for one minibatch */
};

/* What every layer of the split part does along one axis, part by part. */
struct split_axis {
    struct split_part *parts; /* [layer * n + part] of its first input */
    /* The same of a LAYER_ADD's second input: a window of kernel 1 with the sum's stride. Else all zero. */
    struct split_part *second;
    int64_t n;
};

struct split_net {
    size_t nlayers;             /* layers 0 .. nlayers - 1 are split; 0: none */
    int64_t rows, columns;      /* 1 x 1 if none */
    int64_t convs, convs_split; /* of the model; depth reached = convs_split / convs */
    int64_t zeros;              /* multiplications per sample whose input the split replaces by a zero */
    int64_t taps; /* all multiplications of the split convolutions that read a value, not the unsplit layer's padding */
    struct split_axis height, width;
};

/* E_INVAL with "KEY: reason" (KEY: depth, rows, columns, wiggle): depth out of 0..1, more patches than positions in a
 * split layer (names it, and how many patches work), a layer in the split part that is neither a window nor
 * element-wise (embedding, fully connected, a whole-plane pool), paths of a block that do not agree. E_NOMEM. 'out' is
 * untouched on failure. */
int split_net_make(const struct split_spec *spec, const struct model *m, struct split_net *out, char *why, size_t nwhy);
void split_net_free(struct split_net *s); /* accepts an all-zero one */

/* Per sample: of a convolution its multiplications, of a pool the values under its windows; 0 for other layers. */
struct split_taps {
    int64_t all;    /* outputs x window (x input channels), the layer's padding included */
    int64_t cut;    /* of all: those whose input is on the other side of a cut than their output */
    int64_t values; /* of all: those that read a value in the unsplit layer, not its padding */
    int64_t zeros;  /* of the values: those on the other side of a cut, which read a zero now */
};
struct split_taps split_net_taps(const struct split_net *s, const struct model *m, size_t l);

enum plane_axis { AXIS_HEIGHT, AXIS_WIDTH };

/* The window of a layer along an axis; an element-wise one has a window of 1. False if a layer of its kind cannot be
 * split. */
bool split_window(const struct layer *l, enum plane_axis axis, struct window *out);

/* Shape of the output (of the first input) of layer l for patch (row, column); after the join, of the whole. */
struct shape split_net_out(const struct split_net *s, const struct model *m, size_t l, int64_t row, int64_t column);
struct shape split_net_in(const struct split_net *s, const struct model *m, size_t l, int64_t row, int64_t column);

#endif
