/* pin.h - OpenMP threads fixed to processors while something is timed, and set free afterwards.
 * Thread i gets the i-th core (cores first, then their second hardware threads) of those this process may use. Where
 * the system refuses, threads stay free: that costs steadiness, not correctness. */
#ifndef NARROWS_HARNESS_MEASURE_PIN_H
#define NARROWS_HARNESS_MEASURE_PIN_H

struct pinning;

/* From here on OpenMP uses 'threads' threads. NULL if the topology cannot be read; pin_end() accepts it. */
struct pinning *pin_begin(int threads);
/* As before pin_begin(): the caller's processors, and the number of OpenMP threads. */
void pin_end(struct pinning *p);

/* From here on this process, and what it starts, stays on that many processors, chosen the same way; other programs'
 * threads, too, are then as many as they should be. */
void pin_process(int threads);

int pin_all_threads(void); /* processors online */

#endif
