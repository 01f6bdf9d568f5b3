/* nccl_tests.h - what nccl-tests prints (all_reduce_perf and its like), as a table of collectives.
 * Form       comments that begin with '#', among them "# Collective test starting: NAME" (from 2.17 on), a line for
 *            each rank ("#  Rank  0 ... on HOST device  0 ...") and the heads of the columns, "size ... time algbw
 *            busbw #wrong" twice, out of place and in place, with or without 'root', before 2021 'error' for '#wrong';
 *            then a row a size. A file may hold several runs, and other lines between them, as NCCL's own log.
 * Wrong      rows with wrong values, and runs that say FAILED at their end, are refused; values that were not checked
 *            are taken.
 * Table      rows by operation, ranks and bytes; the median where a size was measured more than once. Bytes as
 *            nccl-tests counts them, which is how sim/collective/measured.h does. Rows of 0 bytes are left out.
 * Errors     0 or a negative nw_status, the reason written to 'err' as "NAME:LINE: what was expected, what was
 *            found". */
#ifndef NARROWS_HARNESS_IMPORT_NCCL_NCCL_TESTS_H
#define NARROWS_HARNESS_IMPORT_NCCL_NCCL_TESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/collective/operation.h"

struct nccl_tests_options {
    int operation; /* of runs that do not say: enum collective_operation; -1: unknown */
    int64_t ranks; /* the same; 0: unknown */
    bool in_place; /* the second set of columns */
};

struct nccl_tests_row {
    enum collective_operation operation;
    int64_t ranks, bytes;
    double time_us;
};

struct nccl_tests {
    struct nccl_tests_row *rows;
    size_t n;
    size_t nruns, nread;     /* runs with rows; rows before medians */
    size_t nempty, nforeign; /* left out: of 0 bytes; of operations that are no collective of narrows */
};

int nccl_tests_parse(const char *name, const char *text, size_t size, const struct nccl_tests_options *o,
                     struct nccl_tests *out, FILE *err);
void nccl_tests_free(struct nccl_tests *t); /* accepts an all-zero one */

/* "operation,ranks,bytes (B),time (us)", as platform.collective.table takes it. */
void nccl_tests_write(const struct nccl_tests *t, FILE *out);

/* The operation of "all_reduce_perf", "all-reduce" or a path that has such a word in it; -1: none. */
int nccl_tests_operation(const char *text);

#endif
