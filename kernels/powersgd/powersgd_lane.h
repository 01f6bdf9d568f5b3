/* powersgd_lane.h - the definition: shapes, single values, and how P is made orthogonal: modified Gram-Schmidt in
 * doubles, vector by vector. One of which 1e-5 and less is left, the rounding of a dependent one, becomes 0: otherwise
 * the same part of the matrix would be sent twice. */
#ifndef NARROWS_KERNELS_POWERSGD_LANE_H
#define NARROWS_KERNELS_POWERSGD_LANE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/drawn/drawn_lane.h"
#include "kernels/shared/lane.h"

enum { POWERSGD_LANES = 32, POWERSGD_RANKS = 64 };
#define POWERSGD_DEPENDENT 1e-10 /* of squares */

struct powersgd_shape {
    size_t n, rows, columns, rank;
    int plain; /* the values are sent as they are */
};

static inline struct powersgd_shape powersgd_shape_of(size_t n, double columns, double rank)
{
    struct powersgd_shape s = { n, 0, (size_t)columns < n ? (size_t)columns : n, (size_t)rank, 1 };

    if (n) {
        s.rows = n / s.columns + (n % s.columns != 0);
        s.plain = s.rank * (s.rows + s.columns) >= n;
    }
    return s;
}

/* Where the state has what was not sent, in values, and the number of steps, in bytes. */
NW_LANE size_t powersgd_kept(struct powersgd_shape s)
{
    return s.rank * s.columns;
}

NW_LANE size_t powersgd_counter(struct powersgd_shape s)
{
    size_t values = powersgd_kept(s) + s.n;

    return 4 * (values + values % 2);
}

NW_LANE size_t powersgd_bytes(struct powersgd_shape s)
{
    return 4 * (s.plain ? s.n : s.rank * (s.rows + s.columns));
}

/* Values in a row: the last one may be shorter. */
NW_LANE size_t powersgd_length(struct powersgd_shape s, size_t row)
{
    return row + 1 < s.rows ? s.columns : s.n - row * s.columns;
}

NW_LANE float powersgd_finite(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof(bits));
    return (bits & 0x7f800000u) == 0x7f800000u ? 0.0f : x;
}

/* Four columns of a vector of Q. */
NW_LANE void powersgd_draw(float four[4], const struct threefry_key *key, size_t vector, size_t quarter)
{
    uint32_t x[4] = { (uint32_t)quarter, (uint32_t)(quarter >> 32), (uint32_t)vector, 0 };

    threefry(x, key, THREEFRY_ROUNDS);
    for (int i = 0; i < 4; i++)
        four[i] = (float)(int32_t)x[i] * 4.656612873077393e-10f; /* 2^-31 */
}

NW_LANE float powersgd_less(float x, double share, float y)
{
    return (float)((double)x - share * (double)y);
}

/* What a vector is multiplied by; before, after: sums of squares, before and after the parts of others were taken. */
NW_LANE double powersgd_factor(double before, double after)
{
    return after > POWERSGD_DEPENDENT * before ? 1 / sqrt(after) : 0;
}

NW_LANE float powersgd_scaled(float x, double factor)
{
    return (float)((double)x * factor);
}

#endif
