/* side.h - one of two programs that take turns: a process that takes steps on request and reports how long they
 * took.
 * Talk       over a socket, which is the standard input and output of a program. It begins with "ready PARAMETERS
 *            PROGRAM\n". To "N\n" it takes N steps and answers with their nanoseconds in decimal digits. "failed
 *            WHY\n" ends it, in place of either.
 * Processors both sides are bound to the same 'threads' of them: first one hardware thread of each core, then the
 * second
 *            ones. How long their threads wait for each other is set in an environment that both have
 *            (harness/host/openmp_spin.h).
 * Signals    a side ignores SIGINT, so that its caller can finish. It ends when the talk does.
 * Ownership  side_close() ends and awaits the process.
 * Errors     NW_EIO, or what the side reported, with the reason in s->why. */
#ifndef NARROWS_HARNESS_BENCH_TRAIN_SIDE_H
#define NARROWS_HARNESS_BENCH_TRAIN_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct side {
    pid_t pid; /* 0: none */
    int talk;
    FILE *answers;
    int64_t parameters; /* that it trains */
    char program[64];
    char why[256];
};

/* What a side of this program does. open() is called in its process; both answer 0, or another number with a reason
 * in why[]. */
struct side_work {
    int (*open)(void *context, int64_t *parameters, char *why, size_t nwhy);
    int (*steps)(void *context, int64_t n, char *why, size_t nwhy);
    void *context;
    int threads;
};

int side_fork(const struct side_work *work, struct side *out);
/* Another program, found as a shell would find it; quiet: what it says to stderr is dropped. */
int side_execute(const char *const argv[], int threads, bool quiet, struct side *out);
int side_steps(struct side *s, int64_t n, int64_t *ns);
void side_close(struct side *s); /* accepts an all-zero one */

#endif
