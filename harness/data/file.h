/* file.h - what the readers of data share: refusing, reading a file as a whole, taking a part of what there is. */
#ifndef NARROWS_HARNESS_DATA_FILE_H
#define NARROWS_HARNESS_DATA_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "train/data/options.h"
#include "train/data/source.h"

/* Writes the reason and returns E_DATA. */
int data_fail(char *why, size_t nwhy, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Opens a regular file to read. -1 with the reason in why[]; its size in *nbytes. */
int file_open(const char *path, int64_t *nbytes, char *why, size_t nwhy);

/* Bytes offset .. offset + n - 1, all of them. */
int file_read_at(int fd, const char *path, int64_t offset, void *to, size_t n, char *why, size_t nwhy);

/* All of a file of at most 'most' bytes, with the reason in why[] if it has more. *bytes is freed by the caller. */
int file_read(const char *path, int64_t most, uint8_t **bytes, size_t *nbytes, char *why, size_t nwhy);

/* Sets s->count from what the options ask for and what there is. Refused: more than that. */
int counts_choose(struct data_source *s, const struct data_options *o, const int64_t there[DATA_SETS], char *why,
                  size_t nwhy);

/* Which of 'there' is sample 'index' of 'count': spread evenly. */
static inline int64_t spread(int64_t index, int64_t count, int64_t there)
{
    return count == there ? index : index * there / count;
}

#endif
