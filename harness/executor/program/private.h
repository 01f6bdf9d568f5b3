/* private.h - what the parts of program_make() share. */
#ifndef NARROWS_HARNESS_EXECUTOR_PROGRAM_PRIVATE_H
#define NARROWS_HARNESS_EXECUTOR_PROGRAM_PRIVATE_H

#include "harness/executor/program/program.h"

enum { NOWHERE = -1 };

/* Where a storage is: in the pool before and after it is offloaded, and its home on the host; and its current
 * version. */
struct spot {
    int64_t at[2], home;
    int32_t free_after; /* later operations find it at at[1] */
    int32_t version, value;
};

/* Print "... WHAT (a, b)", where WHAT ends by naming a and b. NW_EINPUT. */
int program_refuse(const char *what, long long a, long long b);

/* Fill in copies, events, and which operations have a wait before or after them. */
int program_add_copies(struct program *p, const struct spot *spots);

#endif
