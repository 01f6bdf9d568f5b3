/* place.h - where the ranks of a point are: on which machine of the platform each is, and the links between them as a
 * lab shapes them. Points at one place share a start of MPI.
 * Errors     a nw_status; what cannot be executed, or shaped, is refused with its line of the scenario. */
#ifndef NARROWS_HARNESS_EXEC_PLACE_H
#define NARROWS_HARNESS_EXEC_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/scenario/scenario.h"

enum { PLACE_RANKS = 256 };

struct place {
    int ranks;
    int machine_of_rank[PLACE_RANKS];
    char network[256]; /* "8 machines, eth 100 Mbit/s, burst 25600 B, queue 1000000 B"; "" outside of a lab */
};

int place_of(const struct scenario_file *file, size_t point, bool in_lab, bool native, struct place *out);

/* Have both the same links, and the smaller one its ranks where the other has its first ones? */
bool place_fits(const struct place *a, const struct place *b);

#endif
