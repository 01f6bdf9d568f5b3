/* table.c - rows of several runs as one table, and the table as a file. */
#include "harness/import/nccl/table.h"

#include <stdbool.h>
#include <stdlib.h>

static int by_size(const void *left, const void *right)
{
    const struct nccl_tests_row *a = left, *b = right;

    if (a->operation != b->operation)
        return a->operation < b->operation ? -1 : 1;
    if (a->ranks != b->ranks)
        return a->ranks < b->ranks ? -1 : 1;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? -1 : 1;
    return (a->time_us > b->time_us) - (a->time_us < b->time_us);
}

static bool same(const struct nccl_tests_row *a, const struct nccl_tests_row *b)
{
    return a->operation == b->operation && a->ranks == b->ranks && a->bytes == b->bytes;
}

void nccl_table_medians(struct nccl_tests *t)
{
    size_t n = 0;

    qsort(t->rows, t->n, sizeof(*t->rows), by_size);
    for (size_t i = 0, end; i < t->n; i = end) {
        for (end = i + 1; end < t->n && same(&t->rows[i], &t->rows[end]);)
            end++;
        double low = t->rows[i + (end - i - 1) / 2].time_us, high = t->rows[i + (end - i) / 2].time_us;
        t->rows[n] = t->rows[i];
        t->rows[n++].time_us = (low + high) / 2;
    }
    t->n = n;
}

void nccl_tests_free(struct nccl_tests *t)
{
    free(t->rows);
    *t = (struct nccl_tests){ 0 };
}

void nccl_tests_write(const struct nccl_tests *t, FILE *out)
{
    fputs("operation,ranks,bytes (B),time (us)\n", out);
    for (size_t i = 0; i < t->n; i++) {
        const struct nccl_tests_row *row = &t->rows[i];

        fprintf(out, "%s,%lld,%lld,%.9g\n", nccl_operation_word(row->operation), (long long)row->ranks,
                (long long)row->bytes, row->time_us);
    }
}
