#include "tests/sim/parallel/draws.h"

#include <inttypes.h>
#include <stdio.h>

#include "tests/draw.h"

int64_t draw_between(uint64_t *state, int64_t low, int64_t high)
{
    return low + (int64_t)(draw(state) % (uint64_t)(high - low + 1));
}

int64_t draw_divisor(uint64_t *state, int64_t n)
{
    int64_t d;

    do
        d = draw_between(state, 1, n);
    while (n % d);
    return d;
}

void draw_groups(uint64_t *state, struct parallel *p)
{
    for (int i = 0; i < AXES; i++)
        p->order[i] = (enum rank_axis)i;
    for (int i = AXES; i-- > 1;) {
        int64_t k = draw_between(state, 0, i);
        enum rank_axis a = p->order[i];
        p->order[i] = p->order[k];
        p->order[k] = a;
    }
    p->expert = draw_divisor(state, parallel_replicas(p));
    p->shard = draw_between(state, 0, 2) ? draw_divisor(state, parallel_replicas(p)) : 0;
}

void draw_layout(uint64_t *state, int64_t ranks, int64_t gpus_per_machine, struct parallel *out)
{
    int64_t left = ranks;

    *out = (struct parallel){ .gpus_per_machine = gpus_per_machine };
    for (int i = 0, first = (int)draw_between(state, 0, AXES - 1); i < AXES; i++) {
        int64_t *degree = &out->degree[(first + i) % AXES];
        *degree = i == AXES - 1 ? left : draw_divisor(state, left);
        left /= *degree;
    }
    draw_groups(state, out);
}

void draw_platform(uint64_t *state, int kind, int64_t machines, struct cluster *out)
{
    static const enum topology_kind kinds[DRAWN_NETWORKS] = { TOPOLOGY_RAILS, TOPOLOGY_STAR, TOPOLOGY_TREE,
                                                              TOPOLOGY_STAR,  TOPOLOGY_STAR, TOPOLOGY_TORUS,
                                                              TOPOLOGY_STAR };
    static struct gpu_pair ring[DRAWN_GPUS];
    int64_t pod = machines % 4 || draw_between(state, 0, 1) ? machines / 2 : machines / 4;
    struct platform *p = &out->platform;

    cluster_gpus(cluster_make(out, kinds[kind], machines, pod), DRAWN_GPUS, kind == 4 ? 2 : 1);
    if (kind == 5)
        p->network.width = machines % 2 ? machines : 2;
    if (kind == 6) {
        cluster_link(out, p->gpu.peer_link = "nvlink", 25e9, 1e-6);
        for (int64_t i = 0; i < DRAWN_GPUS; i++)
            ring[i] = (struct gpu_pair){ i, (i + 1) % DRAWN_GPUS, 1 };
        p->gpu.peers = ring;
        p->gpu.npeers = DRAWN_GPUS;
        out->links[1].duplex = DUPLEX_HALF;
    }
    if (kind == 3) {
        p->cpu.dma_read_Bps = 40e9;
        p->cpu.dma_write_Bps = 30e9;
    }
    if (kind == 4) {
        p->network.via = "pcie";
        out->links[0].bandwidth_Bps = 200.0 * CLUSTER_GBIT;
    }
    if (kind < 3) {
        cluster_link(out, p->gpu.peer_link = "nvlink", 300e9, 1e-6);
        p->network.nics = draw_between(state, 1, 2) * DRAWN_GPUS / 2;
        p->network.gpu_direct = true;
    }
    if (kind == 0) {
        p->network.per_switch = draw_between(state, 0, 3) ? pod : 0;
        p->network.oversubscription = (double)(1 << draw_between(state, 0, 2));
    }
}

const char *drawn_as(const struct parallel *p, const struct platform *platform)
{
    static const char letters[AXES + 1] = "tcdp";
    static char text[256];
    const struct network_spec *n = platform ? &platform->network : &(struct network_spec){ 0 };

    snprintf(text, sizeof(text),
             "tensor %" PRId64 ", context %" PRId64 ", data %" PRId64 ", pipeline %" PRId64 ", order %c%c%c%c, expert "
             "%" PRId64 ", shard %" PRId64 ", %" PRId64 " a machine; topology %d, %" PRId64 " NICs, %" PRId64
             " a switch, %g",
             p->degree[AXIS_TENSOR], p->degree[AXIS_CONTEXT], p->degree[AXIS_DATA], p->degree[AXIS_PIPELINE],
             letters[p->order[0]], letters[p->order[1]], letters[p->order[2]], letters[p->order[3]], p->expert,
             p->shard, p->gpus_per_machine, (int)n->topology, n->nics, n->per_switch, n->oversubscription);
    return text;
}
