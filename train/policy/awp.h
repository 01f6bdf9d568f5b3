/* awp.h - Adaptive Weight Precision: how many bits of each weight are worth sending (A2DTWP, arXiv 2004.02297, section
 * II, Algorithm 1).
 * Rule       After every batch, a unit's l2 norm is compared with the previous batch's: delta = (now - before) /
 *            before. A batch with delta < threshold counts. When a unit has counted 'interval' batches - not
 *            necessarily in a row - it gains 'step_bits' and counts from 0. Nothing else resets the count. Bits stop at
 *            'max_bits'.
 * Units      a unit is a layer, or a group of layers that changes its format together (a residual block, as the paper
 *            does with ResNet). A group's norm is that of its layers' weights taken as one vector: the root of the sum
 *            of the squares of their norms.
 * Weights    whose norms they are is up to the caller: Algorithm 1 only speaks of the weights. The paper's are computed
 *            on the GPU, which has the unpacked ones: a change below the bits sent is none, and a unit that has gained
 *            bits has a larger norm, by what was cut off before.
 * Undefined  delta is undefined in the first batch (nothing before), after a norm of 0 if the norm is 0 again, and
 *            where a norm is NaN or the one before is infinite or NaN. An undefined delta never counts. From 0 to
 *            anything larger it is +infinity, to an infinite norm too: not below a finite threshold, so it does not
 *            count either.
 * Ownership  the caller owns every array; they must outlive the struct awp. Nothing is allocated.
 * Errors     awp_init() checks the settings: 0, or E_INVAL and nothing changed. */
#ifndef NARROWS_TRAIN_POLICY_AWP_H
#define NARROWS_TRAIN_POLICY_AWP_H

#include <stddef.h>
#include <stdint.h>

struct awp_config {
    double threshold; /* T, signed: a fall of 5 % is -5e-2 */
    int64_t interval; /* INTERVAL, batches, at least 1 */
    int step_bits;    /* N, at least 1 */
    int start_bits;   /* every unit's bits in the first batch, 1 .. max_bits */
    int max_bits;     /* at most 32 */
};

/* What AWP remembers of one unit. */
struct awp_unit {
    double norm;     /* of the previous batch; NaN before the first */
    int64_t counted; /* batches below the threshold since the last widening: IntervalCounter */
    int bits;        /* BitsPerLayer */
    double squares;  /* of the batch being summed */
    double changes;  /* sum of the finite deltas so far */
    int64_t nchanges;
};

struct awp {
    struct awp_config config;
    struct awp_unit *units;
    size_t nunits;
    const size_t *unit_of; /* unit of each layer; NULL: layer i is unit i */
    size_t nlayers;
};

/* Starts with 'nlayers' layers in 'nunits' units: as many if unit_of is NULL, else each entry is below nunits. */
int awp_init(struct awp *a, const struct awp_config *config, struct awp_unit *units, size_t nunits,
             const size_t *unit_of, size_t nlayers);

/* One batch is done: norms[i] is the l2 norm of layer i's weights now. Returns how many units gained bits. */
size_t awp_batch(struct awp *a, const double *norms);

/* Bits of layer 'layer' for the next batch. */
int awp_bits(const struct awp *a, size_t layer);

/* Mean of all finite deltas so far, over batches and units: how section V-A finds T. NaN before there is one. */
double awp_mean_change(const struct awp *a);

/* Bytes that hold 'bits' bits, 1 .. 4: 14 bits are 2 bytes (section III-A). */
int awp_bytes(int bits);

#endif
