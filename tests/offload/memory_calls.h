/* memory_calls.h - calls for memory by this program's own code, so far: the linker sends them to memory_calls.c
 * (--wrap). */
#ifndef NARROWS_TESTS_OFFLOAD_MEMORY_CALLS_H
#define NARROWS_TESTS_OFFLOAD_MEMORY_CALLS_H

extern _Atomic long memory_calls;

#endif
