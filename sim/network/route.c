/* Routes: the channels between two ends, each asked for once and then known. */
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "model/vec.h"
#include "sim/cost.h"
#include "sim/network/topology_parts.h"

enum direction { OUT, IN };

static int add_channel(struct topology *t, int channel)
{
    if (!VEC_RESERVE(t->path, t->path_capacity, t->npath))
        return E_NOMEM;
    t->path[t->npath++] = (uint32_t)channel;
    return E_OK;
}

static bool crossed(const struct topology *t, int channel)
{
    for (size_t i = 0; i < t->npath; i++)
        if (t->path[i] == (uint32_t)channel)
            return true;
    return false;
}

/* The next instance on the way. A route goes over a direction of an instance once at most, but over its wire perhaps
 * twice: up and down. */
static int cross(struct topology *t, int use, int64_t instance, enum direction d)
{
    const struct link_role *u = &t->layout.roles[use];
    int out = role_out(u, instance), rc = add_channel(t, d == OUT ? out : out + 1);

    if (!rc && u->link->duplex == DUPLEX_HALF && !crossed(t, out + 2))
        rc = add_channel(t, out + 2);
    if (!rc && __builtin_add_overflow(t->path_ps, u->latency_ps, &t->path_ps))
        rc = E_RANGE;
    return rc;
}

static int cross_dma(struct topology *t, int first, int64_t machine)
{
    return first < 0 ? E_OK : add_channel(t, first + (int)machine);
}

static int64_t gpu_instance(const struct topology *t, int use, struct end e)
{
    const struct link_role *u = &t->layout.roles[use];

    return e.machine * u->per_machine + e.gpu / u->gpus;
}

/* Does what this end exchanges with other machines pass its host by? */
static bool direct(const struct topology *t, struct end e)
{
    return t->layout.platform->network.gpu_direct && e.gpu != END_HOST;
}

/* From a GPU up into its host's memory, or ('away') as far as it goes on its way to the NIC. */
static int leave_gpu(struct topology *t, struct end e, bool away)
{
    const struct layout *l = &t->layout;
    bool by = away && direct(t, e);
    int rc = E_OK;

    for (size_t i = 0; !rc && i < (by ? 1 : l->ngpu_path); i++)
        rc = cross(t, l->gpu_path[i], gpu_instance(t, l->gpu_path[i], e), OUT);
    return rc || by ? rc : cross_dma(t, t->dma_write, e.machine);
}

static int enter_gpu(struct topology *t, struct end e, bool away)
{
    const struct layout *l = &t->layout;
    bool by = away && direct(t, e);
    int rc = by ? E_OK : cross_dma(t, t->dma_read, e.machine);

    for (size_t i = by ? 1 : l->ngpu_path; !rc && i-- > 0;)
        rc = cross(t, l->gpu_path[i], gpu_instance(t, l->gpu_path[i], e), IN);
    return rc;
}

/* Which of its machine's NICs an end uses. */
static int64_t nic_at(const struct topology *t, struct end e)
{
    const struct platform *p = t->layout.platform;

    return e.gpu == END_HOST ? 0 : e.gpu * layout_nics(p) / p->gpu.count;
}

/* Between memory and NIC: to the NIC is to a device. NICs are divided among the instances of each of the links. */
static int cross_via(struct topology *t, struct end e, enum direction d)
{
    const struct layout *l = &t->layout;
    int64_t nic = nic_at(t, e), nics = layout_nics(l->platform);
    int rc = E_OK;

    for (size_t i = 0; !rc && !direct(t, e) && i < l->nnic_path; i++) {
        int use = l->nic_path[d == OUT ? i : l->nnic_path - 1 - i];
        int64_t n = l->roles[use].per_machine;
        rc = cross(t, use, e.machine * n + nic * n / nics, d);
    }
    return rc;
}

/* Which switch the NIC of an end is on. Rails: the leaves of a pod are numbered by rail, pod by pod. */
static int64_t switch_at(const struct topology *t, struct end e)
{
    const struct platform *p = t->layout.platform;
    int64_t pod = e.machine / layout_per_switch(p);

    if (p->network.topology == TOPOLOGY_RAILS)
        return pod * layout_nics(p) + nic_at(t, e);
    return p->network.topology == TOPOLOGY_TREE ? pod : 0;
}

/* Up to the switch, or by way of core or spine to another, and down. */
static int cross_switches(struct topology *t, struct end from, struct end to)
{
    const struct layout *l = &t->layout;
    int64_t nics = layout_nics(l->platform), out = switch_at(t, from), in = switch_at(t, to);
    int rc = cross(t, l->nic, from.machine * nics + nic_at(t, from), OUT);

    if (!rc && out != in) {
        rc = cross(t, l->uplink, out, OUT);
        if (!rc)
            rc = cross(t, l->uplink, in, IN);
    }
    return rc ? rc : cross(t, l->nic, to.machine * nics + nic_at(t, to), IN);
}

/* Along one line of a grid, from place to place of n; the link from place i forward is instance first + i * stride. */
static int cross_line(struct topology *t, int64_t from, int64_t to, int64_t n, int64_t first, int64_t stride)
{
    int64_t ahead = (to - from + n) % n;
    bool forward = t->layout.platform->network.topology == TOPOLOGY_MESH ? from < to : ahead <= n - ahead;
    int rc = E_OK;

    while (!rc && from != to) {
        int64_t next = (from + (forward ? 1 : n - 1)) % n, link = forward ? from : next;
        rc = cross(t, t->layout.nic, first + link * stride, forward ? OUT : IN);
        from = next;
    }
    return rc;
}

static int cross_grid(struct topology *t, int64_t from, int64_t to)
{
    const struct platform *p = t->layout.platform;
    int64_t width = p->network.width, rows = p->machines / width;
    int64_t in_a_row = p->network.topology == TOPOLOGY_MESH ? width - 1 : width;
    int rc = cross_line(t, from % width, to % width, width, from / width * in_a_row, 1);

    return rc ? rc : cross_line(t, from / width, to / width, rows, layout_row_links(p) + to % width, width);
}

/* Between two GPUs of a machine: up to their switch and down, or over the links of the pair. False: neither is
 * there. */
static bool cross_peers(struct topology *t, struct end from, struct end to, int *rc)
{
    const struct gpu_spec *gpu = &t->layout.platform->gpu;
    int peer = t->layout.peer;

    if (peer == LAYOUT_NONE || from.gpu == END_HOST || to.gpu == END_HOST)
        return false;
    if (!gpu->npeers) {
        *rc = cross(t, peer, gpu_instance(t, peer, from), OUT);
        *rc = *rc ? *rc : cross(t, peer, gpu_instance(t, peer, to), IN);
        return true;
    }
    for (size_t i = 0; i < gpu->npeers; i++) {
        const struct gpu_pair *p = &gpu->peers[i];
        bool forward = p->from == from.gpu && p->to == to.gpu, back = p->from == to.gpu && p->to == from.gpu;
        if (forward || back) {
            *rc = cross(t, peer, from.machine * (int64_t)gpu->npeers + (int64_t)i, forward ? OUT : IN);
            return true;
        }
    }
    return false;
}

static int make_path(struct topology *t, struct end from, struct end to)
{
    bool away = from.machine != to.machine;
    int rc = E_OK;

    t->npath = 0;
    t->path_ps = 0;
    if (!away && from.gpu == to.gpu)
        return E_OK;
    if (!away && cross_peers(t, from, to, &rc))
        return rc;
    if (from.gpu != END_HOST)
        rc = leave_gpu(t, from, away);
    if (!rc && away)
        rc = cross_via(t, from, IN);
    if (!rc && away)
        rc = layout_grid(t->layout.platform) ? cross_grid(t, from.machine, to.machine) : cross_switches(t, from, to);
    if (!rc && away)
        rc = cross_via(t, to, OUT);
    if (!rc && to.gpu != END_HOST)
        rc = enter_gpu(t, to, away);
    return rc;
}

static int64_t lay_route(struct topology *t)
{
    if (!t->engine)
        return fabric_route(t->fabric, t->path, t->npath);
    int route = engine_route(t->engine, t->path, t->npath);
    return route < 0 ? E_NOMEM : route;
}

static struct known_route *find(struct known_route *slots, size_t capacity, uint64_t key)
{
    uint64_t i = (key * 0x9e3779b97f4a7c15) >> 20;

    for (;; i++) {
        struct known_route *k = &slots[i & (capacity - 1)];
        if (!k->key || k->key == key)
            return k;
    }
}

/* Grows the table for one more entry, so that at least half of its slots stay empty. */
static int make_room(struct topology *t)
{
    size_t bigger = t->known_capacity ? 2 * t->known_capacity : 64;

    if (2 * (t->nknown + 1) <= t->known_capacity)
        return E_OK;
    struct known_route *slots = calloc(bigger, sizeof(*slots));
    if (!slots)
        return E_NOMEM;
    for (size_t i = 0; i < t->known_capacity; i++)
        if (t->known[i].key)
            *find(slots, bigger, t->known[i].key) = t->known[i];
    free(t->known);
    t->known = slots;
    t->known_capacity = bigger;
    return E_OK;
}

static bool exists(const struct platform *p, struct end e)
{
    return e.machine >= 0 && e.machine < p->machines && e.gpu >= END_HOST && e.gpu < layout_gpus(p);
}

/* Machines times GPUs fit 31 bits, so a pair of ends fits the key. */
static uint64_t number_of(const struct platform *p, struct end e)
{
    return (uint64_t)(e.machine * (layout_gpus(p) + 1) + e.gpu + 1);
}

/* The channels from one end to the other, in path[], and their latency. */
static int find_path(struct topology *t, struct end from, struct end to)
{
    const struct platform *p = t->layout.platform;
    int rc = make_path(t, from, to);

    if (!rc && from.machine != to.machine &&
        __builtin_add_overflow(t->path_ps, seconds_to_ps(p->network.message_latency_s), &t->path_ps))
        rc = E_RANGE;
    return rc;
}

int topology_path(struct topology *t, struct end from, struct end to, const uint32_t **channels, size_t *n,
                  int64_t *latency_ps)
{
    const struct platform *p = t->layout.platform;
    int rc = exists(p, from) && exists(p, to) ? find_path(t, from, to) : E_INVAL;

    *channels = t->path;
    *n = t->npath;
    *latency_ps = t->path_ps;
    return rc;
}

int64_t topology_route(struct topology *t, struct end from, struct end to, int64_t *latency_ps)
{
    const struct platform *p = t->layout.platform;

    if (!exists(p, from) || !exists(p, to))
        return E_INVAL;
    uint64_t key = (number_of(p, from) << 31 | number_of(p, to)) + 1;
    int rc = make_room(t);
    if (rc)
        return rc;
    struct known_route *k = find(t->known, t->known_capacity, key);
    if (!k->key) {
        rc = find_path(t, from, to);
        int64_t route = rc ? rc : lay_route(t);
        if (route < 0)
            return route;
        *k = (struct known_route){ .key = key, .latency_ps = t->path_ps, .route = route };
        t->nknown++;
    }
    *latency_ps = k->latency_ps;
    return k->route;
}
