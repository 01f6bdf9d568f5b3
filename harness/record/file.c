#include "harness/record/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "harness/status.h"

enum { MOST_BYTES = 1 << 28, MOST_VALUES = 1 << 25 };

void record_file_free(struct record_file *f)
{
    for (size_t t = 0; t < f->ntables; t++)
        for (size_t c = 0; c < f->tables[t].ncolumns; c++)
            column_free(&f->tables[t].columns[c]);
    *f = (struct record_file){ 0 };
}

const struct record_rows *record_file_table(const struct record_file *f, const char *table)
{
    for (size_t t = 0; t < f->ntables; t++)
        if (!strcmp(f->tables[t].table->name, table))
            return &f->tables[t];
    return NULL;
}

const struct column *record_rows_column(const struct record_rows *rows, const char *column)
{
    for (size_t c = 0; c < rows->ncolumns; c++)
        if (!strcmp(rows->kinds[c]->name, column))
            return &rows->columns[c];
    return NULL;
}

size_t record_file_rows(const struct record_file *f, const char *table)
{
    const struct record_rows *rows = record_file_table(f, table);

    return rows ? rows->nrows : 0;
}

static void digest_of(const void *data, size_t n, char hex[RECORD_DIGEST + 1])
{
    XXH128_hash_t hash = XXH3_128bits(data, n);

    snprintf(hex, RECORD_DIGEST + 1, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}

static int write_bytes(const char *path, const char *head, const void *body, size_t nbody)
{
    char unfinished[4096];
    int n = snprintf(unfinished, sizeof(unfinished), "%s.new", path);
    FILE *f = n > 0 && (size_t)n < sizeof(unfinished) ? fopen(unfinished, "wb") : NULL;
    bool ok = f && fputs(head, f) >= 0 && fwrite(body, 1, nbody, f) == nbody;

    if (f && fclose(f))
        ok = 0;
    if (ok && !rename(unfinished, path))
        return NW_OK;
    fprintf(stderr, "narrows: %s: cannot be written: %s\n", path, strerror(errno));
    if (f)
        remove(unfinished);
    return NW_EIO;
}

int record_file_write(const char *path, struct record_file *f)
{
    char text[RECORD_MOST_HEAD];
    struct bytes body = { 0 };
    int n = snprintf(text, sizeof(text), "trainer %s\nsimulator %s\n", f->head.trainer, f->head.simulator), rc;

    bytes_put(&body, text, (size_t)n);
    bytes_put_number(&body, f->ntables);
    for (const struct record_rows *t = f->tables; t < f->tables + f->ntables; t++) {
        bytes_put_text(&body, t->table->name);
        bytes_put_number(&body, t->nrows);
        bytes_put_number(&body, t->ncolumns);
        for (size_t c = 0; c < t->ncolumns; c++) {
            bool real = t->columns[c].type == COLUMN_REAL;
            bytes_put_text(&body, t->kinds[c]->name);
            column_put(&body, &t->columns[c], real ? t->kinds[c]->dropped : 0);
        }
    }
    rc = body.failed ? NW_ENOMEM : NW_OK;
    if (!rc) {
        digest_of(body.data, body.n, f->head.digest);
        f->head.checked = (struct record_stamp){ 0 };
        record_head_print(&f->head, text);
        rc = write_bytes(path, text, body.data, body.n);
        f->bytes = strlen(text) + body.n;
    }
    free(body.data);
    return rc;
}

static int refuse(const char *path, const char *why)
{
    fprintf(stderr, "narrows: %s: %s\n", path, why);
    return NW_EINPUT;
}

/* What this program has no place for was written by one that has. */
static int unknown(const char *path, const char *table, const char *column)
{
    fprintf(stderr, "narrows: %s: holds %s%s%s, which this program does not know: use a newer one\n", path, table,
            column ? "." : "", column ? column : "");
    return NW_EINPUT;
}

static int take_column(const char *path, struct cursor *from, struct record_rows *t)
{
    char *name = cursor_text(from);
    const struct record_column *kind = name ? record_column(t->table, name) : NULL;
    int rc = NW_OK;

    if (name && !kind)
        rc = unknown(path, t->table->name, name);
    for (size_t c = 0; c < t->ncolumns; c++)
        from->failed |= t->kinds[c] == kind; /* twice */
    free(name);
    if (rc || from->failed)
        return rc;
    t->kinds[t->ncolumns] = kind;
    t->columns[t->ncolumns] = column_take(from, t->nrows);
    t->ncolumns += !from->failed;
    return NW_OK;
}

static int take_table(const char *path, struct cursor *from, size_t *nvalues, struct record_file *out)
{
    struct record_rows *t = &out->tables[out->ntables];
    char *name = cursor_text(from);
    int rc = NW_OK;

    t->table = name ? record_table(name) : NULL;
    if (name && !t->table)
        rc = unknown(path, name, NULL);
    free(name);
    /* In the order of the list, so that rows refer to what is there, and no table comes twice. */
    from->failed |= !rc && out->ntables && t->table <= t[-1].table;
    t->nrows = cursor_count(from, MOST_VALUES);
    size_t ncolumns = cursor_count(from, RECORD_MOST_COLUMNS);
    /* Few bytes can stand for many values: not for more than there is memory for. */
    *nvalues += t->nrows * ncolumns;
    from->failed |= *nvalues > MOST_VALUES;
    out->ntables++;
    for (size_t c = 0; c < ncolumns && !rc && !from->failed; c++)
        rc = take_column(path, from, t);
    return rc;
}

int record_file_parse(const char *path, const void *data, size_t n, struct record_file *out)
{
    const char *hashed = NULL, *body = NULL;
    struct record_file f = { .bytes = n };
    char digest[RECORD_DIGEST + 1];
    int rc = record_head_parse(path, data, n, &f.head, &hashed, &body);

    if (rc)
        return rc;
    digest_of(hashed, n - (size_t)(hashed - (const char *)data), digest);
    if (strcmp(digest, f.head.digest) != 0)
        return refuse(path, "is damaged: its contents are not those of its digest");
    struct cursor from = { (const unsigned char *)body, (const unsigned char *)data + n, 0 };
    size_t ntables = cursor_count(&from, RECORD_TABLES), nvalues = 0;
    while (f.ntables < ntables && !rc && !from.failed)
        rc = take_table(path, &from, &nvalues, &f);
    if (!rc && (from.failed || from.at != from.end))
        rc = refuse(path, "is damaged: its tables are not whole");
    if (rc)
        record_file_free(&f);
    else
        *out = f;
    return rc;
}

/* Its first 'most' bytes, or fewer; the caller frees them. */
static int load(const char *path, size_t most, char **out, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *data = NULL;
    struct stat st;
    int rc = NW_EIO;

    if (f && fstat(fileno(f), &st)) {
        rc = NW_EIO;
    } else if (f && (!S_ISREG(st.st_mode) || st.st_size > MOST_BYTES)) {
        rc = refuse(path, "is no record: expected a file of at most 256 MiB");
    } else if (f) {
        *n = (size_t)st.st_size < most ? (size_t)st.st_size : most;
        data = malloc(*n + 1);
        rc = !data ? NW_ENOMEM : fread(data, 1, *n, f) == *n ? NW_OK : NW_EIO;
    }
    if (rc == NW_EIO)
        fprintf(stderr, "narrows: %s: cannot be read: %s\n", path, strerror(errno));
    if (f)
        fclose(f);
    if (rc)
        free(data);
    else
        *out = data;
    return rc;
}

int record_file_head(const char *path, struct record_head *out)
{
    const char *hashed, *body;
    char *data;
    size_t n;
    int rc = load(path, RECORD_MOST_HEAD, &data, &n);

    if (rc)
        return rc;
    rc = record_head_parse(path, data, n, out, &hashed, &body);
    free(data);
    return rc;
}

int record_file_read(const char *path, struct record_file *out)
{
    char *data;
    size_t n;
    int rc = load(path, MOST_BYTES, &data, &n);

    if (rc)
        return rc;
    rc = record_file_parse(path, data, n, out);
    free(data);
    return rc;
}

int record_file_stamp(const char *path, const char *digest, const struct record_stamp *stamp)
{
    char found[RECORD_DIGEST + 1], text[RECORD_MOST_HEAD], *data;
    const char *hashed, *body;
    struct record_head head = { .digest = "" };
    size_t n;
    int rc = load(path, MOST_BYTES, &data, &n);

    if (rc)
        return rc;
    rc = record_head_parse(path, data, n, &head, &hashed, &body);
    if (!rc) {
        size_t rest = n - (size_t)(hashed - data);
        digest_of(hashed, rest, found);
        head.checked = *stamp;
        record_head_print(&head, text);
        rc = strcmp(found, digest) != 0 ? refuse(path, "is another file than the one that was checked")
                                        : write_bytes(path, text, hashed, rest);
    }
    free(data);
    return rc;
}
