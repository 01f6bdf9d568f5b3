#include "sim/method/profile.h"

#include <math.h>
#include <stdbool.h>

#include "model/numbers.h"
#include "model/refuse.h"
#include "model/status.h"
#include "sim/cost.h"
#include "sim/figures.h"
#include "sim/method/profile_layers.h"
#include "sim/method/report.h"

static struct compute_times first_of(const struct compute_profile *c)
{
    struct compute_times t = { c->forward_s, c->backward_s, c->step_s, c->samples };

    if (c->nlayers && t.forward_s == 0)
        t.forward_s = profile_layers_s(c, 0);
    if (c->nlayers && t.backward_s == 0)
        t.backward_s = profile_layers_s(c, 1);
    return t;
}

/* What the roofline divides by; launches may take no time. */
static int check_roofline(const struct platform *p, enum compute_device device, char *why, size_t nwhy)
{
    const struct figure of_gpu[] = {
        { "platform.gpu.count", (double)p->gpu.count },
        { "platform.gpu.peak", p->gpu.peak_flops },
        { "platform.gpu.memory_bandwidth", p->gpu.memory_Bps },
        { "platform.gpu.efficiency.convolution", p->gpu.efficiency_convolution },
        { "platform.gpu.efficiency.fully_connected", p->gpu.efficiency_fully_connected },
    };
    const struct figure of_cpu[] = {
        { "platform.cpu.peak", p->cpu.peak_flops },
        { "platform.cpu.memory_bandwidth", p->cpu.memory_Bps },
        { "platform.cpu.efficiency", p->cpu.efficiency },
        { "platform.cpu.sockets", (double)p->cpu.sockets },
        { "platform.cpu.cores_per_socket", (double)p->cpu.cores_per_socket },
    };
    const struct figure *figures = device == COMPUTE_ON_GPU ? of_gpu : of_cpu;
    _Static_assert(sizeof(of_gpu) == sizeof(of_cpu), "one loop over either");

    for (size_t i = 0; i < COUNT(of_gpu); i++)
        if (!(figures[i].value > 0) || !isfinite(figures[i].value))
            return refuse(
                why, nwhy,
                "%s: the roofline needs a number above 0, got %g%s: give it, or measured times as method.profile",
                figures[i].key, figures[i].value, uncalibrated(figures[i].value));
    if (device == COMPUTE_ON_GPU && !(p->gpu.launch_latency_s >= 0))
        return refuse(why, nwhy, "platform.gpu.launch_latency: expected 0 or more, got %g", p->gpu.launch_latency_s);
    return E_OK;
}

static int check_times(const char *path, const struct compute_times *t, char *why, size_t nwhy)
{
    const struct figure times[] = {
        { "forward", t->forward_s },
        { "backward", t->backward_s },
        { "step", t->step_s },
    };

    if (t->samples < 0)
        return refuse(why, nwhy, "%s.samples: expected 1 or more, got %lld", path, (long long)t->samples);
    for (size_t i = 0; i < COUNT(times); i++) {
        if (!(times[i].value >= 0) || !isfinite(times[i].value))
            return refuse(why, nwhy, "%s.%s: expected a time, got %g s", path, times[i].key, times[i].value);
        if (times[i].value > 0 && !t->samples)
            return refuse(why, nwhy, "%s.samples: times of how many samples? expected 1 or more, got 0", path);
    }
    if (t->step_s > 0 && (t->forward_s > 0 || t->backward_s > 0))
        return refuse(why, nwhy, "%s.step: expected the time of a step or of its passes, got both", path);
    return E_OK;
}

/* A line needs two points, and more samples take no less time. */
static int check_law(const struct compute_times *one, const struct compute_times *two, char *why, size_t nwhy)
{
    const struct compute_times *less = one->samples < two->samples ? one : two, *more = less == one ? two : one;
    const struct {
        const char *key;
        double less_s, more_s;
    } times[] = {
        { "forward", less->forward_s, more->forward_s },
        { "backward", less->backward_s, more->backward_s },
        { "step", less->step_s, more->step_s },
    };

    if (one->samples == two->samples)
        return refuse(why, nwhy, "profile.second.samples: expected another batch than the %lld samples of the first",
                      (long long)one->samples);
    if ((one->step_s > 0) != (two->step_s > 0))
        return refuse(why, nwhy, "profile.second.step: expected the time of a step of both batches, or of neither");
    for (size_t i = 0; i < COUNT(times); i++)
        if (times[i].more_s < times[i].less_s)
            return refuse(
                why, nwhy, "profile.second.%s: expected no less time for %lld samples than for %lld, got %g s and %g s",
                times[i].key, (long long)more->samples, (long long)less->samples, times[i].more_s, times[i].less_s);
    return E_OK;
}

int profile_check(const struct compute_profile *c, const struct platform *p, const struct model *m,
                  enum compute_device device, char *why, size_t nwhy)
{
    if (!(c->scale > 0) || !isfinite(c->scale))
        return refuse(why, nwhy, "profile.scale: expected a positive number, got %g", c->scale);
    if (c->samples < 0)
        return refuse(why, nwhy, "profile.samples: expected 1 or more, or 0 for the roofline, got %lld",
                      (long long)c->samples);
    if (device == COMPUTE_ON_GPU && (!(p->compute_scale > 0) || !isfinite(p->compute_scale)))
        return refuse(why, nwhy, "platform.compute_scale: expected a positive number, got %g", p->compute_scale);
    if (!c->samples && (c->forward_s > 0 || c->backward_s > 0 || c->step_s > 0 || c->second.samples || c->nlayers))
        return refuse(why, nwhy, "profile.samples: times of how many samples? expected 1 or more, got 0");
    if (!c->samples)
        return check_roofline(p, device, why, nwhy);
    const struct compute_times one = first_of(c), *two = &c->second;
    int rc = profile_layers_check(c, m, why, nwhy);
    rc = rc ? rc : check_times("profile", &one, why, nwhy);
    rc = rc ? rc : check_times("profile.second", two, why, nwhy);
    return rc || !two->samples ? rc : check_law(&one, two, why, nwhy);
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
    const struct compute_times one = first_of(c), *two = &c->second;
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
        return profile_share_ps(c, measured_ps(c, p, m, samples, device, backward), m, layer, backward);
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
