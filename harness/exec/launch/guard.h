/* guard.h - a process that outlives this one if that is killed, and then ends what it started: the launcher, the ranks,
 * their folder. */
#ifndef NARROWS_HARNESS_EXEC_LAUNCH_GUARD_H
#define NARROWS_HARNESS_EXEC_LAUNCH_GUARD_H

#include <sys/types.h>

/* 'entry': what the environment of every process of the launch has ("NAME=VALUE"). Returns its number, or -1: there is
 * none, and the launch goes on without. */
pid_t guard_start(pid_t launcher, const char *entry, const char *folder);
void guard_end(pid_t guard);

#endif
