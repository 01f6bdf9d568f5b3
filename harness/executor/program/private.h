/* private.h - what the parts of program_make() share. */
#ifndef NARROWS_HARNESS_EXECUTOR_PROGRAM_PRIVATE_H
#define NARROWS_HARNESS_EXECUTOR_PROGRAM_PRIVATE_H

#include "harness/executor/program/program.h"

enum { NOWHERE = -1 };

/* Where a storage lies, before it is offloaded and after; the version it has now. */
struct spot {
    int64_t at[2], home;
    int32_t free_after; /* later operations find it in its second place */
    int32_t version, value;
};

/* NW_EINPUT, with the two numbers that the text names at its end. */
int program_refuse(const char *what, long long a, long long b);

/* Copies, events, and which operations stand beside a wait. */
int program_add_copies(struct program *p, const struct spot *spots);

#endif
