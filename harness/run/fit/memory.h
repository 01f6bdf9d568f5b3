/* memory.h - a fit is made once for each database: it is found again by the key of everything it depends on.
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_RUN_FIT_MEMORY_H
#define NARROWS_HARNESS_RUN_FIT_MEMORY_H

#include "harness/run/fit/fit.h"
#include "harness/run/point/key.h"

/* Of every point of the scenario, its rows, their published values, and the simulator. */
int fit_key(const struct scenario_file *f, struct store *store, char key[POINT_KEY_LENGTH + 1]);

/* What fit_scenario() would say, if it was remembered: 1, else 0, or negative. */
int fit_recall(const struct scenario_file *f, struct store *store, const char *key, struct fit_result out[]);
int fit_remember(const struct scenario_file *f, struct store *store, const char *key,
                 const struct fit_result results[]);

#endif
