/* split.h - cut one axis of a window operation into parts that are computed independently (Split-CNN, ASPLOS 2019,
 * section 3.1): Op(X, k, s, p) along an axis becomes Op(X_i, k, s, p_i) on its parts.
 * Starts     a split into n parts is given by the n indices at which they start: the first is 0, and they increase. O_i
 *            are the starts in the output, I_i those in the input.
 * Bounds     equations 1 and 2 let I_i lie in [lb, ub]. At lb = O_i s - p_b, part i starts where the window of its
 *            first output does; at ub = (O_i - 1) s + k - p_b, where the window of the output before it ends. For k = s
 *            both are equal: the cut is natural, every window stays whole. The paper has no rule for k < s: there the
 *            interval is [ub, lb], and since no window of the unsplit operation reads the positions between, every cut
 *            in it is natural.
 * Padding    p_b,i = I_i + p_b - O_i s is what part i lacks in front, p_e,i-1 = (O_i - 1) s + k - (I_i + p_b) what the
 *            part before it lacks at its end; the first part keeps p_b and the last keeps p_e. Together the two sides
 *            of a cut lack k - s positions: at I_i = lb all of them are behind part i - 1, at I_i = ub in front of part
 *            i. A negative padding skips positions: for k < s, and on one side of a cut out of the bounds. (The paper
 *            prints (O_i - 1) s in p_b,i: one stride too much, so that all parts but the first would give one output
 *            too many.)
 * Units      positions of the axis. All arithmetic is exact, in integers. */
#ifndef NARROWS_MODEL_SPLIT_SPLIT_H
#define NARROWS_MODEL_SPLIT_SPLIT_H

#include <stddef.h>
#include <stdint.h>

struct window {
    int64_t kernel, stride, pad_begin, pad_end;
};

/* One part of a split window operation: where it reads, what it writes, and the zeros around its input (negative:
 * positions that it skips). */
struct split_part {
    int64_t in_start, in_length, out_start, out_length, pad_begin, pad_end;
};

/* Parts as even as possible: starts[i] = floor(i length / n). E_INVAL if n is not in 1..length. */
int split_even(int64_t length, int64_t n, int64_t *starts);

/* Section 3.3: starts[i], i > 0, is uniform over ceil((i - wiggle) length / n) .. floor((i + wiggle) length / n), drawn
 * with splitmix64 from 'seed'. Where that range has no integer, or wiggle is 0, it is the even split's. E_INVAL as
 * split_even(), and for a wiggle outside [0, 0.5). */
int split_stochastic(int64_t length, int64_t n, double wiggle, uint64_t seed, int64_t *starts);

/* The bounds of the input's start for output start 'o' > 0, low <= high also for k < s. Large padding can put them
 * outside of the input. */
void split_bounds(const struct window *w, int64_t o, int64_t *low, int64_t *high);

/* The middle of an interval, rounded up: where the input is cut. In the bounds of O_i this is O_i s wherever k - s = 2
 * p_b or 2 p_b - 1, so that the paths of a residual block agree. */
int64_t split_middle(int64_t low, int64_t high);

/* Part i of n, for any in_starts. Out of the bounds, negative padding drops what is not read. */
struct split_part split_part(const struct window *w, int64_t in_length, int64_t out_length, size_t n,
                             const int64_t *out_starts, const int64_t *in_starts, size_t i);

#endif
