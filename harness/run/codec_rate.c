#include "harness/run/codec_rate.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/bench/bench.h"
#include "harness/host/identity.h"
#include "harness/status.h"

enum { WEIGHTS = 129574592 }; /* VGG-A with 200 classes: the size that the paper packs */

/* A mixture of formats is timed as the next whole number of bytes: no faster than it would be. */
static int kept(const struct point *p)
{
    const struct host_sgd *method = &p->scenario.method;
    int keep = (int)ceil(method->bytes_per_weight);

    return keep < 1 ? 1 : keep > 4 ? 4 : keep;
}

int codec_rate_prepare(struct codec_rates *rates, struct store *store, int64_t run_id, const struct point *p)
{
    int keep = kept(p), threads = (int)sysconf(_SC_NPROCESSORS_ONLN), rc;
    char variant[64], impl[64] = "";
    const char *timed;

    if (p->scenario.platform.cpu.codec != CODEC_RATE_MEASURED || p->scenario.method.codec == WEIGHT_CODEC_NONE ||
        rates->Bps[keep] > 0)
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
    rc = bench_measure_pack(keep, WEIGHTS, threads, &rates->Bps[keep], &timed);
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

void codec_rate_supply(const struct codec_rates *rates, struct point *p)
{
    struct cpu_spec *cpu = &p->scenario.platform.cpu;

    if (cpu->codec != CODEC_RATE_MEASURED)
        return;
    if (p->scenario.method.codec == WEIGHT_CODEC_NONE) {
        cpu->codec = CODEC_RATE_MEMORY; /* nothing is packed: no rate is needed */
        return;
    }
    cpu->codec = CODEC_RATE_GIVEN;
    cpu->codec_Bps = rates->Bps[kept(p)];
}
