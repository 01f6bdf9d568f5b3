/* openmp_spin.h - how long a thread that waits for others keeps its core. At a barrier GNU's OpenMP goes round for some 20 ms before it lets go,
 * which is right where every thread has a core for itself: beside anything else that runs, those that are waited for wait for the core,
 * and a training on two threads takes eight times as long. A fraction of a millisecond is longer than the operations of a layer keep each
 * other waiting, and costs little where it is in vain. */
#ifndef NARROWS_HARNESS_HOST_OPENMP_SPIN_H
#define NARROWS_HARNESS_HOST_OPENMP_SPIN_H

/* OpenMP reads its environment before main() runs: unless OMP_WAIT_POLICY or GOMP_SPINCOUNT says what is wanted, this starts the program
 * again, with these arguments and with GOMP_SPINCOUNT set. Returns where there is nothing to do, or it cannot be done. */
void waits_be_brief(char **argv);

#endif
