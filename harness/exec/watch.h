/* watch.h - a rank that waits where it cannot look at the clock, in a call of the MPI library, ends all the same: when
 * it has begun nothing for the limit and a few seconds more, it prints so and ends its process, and with it the
 * world. */
#ifndef NARROWS_HARNESS_EXEC_WATCH_H
#define NARROWS_HARNESS_EXEC_WATCH_H

enum { WATCH_MORE_S = 5 };

/* limit_s 0: none. One watch in a process. */
void watch_begin(int rank, double limit_s);
void watch_lives(void); /* a repetition begins; the launch hears of it, too */
void watch_pause(void); /* there is nothing to wait for but rank 0's work */
void watch_end(void);

#endif
