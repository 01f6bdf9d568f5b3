#include "harness/offload/link.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "harness/host/clock.h"

/* Bytes between two looks at the clock, and how far a copy may run ahead of the link before it pauses: long enough
 * that pauses cost little, short enough that the processor is given up in between. The last bytes never run ahead:
 * who does not wait for a copy must find that it has not happened. */
enum { CHUNK = 64 << 10, AHEAD_NS = 100000 };

static void sleep_until(int64_t at_ns)
{
    struct timespec t = { .tv_sec = at_ns / 1000000000, .tv_nsec = at_ns % 1000000000 };

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
        continue;
}

int64_t link_wire_ns(const struct host_link *l, size_t nbytes)
{
    const double most_ns = 2.2e18;
    double ns = l->bytes_per_s > 0 ? 1e9 * (double)nbytes / l->bytes_per_s : 0;

    return (int64_t)(ns < most_ns ? ns : most_ns);
}

/* Reserve the wire for a piece, from 'ready_ns' on at the earliest. Returns when the piece is over. */
static int64_t take_wire(struct link_wire *w, size_t nbytes, int64_t ready_ns)
{
    int64_t takes_ns = link_wire_ns(&w->each, nbytes), free_ns = atomic_load(&w->free_ns), end_ns;

    do
        end_ns = (free_ns > ready_ns ? free_ns : ready_ns) + takes_ns;
    while (!atomic_compare_exchange_weak(&w->free_ns, &free_ns, end_ns));
    return end_ns;
}

int64_t link_copy(const struct host_link *l, struct link_wire *wire, void *dst, const void *src, size_t nbytes,
                  int64_t ready_ns)
{
    int64_t start = ready_ns + l->latency_ns, due = start, now;
    size_t at = 0;

    do {
        size_t n = nbytes - at < CHUNK ? nbytes - at : CHUNK;
        int64_t shared = wire ? take_wire(wire, n, due) : 0;

        due = start + link_wire_ns(l, at + n);
        if (shared > due) {
            start += shared - due;
            due = shared;
        }
        if (due - clock_ns() > (at + n < nbytes ? AHEAD_NS : 0))
            sleep_until(due);
        if (n)
            memcpy((char *)dst + at, (const char *)src + at, n);
        at += n;
    } while (at < nbytes);
    now = clock_ns();
    /* An unthrottled link is as fast as memory. */
    return l->bytes_per_s > 0 || wire ? due : now;
}
