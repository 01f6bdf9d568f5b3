/* csv.h - buffers to be placed in a pool as CSV, as public allocators exchange them (minimalloc, idealloc).
 * Format     a header line that names the columns in any order: id, lower, upper, size, and offset, which may be missing; then
 *            a buffer a line. Ids are text without commas, each another; lower and upper whole numbers, the buffer alive
 *            in [lower, upper); size and offset whole bytes. Blank lines, lines that begin with '#', blanks around a
 *            value and CRLF are allowed.
 * Names      as minimalloc reads them: buffer and buffer_id are id, start and begin are lower; end is the last moment of
 *            life, so upper is one more. Some files that minimalloc once published say 'end' and mean upper: read so, their
 *            buffers live one moment too long, which no placement suffers from but its height may; rename that column.
 *            hint is ignored. gaps must be empty, alignment empty, 0 or 1: what they ask for is not heeded, so it is refused.
 * Ownership  buffers_csv_free() releases what was read, ids included.
 * Errors     0 or a negative nw_status, the reasons written to 'err' as "FILE:LINE:COLUMN: what was expected, what
 *            came", the first few of them at once. */
#ifndef NARROWS_HARNESS_BUFFERS_CSV_H
#define NARROWS_HARNESS_BUFFERS_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model/placement/placement.h"

enum { BUFFERS_CSV_MOST = 10000000 };          /* buffers in a file */
#define BUFFERS_CSV_MOST_B 2000000000          /* of text */
#define BUFFERS_CSV_LARGEST ((int64_t)1 << 62) /* size, offset, and how far a lifetime may lie from 0 */

struct buffers_csv {
    struct buffer *list; /* in the file's order; offset 0 where it has none */
    const char **ids;
    int64_t *lines; /* from 1 */
    size_t n;       /* at least 1 */
    bool placed;    /* there was a column 'offset' */
    char *names;    /* what the ids point into */
};

/* "-" is standard input. NW_EIO, NW_EINPUT, NW_ENOMEM: nothing is given. */
int buffers_csv_read(const char *path, struct buffers_csv *out, FILE *err);

/* The same from memory; 'name' is what messages call it. */
int buffers_csv_parse(const char *name, const char *text, size_t size, struct buffers_csv *out, FILE *err);

/* id,lower,upper,size and offset if that is asked for, by way of a temporary name, so that PATH is whole or as it was; "-" is
 * standard output. NW_EIO, NW_ENOMEM. */
int buffers_csv_write(const char *path, const struct buffer *list, const char *const ids[], size_t n, bool offsets,
                      FILE *err);

void buffers_csv_free(struct buffers_csv *csv); /* accepts an all-zero one */

#endif
