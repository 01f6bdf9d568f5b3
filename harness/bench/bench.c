#include "harness/bench/bench.h"

#include "harness/bench/device.h"
#include "harness/bench/session.h"
#include "harness/measure/pin.h"
#include "harness/status.h"

static int time_groups(struct session *s)
{
    int rc = session_begin(s);

    for (const struct group *const *g = s->o->groups; *g && !rc; g++)
        rc = session_group(s, *g);
    session_end(s);
    return rc;
}

/* Buffers are written by the threads that will use them, so those are fixed first. */
static int time_host(struct session *s, int threads)
{
    struct pinning *pinned = pin_begin(threads);
    int rc;

    s->threads = threads;
    rc = time_groups(s);
    pin_end(pinned);
    return rc;
}

/* One thread and all of them, or the number asked for. */
static int time_all_threads(struct session *s)
{
    int all = pin_all_threads(), rc;

    if (s->o->threads)
        return time_host(s, s->o->threads);
    rc = time_host(s, 1);
#ifdef NW_OPENMP
    if (!rc && all > 1)
        rc = time_host(s, all);
#else
    if (all > 1)
        fputs("built without OpenMP: one thread only\n", s->o->progress);
#endif
    return rc;
}

int bench_check(const struct bench_options *o)
{
    const char *why;

#ifndef NW_OPENMP
    if (o->threads > 1)
        return status_error(NW_EINPUT, "bench: built without OpenMP, --threads must be 1\n");
#endif
    if (!o->gpu || device_present(&why))
        return NW_OK;
    return status_error(NW_EENV, "bench: no device: %s\n", why);
}

int bench_run(const struct bench_options *o)
{
    struct ledger ledger = { 0 };
    size_t nlines = 0;
    int rc = bench_check(o);

    if (!rc && o->gpu)
        fprintf(o->out, "device: %s\n", device_name());
    for (size_t i = 0; i < o->nsizes && !rc; i++) {
        struct session s = { .o = o, .size = &o->sizes[i], .ledger = &ledger, .device = o->gpu };

        rc = o->gpu ? time_groups(&s) : time_all_threads(&s);
        nlines += s.nlines;
    }
    ledger_free(&ledger);
    if (!rc && !nlines)
        rc = status_error(
            NW_EINPUT,
            "bench: nothing to time: no implementation%s%s of these groups can run here; see 'narrows list "
            "codecs' and 'narrows doctor'\n",
            o->impl ? " called " : "", o->impl ? o->impl : "");
    return rc;
}
