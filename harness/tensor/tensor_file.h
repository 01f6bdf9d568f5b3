/* tensor_file.h - files of bytes, such as streams and states of codecs; memory for them.
 * Ownership  what is read is on a 64-byte boundary; the caller frees it.
 * Errors     0 or a negative nw_status with the message on stderr. */
#ifndef NARROWS_HARNESS_TENSOR_FILE_H
#define NARROWS_HARNESS_TENSOR_FILE_H

#include <stddef.h>
#include <stdint.h>

/* "-" is standard input. NW_EIO. */
int tensor_read_bytes(const char *path, uint8_t **bytes, size_t *nbytes);

/* Write as whole_file.h does; "-" is standard output. NW_EIO, NW_ENOMEM. */
int tensor_write(const char *path, const void *bytes, size_t nbytes);

/* Allocate on a 64-byte boundary without touching the memory: a stream may announce more values than there is memory
 * for, and must be refused before. NULL with the message printed. */
void *tensor_alloc(size_t nbytes);

#endif
