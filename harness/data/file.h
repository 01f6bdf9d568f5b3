/* file.h - what the readers of data share: refusing, reading files, making a source, choosing among the samples there
 * are.
 * Errors     unless said otherwise 0, E_DATA or E_NOMEM, with the reason in why[0..nwhy). */
#ifndef NARROWS_HARNESS_DATA_FILE_H
#define NARROWS_HARNESS_DATA_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "train/data/options.h"
#include "train/data/source.h"

/* Write the reason and return E_DATA. */
int data_fail(char *why, size_t nwhy, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same for "PATH: no memory for WHAT" ("" for nothing in particular); returns E_NOMEM. */
int data_no_memory(char *why, size_t nwhy, const char *path, const char *what);

/* Open a regular file for reading and store its size in *nbytes. -1 with the reason in why[]. */
int file_open(const char *path, int64_t *nbytes, char *why, size_t nwhy);

/* Read bytes offset .. offset + n - 1; fewer are an error. */
int file_read_at(int fd, const char *path, int64_t offset, void *to, size_t n, char *why, size_t nwhy);

/* Read a whole file of at most 'most' bytes. The caller frees *bytes. */
int file_read(const char *path, int64_t most, uint8_t **bytes, size_t *nbytes, char *why, size_t nwhy);

/* A copy of 'like' with 'nown' zeroed bytes at ->own, both of which its close() has to free. NULL with the reason in
 * why[]. */
struct data_source *source_new(const struct data_source *like, size_t nown, const char *path, char *why, size_t nwhy);

/* The end of opening: close 's' if rc is an error, else hand it out. Returns rc. */
int source_opened(int rc, struct data_source *s, struct data_source **out);

/* Set s->count to what the options ask for, by default to what is there. Asking for more is refused. */
int counts_choose(struct data_source *s, const struct data_options *o, const int64_t there[DATA_SETS], char *why,
                  size_t nwhy);

/* Map sample 'index' of 'count' to one of 'there' samples, spread evenly. */
static inline int64_t spread(int64_t index, int64_t count, int64_t there)
{
    return count == there ? index : index * there / count;
}

#endif
