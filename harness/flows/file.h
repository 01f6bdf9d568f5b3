/* file.h - traffic as CSV: who sends how much to whom, and when.
 * Format     a header line "id,src,dst,bytes,start_s", then a flow a line: a unique whole number (0..2147483647), two
 *            ends (machine "7", or a GPU of it "7.gpu1"), whole bytes, and decimal seconds ("0.25", "1e-05"), rounded
 *            to picoseconds. Blank lines, lines that begin with '#', blanks around a value and CRLF are allowed.
 *            Two more columns may follow, "after,delay_s": the ids of flows, with blanks between, that must have
 *            arrived before this one sets out (none: an empty value), and the seconds that pass before it does.
 * Ownership  the caller frees the list, and with it what its flows wait for.
 * Errors     0 or a negative nw_status, with the reasons written to 'err' as "FILE:LINE:COLUMN: what was expected,
 *            what was found", up to ten of them. */
#ifndef NARROWS_HARNESS_FLOWS_FILE_H
#define NARROWS_HARNESS_FLOWS_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/method/flows/flows.h"

enum { FLOW_FILE_DIGEST = 32, FLOW_FILE_MOST = 50000000 }; /* hex digits; flows of a file */
#define FLOW_FILE_MOST_B 4000000000                        /* text of a file */

/* Read a file: its '*n' flows in file order ('line' counts from 1), and the XXH3-128 of its bytes. A file of a header
 * alone gives *n = 0 and *list = NULL. On NW_EIO, NW_EINPUT and NW_ENOMEM the outputs are not set. */
int flow_file_read(const char *path, struct flow_spec **list, size_t *n, char digest[FLOW_FILE_DIGEST + 1], FILE *err);

/* The same from memory; 'name' stands for the file in messages. */
int flow_file_parse(const char *name, const char *text, size_t size, struct flow_spec **list, size_t *n,
                    char digest[FLOW_FILE_DIGEST + 1], FILE *err);

/* Write flows as a file that is read again: with the two further columns if one needs them. */
void flow_file_write(FILE *out, const struct flow_spec *list, size_t n);

/* Write the flows with a further column "end_s", seconds with 12 decimals, as whole_file.h does. NW_EIO, NW_ENOMEM. */
int flow_file_write_ends(const char *path, const struct flow_spec *list, size_t n, const int64_t end_ps[], FILE *err);

#endif
