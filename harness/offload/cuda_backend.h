/* cuda_backend.h - the back end on the CUDA runtime: four non-blocking streams of the current device, pinned memory
 * from cudaHostAlloc, events without timing. drain() waits for the four streams; nothing waits for the whole device.
 * Where CUDA is not built, cuda_backend_absent.c replaces it. */
#ifndef NARROWS_HARNESS_OFFLOAD_CUDA_BACKEND_H
#define NARROWS_HARNESS_OFFLOAD_CUDA_BACKEND_H

#include "harness/offload/backend.h"

/* NW_EENV, with the reason on stderr, if there is no device. */
int cuda_backend_open(struct backend **out);

/* For launched work: copy within the device's memory, on the stream that was passed to the work. */
void cuda_copy_within(void *dst, const void *src, size_t nbytes, void *stream);

#endif
