/* file.h - a record's file. It begins with four lines of text:
 *   narrows record 1           what it is, and the version of this format
 *   digest 32 HEX DIGITS       XXH3-128 of all bytes after this line: tells a damaged file from a whole one, one record
 *   from another trainer 16 HEX DIGITS      digest of the sources that trained (cmake/build_info.cmake) simulator 16
 *   HEX DIGITS    ... of those that simulated how long the steps would take
 * Then numbers and texts as bytes.h has them: how many tables; of each its name, rows and columns; of each column its
 * name and its values (column.h). Tables and columns go by their names, so that an older record is one that lacks some.
 * Errors     NW_EIO (it cannot be read or written), NW_EINPUT (no record, damaged, or a newer program's), NW_ENOMEM;
 *            the message has been printed. */
#ifndef NARROWS_HARNESS_RECORD_FILE_H
#define NARROWS_HARNESS_RECORD_FILE_H

#include "harness/record/column.h"
#include "harness/record/tables.h"

enum { RECORD_DIGEST = 32, RECORD_SOURCES = 16 }; /* hex digits */

struct record_head {
    char digest[RECORD_DIGEST + 1], trainer[RECORD_SOURCES + 1], simulator[RECORD_SOURCES + 1];
};

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

/* All or nothing: a file that was there stays until the new one is complete. Fills in head.digest. */
int record_file_write(const char *path, struct record_file *f);

/* The first lines alone: whose digest is known need not be read. */
int record_file_head(const char *path, struct record_head *out);
int record_file_read(const char *path, struct record_file *out);

/* How many rows of this table it has. */
size_t record_file_rows(const struct record_file *f, const char *table);

/* As record_file_read(), from memory; 'path' is for messages. */
int record_file_parse(const char *path, const void *data, size_t n, struct record_file *out);

#endif
