/* split.h - cut one axis of a window operation into parts that are computed independently (Split-CNN, ASPLOS 2019, section
 * 3.1): Op(X, k, s, p) over an axis becomes Op(X_i, k, s, p_i) over its parts.
 * Starts     a split of n parts is the n indices at which they start, the first 0, rising; O is that of the output, I that of
 *            the input.
 * Bounds     I_i may lie in [lb, ub], equations 1 and 2: with lb = O_i s - p_b the window of the part's first output begins
 *            where the part does; with ub = (O_i - 1) s + k - p_b the window of the output before it ends there. For k = s the
 *            two are equal and the cut is natural: every window stays whole. For k < s the paper has no splits; the interval
 *            is then [ub, lb]: between the two lie positions that no window of the unsplit operation reads, so any cut there
 *            is natural too, and the padding that follows is negative: those positions are skipped.
 * Padding    p_b,i = I_i + p_b - O_i s is what the part lacks in front and, of the part before, p_e = (O_i - 1) s + k - (I_i +
 *            p_b) what it lacks at its end; the first part keeps p_b, the last p_e. The paper prints p_b,i with (O_i - 1) s, one
 *            stride too much: then every part but the first puts out one value too many. Signs: the two sides of a cut lack k - s
 *            positions together. With I_i = lb the part in front of the cut lacks them all at its end, with I_i = ub the part behind
 *            it in front. Below 0 means positions that are skipped: for k < s, and on one side for a cut outside of the bounds.
 * Units      positions of the axis. All is exact in integers. */
#ifndef NARROWS_SIM_MEMORY_SPLIT_H
#define NARROWS_SIM_MEMORY_SPLIT_H

#include <stddef.h>
#include <stdint.h>

struct window {
    int64_t kernel, stride, pad_begin, pad_end;
};

/* One part of a split window operation: where it reads, what it writes, the zeros around its input (below 0: positions that
 * it skips). */
struct split_part {
    int64_t in_start, in_length, out_start, out_length, pad_begin, pad_end;
};

/* Parts as even as can be: starts[i] = floor(i length / n). E_INVAL if n is not in 1..length. */
int split_even(int64_t length, int64_t n, int64_t *starts);

/* Section 3.3: starts[i], i > 0, uniform over ceil((i - wiggle) length / n) .. floor((i + wiggle) length / n), drawn with
 * splitmix64 from 'seed'; where no integer lies in that range, and with wiggle 0, the even split's start. 'wiggle' in
 * [0, 0.5), else E_INVAL; and as split_even(). */
int split_stochastic(int64_t length, int64_t n, double wiggle, uint64_t seed, int64_t *starts);

/* [lb, ub] of the input's start for output start 'o' > 0, in rising order also for k < s. They may lie
 * outside of the input where its padding is large. */
void split_bounds(const struct window *w, int64_t o, int64_t *low, int64_t *high);

/* The middle of an interval, the upper one of two: where the input is cut. Of the bounds of O_i that is O_i s wherever k - s =
 * 2 p_b or 2 p_b - 1, so that the paths of a residual block meet. */
int64_t split_middle(int64_t low, int64_t high);

/* Part i of n, for any in_starts (also outside of the bounds: negative padding drops what lies beyond). */
struct split_part split_part(const struct window *w, int64_t in_length, int64_t out_length, size_t n,
                             const int64_t *out_starts, const int64_t *in_starts, size_t i);

#endif
