#include "harness/bench/bench.h"

#include <stdlib.h>
#include <string.h>

#include "harness/bench/anchor.h"
#include "harness/bench/buffer.h"
#include "harness/bench/device.h"
#include "harness/bench/pin.h"
#include "harness/bench/session.h"
#include "harness/status.h"
#include "kernels/adt/adt.h"
#include "kernels/l2norm/l2norm.h"

int bench_all_threads(void)
{
    return pin_all_threads();
}

static size_t total(const struct bench_options *o)
{
    size_t n = 0;

    for (size_t i = 0; i < o->nsizes; i++)
        n += o->sizes[i];
    return n;
}

static int time_groups(struct session *s)
{
    int rc = NW_OK;

    anchor_choose(s);
    session_print_head(s);
    if (s->o->groups & BENCH_COPY)
        rc = copy_rows(s);
    if (!rc && s->o->groups & BENCH_ADT)
        rc = adt_rows(s);
    if (!rc && s->o->groups & BENCH_L2NORM)
        rc = l2norm_rows(s);
    session_print_anchor(s);
    free(s->anchor_s);
    return rc;
}

/* Both buffers are written by the threads that will use them. */
static int time_host(const struct bench_options *o, int threads)
{
    struct session s = { .o = o, .n = total(o), .threads = threads };
    struct buffer from = { 0 }, to = { 0 }, scratch = { 0 };
    struct pinning *pinned = pin_begin(threads);
    int rc = buffer_make(&from, 4 * s.n);

    if (!rc)
        rc = buffer_make(&to, 4 * s.n);
    if (!rc)
        rc = buffer_make(&scratch, (l2norm_work(s.n) + 1) * sizeof(double));
    if (!rc) {
        buffer_weights(from.p, s.n);
        buffer_weights(to.p, s.n);
        s.from = from.p;
        s.to = to.p;
        s.scratch = scratch.p;
        rc = time_groups(&s);
    }
    buffer_free(&from);
    buffer_free(&to);
    buffer_free(&scratch);
    pin_end(pinned);
    return rc;
}

static int time_device(const struct bench_options *o)
{
    struct session s = { .o = o, .n = total(o), .device = 1 };
    struct buffer weights = { 0 };
    int rc = buffer_make(&weights, 4 * s.n);

    s.from = device_alloc(4 * s.n);
    s.to = device_alloc(4 * s.n);
    s.scratch = device_alloc((l2norm_work(s.n) + 1) * sizeof(double));
    if (!rc && s.from && s.to && s.scratch) {
        buffer_weights(weights.p, s.n);
        device_write(s.from, weights.p, 4 * s.n);
        device_write(s.to, weights.p, 4 * s.n);
        fprintf(o->out, "\ndevice: %s\n", device_name());
        rc = time_groups(&s);
    } else if (!rc) {
        fprintf(stderr, "bench: the device has no room for %.0f MB twice, left out: %s\n", 4e-6 * (double)s.n,
                device_error());
    }
    buffer_free(&weights);
    device_free(s.from);
    device_free(s.to);
    device_free(s.scratch);
    return rc;
}

/* A name that nothing here answers to is a mistake, not an empty table. */
int bench_check(const struct bench_options *o)
{
    struct session s = { .o = o };
    _Bool found = 0;

#ifndef NW_OPENMP
    if (o->threads > 1) {
        fputs("bench: built without OpenMP, --threads must be 1\n", stderr);
        return NW_EINPUT;
    }
#endif
    for (const struct adt_impl *im = adt_impls; im->impl.name; im++)
        found |= session_wants(&s, im->impl.name) && im->impl.usable();
    if (found)
        return NW_OK;
    fprintf(stderr, "bench: no implementation '%s' that can run here; there are:", o->impl);
    for (const struct adt_impl *im = adt_impls; im->impl.name; im++)
        if (im->impl.usable())
            fprintf(stderr, " %s", im->impl.name);
    fputc('\n', stderr);
    return NW_EINPUT;
}

/* One thread and all of them, or the number asked for. */
static int time_all_threads(const struct bench_options *o)
{
    int all = pin_all_threads(), rc;

    if (o->threads)
        return time_host(o, o->threads);
    rc = time_host(o, 1);
#ifdef NW_OPENMP
    if (!rc && all > 1)
        rc = time_host(o, all);
#else
    if (all > 1)
        fputs("built without OpenMP: one thread only\n", o->progress);
#endif
    return rc;
}

int bench_run(const struct bench_options *o)
{
    const char *why;
    int rc = bench_check(o);

    if (!rc && (!o->impl || strcmp(o->impl, "cuda")))
        rc = time_all_threads(o);
    if (rc)
        return rc;
    if (device_present(&why))
        return time_device(o);
    fprintf(o->out, "\nno device rows: %s\n", why);
    return NW_OK;
}
