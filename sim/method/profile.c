#include "sim/method/profile.h"

#include <math.h>
#include <stdbool.h>

#include "sim/cost.h"

struct compute_times profile_first(const struct compute_profile *c)
{
    return (struct compute_times){ c->forward_s, c->backward_s, c->step_s, c->samples };
}

static double flops_of(const struct layer *l, bool backward)
{
    return (double)(backward ? l->flops_backward : l->flops_forward);
}

/* The rounded time up to the end of a layer less that up to its beginning: no picosecond is lost or counted twice. A
 * model without FLOPs spends it all in its last layer. */
static int64_t share_ps(int64_t total_ps, const struct model *m, size_t layer, bool backward)
{
    double before = 0, all = (double)(backward ? m->flops_backward : m->flops_forward);

    if (!(all > 0))
        return layer + 1 == m->nlayers ? total_ps : 0;
    for (size_t i = 0; i < layer; i++)
        before += flops_of(&m->layers[i], backward);
    double until = before + flops_of(&m->layers[layer], backward), total = (double)total_ps;
    int64_t from_ps = before < all ? (int64_t)(total * (before / all)) : total_ps;
    return (until < all ? (int64_t)(total * (until / all)) : total_ps) - from_ps;
}

/* Of a step without its update, the passes take what their FLOPs say; without FLOPs, the backward pass takes all. */
static double pass_s(const struct compute_profile *c, const struct compute_times *t, const struct model *m,
                     bool backward)
{
    double forward = (double)m->flops_forward, all = forward + (double)m->flops_backward;
    double share = all > 0 ? forward / all : 0;

    if (t->step_s > 0)
        return fmax(t->step_s - c->update_s, 0) * (backward ? 1 - share : share);
    return backward ? t->backward_s : t->forward_s;
}

/* The law of the header, of times t1 and t2. */
static double on_line(int64_t n1, double t1, int64_t n2, double t2, int64_t samples)
{
    double line = t1 + (t2 - t1) * ((double)(samples - n1) / (double)(n2 - n1));
    double share = t1 * ((double)samples / (double)n1);

    return samples < n1 && line < share ? share : line;
}

static int64_t measured_ps(const struct compute_profile *c, const struct platform *p, const struct model *m,
                           int64_t samples, enum compute_device device, bool backward)
{
    double faster = device == COMPUTE_ON_GPU ? p->compute_scale : 1;
    const struct compute_times one = profile_first(c), *two = &c->second;
    double s = pass_s(c, &one, m, backward);

    if (!two->samples)
        return seconds_to_ps(s * c->scale * ((double)samples / (double)c->samples) / faster);
    double other = pass_s(c, two, m, backward);
    double law = one.samples < two->samples ? on_line(one.samples, s, two->samples, other, samples)
                                            : on_line(two->samples, other, one.samples, s, samples);
    return seconds_to_ps(law * c->scale / faster);
}

static int64_t scaled_ps(const struct compute_profile *c, int64_t ps)
{
    double scaled = (double)ps * c->scale;

    if (c->scale == 1)
        return ps;
    return scaled < 9e18 ? (int64_t)floor(scaled + 0.5) : INT64_MAX;
}

static int64_t pass_ps(const struct compute_profile *c, const struct platform *p, const struct model *m, size_t layer,
                       int64_t samples, enum compute_device device, bool backward)
{
    const struct layer *l = &m->layers[layer];

    if (c->samples)
        return share_ps(measured_ps(c, p, m, samples, device, backward), m, layer, backward);
    struct work w = backward ? work_backward(l, samples) : work_forward(l, samples);
    return scaled_ps(c, device == COMPUTE_ON_GPU ? cost_layer_ps(p, l, w) : cost_layer_core_ps(p, l, w));
}

int64_t profile_forward_ps(const struct compute_profile *c, const struct platform *p, const struct model *m,
                           size_t layer, int64_t samples, enum compute_device device)
{
    return pass_ps(c, p, m, layer, samples, device, 0);
}

int64_t profile_backward_ps(const struct compute_profile *c, const struct platform *p, const struct model *m,
                            size_t layer, int64_t samples, enum compute_device device)
{
    return pass_ps(c, p, m, layer, samples, device, 1);
}
