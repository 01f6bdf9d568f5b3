/* emulation.h - CUDA kernels run on the processor, so that a cuda.cu is tested where there is no device.
 * How        The file is compiled by the ordinary C++ compiler with tests/emulation in front of the include path, where
 *            cuda_runtime.h stands; kernels/shared/launch.cuh says what a file has to keep to. Each thread of a block
 *            is a fiber of its own. A fiber runs until it waits: at a barrier, in a warp function, now and then at an
 *            atomic operation. A warp runs until all of it waits for others, blocks run one after another. Device
 *            memory is the process's memory, so that sanitizers see it.
 * A test     narrows_emulated_test() of emulation.cmake links a C test with .cu files. The test includes this file and
 *            the device.h of the kernel's folder, walks through the orders with emulation_orders[] and compares with
 *            the scalar row, bit for bit:
 *                for (size_t o = 0; o < EMULATION_ORDERS; o++) {
 *                    emulation_set_order(&emulation_orders[o]);
 *                    adt_pack_cuda(NULL, dst, src, n, keep);
 *                    ... compare, look at the sentinels ...
 *                }
 * Catches    wrong arithmetic and indices, tails, accesses out of bounds (sentinels, and the sanitizers in the build
 *            with sanitizers), addresses that are not aligned as an access needs (there too), a missing __syncthreads()
 *            or __syncwarp() (in at least one of the orders), barriers that not all threads reach, shared memory used
 *            before it is written, threads outside of a warp function's mask, launches that no device takes.
 * Does not   show races between blocks that run at the same time, a missing __threadfence(), or speed. A thread that
 *            waits for another block by reading in a loop never ends if that block has not run: the test's time limit
 *            ends it.
 * Errors     are printed with the block and the place, and end the process; or are kept, see
 *            emulation_keep_faults(). */
#ifndef NARROWS_TESTS_EMULATION_H
#define NARROWS_TESTS_EMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of the blocks of a grid, and of the threads of a block each time that they may run. */
struct emulation_order {
    const char *name;
    enum { EMULATION_FORWARD, EMULATION_BACKWARD, EMULATION_SHUFFLED } kind;
    uint64_t seed; /* of the shuffles */
};

/* Forward at first. */
void emulation_set_order(const struct emulation_order *order);

enum { EMULATION_ORDERS = 4 };
extern const struct emulation_order emulation_orders[EMULATION_ORDERS];

/* From now on an error ends the kernel and not the process; the first one is kept for emulation_fault(). */
void emulation_keep_faults(void);

/* What went wrong since the last call; NULL if nothing did. */
const char *emulation_fault(void);

/* From now on count what goes to 'stream' and what goes to another: launches, fills and copies. */
void emulation_watch_stream(const void *stream);
size_t emulation_watched(void);
size_t emulation_strays(void);

/* --- for cuda_runtime.h ------------------------------------------------------------------------------------------ */

struct emulation_index {
    unsigned x, y, z;
};

/* Of the running thread. */
extern struct emulation_index emulation_thread, emulation_block, emulation_block_size, emulation_grid_size;
unsigned emulation_lane(void);

/* Something begins on this stream. */
void emulation_on_stream(const void *stream);

/* Run body(argument) as every thread of the grid. */
void emulation_run(struct emulation_index blocks, struct emulation_index threads, size_t shared_bytes,
                   void (*body)(void *), void *argument);

/* The shared memory asked for with the launch. */
void *emulation_shared(void);

/* __syncthreads() and its kin. Returns how many threads came with a predicate, and << 16 how many came. */
uint32_t emulation_barrier(int predicate, const char *file, int line);

enum emulation_warp { EMULATION_SYNC, EMULATION_SHUFFLE, EMULATION_BALLOT, EMULATION_MATCH };

/* What the lanes of 'mask' do together: wait; take the value of lane 'source'; the lanes whose value is not 0, and <<
 * 32 the lanes that came; the lanes that have the caller's value. */
uint64_t emulation_warp(enum emulation_warp what, uint32_t mask, uint64_t value, unsigned source);

/* A place where others may run: every atomic operation and fence. */
void emulation_pause(void);

/* The code that cudaGetLastError() returns; then it is 0. */
int emulation_error(void);

#ifdef __cplusplus
}
#endif

#endif
