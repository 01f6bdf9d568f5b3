/* codec_rate.h - platform.cpu.codec = measured: this host's own Bitpack rate in place of a modelled one. */
#ifndef NARROWS_HARNESS_CODEC_RATE_H
#define NARROWS_HARNESS_CODEC_RATE_H

#include "harness/scenario/scenario.h"
#include "harness/store/store.h"

/* The rate for each number of bytes kept, 1..4; 0 until asked for. */
struct codec_rates {
    double Bps[5];
};

/* Make sure that rates->Bps has what this point needs: from the newest bench in the database, or what an
 * earlier run timed, else timed now (about a second, said on stderr) and recorded under the run: so a resumed sweep uses
 * the rate that it began with. Does nothing for a point that does not say 'measured'. */
int codec_rate_prepare(struct codec_rates *rates, struct store *store, int64_t run_id, const struct point *p);

/* Put the rate into the point as a given one. */
void codec_rate_supply(const struct codec_rates *rates, struct point *p);

#endif
