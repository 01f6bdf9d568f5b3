#include "harness/run/codec/rate.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/count.h"
#include "harness/host/identity.h"
#include "harness/measure/measure.h"
#include "harness/status.h"
#include "sim/method/method_codecs.h"

enum { WEIGHTS = 129574592 }; /* VGG-A with 200 classes: the size that the paper packs */

/* A mixture of formats is timed as the next whole number of bytes: no faster than it would be. */
static int kept(const struct point *p)
{
    const struct host_sgd *method = &p->scenario.method.host_sgd;
    int keep = (int)ceil(method->bytes_per_weight);

    return keep < 1 ? 1 : keep > 4 ? 4 : keep;
}

static bool packs(const struct point *p)
{
    return p->scenario.method.kind == METHOD_HOST_SGD && p->scenario.method.host_sgd.codec != WEIGHT_CODEC_NONE;
}

static int prepare_pack(struct codec_rates *rates, struct store *store, int64_t run_id, const struct point *p)
{
    int keep = kept(p), threads = (int)sysconf(_SC_NPROCESSORS_ONLN), rc;
    char variant[64], impl[64] = "";
    const char *timed;

    if (p->scenario.platform.cpu.codec != CODEC_RATE_MEASURED || !packs(p) || rates->Bps[keep] > 0)
        return NW_OK;
    snprintf(variant, sizeof(variant), "keep=%d threads=%d", keep, threads);
    rc = store_measured_rate(store, identity_machine(), "adt_pack", variant, &rates->Bps[keep], impl, sizeof(impl));
    if (rc < 0)
        return rc;
    if (rc > 0) {
        fprintf(stderr, "Bitpack to %d byte(s): %.1f GB/s, measured here before (%s)\n", keep, rates->Bps[keep] / 1e9,
                impl);
        return NW_OK;
    }
    fprintf(stderr, "timing Bitpack to %d byte(s) on this host ...\n", keep);
    rc = measure_pack(keep, WEIGHTS, threads, &rates->Bps[keep], &timed);
    if (rc)
        return rc;
    fprintf(stderr, "Bitpack to %d byte(s): %.1f GB/s of bytes that must move, measured now (%s)\n", keep,
            rates->Bps[keep] / 1e9, timed);
    struct calibration_fact fact = {
        .platform = p->scenario.platform.name,
        .constant = "platform.cpu.codec",
        .value = rates->Bps[keep],
        .unit = "B/s",
        .scenario = timed,
        .cell = { "", "", variant, "", "adt_pack" },
        .observed = rates->Bps[keep],
        .reached = rates->Bps[keep],
        .measured_on = identity_machine(),
    };
    return store_calibration(store, run_id, &fact);
}

/* The curve of the same codec and setting, or NULL. */
static struct codec_curve *find(struct codec_rates *rates, const struct codec_curve *like)
{
    for (size_t i = 0; i < rates->ncurves; i++)
        if (rates->curves[i].codec == like->codec && !strcmp(rates->curves[i].setting.option, like->setting.option))
            return &rates->curves[i];
    return NULL;
}

static int prepare_codec(struct codec_rates *rates, struct store *store, int64_t run_id, const char *platform,
                         const struct codec_spec *spec)
{
    const char *impl = getenv("NARROWS_IMPL");
    struct codec_curve curve;
    int rc;

    if (!codec_curve_of(spec, &curve) || find(rates, &curve))
        return NW_OK;
    if (rates->ncurves == CODEC_RATE_CURVES)
        return status_error(NW_ESIM, "method: timing: expected at most %d settings of codecs to measure, got more\n",
                            CODEC_RATE_CURVES);
    rc = codec_curve_obtain(&curve, store, run_id, platform, impl && *impl ? impl : NULL);
    if (!rc)
        rates->curves[rates->ncurves++] = curve;
    return rc;
}

int codec_rate_prepare(struct codec_rates *rates, struct store *store, int64_t run_id, const struct point *p, char *why,
                       size_t nwhy)
{
    struct method method = p->scenario.method;
    struct codec_spec *specs[METHOD_CODECS_MAX];
    const char *keys[METHOD_CODECS_MAX];
    size_t n = method_codecs(&method, specs, keys, METHOD_CODECS_MAX);
    int rc = prepare_pack(rates, store, run_id, p);

    for (size_t i = 0; i < n && !rc; i++) {
        char reason[256];

        if (specs[i]->timing != CODEC_COST_MEASURED)
            continue;
        if (codec_spec_check(specs[i], reason, sizeof(reason))) {
            snprintf(why, nwhy, "method.%s.%s", keys[i], reason);
            return NW_ESIM;
        }
        rc = prepare_codec(rates, store, run_id, p->scenario.platform.name, specs[i]);
    }
    return rc;
}

bool codec_rate_known(const struct codec_rates *rates)
{
    bool known = rates->ncurves > 0;

    for (size_t i = 0; i < COUNT(rates->Bps); i++)
        known |= rates->Bps[i] > 0;
    return known;
}

static void supply_codec(struct codec_rates *rates, struct codec_spec *spec)
{
    struct codec_curve like;

    if (spec->timing != CODEC_COST_MEASURED)
        return;
    spec->timing = CODEC_COST_GIVEN;
    if (!codec_curve_of(spec, &like))
        return; /* nothing is coded */
    struct codec_curve *curve = find(rates, &like);

    assert(curve);
    spec->encode.curve = curve->encode;
    spec->encode.ncurve = curve->nencode;
    spec->decode.curve = curve->decode;
    spec->decode.ncurve = curve->ndecode;
}

static void supply_pack(const struct codec_rates *rates, struct point *p)
{
    struct cpu_spec *cpu = &p->scenario.platform.cpu;

    if (cpu->codec != CODEC_RATE_MEASURED)
        return;
    if (!packs(p)) {
        cpu->codec = CODEC_RATE_MEMORY; /* nothing is packed: no rate is needed */
        return;
    }
    cpu->codec = CODEC_RATE_GIVEN;
    cpu->codec_Bps = rates->Bps[kept(p)];
}

void codec_rate_supply(struct codec_rates *rates, struct point *p)
{
    struct codec_spec *specs[METHOD_CODECS_MAX];
    size_t n = method_codecs(&p->scenario.method, specs, NULL, METHOD_CODECS_MAX);

    supply_pack(rates, p);
    for (size_t i = 0; i < n; i++)
        supply_codec(rates, specs[i]);
}
