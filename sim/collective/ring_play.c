/* ring_play.c - ring allreduces of their own accord: each rank of each ring knows how many steps it has sent and
 * received, no more. */
#include <stdlib.h>

#include "model/status.h"
#include "sim/collective/collective.h"
#include "sim/collective/split.h"
#include "sim/fabric/flow_player.h"

struct rank {
    uint32_t sent, got; /* steps */
    uint32_t chunk;     /* that it sends next */
    bool sending, last; /* of its ring */
};

struct play {
    struct flow_player *player;
    const uint32_t *routes;
    const int64_t *latency_ps;
    struct rank *ranks; /* ring after ring */
    uint32_t n, rings, steps;
    int64_t shorter, end_ps; /* bytes of a chunk that is not one of the first 'longer' */
    uint32_t longer;
    uint64_t flows;
};

/* A rank's next step begins when it has sent and received the one before. */
static int go_on(struct play *p, uint32_t r, int64_t now_ps)
{
    struct rank *rank = &p->ranks[r];
    int64_t start_ps;

    if (rank->sending || rank->sent == p->steps || rank->got < rank->sent)
        return E_OK;
    if (__builtin_add_overflow(now_ps, p->latency_ps[r], &start_ps))
        return E_RANGE;
    int64_t bytes = p->shorter + (rank->chunk < p->longer);
    rank->chunk = rank->chunk ? rank->chunk - 1 : p->n - 1;
    rank->sending = 1;
    p->flows++;
    return flow_player_post(p->player, p->routes[r], bytes, start_ps, r);
}

static int ended(void *context, uint32_t r, int64_t at_ps)
{
    struct play *p = context;
    uint32_t next = p->ranks[r].last ? r + 1 - p->n : r + 1;

    p->ranks[r].sending = 0;
    p->ranks[r].sent++;
    p->ranks[next].got++;
    p->end_ps = at_ps;
    int rc = go_on(p, r, at_ps);
    return rc ? rc : go_on(p, next, at_ps);
}

static int play(struct play *p)
{
    int rc = E_OK;

    for (uint32_t r = 0; r < p->rings * p->n; r++) {
        p->ranks[r].chunk = r % p->n;
        p->ranks[r].last = r % p->n == p->n - 1;
    }
    for (uint32_t r = 0; !rc && r < p->rings * p->n; r++)
        rc = go_on(p, r, flow_player_now_ps(p->player));
    return rc ? rc : flow_player_run(p->player, ended, p);
}

int collective_rings_play(struct fabric *f, const uint32_t routes[], const int64_t latency_ps[], int64_t ranks,
                          int64_t rings, int64_t bytes, int64_t *end_ps, uint64_t *nflows)
{
    struct play p = { .routes = routes, .latency_ps = latency_ps, .n = (uint32_t)ranks, .rings = (uint32_t)rings };
    int rc = E_OK;

    if (ranks < 1 || rings < 1 || ranks > INT32_MAX / rings || bytes < 0)
        return E_INVAL;
    for (int64_t r = 0; ranks > 1 && r < rings * ranks; r++)
        if (latency_ps[r] < 0)
            return E_INVAL;
    p.steps = 2 * (p.n - 1);
    p.shorter = bytes / ranks;
    p.longer = (uint32_t)(bytes % ranks);
    if (ranks > 1 && bytes) {
        p.player = flow_player_new(f);
        p.ranks = calloc((size_t)(rings * ranks), sizeof(*p.ranks));
        rc = p.player && p.ranks ? play(&p) : E_NOMEM;
        flow_player_free(p.player);
        free(p.ranks);
    }
    if (!rc)
        *end_ps = p.end_ps;
    if (!rc && nflows)
        *nflows = p.flows;
    return rc;
}

int collective_ring_play(struct fabric *f, const uint32_t routes[], const int64_t latency_ps[], int64_t ranks,
                         int64_t bytes, int64_t *end_ps, uint64_t *nflows)
{
    return collective_rings_play(f, routes, latency_ps, ranks, 1, bytes, end_ps, nflows);
}
