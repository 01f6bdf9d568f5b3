/* file.h - a record's file: the lines of head.h, then numbers and texts as bytes.h has them: how many tables; of each
 * its name, rows and columns; of each column its name and its values (column.h). Tables and columns go by their names,
 * so that an older record is one that lacks some.
 * Errors     NW_EIO (it cannot be read or written), NW_EINPUT (no record, damaged, or a newer program's), NW_ENOMEM;
 *            the message has been printed. */
#ifndef NARROWS_HARNESS_RECORD_FILE_H
#define NARROWS_HARNESS_RECORD_FILE_H

#include "harness/record/column.h"
#include "harness/record/head.h"
#include "harness/record/tables.h"

struct record_rows {
    const struct record_table *table;
    size_t nrows, ncolumns;
    const struct record_column *kinds[RECORD_MOST_COLUMNS];
    struct column columns[RECORD_MOST_COLUMNS];
};

struct record_file {
    struct record_head head;
    size_t bytes; /* of the file, once it was written or read */
    size_t ntables;
    struct record_rows tables[RECORD_TABLES];
};

void record_file_free(struct record_file *f);

/* All or nothing: a file that was there stays until the new one is complete. Fills in head.digest; head.checked becomes
 * none, since nobody has checked what is written now. */
int record_file_write(const char *path, struct record_file *f);

/* The first lines alone: whose digest is known need not be read. */
int record_file_head(const char *path, struct record_head *out);
int record_file_read(const char *path, struct record_file *out);

/* Its rows of this table; NULL if it has no such table. */
const struct record_rows *record_file_table(const struct record_file *f, const char *table);
const struct column *record_rows_column(const struct record_rows *rows, const char *column); /* NULL if there is none */

/* How many rows of this table it has. */
size_t record_file_rows(const struct record_file *f, const char *table);

/* Put this stamp into the file in place of the one it has, if its contents have this digest: they stay as they are. All
 * or nothing. */
int record_file_stamp(const char *path, const char *digest, const struct record_stamp *stamp);

/* As record_file_read(), from memory; 'path' is for messages. */
int record_file_parse(const char *path, const void *data, size_t n, struct record_file *out);

#endif
