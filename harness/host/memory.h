/* memory.h - how much memory this process can still get.
 * Units      bytes. */
#ifndef NARROWS_HARNESS_HOST_MEMORY_H
#define NARROWS_HARNESS_HOST_MEMORY_H

#include <stdint.h>

/* The memory that the kernel estimates to be available without swapping, or the smallest limit of the process's
 * cgroups if that is less; INT64_MAX if neither is known. */
int64_t memory_available(void);

#endif
