/* rate.h - how long must a stream be for its rate to be the link's? The bytes are doubled until the rate of what each
 * doubling added stays the same. Time and bytes that every stream has in common cancel out of that difference: latency,
 * the acknowledgement, and the burst that a shaped link passes at memory speed before it begins to shape.
 * Noise      a busy machine only adds time. Where there is no time for a further doubling, and the rates of the last
 *            two differ, the last three streams are repeated, and the least time of each counts.
 * Units      bytes, nanoseconds, bytes per second. */
#ifndef NARROWS_HARNESS_NETWORK_RATE_H
#define NARROWS_HARNESS_NETWORK_RATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RATE_SIZES = 48 };

struct rate_search {
    int64_t first_bytes;                       /* of the first stream */
    int64_t least_ns;                          /* the longest stream takes at least so long */
    int64_t most_ns;                           /* all streams together take no longer, as far as that can be foreseen */
    double tolerance;                          /* between the last two rates, as a share */
    int64_t bytes[RATE_SIZES], ns[RATE_SIZES]; /* each size once, ascending; the least time */
    int trials[RATE_SIZES];
    size_t n;
    int64_t spent_ns;
};

/* Bytes of the next stream; 0: the rate is known, or cannot be known better in the time allowed. */
int64_t rate_next(const struct rate_search *s);
void rate_add(struct rate_search *s, int64_t bytes, int64_t ns);

struct rate {
    double Bps;        /* of the longest stream as a whole if not stable; 0: nothing was measured */
    double spread;     /* share between the last two rates; infinite where there are not two */
    bool stable;       /* within the tolerance, and long enough */
    int64_t bytes, ns; /* of the longest stream */
};
struct rate rate_of(const struct rate_search *s);

#endif
