/* files.h - files of tensors, byte by byte: what tests of their readers write. */
#ifndef NARROWS_TESTS_TENSOR_FILES_H
#define NARROWS_TESTS_TENSOR_FILES_H

#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *at; /* the caller frees it */
    size_t n, capacity;
};

void bytes_add(struct bytes *b, const void *more, size_t n);
void bytes_add_number(struct bytes *b, uint64_t number, int nbytes); /* little-endian */

/* The header 'text' as a version of .npy writes its length, without padding. */
void npy_begin(struct bytes *b, int version, const char *text, size_t n);

/* The length of the header and the header. */
void safetensors_begin(struct bytes *b, const char *json, size_t n);

struct member {
    const char *name;
    const uint8_t *bytes;
    size_t n;
    /* What is wrong with it, or 0 */
    uint32_t crc_error;
    unsigned method, flags;
    uint64_t announced; /* in place of n */
};

/* A ZIP archive of stored members. */
void zip_write(struct bytes *b, const struct member *list, size_t n);

#endif
