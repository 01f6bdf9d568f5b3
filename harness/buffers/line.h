/* line.h - private to csv.h: the lines of a file of buffers. */
#ifndef NARROWS_HARNESS_BUFFERS_LINE_H
#define NARROWS_HARNESS_BUFFERS_LINE_H

#include "harness/buffers/csv.h"
#include "harness/text/csv_lines.h"

/* The columns before 'offset' are required. */
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
    size_t n;
};

/* The gaps of all buffers read so far. */
struct gap_list {
    struct buffer_gap *list;
    size_t n, capacity;
};

/* As csv_lines.h has them. */
bool buffers_line_header(struct csv_piece line, struct header *header, struct csv_error *error);
bool buffers_line_read(struct csv_piece line, const struct header *header, struct buffer *out, struct csv_piece *id,
                       struct gap_list *gaps, struct csv_error *error);

/* Appends the gaps of a buffer whose lifetime and size are known, and sets its 'ngaps'. With 'last' a gap's second
 * number is its last moment. */
bool buffers_gaps_read(struct csv_piece text, bool last, struct buffer *buffer, struct gap_list *gaps,
                       struct csv_error *error);

/* A whole number with or without a minus, at most BUFFERS_CSV_LARGEST from 0. Moves *p behind it. */
bool buffers_signed(const char **p, const char *end, int64_t *value);

#endif
