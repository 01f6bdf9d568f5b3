/* report.h - readings that every method reports, and the reasons of errors. */
#ifndef NARROWS_SIM_METHOD_REPORT_H
#define NARROWS_SIM_METHOD_REPORT_H

#include <stdint.h>

#include "sim/engine/engine.h"
#include "sim/readings.h"

/* step_ms, samples_per_s, sample_us and critical.KIND of a played window that holds 'steps' steps of 'samples' samples
 * each, over all workers. Kinds that no time was attributed to are left out. E_NOMEM. */
int report_readings(struct readings *r, const struct engine *e, int64_t from_ps, int64_t to_ps, double steps,
                    double samples);

/* critical.KIND, unless no time was attributed to the kind. */
void report_critical(struct readings *r, const char *kind, int64_t ps, double window_ps);

/* The same for a method that plays no engine: step_ms, samples_per_s, sample_us. */
void report_rates(struct readings *r, double step_ps, double samples);

/* Put "PREFIX." before a reason that begins with a key, as codec_spec_check() gives it, unless the key is one of the
 * platform; returns rc. */
int reason_prefix(int rc, const char *prefix, char *why, size_t nwhy);

/* The text for a status that has no reason: out of memory, range, cycle. */
const char *reason_words(int rc);

#endif
