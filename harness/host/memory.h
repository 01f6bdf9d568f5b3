/* memory.h - what memory this process can still have.
 * Units      bytes. */
#ifndef NARROWS_HARNESS_HOST_MEMORY_H
#define NARROWS_HARNESS_HOST_MEMORY_H

#include <stdint.h>

/* What the kernel reckons to be available without swapping, or the least limit of the process's cgroups where that is less;
 * INT64_MAX where neither is told. */
int64_t memory_available(void);

#endif
