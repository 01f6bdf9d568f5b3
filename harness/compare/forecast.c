#include "harness/compare/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/point/measures.h"
#include "harness/scenario/scenario.h"
#include "harness/status.h"
#include "kernels/codec/stream.h"
#include "sim/method/method_codecs.h"

static const double MOST_RATIO = 1e6; /* that a scenario takes */

/* The gradients' codec in a method; NULL: it has none. */
static struct codec_spec *edge_of(struct method *m, const char **key)
{
    if (m->kind == METHOD_ALLREDUCE) {
        *key = "method.gradients";
        return &m->allreduce.gradients;
    }
    if (m->kind == METHOD_PARAMETER_SERVER) {
        *key = "method.push";
        return &m->parameter_server.push;
    }
    return NULL;
}

static double ratio_of(const struct outcome *o)
{
    return o->payload_bytes > 0 ? fmin(4 * (double)o->values / o->payload_bytes, MOST_RATIO) : MOST_RATIO;
}

static enum codec_class_of aggregation_of(const struct codec *c)
{
    switch (c->class) {
    case CODEC_REDUCIBLE:
    case CODEC_REDUCIBLE_TWICE: return AGGREGATE_REDUCE;
    case CODEC_SCATTERED: return AGGREGATE_SCATTER;
    case CODEC_GATHERED: break;
    }
    return AGGREGATE_GATHER;
}

static const char *aggregation_word(const struct codec *c)
{
    static const char *const words[] = { "reduce", "gather", "scatter" };

    return words[aggregation_of(c)];
}

/* What the scenario says of tensors and layers that are not coded stays. */
static struct codec_spec spec_of(const struct codec_spec *base, const struct codec *codec, const struct outcome *o,
                                 const struct forecast *f)
{
    struct codec_spec s = *base;

    s.format = WIRE_RATIO;
    s.ratio = ratio_of(o);
    s.header = STREAM_HEADER;
    s.aggregation = aggregation_of(codec);
    s.place = CODEC_ON_CPU;
    s.threads = 1;
    s.timing = CODEC_COST_GIVEN;
    s.scale = 1;
    s.encode = (struct codec_cost){ .rate_Bps = f->encode.rate_Bps, .latency_s = f->encode.latency_s };
    s.decode = (struct codec_cost){ .rate_Bps = f->decode.rate_Bps, .latency_s = f->decode.latency_s };
    s.select_rate_Bps = 0;
    s.life = 1;
    return s;
}

/* A call's, on the average of the steps. */
static int find_costs(const struct comparison *c, size_t contender, struct forecast *f)
{
    size_t n = c->steps->ntensors, used = 0;
    double *bytes = calloc(3 * n + 1, sizeof(*bytes)), *there, *back;

    if (!bytes)
        return NW_ENOMEM;
    there = bytes + n;
    back = there + n;
    for (size_t i = 0; i < n; i++) {
        const struct outcome *o = comparison_tensor(c, contender, i);
        double steps = (double)c->steps->n;

        if (!o->values)
            continue;
        bytes[used] = 4 * (double)o->values / steps;
        there[used] = o->encode_s / steps;
        back[used++] = o->decode_s / steps;
    }
    f->encode = call_cost_of(bytes, there, used);
    f->decode = call_cost_of(bytes, back, used);
    free(bytes);
    return NW_OK;
}

/* The step's time with this codec, NaN with the reason in why[] if the simulator refuses it. */
static int play(const struct point *p, const struct codec_spec *spec, bool flows, double *step_ms, char *why)
{
    struct scenario sc = p->scenario;
    struct measures *m = calloc(1, sizeof(*m));
    const char *key;
    int rc;

    *step_ms = NAN;
    if (!m)
        return NW_ENOMEM;
    *edge_of(&sc.method, &key) = *spec;
    if (flows)
        sc.method.allreduce.level = COLLECTIVE_FLOWS;
    rc = measures_of(&sc, m, why, FORECAST_WHY);
    if (!rc)
        *step_ms = measure_value(m, "step_ms");
    free(m);
    return rc == NW_ESIM ? NW_OK : rc;
}

static bool has_levels(const struct point *p)
{
    return p->scenario.method.kind == METHOD_ALLREDUCE && p->scenario.method.allreduce.level != COLLECTIVE_FLOWS;
}

static int forecast_one(const struct point *p, const struct codec_spec *base, const struct comparison *c, size_t i,
                        struct forecast *out)
{
    int rc = find_costs(c, i, out);
    struct codec_spec spec = spec_of(base, c->contenders->list[i].codec, &c->whole[i], out);
    struct codec_spec free = spec;

    free.place = CODEC_ON_GPU;
    free.encode = free.decode = (struct codec_cost){ 0 };
    if (rc)
        return rc;
    do { /* both at one level */
        out->flows = *out->why;
        *out->why = '\0';
        rc = play(p, &spec, out->flows, &out->step_ms, out->why);
        if (!rc && !*out->why)
            rc = play(p, &free, out->flows, &out->free_step_ms, out->why);
    } while (!rc && *out->why && !out->flows && has_levels(p));
    return rc;
}

static int refuse(const struct scenario_file *f, const struct point *p, const char *why)
{
    scenario_refuse(f, p, why, stderr);
    return NW_EINPUT;
}

/* Gradients that nothing codes. */
static int play_fp32(const struct scenario_file *f, const struct point *p, const struct codec_spec *base,
                     struct forecasts *out)
{
    struct codec_spec none = *base;
    char why[FORECAST_WHY] = "";
    int rc;

    none.format = WIRE_NONE;
    none.timing = CODEC_COST_GIVEN;
    rc = play(p, &none, false, &out->fp32_step_ms, why);
    if (rc || !isnan(out->fp32_step_ms))
        return rc;
    scenario_refuse(f, p, why, stderr);
    return NW_ESIM;
}

int forecasts_check(const struct scenario_file *f, const struct point *p)
{
    struct method method = p->scenario.method;
    const char *edge;

    if (!p->scenario.simulated)
        return refuse(f, p, "training: expected a method, whose step can be simulated, got training alone");
    if (!edge_of(&method, &edge))
        return refuse(f, p,
                      "method.kind: expected allreduce or parameter-server, where gradients go through one codec");
    return NW_OK;
}

int forecasts_make(const struct scenario_file *f, const struct point *p, const struct comparison *c,
                   struct forecasts *out)
{
    struct method method = p->scenario.method;
    int rc = forecasts_check(f, p);
    struct codec_spec *base;

    *out = (struct forecasts){ .name = scenario_name(f) };
    if (rc)
        return rc;
    base = edge_of(&method, &out->edge);
    out->list = calloc(c->contenders->n + 1, sizeof(*out->list));
    rc = out->list ? play_fp32(f, p, base, out) : NW_ENOMEM;
    for (size_t i = 0; i < c->contenders->n && !rc; i++)
        rc = forecast_one(p, base, c, i, &out->list[i]);
    return rc;
}

void forecasts_free(struct forecasts *f)
{
    free(f->list);
    *f = (struct forecasts){ 0 };
}

size_t forecast_sets(const struct comparison *c, const struct forecasts *f, size_t contender,
                     char sets[FORECAST_SETS][FORECAST_SET])
{
    const struct outcome *o = &c->whole[contender];
    const struct forecast *one = &f->list[contender];
    const char *edge = f->edge;

    snprintf(sets[0], FORECAST_SET, "%s.format=ratio", edge);
    snprintf(sets[1], FORECAST_SET, "%s.ratio=%.17g", edge, ratio_of(o));
    snprintf(sets[2], FORECAST_SET, "%s.header=%d B", edge, STREAM_HEADER);
    snprintf(sets[3], FORECAST_SET, "%s.aggregation=%s", edge, aggregation_word(c->contenders->list[contender].codec));
    snprintf(sets[4], FORECAST_SET, "%s.place=cpu", edge);
    snprintf(sets[5], FORECAST_SET, "%s.threads=1", edge);
    snprintf(sets[6], FORECAST_SET, "%s.encode.rate=%.17g B/s", edge, one->encode.rate_Bps);
    snprintf(sets[7], FORECAST_SET, "%s.encode.latency=%.17g s", edge, one->encode.latency_s);
    snprintf(sets[8], FORECAST_SET, "%s.decode.rate=%.17g B/s", edge, one->decode.rate_Bps);
    snprintf(sets[9], FORECAST_SET, "%s.decode.latency=%.17g s", edge, one->decode.latency_s);
    if (one->flows)
        snprintf(sets[10], FORECAST_SET, "method.level=flows");
    return one->flows ? 11 : 10;
}
