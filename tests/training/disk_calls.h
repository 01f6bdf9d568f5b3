/* disk_calls.h - the calls that a checkpoint is written with, which the linker brings here (--wrap): they are noted,
 * and fail when a test says so. */
#ifndef NARROWS_TESTS_TRAINING_DISK_CALLS_H
#define NARROWS_TESTS_TRAINING_DISK_CALLS_H

#include <stddef.h>
#include <stdint.h>

struct disk_calls {
    int64_t space;     /* bytes until the disk is full; -1: no end */
    size_t most;       /* bytes that one write takes; 0: all */
    int interruptions; /* writes that a signal interrupts before they begin */
    char fails;        /* 's': fsync of a file, 'f': fsync of a folder, 'r': rename; 0: none */
    char order[64];    /* letters of the calls that succeeded; 'w' for writes in a row */
};

extern struct disk_calls disk;

/* As the disk is when nothing is wrong. */
void disk_reset(void);

#endif
