/* cuda_calls.h - what the test of the CUDA back end needs of the runtime itself; cuda_calls_absent.c where CUDA is not
 * built. */
#ifndef NARROWS_TESTS_OFFLOAD_CUDA_CALLS_H
#define NARROWS_TESTS_OFFLOAD_CUDA_CALLS_H

/* Calls so far, from this program's own code, that allocate, free, pin or wait for the whole device. */
extern long cuda_forbidden_calls;

/* Launched work: arg is a struct device_copy, both sides on the device. */
void cuda_copy_on(void *arg, void *stream);

#endif
