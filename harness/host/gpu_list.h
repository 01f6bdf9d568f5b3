/* gpu_list.h - the GPUs by name, read from the NVIDIA driver's /proc files: needs no CUDA and initializes no device. */
#ifndef NARROWS_HARNESS_HOST_GPU_LIST_H
#define NARROWS_HARNESS_HOST_GPU_LIST_H

#include <stddef.h>

/* "2 x Tesla K80", equal names counted together, several joined with " + "; "" if there is none. Returns how many
 * GPUs. */
int gpu_list(char *text, size_t size);

#endif
