/* records.h - records on the command line. Imports print a line for each file to stderr. Errors are harness status,
 * their message printed. */
#ifndef NARROWS_HARNESS_COMMAND_LINE_RECORDS_H
#define NARROWS_HARNESS_COMMAND_LINE_RECORDS_H

#include <stdio.h>

struct store;

int records_import_file(struct store *s, const char *path);

/* Those that ship with narrows, of this paper (PAPER.record, PAPER-PART.record), or of all for NULL. Without any there
 * is nothing to do. */
int records_import(struct store *s, const char *paper);

/* Where another simulator said how long the recorded steps of a paper's small training runs would take, time them by
 * this program's, too. */
struct experiment;
int records_time(const struct experiment *x, const char *paper);

/* The database's, a line for each run. */
int records_print(struct store *s, FILE *out);

#endif
