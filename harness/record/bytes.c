#include "harness/record/bytes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct bytes *b, size_t n)
{
    if (b->n + n > b->capacity) {
        size_t capacity = 2 * b->capacity + n + 64;
        unsigned char *data = b->failed ? NULL : realloc(b->data, capacity);

        if (!data) {
            b->failed = 1;
            return 0;
        }
        b->data = data;
        b->capacity = capacity;
    }
    return !b->failed;
}

void bytes_put(struct bytes *b, const void *data, size_t n)
{
    if (!n || !reserve(b, n))
        return;
    memcpy(b->data + b->n, data, n);
    b->n += n;
}

void bytes_put_number(struct bytes *b, uint64_t value)
{
    unsigned char text[10];
    size_t n = 0;

    for (; value >= 0x80; value >>= 7)
        text[n++] = (unsigned char)(value | 0x80);
    text[n++] = (unsigned char)value;
    bytes_put(b, text, n);
}

void bytes_put_signed(struct bytes *b, int64_t value)
{
    bytes_put_number(b, value < 0 ? ~((uint64_t)value << 1) : (uint64_t)value << 1);
}

void bytes_put_text(struct bytes *b, const char *text)
{
    bytes_put_number(b, strlen(text));
    bytes_put(b, text, strlen(text));
}

static uint64_t cursor_number(struct cursor *c)
{
    uint64_t value = 0;

    for (int shift = 0; !c->failed && c->at < c->end && shift < 70; shift += 7) {
        unsigned char byte = *c->at++;

        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    c->failed = 1;
    return 0;
}

int64_t cursor_signed(struct cursor *c)
{
    uint64_t value = cursor_number(c);

    return (int64_t)(value & 1 ? ~(value >> 1) : value >> 1);
}

size_t cursor_count(struct cursor *c, size_t most)
{
    uint64_t value = cursor_number(c);

    c->failed |= value > most;
    return c->failed ? 0 : (size_t)value;
}

/* The next n bytes; NULL where there are fewer. */
static const unsigned char *cursor_take(struct cursor *c, size_t n)
{
    const unsigned char *at = c->at;

    c->failed |= n > (size_t)(c->end - c->at);
    if (c->failed)
        return NULL;
    c->at += n;
    return at;
}

char *cursor_text(struct cursor *c)
{
    size_t n = cursor_count(c, (size_t)(c->end - c->at));
    const unsigned char *bytes = cursor_take(c, n);
    char *text = bytes && !memchr(bytes, 0, n) ? malloc(n + 1) : NULL;

    c->failed |= !text;
    if (text) {
        memcpy(text, bytes, n);
        text[n] = 0;
    }
    return text;
}
