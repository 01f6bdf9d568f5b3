/* clock_cuda.c - marks as CUDA events. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/executor/clock.h"

struct clock {
    size_t n;
    cudaEvent_t events[];
};

static void close_clock(struct clock *c)
{
    for (size_t i = 0; c && i < c->n; i++)
        cudaEventDestroy(c->events[i]);
    free(c);
}

static struct clock *open_clock(size_t nmarks)
{
    struct clock *c = calloc(1, sizeof(*c) + nmarks * sizeof(c->events[0]));

    if (!c) {
        fprintf(stderr, "executor: out of memory\n");
        return NULL;
    }
    while (c->n < nmarks && !cudaEventCreate(&c->events[c->n]))
        c->n++;
    if (c->n == nmarks)
        return c;
    fprintf(stderr, "executor: cudaEventCreate: %s\n", cudaGetErrorString(cudaGetLastError()));
    close_clock(c);
    return NULL;
}

static void mark(struct clock *c, size_t i, void *stream)
{
    cudaEventRecord(c->events[i], stream);
}

static int64_t at_ns(const struct clock *c, size_t i)
{
    float ms = 0;

    return cudaEventElapsedTime(&ms, c->events[0], c->events[i]) ? -1 : (int64_t)(1e6 * (double)ms);
}

const struct clock_ops clock_cuda = { open_clock, close_clock, mark, at_ns };
