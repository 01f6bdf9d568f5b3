/* copy.c - what this host's memory gives to a copy. */
#ifdef _OPENMP
#include <omp.h>
#endif

#include "harness/host/clock.h"
#include "harness/measure/buffer.h"
#include "harness/measure/measure.h"
#include "harness/measure/statistics.h"
#include "harness/status.h"
#include "kernels/copy/copy.h"

enum { COPY_BYTES = 64 << 20, COPIES = 9 };

int measure_copy(double *Bps, int *threads)
{
    const struct copy_impl *im = copy_impls;
    struct buffer from = { 0 }, to = { 0 };
    double rates[COPIES];
    int rc = buffer_make(&from, COPY_BYTES);

    while (!im->impl.usable())
        im++; /* the last one always is */
    rc = rc ? rc : buffer_make(&to, COPY_BYTES);
    for (int i = 0; i < COPIES && !rc; i++) {
        int64_t begun_ns = clock_ns();

        im->run(to.p, from.p, COPY_BYTES);
        rates[i] = 2e9 * COPY_BYTES / (double)(clock_ns() - begun_ns + 1);
    }
    if (!rc)
        *Bps = quantile(rates, COPIES, 0.5);
    *threads = 1;
#ifdef _OPENMP
    if (im->impl.parallel)
        *threads = omp_get_max_threads();
#endif
    buffer_free(&to);
    buffer_free(&from);
    return rc;
}
