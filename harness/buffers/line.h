/* line.h - private to csv.h: one line of it. */
#ifndef NARROWS_HARNESS_BUFFERS_LINE_H
#define NARROWS_HARNESS_BUFFERS_LINE_H

#include <stdbool.h>

#include "harness/buffers/csv.h"

/* A piece of the text, without blanks around it. */
struct piece {
    const char *p, *end;
};

/* What is wrong with a line: what was expected, and what came instead. */
struct line_fault {
    char expected[160];
    struct piece came;
};

/* Those before 'offset' must be there. */
enum column {
    COLUMN_ID,
    COLUMN_LOWER,
    COLUMN_UPPER,
    COLUMN_SIZE,
    COLUMN_OFFSET,
    COLUMN_ALIGNMENT,
    COLUMN_GAPS,
    COLUMN_HINT,
    COLUMNS
};

/* A name that a column may have. */
struct title {
    const char *name;
    enum column column;
    bool last; /* of 'upper': the last moment of life, not the one after it */
};

struct header {
    const struct title *titles[COLUMNS]; /* in the file's order */
    int n;
};

/* The text of a line without its end. Both answer whether it is right, and fill the fault if it is not. */
bool buffers_line_header(const char *text, const char *end, struct header *header, struct line_fault *fault);
bool buffers_line_read(const char *text, const char *end, const struct header *header, struct buffer *out,
                       struct piece *id, struct line_fault *fault);

#endif
