/* csv_lines.h - read comma-separated files line by line, and report what is wrong with them.
 * Lines      the first is the header. Blank lines, lines that begin with '#', blanks around values, CRLF and a
 *            byte-order mark are skipped. Values are not quoted.
 * Errors     printed as "NAME:LINE:COLUMN: what was expected, got 'what was found'", the first ten of a file. */
#ifndef NARROWS_HARNESS_TEXT_CSV_LINES_H
#define NARROWS_HARNESS_TEXT_CSV_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CSV_MOST_ERRORS = 10 };

/* A part of the text, without blanks around it. */
struct csv_piece {
    const char *p, *end;
};

/* What is wrong with a line. */
struct csv_error {
    char expected[160];
    struct csv_piece found;
};

/* Fill *error; returns false. */
bool csv_refuse(struct csv_error *error, struct csv_piece found, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* One format of files. The functions get a line without its end and answer whether it is right, with *error filled if
 * not. */
struct csv_format {
    const char *header; /* in the message about a file without one: "the header 'id,size'" */
    const char *row;    /* in the message about a file without rows: "a buffer"; NULL: such a file is right */
    const char *rows;   /* "buffers" */
    size_t most;        /* rows of a file; more are refused */
    bool (*read_header)(void *context, struct csv_piece line, struct csv_error *error);
    bool (*read_row)(void *context, struct csv_piece line, int64_t number, struct csv_error *error);
    bool (*grow)(void *context); /* before each row; false: no memory */
};

struct csv_reader {
    const struct csv_format *format;
    const char *name; /* of the file, in messages */
    FILE *err;
    void *context;
    size_t nrows; /* read so far */
    int nerrors;  /* printed so far */
};

/* Read all lines of a text. NW_EINPUT with the messages printed; NW_ENOMEM without. */
int csv_read_lines(struct csv_reader *r, const char *text, const char *end);

/* Print an error of line 'number', which begins at 'text'. */
void csv_report(struct csv_reader *r, int64_t number, const char *text, const struct csv_error *error);

/* Skip a byte-order mark, which spreadsheets write. */
const char *csv_skip_mark(const char *text, size_t size);

/* Cut a line at its commas. Returns the number of pieces; those past 'most' are counted, but not stored. */
size_t csv_split(struct csv_piece line, size_t most, struct csv_piece pieces[]);

bool csv_equals(struct csv_piece piece, const char *text);

/* Read digits from *p on, at least one, and move *p behind them. False for none, or for a number above 'most'. */
bool csv_digits(const char **p, const char *end, int64_t most, int64_t *value);

/* The same for a piece that is digits only. */
bool csv_whole(struct csv_piece piece, int64_t most, int64_t *value);

#endif
