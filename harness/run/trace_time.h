/* trace_time.h - how long the trained steps of a run would take on other machines: each trained point, for each
 * 'time' entry of its scenario, played as the simulated points of the same variant (of all, where there are no
 * variants), group of steps by group, with the bits that the group's steps sent on average. What sets a step's bytes
 * in the simulated scenario is replaced where it is given there; a format whose size is fixed keeps it.
 * Label      the entry's, then what the simulated scenario's axes say: "10 Mbit/s".
 * Done       once: a timing is kept under a hash of both points and of the entry.
 * Errors     harness status; the message has been printed. NW_EINTR if a signal asked to stop: what is done is
 *            stored. */
#ifndef NARROWS_HARNESS_RUN_TRACE_TIME_H
#define NARROWS_HARNESS_RUN_TRACE_TIME_H

#include <stdint.h>
#include <stdio.h>

#include "harness/run/experiment.h"

/* The scenario that an entry names, opened; what is wrong with it goes to 'err'. */
int trace_time_open(const struct trained_time *entry, FILE *err, struct scenario_file **out);

/* The same of a run that came with a record, with this program's simulator: 'recorded' lists its points as the
 * scenario has them; of those that it lists otherwise nothing is played. */
int trace_time_recorded(const struct experiment *x, const struct scenario_file *trained, int64_t recorded);

/* 'run_id': the run whose points were trained. Does nothing for a scenario without 'time'. */
int trace_time(const struct experiment *x, const struct scenario_file *trained, int64_t run_id);

#endif
