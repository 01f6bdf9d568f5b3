#include "model/split/split.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "model/numbers.h"
#include "model/split/splitmix64.h"
#include "model/status.h"

static int64_t even_start(int64_t length, int64_t n, int64_t i)
{
    return (int64_t)((__int128)i * length / n);
}

int split_even(int64_t length, int64_t n, int64_t *starts)
{
    if (n < 1 || n > length)
        return E_INVAL;
    for (int64_t i = 0; i < n; i++)
        starts[i] = even_start(length, n, i);
    return E_OK;
}

/* An end of the range that is an integer must stay in it, however the products round: (1 - 0.2) x 35 is 28. */
static const double slack = 1e-9;

int split_stochastic(int64_t length, int64_t n, double wiggle, uint64_t seed, int64_t *starts)
{
    double part = (double)length / (double)n;

    if (!(wiggle >= 0 && wiggle < 0.5) || split_even(length, n, starts))
        return E_INVAL;
    for (int64_t i = 1; i < n; i++) {
        int64_t low = (int64_t)ceil(((double)i - wiggle) * part - slack);
        int64_t high = (int64_t)floor(((double)i + wiggle) * part + slack);
        uint64_t bits = splitmix64(&seed); /* also where it is not needed: a start does not depend on its neighbours */
        low = max64(low, starts[i - 1] + 1); /* the slack where neighbouring ranges touch, wiggle just below 0.5 */
        if (wiggle > 0 && low <= high)
            starts[i] = low + (int64_t)((unsigned __int128)bits * (uint64_t)(high - low + 1) >> 64);
    }
    return E_OK;
}

void split_bounds(const struct window *w, int64_t o, int64_t *low, int64_t *high)
{
    int64_t begin = o * w->stride - w->pad_begin, end = (o - 1) * w->stride + w->kernel - w->pad_begin;

    *low = min64(begin, end);
    *high = max64(begin, end);
}

int64_t split_middle(int64_t low, int64_t high)
{
    return low + (high - low + 1) / 2;
}

struct split_part split_part(const struct window *w, int64_t in_length, int64_t out_length, size_t n,
                             const int64_t *out_starts, const int64_t *in_starts, size_t i)
{
    bool last = i + 1 == n;
    struct split_part p = { .in_start = in_starts[i], .out_start = out_starts[i] };

    assert(i < n);
    p.in_length = (last ? in_length : in_starts[i + 1]) - p.in_start;
    p.out_length = (last ? out_length : out_starts[i + 1]) - p.out_start;
    p.pad_begin = i ? p.in_start + w->pad_begin - p.out_start * w->stride : w->pad_begin;
    p.pad_end = last ? w->pad_end : (out_starts[i + 1] - 1) * w->stride + w->kernel - (in_starts[i + 1] + w->pad_begin);
    return p;
}
