/* sample.h - kernels that show what the emulation does, right ones and wrong ones. */
#ifndef NARROWS_TESTS_EMULATION_SAMPLE_H
#define NARROWS_TESTS_EMULATION_SAMPLE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SAMPLE_THREADS = 96, SAMPLE_OPERATIONS = 18 };

/* to[i] = i for the i-th thread of a grid of 3 x 2 x 2 blocks of 5 x 4 x 3 threads. */
void sample_indices(uint32_t *to);

/* Sums of SAMPLE_THREADS values by halving in shared memory, for each of 'blocks' blocks; without = 1 leaves a barrier
 * out. */
void sample_sum(uint32_t *to, const uint32_t *from, unsigned blocks, int without);
/* The same with memory of the launch, in two template instances. */
void sample_sum_dynamic(uint64_t *to, const uint32_t *from, unsigned blocks);
/* Each lane takes its right neighbour's value through shared memory; without = 1 leaves __syncwarp() out. */
void sample_turn(uint32_t *to, const uint32_t *from, int without);

/* to[SAMPLE_OPERATIONS * t + k]: operation k of thread t of 'threads'; lanes at and above 'ended' return first. */
void sample_warp(uint32_t *to, unsigned threads, unsigned ended);
/* Ten atomic results, of 'blocks' blocks of SAMPLE_THREADS threads. */
void sample_atomics(uint64_t *to, unsigned blocks);
/* count, or, and of threads below 'limit', from each of SAMPLE_THREADS threads. */
void sample_votes(uint32_t *to, unsigned limit);
/* What shared memory holds before it is written, static and of the launch. */
void sample_unwritten(uint32_t *to);
/* Blocks that wait for the one before them, by a ticket; to[ticket] = ticket + to[ticket - 1]. */
void sample_chain(uint64_t *to, uint32_t *ticket, unsigned blocks);
void sample_bits(uint32_t *to);

void sample_two_barriers(uint32_t *to);
void sample_barrier_against_warp(uint32_t *to);
void sample_unlike_functions(uint32_t *to);
void sample_foreign_mask(uint32_t *to);
void sample_launch(uint32_t *to, unsigned blocks, unsigned threads, unsigned shared_bytes);

#ifdef __cplusplus
}
#endif

#endif
