#include "harness/report/figure/tsv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/status.h"

static void write_cell(FILE *f, struct query *q, int column)
{
    switch (sqlite3_column_type(q->st, column)) {
    case SQLITE_NULL: fputs("?", f); break;
    case SQLITE_TEXT: fputs(query_text(q, column), f); break;
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
            fprintf(f, "%s%s\t%s\n", n ? "\n\n" : "", block, header);
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
    char *temporary = NULL;
    FILE *f = NULL;
    int rc = NW_OK;
    bool bad;

    *nrows = 0;
    if (asprintf(&temporary, "%s.%ld.tmp", path, (long)getpid()) < 0) {
        query_close(q);
        return NW_ENOMEM;
    }
    f = fopen(temporary, "w");
    if (f)
        *nrows = write_rows(f, q, header);
    bad = !f || ferror(f);
    if (f && fclose(f) != 0)
        bad = true;
    if (bad) {
        fprintf(stderr, "narrows report: %s: %s\n", temporary, strerror(errno));
        rc = NW_EIO;
    }
    if (query_close(q) && !rc)
        rc = NW_EDB;
    if (!rc && *nrows > 0 && rename(temporary, path) != 0) {
        fprintf(stderr, "narrows report: %s: %s\n", path, strerror(errno));
        rc = NW_EIO;
    }
    if (rc || *nrows == 0)
        unlink(temporary);
    free(temporary);
    return rc;
}
