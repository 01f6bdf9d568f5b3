/* memory.h - a fit is made once per database, and found again by a key: a hash of everything that it depends on.
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_RUN_FIT_MEMORY_H
#define NARROWS_HARNESS_RUN_FIT_MEMORY_H

#include "harness/run/fit/fit.h"
#include "harness/run/point/key.h"

/* The key covers all points of the scenario, its rows, their published values, and the simulator. */
int fit_key(const struct scenario_file *f, struct store *store, char key[POINT_KEY_LENGTH + 1]);

/* The key of the same fit without a row: fit_without(). */
void fit_key_without(const char *key, size_t left, double elsewhere, char out[POINT_KEY_LENGTH + 1]);

/* 1 and the stored result of fit_scenario(); 0 if there is none; or negative. */
int fit_recall(const struct scenario_file *f, struct store *store, const char *key, struct fit_result out[]);
int fit_remember(const struct scenario_file *f, struct store *store, const char *key,
                 const struct fit_result results[]);

#endif
