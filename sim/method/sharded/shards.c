/* shards.c - how the parameters of a unit are gathered, its gradients reduced, and both updated. */
#include "sim/method/sharded/plan.h"

#include "model/status.h"
#include "sim/cost.h"
#include "sim/method/method.h"

static int64_t part(int64_t n, int64_t of)
{
    return (n + of - 1) / of;
}

static bool coded(const struct codec_spec *c)
{
    return c->format != WIRE_NONE;
}

static int gather(const struct sharded_plan *p, struct act *a, enum wire w, int64_t values, int64_t ranks, bool plain)
{
    const struct codec_spec *c = &p->m->codec_weights;
    int64_t own = part(values, ranks), width = compute_precision_bytes(p->m->weights), bytes = own * width;
    int rc;

    if (ranks < 2)
        return E_OK;
    if (plain || !coded(c))
        return plan_collective(p, a, w, (double)(bytes * ranks), bytes * (ranks - 1), 1);
    bytes = codec_spec_wire_bytes(c, own, 0);
    rc = act_gpu(a, ACT_ENCODE, codec_spec_encode_ps(c, own));
    rc = rc ? rc : plan_collective(p, a, w, (double)(bytes * ranks), bytes * (ranks - 1), 1);
    return rc ? rc : act_gpu(a, ACT_DECODE, ranks * codec_spec_decode_ps(c, own));
}

/* Gradients of n values, summed over a ring: all of them to all ranks, or to each its part. */
static int reduce_ring(const struct sharded_plan *p, struct act *a, enum wire w, int64_t values, int64_t ranks,
                       bool whole)
{
    const struct codec_spec *c = &p->m->codec_gradients;
    int64_t bytes = values * compute_precision_bytes(p->m->gradients), rounds = whole ? 2 : 1;
    int rc = E_OK;

    if (ranks < 2)
        return E_OK;
    if (coded(c)) {
        bytes = codec_spec_wire_bytes(c, values, 0);
        rc = act_gpu(a, ACT_ENCODE, codec_spec_encode_ps(c, values));
    }
    rc = rc ? rc : plan_collective(p, a, w, (double)bytes, rounds * part(bytes, ranks) * (ranks - 1), rounds);
    if (!rc && coded(c))
        rc = act_gpu(a, ACT_DECODE, codec_spec_decode_ps(c, whole ? values : part(values, ranks)));
    return rc;
}

/* Every rank has the payloads of all, and adds them up. */
static int reduce_gathered(const struct sharded_plan *p, struct act *a, enum wire w, int64_t values, int64_t ranks)
{
    const struct codec_spec *c = &p->m->codec_gradients;
    int64_t bytes = codec_spec_wire_bytes(c, values, 0);
    int rc;

    if (ranks < 2)
        return E_OK;
    rc = act_gpu(a, ACT_ENCODE, codec_spec_encode_ps(c, values));
    rc = rc ? rc : plan_collective(p, a, w, (double)(bytes * ranks), bytes * (ranks - 1), 1);
    return rc ? rc : act_gpu(a, ACT_DECODE, ranks * codec_spec_decode_ps(c, values));
}

/* Each rank gets all others' payloads of its part, and adds them up. */
static int scatter(const struct sharded_plan *p, struct act *a, enum wire w, int64_t values, int64_t ranks)
{
    const struct codec_spec *c = &p->m->codec_gradients;
    int64_t own = part(values, ranks), bytes = codec_spec_wire_bytes(c, own, 0);
    int rc;

    if (ranks < 2)
        return E_OK;
    rc = act_gpu(a, ACT_ENCODE, codec_spec_encode_ps(c, values));
    rc = rc ? rc : plan_collective(p, a, w, (double)(bytes * ranks), bytes * (ranks - 1), 1);
    return rc ? rc : act_gpu(a, ACT_DECODE, ranks * codec_spec_decode_ps(c, own));
}

static int scatter_steps(const struct sharded_plan *p, struct act *a, int64_t values)
{
    int rc;

    if (!p->m->two_steps || p->machines < 2 || p->within < 2)
        return scatter(p, a, p->spread, values, p->shard);
    rc = scatter(p, a, WIRE_WITHIN_SPREAD, values, p->within);
    return rc ? rc : scatter(p, a, WIRE_ACROSS_SPREAD, part(values, p->within), p->machines);
}

/* What the parts' owners have added up, to all ranks of the group. */
static int spread_sums(const struct sharded_plan *p, struct act *a, int64_t values)
{
    const struct codec_spec *c = &p->m->codec_gradients;
    int64_t own = part(values, p->shard), bytes = codec_spec_wire_bytes(c, own, 0);
    int rc = act_gpu(a, ACT_ENCODE, codec_spec_encode_ps(c, own));

    rc = rc ? rc : plan_collective(p, a, p->ring, (double)(bytes * p->shard), bytes * (p->shard - 1), 1);
    return rc ? rc : act_gpu(a, ACT_DECODE, p->shard * codec_spec_decode_ps(c, own));
}

static int reduce(const struct sharded_plan *p, struct act *a, int64_t values)
{
    const struct sharded *m = p->m;
    bool whole = !m->level;
    int64_t own = whole ? values : part(values, p->shard);
    int rc;

    if (!coded(&m->codec_gradients) || codec_spec_aggregation(&m->codec_gradients) == AGGREGATE_REDUCE)
        rc = reduce_ring(p, a, p->ring, values, p->shard, whole);
    else if (codec_spec_aggregation(&m->codec_gradients) == AGGREGATE_GATHER)
        rc = reduce_gathered(p, a, p->ring, values, p->shard);
    else {
        rc = scatter_steps(p, a, values);
        if (!rc && whole && p->shard > 1)
            rc = spread_sums(p, a, values);
    }
    if (rc || m->local_steps > 1) /* copies are brought together less often: sharded.c */
        return rc;
    return reduce_ring(p, a, WIRE_SHARD_COPY, own, p->copies, true);
}

/* Bytes that an update reads and writes for each value: the gradient for its norm, to scale it, and to use it; the
 * states and the parameters there and back; the parameters as they are computed with. */
static double update_bytes(const struct sharded *m)
{
    double g = (double)compute_precision_bytes(m->gradients), w = (double)compute_precision_bytes(m->weights);
    double states = (double)sharded_moments_bytes(m);
    bool master = m->master && w < 4;

    return g + 2 * g + g + 2 * (states + (master ? 4 : w)) + (master ? 4 + w : 0);
}

static int64_t stream_ps(const struct sharded_plan *p, double bytes)
{
    struct gpu_work op = { .kind = GPU_STREAM, .bytes = bytes, .share = p->m->update_share };

    return gpu_work_ps(p->job->platform, p->m->activations, &op);
}

static int update(const struct sharded_plan *p, struct unit *u, int64_t values)
{
    const struct sharded *m = p->m;
    const struct platform *platform = p->job->platform;
    int64_t own = m->level ? part(values, p->shard) : values;
    double bytes = (double)own * update_bytes(m),
           clear = (double)values * (double)compute_precision_bytes(m->gradients);
    int64_t there = own * compute_precision_bytes(m->gradients), back = own * compute_precision_bytes(m->weights);
    int rc;

    if (!own)
        return E_OK;
    if (m->offload == OFFLOAD_NONE)
        return act_gpu(&u->update, ACT_UPDATE, stream_ps(p, bytes + clear));
    rc = act_wire(&u->fetch, WIRE_TO_HOST, there, 1);
    rc = rc ? rc : act_host(&u->update, ACT_UPDATE, cost_cpu_stream_ps(platform, bytes * (double)platform->gpu.count));
    return rc || m->offload == OFFLOAD_PARAMETERS ? rc : act_wire(&u->store, WIRE_FROM_HOST, back, 1);
}

static int gathers(const struct sharded_plan *p, struct unit *u, int64_t values)
{
    const struct sharded *m = p->m;
    int64_t own = part(values, p->shard) * compute_precision_bytes(m->weights);
    bool again = m->level == 3 && m->secondary && m->reshard && p->machines > 1;
    int rc = E_OK;

    if (m->offload == OFFLOAD_PARAMETERS)
        rc = act_wire(&u->gather, WIRE_FROM_HOST, own, 1);
    rc = rc ? rc : gather(p, &u->gather, p->ring, values, p->shard, false);
    return rc || !again ? rc : gather(p, &u->gather_again, WIRE_WITHIN, values, p->within, true);
}

static int share(const struct sharded_plan *p, struct unit *u, int64_t values)
{
    int rc = E_OK;

    if (!values)
        return E_OK;
    if (p->m->level)
        rc = gathers(p, u, values);
    if (p->m->gradient_bytes > 0)
        rc = rc ? rc : act_gpu(&u->reduce, ACT_UPDATE, stream_ps(p, p->m->gradient_bytes * (double)values));
    rc = rc ? rc : reduce(p, &u->reduce, values);
    return rc ? rc : update(p, u, values);
}

/* As ranks with the same experts have them: one group that shares one copy. */
static struct sharded_plan of_experts(const struct sharded_plan *p)
{
    struct sharded_plan e = *p;

    e.shard = group_size(&p->step.layout, GROUP_EXPERT_COPY, 0);
    e.copies = e.machines = 1;
    e.within = e.shard;
    e.ring = WIRE_EXPERT_COPY;
    e.spread = WIRE_EXPERT_COPY_SPREAD;
    return e;
}

int plan_shards(const struct sharded_plan *p, struct unit *u)
{
    struct sharded_plan experts = of_experts(p);
    int rc = share(p, u, u->values);

    return rc ? rc : share(&experts, u, u->experts);
}
