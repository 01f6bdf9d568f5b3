/* criteo_index.h - random access to the lines of a large text file: the offset of every 16th line is kept. */
#ifndef NARROWS_HARNESS_DATA_CRITEO_INDEX_H
#define NARROWS_HARNESS_DATA_CRITEO_INDEX_H

#include <stddef.h>
#include <stdint.h>

enum { LINES_APART = 16, LINE_MOST_BYTES = 1024 };

struct line_index {
    char *path;
    int fd;
    int64_t lines;
    int64_t nbytes;
    int64_t *offsets; /* of lines 0, 16, 32 ... */
    size_t noffsets, capacity;
};

/* Read the file once. A line of more than LINE_MOST_BYTES, its newline included, is refused. The last newline may be
 * missing. A failed *out may be closed. */
int line_index_open(const char *path, struct line_index *out, char *why, size_t nwhy);
void line_index_close(struct line_index *x);

/* Read line 'which', counted from 0: without its newline it is text[*at .. *at + *n). */
int line_read(const struct line_index *x, int64_t which, char text[LINES_APART * LINE_MOST_BYTES], size_t *at,
              size_t *n, char *why, size_t nwhy);

#endif
