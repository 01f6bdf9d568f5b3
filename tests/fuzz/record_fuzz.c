/* record_fuzz.c - libFuzzer's entry to the reader of records: any bytes behind four good lines, with their
 * digest. What is read is written again and read the same. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "harness/record/file.h"
#include "harness/status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char lines[] = "trainer 0123456789abcdef\nsimulator fedcba9876543210\n";

static void check(bool holds, const char *why)
{
    if (!holds) {
        fprintf(stderr, "record: %s\n", why);
        abort();
    }
}

/* The whole file in memory of exactly its size. */
static int parse(const void *body, size_t size, struct record_file *out)
{
    size_t nlines = strlen(lines), nhead;
    char *text = malloc(nlines + size), head[128];

    check(text != NULL, "no memory");
    memcpy(text, lines, nlines);
    memcpy(text + nlines, body, size);
    XXH128_hash_t hash = XXH3_128bits(text, nlines + size);
    nhead = (size_t)snprintf(head, sizeof(head), "narrows record 1\ndigest %016llx%016llx\n",
                             (unsigned long long)hash.high64, (unsigned long long)hash.low64);
    char *file = malloc(nhead + nlines + size);
    check(file != NULL, "no memory");
    memcpy(file, head, nhead);
    memcpy(file + nhead, text, nlines + size);
    int rc = record_file_parse("fuzz", file, nhead + nlines + size, out);
    check(rc == NW_OK || rc == NW_EINPUT || rc == NW_ENOMEM, "neither read nor refused");
    free(file);
    free(text);
    return rc;
}

static void check_again(const struct record_file *f)
{
    for (size_t t = 0; t < f->ntables; t++)
        for (size_t c = 0; c < f->tables[t].ncolumns; c++) {
            const struct column *column = &f->tables[t].columns[c];
            struct bytes b = { 0 };
            column_put(&b, column, 0);
            check(!b.failed, "no memory");
            struct cursor from = { b.data, b.data + b.n, 0 };
            struct column back = column_take(&from, column->n);
            check(!from.failed && from.at == from.end && back.type == column->type && back.nwords == column->nwords,
                  "not read again");
            for (size_t i = 0; i < column->n; i++)
                check((column->absent && column->absent[i]) || back.values[i] == column->values[i],
                      "read differently again");
            column_free(&back);
            free(b.data);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct record_file f = { 0 };

    if (parse(data, size, &f) == NW_OK) {
        check(f.bytes > size, "has no size");
        check_again(&f);
        record_file_free(&f);
    }
    return 0;
}
