/* clock_host.c - marks on the clock of the threads. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/executor/clock.h"
#include "harness/host/clock.h"

struct clock {
    size_t n;
    int64_t at_ns[];
};

static struct clock *open_clock(size_t nmarks)
{
    struct clock *c = calloc(1, sizeof(*c) + nmarks * sizeof(c->at_ns[0]));

    if (c)
        c->n = nmarks;
    else
        fprintf(stderr, "executor: out of memory\n");
    return c;
}

static void close_clock(struct clock *c)
{
    free(c);
}

static void mark(struct clock *c, size_t i, void *stream)
{
    (void)stream;
    c->at_ns[i] = clock_ns();
}

static int64_t at_ns(const struct clock *c, size_t i)
{
    return c->at_ns[i] - c->at_ns[0];
}

const struct clock_ops clock_host = { open_clock, close_clock, mark, at_ns };
