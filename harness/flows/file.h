/* file.h - traffic as CSV: who sends how much to whom, and when.
 * Format     a header line "id,src,dst,bytes,start_s", then a flow a line: a whole number of its own (0..2147483647),
 *            two ends (machine "7", or a GPU of it "7.gpu1"), whole bytes, and decimal seconds ("0.25", "1e-05"),
 *            rounded to the picosecond where they are finer. Blank lines, lines that begin with '#', blanks around a
 *            value and CRLF are allowed.
 * Ownership  the list is the caller's to free().
 * Errors     0 or a negative nw_status, the reasons written to 'err' as "FILE:LINE:COLUMN: what was expected, what
 *            came", the first few of them at once. */
#ifndef NARROWS_HARNESS_FLOWS_FILE_H
#define NARROWS_HARNESS_FLOWS_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/method/flows.h"

enum { FLOW_FILE_DIGEST = 32, FLOW_FILE_MOST = 50000000 }; /* hex digits; flows in a file */
#define FLOW_FILE_MOST_B 4000000000                        /* of text */

/* Read a file. '*list' holds its '*n' flows in its order ('line' counts from 1), 'digest' the XXH3-128 of its bytes. A
 * header alone is no flow: *n is 0 and *list NULL. NW_EIO, NW_EINPUT, NW_ENOMEM: nothing is given. */
int flow_file_read(const char *path, struct flow_spec **list, size_t *n, char digest[FLOW_FILE_DIGEST + 1], FILE *err);

/* The same from memory; 'name' is what messages call it. */
int flow_file_parse(const char *name, const char *text, size_t size, struct flow_spec **list, size_t *n,
                    char digest[FLOW_FILE_DIGEST + 1], FILE *err);

/* The flows with a further column "end_s", seconds with 12 decimals, by way of a temporary name, so that PATH is
 * whole or as it was. NW_EIO, NW_ENOMEM. */
int flow_file_write_ends(const char *path, const struct flow_spec *list, size_t n, const int64_t end_ps[], FILE *err);

#endif
