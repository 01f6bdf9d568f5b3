/* nccl_tests_fuzz.c - libFuzzer's entry to the reader of nccl-tests' output: any bytes, without touching the disk. What
 * is accepted has an order, and times. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/import/nccl/nccl_tests.h"
#include "harness/status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds, const char *why)
{
    if (!holds) {
        fprintf(stderr, "nccl-tests: %s\n", why);
        abort();
    }
}

static void check_rows(const struct nccl_tests *t)
{
    check(t->n && t->n <= t->nread && t->nempty + t->n <= t->nread && t->nruns, "a count that is none");
    for (size_t i = 0; i < t->n; i++) {
        const struct nccl_tests_row *row = &t->rows[i], *before = i ? row - 1 : NULL;

        check(row->time_us > 0 && row->bytes > 0 && row->ranks >= 2, "a row without a value");
        check(row->operation >= 0 && row->operation < COLLECTIVE_OPERATIONS, "no operation");
        check(!before || before->operation < row->operation || before->ranks < row->ranks || before->bytes < row->bytes,
              "rows out of order");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct nccl_tests_options options = { .operation = size % 2 ? COLLECTIVE_ALLREDUCE : -1,
                                                .ranks = size % 3 ? 8 : 0,
                                                .in_place = size % 5 == 0 };
    char *copy = malloc(size ? size : 1), *said = NULL;
    struct nccl_tests t = { 0 };
    size_t nsaid = 0;
    FILE *err = open_memstream(&said, &nsaid);
    int rc;

    check(copy && err, "no memory");
    memcpy(copy, data, size);
    rc = nccl_tests_parse("f.txt", copy, size, &options, &t, err);
    fclose(err);
    check(rc == NW_OK || rc == NW_EINPUT, "neither read nor refused");
    check(!rc == !nsaid, "refused without a reason, or read with one");
    check(!nsaid || !strncmp(said, "f.txt:", 6), "a reason without its place");
    if (!rc)
        check_rows(&t);
    nccl_tests_free(&t);
    free(said);
    free(copy);
    return 0;
}
