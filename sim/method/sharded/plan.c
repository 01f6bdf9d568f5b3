#include "sim/method/sharded/plan.h"

#include "model/status.h"
#include "sim/cost.h"
#include "sim/method/method.h"

/* Every wire that a plan may use with this layout. */
static void may_use(const struct parallel *l, bool used[WIRES])
{
    for (int w = 0; w < WIRES; w++)
        used[w] = group_size(l, wire_group_of((enum wire)w), 0) > 1 || wire_is_point((enum wire)w);
}

static int64_t machines_of(const struct parallel *l, int64_t *within)
{
    *within = group_size(l, GROUP_SHARD_WITHIN, 0);
    return parallel_shard(l) / *within;
}

int64_t plan_collective_ps(const struct sharded_plan *p, enum wire w, double bytes, int64_t sent, int64_t hops)
{
    const struct measured *c = &p->job->platform->collective;
    double before_s = c->launch_s + (c->local_Bps > 0 ? bytes / c->local_Bps : 0);

    return p->rates->ranks[w] < 2 ? 0 : seconds_to_ps(before_s) + wire_ps(p->rates, w, sent, hops);
}

int plan_collective(const struct sharded_plan *p, struct act *a, enum wire w, double bytes, int64_t sent, int64_t hops)
{
    const struct measured *c = &p->job->platform->collective;
    double before_s = c->launch_s + (c->local_Bps > 0 ? bytes / c->local_Bps : 0);
    int rc;

    if (p->rates->ranks[w] < 2)
        return E_OK;
    rc = act_wait(a, (enum act_row)(ACT_WIRE + (int)w), seconds_to_ps(before_s));
    return rc ? rc : act_wire(a, w, sent, hops);
}

/* Where each rank of a tensor group has all that was computed it sends its part, which is gathered behind. */
static int gather_sent(const struct sharded_plan *p, struct act *a, int64_t values)
{
    int64_t bytes = values * compute_precision_bytes(p->m->activations), n = p->step.layout.degree[AXIS_TENSOR];

    return plan_collective(p, a, WIRE_TENSOR, (double)(bytes * n), bytes * (n - 1), 1);
}

int plan_send(const struct sharded_plan *p, struct chunk *c, int64_t values, int64_t row, bool whole)
{
    const struct codec_spec *codec = &p->m->codec_activations;
    int64_t bytes = values * compute_precision_bytes(p->m->activations), encode = 0, decode = 0;
    int64_t hop = seconds_to_ps(p->m->hop_s);
    int rc;

    if (codec->format != WIRE_NONE) {
        bytes = codec_spec_wire_bytes(codec, values, row);
        encode = codec_spec_encode_ps(codec, values);
        decode = codec_spec_decode_ps(codec, values);
    }
    rc = act_gpu(&c->send_forward, ACT_ENCODE, encode);
    rc = rc ? rc : act_wire(&c->send_forward, WIRE_FORWARD, bytes, 1);
    rc = rc ? rc : act_gpu(&c->send_backward, ACT_ENCODE, encode);
    rc = rc ? rc : act_wire(&c->send_backward, WIRE_BACKWARD, bytes, 1);
    rc = rc ? rc : act_gpu(&c->take_forward, ACT_HOP, hop);
    rc = rc ? rc : act_gpu(&c->take_forward, ACT_DECODE, decode);
    rc = rc ? rc : act_gpu(&c->take_backward, ACT_HOP, hop);
    rc = rc ? rc : act_gpu(&c->take_backward, ACT_DECODE, decode);
    if (!rc && whole)
        rc = gather_sent(p, &c->take_forward, values);
    return rc || !whole ? rc : gather_sent(p, &c->take_backward, values);
}

int plan_links_of(const struct platform *platform, struct topology *topology, const struct parallel *l,
                  struct plan_links *out)
{
    bool used[WIRES];

    *out = (struct plan_links){ .layout = *l };
    out->machines = machines_of(l, &out->within);
    may_use(l, used);
    return wire_rates(platform, topology, l, used, seconds_to_ps(platform->collective.latency_s), &out->rates);
}

int plan_sizes(const struct job *j, const struct plan_links *links, enum plan_form form, struct sharded_plan *out)
{
    const struct sharded *m = &j->method->sharded;
    const struct parallel *l = &links->layout;
    struct sharded_plan p = { .job = j, .m = m, .form = form, .rates = &links->rates };
    int rc;

    p.shard = parallel_shard(l);
    p.copies = parallel_replicas(l) / p.shard;
    p.within = links->within;
    p.machines = links->machines;
    p.ring = WIRE_SHARD;
    p.spread = WIRE_SHARD_SPREAD;
    p.step.layout = *l;
    p.step.pipeline = (struct pipeline){ m->schedule, l->degree[AXIS_PIPELINE], m->chunks,
                                         j->batch / (l->degree[AXIS_DATA] * m->micro_batch) };
    p.step.step_ps = seconds_to_ps(j->platform->collective.latency_s);
    p.step.prefetch = m->prefetch;
    p.step.overlap = m->overlap;
    p.step.keep_gathered = m->level < 3 || !m->reshard;
    p.step.reduce_each = m->reduce_each;
    p.step.reduce_behind = !m->overlap && !m->reduce_each && m->level < 2;
    rc = plan_parts(&p);
    if (!rc)
        rc = j->model->gpt.hidden ? plan_decoder(&p, true) : plan_network(&p);
    *out = p;
    return rc;
}

int plan_times(struct sharded_plan *p)
{
    return p->job->model->gpt.hidden ? plan_decoder(p, false) : E_OK;
}

int plan_make(const struct job *j, const struct plan_links *links, enum plan_form form, struct sharded_plan *out)
{
    int rc = plan_sizes(j, links, form, out);

    return rc ? rc : plan_times(out);
}

void plan_free(struct sharded_plan *p)
{
    step_plan_free(&p->step);
}
