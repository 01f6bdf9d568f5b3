#include "tests/tensor/files.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void bytes_add(struct bytes *b, const void *more, size_t n)
{
    if (b->n + n > b->capacity) {
        b->capacity = 2 * (b->n + n) + 512;
        b->at = realloc(b->at, b->capacity);
    }
    if (!b->at && b->capacity)
        abort();
    if (n)
        memcpy(b->at + b->n, more, n);
    b->n += n;
}

void bytes_add_number(struct bytes *b, uint64_t number, int nbytes)
{
    uint8_t bytes[8];

    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(number >> 8 * i);
    bytes_add(b, bytes, (size_t)nbytes);
}

void npy_begin(struct bytes *b, int version, const char *text, size_t n)
{
    bytes_add(b, "\x93NUMPY", 6);
    bytes_add_number(b, (uint64_t)version, 2);
    bytes_add_number(b, n, version == 1 ? 2 : 4);
    bytes_add(b, text, n);
}

void safetensors_begin(struct bytes *b, const char *json, size_t n)
{
    bytes_add_number(b, n, 8);
    bytes_add(b, json, n);
}

/* What the local header and the directory have in common: from the version needed to the lengths of name and extra. */
static void add_common(struct bytes *b, const struct member *m)
{
    uint64_t size = m->announced ? m->announced : m->n;

    bytes_add_number(b, 20, 2);
    bytes_add_number(b, m->flags, 2);
    bytes_add_number(b, m->method, 2);
    bytes_add_number(b, 0x210000, 4); /* the first day of 1980 */
    bytes_add_number(b, crc32(0, m->bytes, (unsigned)m->n) ^ m->crc_error, 4);
    bytes_add_number(b, m->n, 4);
    bytes_add_number(b, size, 4);
    bytes_add_number(b, strlen(m->name), 2);
    bytes_add_number(b, 0, 2);
}

void zip_write(struct bytes *b, const struct member *list, size_t n)
{
    size_t at = 0, directory;

    for (size_t i = 0; i < n; i++) {
        bytes_add(b, "PK\x03\x04", 4);
        add_common(b, &list[i]);
        bytes_add(b, list[i].name, strlen(list[i].name));
        bytes_add(b, list[i].bytes, list[i].n);
    }
    directory = b->n;
    for (size_t i = 0; i < n; i++) {
        bytes_add(b, "PK\x01\x02\x14\x00", 6);
        add_common(b, &list[i]);
        bytes_add(b, "\0\0\0\0\0\0\0\0\0\0", 10); /* no comment, disk 0, no attributes */
        bytes_add_number(b, at, 4);
        bytes_add(b, list[i].name, strlen(list[i].name));
        at += 30 + strlen(list[i].name) + list[i].n;
    }
    bytes_add(b, "PK\x05\x06\0\0\0\0", 8);
    bytes_add_number(b, n, 2);
    bytes_add_number(b, n, 2);
    bytes_add_number(b, b->n - directory - 12, 4);
    bytes_add_number(b, directory, 4);
    bytes_add_number(b, 0, 2);
}
