/* buffers_line.h - private to buffers_csv: one line of it. */
#ifndef NARROWS_HARNESS_MEMORY_BUFFERS_LINE_H
#define NARROWS_HARNESS_MEMORY_BUFFERS_LINE_H

#include "harness/memory/buffers_csv.h"

/* A piece of the text, without blanks around it. */
struct piece {
    const char *p, *end;
};

/* What is wrong with a line: what was expected, and what came instead. */
struct line_fault {
    char expected[128];
    struct piece came;
};

enum column { COLUMN_ID, COLUMN_LOWER, COLUMN_UPPER, COLUMN_SIZE, COLUMN_OFFSET, COLUMNS };

struct header {
    enum column columns[COLUMNS]; /* in the file's order */
    int n;
};

/* The text of a line without its end. Both answer whether it is right, and fill the fault if it is not. */
_Bool buffers_line_header(const char *text, const char *end, struct header *header, struct line_fault *fault);
_Bool buffers_line_read(const char *text, const char *end, const struct header *header, struct buffer *out,
                        struct piece *id, struct line_fault *fault);

#endif
