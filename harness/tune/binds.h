/* binds.h - what a layout's step is made of, by its closed form, and which faster neighbour does not fit.
 * Parts      computing (with what a GPU waits for the host, encodes, and updates), the tensor and context groups (what
 *            passes wait for), the data group (what gathers and reductions add to that), the pipeline's bubble.
 * Neighbour  the same layout with another value of one axis that leaves the ranks where they are. */
#ifndef NARROWS_HARNESS_TUNE_BINDS_H
#define NARROWS_HARNESS_TUNE_BINDS_H

#include "harness/tune/replay.h"

/* Fills in row->closed and row->binds of a row that has its layout. Harness status. */
int tuned_binds(const struct layouts *s, struct survey *survey, struct tuned_row *row);

#endif
