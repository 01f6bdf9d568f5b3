/* content.h - what the executor does to device memory in addition to running operations: stamp, check, sum up, fill.
 * One table is for host memory, one for a GPU's, which enqueues on 'stream' (a cudaStream_t).
 * Memory     all pointers are to device memory. The caller that launched the work checks for errors of a GPU. */
#ifndef NARROWS_HARNESS_EXECUTOR_CONTENT_H
#define NARROWS_HARNESS_EXECUTOR_CONTENT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One use of a tensor: how many of its words were wrong, the index of the first, and its content. All zero: none. */
struct content_report {
    uint64_t wrong, at, found;
};

struct content_ops {
    void (*stamp)(uint64_t *words, size_t n, uint64_t first, void *stream); /* words[i] = first + i */
    /* The report must be zeroed before. */
    void (*check)(const uint64_t *words, size_t n, uint64_t first, struct content_report *report, void *stream);
    void (*sum)(const uint32_t *words, size_t n, uint64_t *sum, void *stream); /* as in stamp_lane.h */
    void (*compare)(const uint64_t *sum, const uint64_t *expected, struct content_report *report, void *stream);
    void (*fill)(void *to, int byte, size_t nbytes, void *stream);
    /* *end = 1 + the index of the last word that is not 'with'; 0: all are. */
    void (*extent)(const uint32_t *words, size_t n, uint32_t with, uint64_t *end, void *stream);
};

extern const struct content_ops content_host;
extern const struct content_ops content_cuda; /* where CUDA is built */

#ifdef __cplusplus
}
#endif

#endif
