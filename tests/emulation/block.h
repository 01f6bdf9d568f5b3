/* block.h - what emulation.c and block.c share. */
#ifndef NARROWS_TESTS_EMULATION_BLOCK_H
#define NARROWS_TESTS_EMULATION_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOCK_THREADS = 1024, BLOCK_SHARED = 48 << 10, WARP = 32 };

/* Run the threads of emulation_block. False after an error: the block was given up. */
bool block_run(size_t shared_bytes, void (*body)(void *), void *argument);

/* The numbers below 'count' in the order in which they are to run. */
void emulation_arrange(uint32_t *turn, uint32_t count);
uint64_t emulation_random(void);
bool emulation_shuffled(void);

/* Keep an error, or print it and end. */
void emulation_report(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
