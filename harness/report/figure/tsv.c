#include "harness/report/figure/tsv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/text/whole_file.h"

/* A name may hold what ends a line here. Tabs are meant: between the columns of a header. */
static void write_text(FILE *f, const char *text)
{
    for (; *text; text++)
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, f);
}

static void write_cell(FILE *f, struct query *q, int column)
{
    switch (sqlite3_column_type(q->st, column)) {
    case SQLITE_NULL: fputs("?", f); break;
    case SQLITE_TEXT: write_text(f, query_text(q, column)); break;
    default: fprintf(f, "%.9g", query_real(q, column)); break;
    }
}

static long write_rows(FILE *f, struct query *q, const char *header)
{
    char block[192] = "";
    long n = 0;

    for (; query_next(q); n++) {
        if (n == 0 || strncmp(block, query_text(q, 0), sizeof(block) - 1) != 0) {
            snprintf(block, sizeof(block), "%s", query_text(q, 0));
            fputs(n ? "\n\n" : "", f);
            write_text(f, block);
            fputc('\t', f);
            write_text(f, header);
            fputc('\n', f);
        }
        for (int i = 1; i < sqlite3_column_count(q->st); i++) {
            fputs(i > 1 ? "\t" : "", f);
            write_cell(f, q, i);
        }
        fputc('\n', f);
    }
    return n;
}

int tsv_write(struct query *q, const char *header, const char *path, long *nrows)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    int rc = f ? NW_OK : NW_ENOMEM;

    *nrows = f ? write_rows(f, q, header) : 0;
    if (f && fclose(f) != 0)
        rc = NW_ENOMEM;
    if (query_close(q) && !rc)
        rc = NW_EDB;
    if (!rc && *nrows > 0)
        rc = whole_file_put(path, text, size, stderr);
    free(text);
    return rc;
}
