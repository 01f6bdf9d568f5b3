/* cuda.h - the CUDA runtime this program was built with and the devices it reaches. Two files implement it: cuda.c
 * where CUDA is built, cuda_absent.c elsewhere.
 * Units      bytes. Errors are texts, for a person who asks why a GPU is not used. */
#ifndef NARROWS_HARNESS_HOST_CUDA_H
#define NARROWS_HARNESS_HOST_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cuda_device {
    char name[128];
    int major, minor; /* compute capability */
    int64_t memory_bytes;
};

bool cuda_built(void);
const char *cuda_runtime_version(void); /* "13.0"; "" where CUDA is not built */

/* Write at most 'max' devices and return how many there are. If 0, *why is the reason (static text). */
size_t cuda_devices(struct cuda_device *devices, size_t max, const char **why);

#endif
