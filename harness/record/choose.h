/* choose.h - which run of a scenario to record: the newest that came to its end here. Its points must have the keys
 * that this program gives to the scenario's: so they are of its trainer, and of the scenario as it is now. */
#ifndef NARROWS_HARNESS_RECORD_CHOOSE_H
#define NARROWS_HARNESS_RECORD_CHOOSE_H

#include <stdint.h>

#include "harness/scenario/scenario.h"

struct store;

/* 0 and *run_id; NW_EINPUT after a message that says what to do; or another harness status. */
int record_choose(struct store *s, const struct scenario_file *file, int64_t *run_id);

#endif
