/* criteo_index.h - where the lines of a large text file begin, every 16th of them, and how to get at one. */
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
    int64_t noffsets, room;
};

/* Reads the file once. Refused: a line of more than LINE_MOST_BYTES with its newline. The last line's newline may be missing. */
int line_index_open(const char *path, struct line_index *out, char *why, size_t nwhy);
void line_index_close(struct line_index *x);

/* Line 'which' from 0, without its newline, is text[*at .. *at + *n). */
int line_read(const struct line_index *x, int64_t which, char text[LINES_APART * LINE_MOST_BYTES], size_t *at,
              size_t *n, char *why, size_t nwhy);

#endif
