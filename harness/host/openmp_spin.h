/* openmp_spin.h - limit how long a waiting OpenMP thread spins. At a barrier GNU's OpenMP spins for about 20 ms
 * before it gives up its core. That is right where every thread has a core; where anything else runs, the threads
 * that are waited for wait for the core, and training on two threads takes eight times as long. A fraction of a
 * millisecond is longer than the operations of a layer wait for each other, and costs little where it is in vain. */
#ifndef NARROWS_HARNESS_HOST_OPENMP_SPIN_H
#define NARROWS_HARNESS_HOST_OPENMP_SPIN_H

/* OpenMP reads its environment before main() runs. So, unless OMP_WAIT_POLICY or GOMP_SPINCOUNT is set, this sets
 * GOMP_SPINCOUNT and starts the program again with these arguments. It returns if there is nothing to do, or if that
 * fails. */
void openmp_limit_spinning(char **argv);

#endif
