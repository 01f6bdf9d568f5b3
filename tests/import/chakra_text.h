/* chakra_text.h - Chakra traces for tests, from rows. */
#ifndef NARROWS_TESTS_FOREIGN_CHAKRA_TEXT_H
#define NARROWS_TESTS_FOREIGN_CHAKRA_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* A node of one rank. */
struct chakra_row {
    int rank, type; /* as the format numbers types */
    uint64_t id, us;
    uint64_t deps[3];
    size_t ndeps;
    int64_t size, peer, coll; /* comm_size; comm_src or comm_dst; comm_type, where the type has them */
    int gpu;                  /* is_cpu_op: false */
    const char *group;
    uint64_t start_us;
    int64_t ops; /* num_ops */
};

/* The trace of a rank, metadata first; the caller frees it. */
uint8_t *chakra_text(const struct chakra_row *rows, size_t nrows, int rank, size_t *size);

#endif
