#include "sim/collective/nccl.h"

#include <math.h>

/* In NCCL's order: of two that are equally fast the first is taken. */
enum algorithm { TREE, RING, ALGORITHMS };
enum protocol { LL, LL128, SIMPLE, PROTOCOLS };
enum { NETWORK = NCCL_LINKS, HOPS };
enum { ALONE, PAIR, MORE, SCALES }; /* 1 machine, 2, more */
enum { TREE_SIZES = 23 };           /* powers of two, from 64 B on */

static const char *const names[ALGORITHMS][PROTOCOLS] = {
    [TREE] = { "tree-LL", "tree-LL128", "tree-Simple" },
    [RING] = { "ring-LL", "ring-LL128", "ring-Simple" },
};

static const double base_us[ALGORITHMS][PROTOCOLS] = {
    [TREE] = { 6.8, 14, 8.4 },
    [RING] = { 6.6, 14, 8.4 },
};

static const double step_us[HOPS][ALGORITHMS][PROTOCOLS] = {
    [NCCL_NVLINK] = { [TREE] = { 0.6, 1.25, 4 }, [RING] = { 0.6, 1.9, 3.4 } },
    [NCCL_PCIE] = { [TREE] = { 1, 1.9, 4 }, [RING] = { 1, 2.5, 5.7 } },
    [NETWORK] = { [TREE] = { 5, 8.5, 14 }, [RING] = { 2.7, 4, 14 } },
};

/* Least of a step within a machine where others go to a NIC. With Simple it is three times that: less than a step. */
static const double post_us = 1;

static const double tree_share[PROTOCOLS][TREE_SIZES] = {
    [LL] = { 1, 1, 1, 1, 0.9, 0.8, 0.7, 0.7, 0.7, 0.7, 0.6, 0.5, 0.4, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1, 1, 1 },
    [LL128] = { 1, 1, 1, 1, 1, 0.9, 0.8, 0.8, 0.8, 0.7, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.8, 0.9, 0.9, 0.9, 0.9, 1, 1 },
    [SIMPLE] = { 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8, 0.7, 0.6, 0.6, 0.5,
                 0.5, 0.5, 0.5, 0.6, 0.7, 0.8, 0.7, 0.7, 0.8, 0.9, 0.9 },
};

/* Largest rates in GB/s: of LL over all channels, of the others over each. */
static const struct figures {
    double nvlink_GBps;
    int64_t nvlinks;
    double ll[SCALES], ring_ll128[SCALES], tree_ll128[SCALES], tree[SCALES];
    double plateau; /* of a large ring's latency over machines */
} generations[NCCL_GENERATIONS] = {
    [NCCL_VOLTA] = { 20, 6, { 39, 39, 20.4 }, { 20, 20, 20 }, { 20, 20, 20 }, { 26.5, 18.5, 10 }, 1.9 },
    [NCCL_AMPERE] = { 20, 12, { 87.7, 22.5, 19 }, { 20, 20, 20 }, { 20, 20, 20 }, { 24, 23.6, 17.8 }, 1.4 },
    [NCCL_HOPPER] = { 20.6, 18, { 141, 45, 35 }, { 36.7, 36.7, 36.7 }, { 36.7, 36.7, 29 }, { 38.7, 41.4, 36 }, 1.4 },
    [NCCL_BLACKWELL] = { 40.1, 18, { 282, 90, 70 }, { 73.4, 73.4, 73.4 }, { 55.6, 31.67, 20 }, { 70, 42.8, 24 }, 1.4 },
};

static int64_t channels(const struct nccl *n)
{
    return n->channels ? n->channels : generations[n->generation].nvlinks;
}

double nccl_nvlink_Bps(const struct nccl *n)
{
    const struct figures *f = &generations[n->generation];

    return n->link == NCCL_NVLINK ? 1e9 * f->nvlink_GBps * (double)f->nvlinks : 0;
}

static int log2_floor(int64_t n)
{
    int log = -1;

    for (; n > 0; n >>= 1)
        log++;
    return log;
}

static int64_t ring_steps(const struct nccl_call *c, int64_t members)
{
    switch (c->operation) {
    case COLLECTIVE_ALLREDUCE: return 2 * (members - 1);
    case COLLECTIVE_BROADCAST: return members;
    default: return members - 1;
    }
}

static double ring_GBps(const struct nccl *n, const struct nccl_call *c, enum protocol p)
{
    int scale = (c->machines > 2 ? MORE : (int)c->machines - 1);
    /* Between machines LL's limit goes by the processor, and stands in Volta's row. */
    double ll = generations[c->machines == 1 ? n->generation : NCCL_VOLTA].ll[scale], bus = c->bus_Bps / 1e9;
    double ll128 = generations[n->generation].ring_ll128[scale] * (double)channels(n);

    if (p == LL)
        bus = fmin(bus * 0.5, ll);
    else if (p == LL128)
        bus = fmin(bus * 0.92, ll128);
    return bus * (double)c->ranks / (double)ring_steps(c, c->ranks);
}

static double tree_GBps(const struct nccl *n, const struct nccl_call *c, enum protocol p)
{
    const struct figures *f = &generations[n->generation];
    int scale = (c->machines > 2 ? MORE : (int)c->machines - 1), size = log2_floor(c->bytes >> 6);
    double ll = generations[c->machines == 1 ? n->generation : NCCL_VOLTA].ll[scale];
    double bus = fmin(c->bus_Bps / 1e9 * 0.92, f->tree[scale] * (double)channels(n));

    if (p == LL)
        bus = fmin(bus / 3.8, ll);
    else if (p == LL128)
        bus = fmin(bus * (c->machines == 1 ? 7.0 / 9 : 120.0 / 128), f->tree_ll128[scale] * (double)channels(n));
    return bus / 2 * (size >= 0 && size < TREE_SIZES ? tree_share[p][size] : 1);
}

/* Of a step between machines. With one rank on each, a ring waits as long as a tree. */
static double network_us(const struct nccl_call *c, enum algorithm a, enum protocol p)
{
    return step_us[NETWORK][c->ranks == c->machines ? TREE : a][p] + 1e6 * c->network_s * (p == SIMPLE ? 2 : 1);
}

static double ring_us(const struct nccl *n, const struct nccl_call *c, enum protocol p)
{
    int64_t steps = ring_steps(c, c->ranks), between = c->machines > 1 ? ring_steps(c, c->machines) : 0;
    double within = step_us[n->link][RING][p], us;

    if (c->operation == COLLECTIVE_BROADCAST) /* as if nothing waited: the ranks pass pieces on */
        return base_us[RING][p] + (between ? step_us[NETWORK][RING][p] : within);
    if (between)
        within = fmax(within, post_us);
    us = base_us[RING][p] + (double)(steps - between) * within + (double)between * network_us(c, RING, p);
    if (p == SIMPLE && between && c->operation == COLLECTIVE_ALLREDUCE && c->bytes / (channels(n) * c->ranks) >= 64)
        us *= generations[n->generation].plateau;
    return us;
}

static double tree_us(const struct nccl *n, const struct nccl_call *c, enum protocol p)
{
    return base_us[TREE][p] + 2 * ((double)(c->ranks / c->machines - 1) * step_us[n->link][TREE][p] +
                                   log2_floor(c->machines) * network_us(c, TREE, p));
}

static bool usable(const struct nccl *n, const struct nccl_call *c, enum algorithm a, enum protocol p)
{
    if (p == LL128 && (n->link != NCCL_NVLINK || !n->ll128))
        return false;
    return a == RING || c->operation == COLLECTIVE_ALLREDUCE;
}

struct nccl_choice nccl_choose(const struct nccl *n, const struct nccl_call *c)
{
    struct nccl_choice best = { .time_s = INFINITY };

    for (int a = 0; a < ALGORITHMS; a++)
        for (int p = 0; p < PROTOCOLS; p++) {
            double us, GBps;
            if (!usable(n, c, (enum algorithm)a, (enum protocol)p))
                continue;
            us = a == TREE ? tree_us(n, c, (enum protocol)p) : ring_us(n, c, (enum protocol)p);
            GBps = a == TREE ? tree_GBps(n, c, (enum protocol)p) : ring_GBps(n, c, (enum protocol)p);
            us += (double)c->bytes / (1e3 * GBps);
            if (us < 1e6 * best.time_s)
                best = (struct nccl_choice){ names[a][p], us / 1e6 };
        }
    return best;
}
