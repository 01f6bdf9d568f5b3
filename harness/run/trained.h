/* trained.h - what training a point came to, beside what simulating it did. */
#ifndef NARROWS_HARNESS_RUN_TRAINED_H
#define NARROWS_HARNESS_RUN_TRAINED_H

#include "harness/run/measures.h"

/* Train the point on so many threads, and add what came out to the measures; of a name that a simulation gave already
 * (push_bytes, bytes_per_weight) the trained value takes the place, as it is no assumption. Harness status; NW_ESIM with the
 * reason in why[]; NW_EINTR after a signal that asked to stop. */
int trained_measure(const struct scenario *sc, int threads, struct measures *out, char *why, size_t nwhy);

#endif
