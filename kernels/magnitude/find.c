/* find.c - the spans of all threads together. */
#include <string.h>

#include "kernels/magnitude/magnitude.h"
#include "kernels/magnitude/magnitude_lane.h"

struct job {
    magnitude_span *span;
    const float *values;
    uint32_t most;
};

static void fast(void *job, size_t from, size_t to)
{
    struct job *j = job;

    share_most(&j->most, j->span(j->values + from, to - from));
}

static void finite_only(void *job, size_t from, size_t to)
{
    struct job *j = job;
    uint32_t most = 0;

    for (size_t i = from; i < to; i++) {
        uint32_t bits;

        memcpy(&bits, j->values + i, sizeof(bits));
        bits = magnitude_lane(bits);
        most = bits > most ? bits : most;
    }
    share_most(&j->most, most);
}

struct magnitude magnitude_find(magnitude_span *span, share_fn *share, const float *values, size_t n)
{
    struct job j = { span, values, 0 };

    share(fast, &j, n, 1024);
    if (j.most < 0x7f800000u)
        return (struct magnitude){ j.most, 1 };
    j.most = 0;
    share(finite_only, &j, n, 1024);
    return (struct magnitude){ j.most, 0 };
}
