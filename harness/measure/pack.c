/* pack.c - the rate of packing weights. */
#include <stdint.h>

#include "harness/host/clock.h"
#include "harness/measure/buffer.h"
#include "harness/measure/measure.h"
#include "harness/measure/pin.h"
#include "harness/measure/statistics.h"
#include "harness/status.h"
#include "kernels/adt/adt.h"

/* Weights: 512 MB with what they become, past any cache we know but quick to make. Seconds. */
static const size_t MOST_WEIGHTS = (size_t)1 << 26;
static const double ENOUGH_S = 0.7;
enum { LEAST_REPS = 3, MOST_REPS = 25 };

static const struct adt_impl *best(int threads)
{
    const struct adt_impl *im = adt_impls;

    while (im[1].impl.name && (im->impl.where != IMPL_HOST || im->impl.parallel != (threads > 1) || !im->impl.usable()))
        im++; /* ends with the reference, which runs everywhere */
    return im;
}

static double median_s(const struct adt_impl *im, uint8_t *to, const void *from, size_t n, int keep)
{
    double times[MOST_REPS], begun = clock_s();
    size_t reps = 0;

    im->pack(&im->impl, to, from, n, keep); /* warm-up */
    while (reps < MOST_REPS && (reps < LEAST_REPS || clock_s() - begun < ENOUGH_S)) {
        double start = clock_s();

        im->pack(&im->impl, to, from, n, keep);
        times[reps++] = clock_s() - start;
    }
    return quantile(times, reps, 0.5);
}

int measure_pack(int keep, size_t n, int threads, double *Bps, const char **impl)
{
#ifndef NW_OPENMP
    threads = 1;
#endif
    const struct adt_impl *im = best(threads);
    struct buffer from = { 0 }, to = { 0 };
    struct pinning *pinned = pin_begin(threads);
    int rc;

    n = n < MOST_WEIGHTS ? n : MOST_WEIGHTS;
    rc = n ? buffer_make(&from, 4 * n) : NW_EINPUT;
    if (!rc)
        rc = buffer_make(&to, 4 * n);
    if (!rc) {
        buffer_weights(from.p, n);
        buffer_weights(to.p, n);
        *Bps = (double)n * (4 + keep) / median_s(im, to.p, from.p, n, keep);
        *impl = im->impl.name;
    }
    buffer_free(&from);
    buffer_free(&to);
    pin_end(pinned);
    return rc;
}
