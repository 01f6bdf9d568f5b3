/* tensor_file.h - files of bytes and of raw fp32 values (little-endian, no header: what numpy's tofile() writes).
 * Ownership  what is read comes on a 64-byte boundary and is released with free().
 * Errors     0 or a negative nw_status with the message on stderr. */
#ifndef NARROWS_HARNESS_TENSOR_FILE_H
#define NARROWS_HARNESS_TENSOR_FILE_H

#include <stddef.h>
#include <stdint.h>

/* "-" is standard input. NW_EIO. */
int tensor_read_bytes(const char *path, uint8_t **bytes, size_t *nbytes);

/* NW_EINPUT for a size that is no whole number of values. */
int tensor_read_values(const char *path, float **values, size_t *n);

/* By way of a temporary name, so that PATH is whole or as it was; "-" is standard output. NW_EIO. */
int tensor_write(const char *path, const void *bytes, size_t nbytes);

/* Room for nbytes on a 64-byte boundary, not written to: a stream may announce more values than there is memory, and is
 * to be refused before they are. NULL with the message written. */
void *tensor_room(size_t nbytes);

#endif
