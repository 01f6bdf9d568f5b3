/* child.h - a program of this machine, started without a shell, and what it prints.
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_COMMAND_CLUSTER_CHILD_H
#define NARROWS_HARNESS_COMMAND_CLUSTER_CHILD_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct child {
    pid_t pid;
    FILE *out; /* its standard output */
};

/* Is there such a program in PATH? */
bool child_there(const char *program);

/* argv ends with NULL; 'quiet': what it says of errors is dropped. */
int child_start(const char *const *argv, bool quiet, struct child *c);

/* Read to the end, and wait: its exit code, 128 + the signal that ended it. */
int child_wait(struct child *c);

#endif
