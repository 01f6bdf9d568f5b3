/* process.h - processes that labs know by number and start time, or by the mark in their environment. */
#ifndef NARROWS_HARNESS_LAB_PROCESS_H
#define NARROWS_HARNESS_LAB_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct lab_process {
    int pid;
    unsigned long long start; /* clock ticks after the machine started */
};

struct lab_process process_of(int pid); /* start 0: there is none */
bool process_alive(struct lab_process p);

/* Kill every process whose environment has this entry ("NAME=VALUE"), or whose network namespace is one of these
 * (inodes), except this one, and wait until they are gone, 2 s at most. Returns how many are left. */
int process_kill_marked(const char *entry, const ino_t *spaces, size_t nspaces);

/* Kill one, and wait until it is gone. */
void process_kill(struct lab_process p);

#endif
