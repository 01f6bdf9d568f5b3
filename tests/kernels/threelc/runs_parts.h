#ifndef NARROWS_TESTS_KERNELS_THREELC_RUNS_PARTS_H
#define NARROWS_TESTS_KERNELS_THREELC_RUNS_PARTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* sum[0 .. 32): what chunk 'chunk' finds in front of it. */
void parts_look_back(unsigned long long *sum, unsigned long long *published, size_t chunk);
/* to[i] = from[0] + ... + from[i - 1], for rows of 1024. */
void parts_scan(unsigned *to, const unsigned *from, unsigned rows);
/* The error; place[0 .. chunks) is set. */
int parts_check_table(const uint8_t *payload, size_t nbytes, size_t bytes, size_t chunks, unsigned long long *place);

#ifdef __cplusplus
}
#endif

#endif
