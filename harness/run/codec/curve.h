/* curve.h - how fast a codec runs on this host, at several sizes: the meaning of 'timing: measured'.
 * Setting    A codec_spec's density, bits, bytes or steps are timed at the nearest of a few settings: see
 *            harness/measure/codec_setting.h. 'bytes' is rounded up to whole ones, 'steps' to at most
 *            CODEC_CURVE_STEPS. A codec without a formula is timed with its own parameters.
 * Rates      fp32 bytes a second (4 a value, in both directions), of one thread; header and checksum of the stream
 *            are part of the work, finding an exact threshold is not.
 * Source     the newest bench of the group "codec" in the database that timed this setting on this machine, on one
 *            thread and at three sizes or more (not for "local", whose steps differ); else the curve recorded by the
 *            newest run that timed it; else it is timed now, at sizes from 4 KiB to 16 MiB, and recorded under the run.
 *            So a resumed sweep uses the curve that it began with. Of a plug-in only timings of the same file count.
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_RUN_CODEC_CURVE_H
#define NARROWS_HARNESS_RUN_CODEC_CURVE_H

#include <stdbool.h>

#include "harness/measure/codec_setting.h"
#include "harness/store/store.h"
#include "sim/codec/codec_spec.h"

enum { CODEC_CURVE_SIZES = 16, CODEC_CURVE_STEPS = 8 };

struct codec_curve {
    const struct codec *codec;
    struct codec_setting setting;
    struct rate_point encode[CODEC_CURVE_SIZES], decode[CODEC_CURVE_SIZES];
    size_t nencode, ndecode;
};

/* The codec and the setting that are timed for the spec; two specs with the same have the same curve. False for formats
 * that cannot be timed: none, and a user's own codec. */
bool codec_curve_of(const struct codec_spec *spec, struct codec_curve *curve);

/* Find or time the curve of curve->codec and ->setting, with the best implementation here or the one called 'impl'
 * (NULL: any). 'platform': the platform that it is recorded for. */
int codec_curve_obtain(struct codec_curve *curve, struct store *store, int64_t run_id, const char *platform,
                       const char *impl);

#endif
