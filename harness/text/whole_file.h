/* whole_file.h - read a file into memory; write a file so that it is never there in part.
 * Errors     0 or a negative nw_status, with the message printed on 'err'. */
#ifndef NARROWS_HARNESS_TEXT_WHOLE_FILE_H
#define NARROWS_HARNESS_TEXT_WHOLE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Read the rest of 'f', whose size need not be known, at most 'most' bytes. The caller frees *text. */
int whole_file_read(FILE *f, const char *name, int64_t most, char **text, size_t *size, FILE *err);

/* The same of the file at PATH. */
int whole_file_load(const char *path, int64_t most, char **text, size_t *size, FILE *err);

/* The same, and of standard input if PATH is "-"; what messages are to call it. */
int whole_file_take(const char *path, int64_t most, char **text, size_t *size, FILE *err);
const char *whole_file_name(const char *path);

/* Write PATH by way of a temporary name: it is either complete or as it was. A device, a pipe or a link is not
 * replaced, but written to. NW_EIO, NW_ENOMEM. */
int whole_file_write(const char *path, void (*write)(FILE *out, const void *what), const void *what, FILE *err);

/* The same of bytes that are there. */
int whole_file_put(const char *path, const void *bytes, size_t n, FILE *err);

/* "PATH: " and errno's message; NW_EIO. */
int whole_file_failed(const char *path, FILE *err);

#endif
