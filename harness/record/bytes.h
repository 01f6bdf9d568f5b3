/* bytes.h - whole numbers and texts as bytes, and back.
 * Failure    sticks: a buffer that found no memory, or a cursor that met what cannot be, stays failed, and whoever is
 *            done asks once. A failed cursor gives 0. */
#ifndef NARROWS_HARNESS_RECORD_BYTES_H
#define NARROWS_HARNESS_RECORD_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    unsigned char *data; /* the caller's to free */
    size_t n, capacity;
    bool failed;
};

void bytes_put(struct bytes *b, const void *data, size_t n);
void bytes_put_number(struct bytes *b, uint64_t value); /* seven bits a byte, the lowest first: small ones are short */
void bytes_put_signed(struct bytes *b, int64_t value);  /* small whichever their sign */
void bytes_put_text(struct bytes *b, const char *text); /* its length, its bytes */

struct cursor {
    const unsigned char *at, *end;
    bool failed;
};

int64_t cursor_signed(struct cursor *c);
/* A number that is not greater than 'most', as whatever is counted or comes in bytes has it. */
size_t cursor_count(struct cursor *c, size_t most);
/* A text, which the caller frees; NULL if it failed, for want of memory too. A NUL within it fails. */
char *cursor_text(struct cursor *c);

#endif
