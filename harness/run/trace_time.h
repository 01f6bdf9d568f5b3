/* trace_time.h - how long the trained steps of a run would take on other machines: each trained point is combined with
 * each 'time' entry of its scenario and that entry's simulated points of the same variant (all points, if there are no
 * variants). These are played for each group of steps, with the average bits that the group's steps sent. These replace
 * the keys for a step's bytes, if the simulated scenario gives them; a format of fixed size keeps its size.
 * Label      the entry's, then the values of the simulated scenario's axes: "10 Mbit/s".
 * Done       once: a timing is stored under a hash of both points and the entry.
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
 * scenario has them; points that it lists with other content are not played. */
int trace_time_recorded(const struct experiment *x, const struct scenario_file *trained, int64_t recorded);

/* 'run_id': the run whose points were trained. Does nothing for a scenario without 'time'. */
int trace_time(const struct experiment *x, const struct scenario_file *trained, int64_t run_id);

#endif
