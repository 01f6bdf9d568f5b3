/* rate.h - the rates that a scenario wants measured: with platform.cpu.codec = measured, this host's Bitpack rate
 * instead of a modelled one; for a method's codecs with timing 'measured', a curve each (curve.h). */
#ifndef NARROWS_HARNESS_RUN_CODEC_RATE_H
#define NARROWS_HARNESS_RUN_CODEC_RATE_H

#include <stdbool.h>

#include "harness/run/codec/curve.h"
#include "harness/scenario/scenario.h"
#include "harness/store/store.h"

/* More than there are settings of all codecs of the build; those of plug-ins are as many as a sweep has. */
enum { CODEC_RATE_CURVES = 160 };

/* Initially all zero. Points supplied from it refer to its curves. */
struct codec_rates {
    double Bps[5]; /* Bitpack's, by bytes per weight, 1..4; 0 until needed */
    struct codec_curve curves[CODEC_RATE_CURVES];
    size_t ncurves;
};

/* Make sure that *rates has what this point needs: from the newest bench in the database, else from an earlier run that
 * timed it, else timed now (about a second, reported on stderr) and recorded under the run. So a resumed sweep uses the
 * rates that it began with. NARROWS_IMPL in the environment names the codecs' implementation. Does nothing for a point
 * without 'measured'. NW_ESIM with "KEY: reason" in why[] for a codec that cannot be measured here. */
int codec_rate_prepare(struct codec_rates *rates, struct store *store, int64_t run_id, const struct point *p, char *why,
                       size_t nwhy);

/* Was any rate prepared? */
bool codec_rate_known(const struct codec_rates *rates);

/* Put the rates into the point as given ones. *rates must outlive the point. */
void codec_rate_supply(struct codec_rates *rates, struct point *p);

#endif
