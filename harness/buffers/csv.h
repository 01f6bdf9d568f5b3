/* csv.h - buffers to be placed in a pool as CSV, as public allocators exchange them (minimalloc, idealloc).
 * Format     a header line that names the columns in any order: id, lower, upper, size and optionally alignment, gaps
 *            and offset; then a buffer a line. Ids are unique text without commas. lower and upper are whole numbers:
 *            the buffer is alive in [lower, upper). size and offset are whole bytes. Blank lines, lines that begin with
 *            '#', blanks around a value and CRLF are allowed.
 * Alignment  whole bytes, not only powers of two, of which the offset is a multiple; 0 or nothing is 1.
 * Gaps       "7-9 11-13@0:64", separated by blanks: in [7, 9) the buffer is not in use, and in [11, 13) only its bytes
 *            [0, 64), its window. They lie within the lifetime, in time order, and do not overlap.
 * Names      those of minimalloc are read too: buffer and buffer_id mean id; start and begin mean lower; end is the
 *            last moment of life, so upper is one more; then a gap's second number is its last moment, too. Some files
 *            that minimalloc once published write 'end' for upper: read so, their buffers live one moment too long,
 *            which makes no placement wrong but may make it higher; rename that column. hint is ignored.
 * Ownership  buffers_csv_free() releases what was read, ids included.
 * Errors     0 or a negative nw_status, with the reasons written to 'err' as "FILE:LINE:COLUMN: what was expected,
 *            what was found", up to ten of them. */
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
    struct buffer *list;     /* in file order; offset 0 where the file has none */
    struct buffer_gap *gaps; /* of all, which theirs point into; NULL: none has gaps */
    const char **ids;
    int64_t *lines; /* from 1 */
    size_t n;       /* at least 1 */
    bool placed;    /* there was a column 'offset' */
    char *names;    /* what the ids point into */
};

/* "-" is standard input. On NW_EIO, NW_EINPUT and NW_ENOMEM *out is not set. */
int buffers_csv_read(const char *path, struct buffers_csv *out, FILE *err);

/* The same from memory; 'name' stands for the file in messages. */
int buffers_csv_parse(const char *name, const char *text, size_t size, struct buffers_csv *out, FILE *err);

/* Write id, lower, upper, size, alignment and gaps if a buffer has such and, if wanted, offset, as whole_file.h does;
 * "-" is standard output. NW_EIO, NW_ENOMEM. */
int buffers_csv_write(const char *path, const struct buffer *list, const char *const ids[], size_t n, bool offsets,
                      FILE *err);

/* The same to a stream, whose errors are the caller's. */
void buffers_csv_print(FILE *f, const struct buffer *list, const char *const ids[], size_t n, bool offsets);

void buffers_csv_free(struct buffers_csv *csv); /* accepts an all-zero one */

#endif
