/* buffers.c - greedy-by-size of drawn buffers, of which a tenth is alive at once: what it costs to place many. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/bench/sim/case.h"
#include "harness/host/clock.h"
#include "harness/status.h"
#include "model/placement/placement.h"
#include "model/split/splitmix64.h"
#include "model/status.h"

static int64_t below(uint64_t *state, int64_t n)
{
    return (int64_t)(splitmix64(state) % (uint64_t)n);
}

int run_buffers(const struct sim_case *c, struct sim_result *r)
{
    const struct placement_options options = { .method = PLACEMENT_GREEDY_SIZE, .alignment = 512 };
    size_t n = (size_t)c->size, i, j;
    struct buffer *list = calloc(n, sizeof(*list));
    struct placement found;
    uint64_t seed = 1;
    int rc = list ? E_OK : E_NOMEM;

    for (size_t k = 0; !rc && k < n; k++) {
        list[k].lower = below(&seed, c->size);
        list[k].upper = list[k].lower + 1 + below(&seed, c->size / 5);
        list[k].bytes = 1 + below(&seed, 1 << 30);
    }
    if (!rc) {
        int64_t began = clock_ns();

        rc = placement_make(list, n, &options, &found);
        r->elapsed_ns = clock_ns() - began;
        r->events = c->size;
    }
    if (!rc && !placement_valid(list, n, options.alignment, &i, &j))
        rc = E_INVAL;
    if (rc)
        fprintf(stderr, "narrows bench: sim: %zu buffers could not be placed apart\n", n);
    free(list);
    return rc ? NW_ESIM : NW_OK;
}
