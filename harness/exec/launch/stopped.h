/* stopped.h - a rank that hangs because it was stopped (SIGSTOP, a debugger): the kernel knows, nobody else does. */
#ifndef NARROWS_HARNESS_EXEC_LAUNCH_STOPPED_H
#define NARROWS_HARNESS_EXEC_LAUNCH_STOPPED_H

#include <stddef.h>

/* Of the processes whose environment has this entry, one that is stopped: its rank, and 'why' says so. -1: none. */
int stopped_rank(const char *entry, char *why, size_t size);

#endif
