/* alter_record.c - a record with one thing changed, and a digest that fits, as somebody who means it would have it.
 * use: alter_record FROM TO trainer 16_HEX_DIGITS       another trainer made it
 *      alter_record FROM TO TABLE COLUMN ROW            the least change of that value that a record can hold */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/record/file.h"

static void stop(const char *why)
{
    fprintf(stderr, "alter_record: %s\n", why);
    exit(2);
}

static void alter(struct record_file *f, const char *table, const char *column, size_t row)
{
    const struct record_rows *t = record_file_table(f, table);
    struct column *c = t ? (struct column *)record_rows_column(t, column) : NULL;

    if (!c || row >= t->nrows || (c->absent && c->absent[row]) || c->nwords == 1)
        stop("there is no such value");
    if (c->type == COLUMN_REAL)
        c->values[row] ^= (int64_t)1 << record_column(t->table, column)->dropped;
    else if (c->type == COLUMN_INTEGER)
        c->values[row]++;
    else
        c->values[row] = (c->values[row] + 1) % (int64_t)c->nwords; /* of texts, another one of the column */
}

int main(int argc, char **argv)
{
    struct record_file f;

    if (argc < 5)
        stop("expected FROM TO and what to change");
    if (record_file_read(argv[1], &f))
        return 1;
    if (!strcmp(argv[3], "trainer"))
        snprintf(f.head.trainer, sizeof(f.head.trainer), "%s", argv[4]);
    else
        alter(&f, argv[3], argv[4], argc > 5 ? strtoul(argv[5], NULL, 10) : 0);
    int rc = record_file_write(argv[2], &f);
    record_file_free(&f);
    return rc ? 1 : 0;
}
