/* space.h - the network namespaces of a lab, as ip netns names them, and what a thread does in them.
 * Errors     nw_status, the message printed. */
#ifndef NARROWS_HARNESS_LAB_SPACE_SPACE_H
#define NARROWS_HARNESS_LAB_SPACE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { SPACE_SWITCH = -1, SPACE_NAME_MAX = 64 };

/* nwlab-NAME-3, nwlab-NAME-switch */
void space_name(const char *lab, int machine, char *name, size_t size);

/* Descriptor of a namespace below 'root', "" or that of another process ("/proc/PID/root"), or NW_EIO. */
int space_open(const char *root, const char *lab, int machine);

/* Descriptor of the calling thread's, to come back to. */
int space_own(void);

/* The calling thread's network is this one from now on. */
int space_set(int fd);

/* Write a file of /proc/sys as the thread's network namespace has it. Whether it took it; prints nothing. */
bool space_sysctl(const char *path, const char *value);

/* Do this work in the network of a machine or the switch of a lab that is this process's own, and come back. */
int space_inside(const char *lab, int machine, int (*work)(void *argument), void *argument);

/* The inodes of those of a lab that are named below 'root', at most 'max'. Returns how many. */
size_t space_inodes(const char *root, const char *lab, ino_t *inodes, size_t max);

/* Unname them: they end with the last process in them. */
void space_remove(const char *lab);

#endif
