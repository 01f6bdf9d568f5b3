/* sim.h - how fast the simulator itself is: rings as flows and by symmetry, random flows one after another and all
 * at once, iterations, points, answers, memory plans; how its cost grows; and the same on SimGrid where that was
 * built. Each repetition is a process of its own, so that its peak memory is its own. Where there is a peer the two
 * take turns. Answers are checked against a closed form, against each other, or against the peer.
 * Units      nanoseconds of processor-bound wall time, bytes, seconds of simulated time.
 * Errors     harness status; the message has been printed. NW_ESIM if an answer is wrong. */
#ifndef NARROWS_HARNESS_BENCH_SIM_SIM_H
#define NARROWS_HARNESS_BENCH_SIM_SIM_H

#include "harness/bench/cases.h"

/* Is there such a case? If not, *list has the names of all, parted by blanks. */
bool sim_bench_has(const char *name, char *list, size_t nlist);

/* What takes over three seconds gets one repetition, the peer's over one second as well. Cases are "ring", "ring:1000":
 * with its size also what takes minutes. */
int sim_bench_run(const struct case_options *o);

#endif
