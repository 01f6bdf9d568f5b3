/* arena.c - chunks of at least 8 KiB, newest first. */
#include "harness/scenario/yaml/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 8192, ALIGNMENT = sizeof(max_align_t) };

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, size;
    max_align_t data[];
};

static struct arena_chunk *new_chunk(struct arena *a, size_t size)
{
    size_t capacity = size > CHUNK_BYTES ? size : CHUNK_BYTES;
    struct arena_chunk *c = calloc(1, sizeof(*c) + capacity);

    if (!c)
        longjmp(*a->oom, 1);
    c->next = a->chunks;
    c->size = capacity;
    a->chunks = c;
    return c;
}

void *arena_alloc(struct arena *a, size_t size)
{
    struct arena_chunk *c = a->chunks;
    size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *out;

    if (rounded < size)
        longjmp(*a->oom, 1);
    if (!c || c->size - c->used < rounded)
        c = new_chunk(a, rounded);
    out = (char *)c->data + c->used;
    c->used += rounded;
    return out;
}

char *arena_copy(struct arena *a, const char *text, size_t size)
{
    char *out = arena_alloc(a, size + 1);

    if (size)
        memcpy(out, text, size);
    return out;
}

char *arena_text(struct arena *a, const char *text)
{
    return arena_copy(a, text, strlen(text));
}

char *arena_printf(struct arena *a, const char *format, ...)
{
    va_list args, again;
    char brief[256], *out;
    int n;

    assert(format);
    va_start(args, format);
    va_copy(again, args);
    n = vsnprintf(brief, sizeof(brief), format, args);
    out = arena_alloc(a, (size_t)(n < 0 ? 0 : n) + 1);
    if (n > 0)
        vsnprintf(out, (size_t)n + 1, format, again);
    va_end(again);
    va_end(args);
    return out;
}

void *arena_grow(struct arena *a, void *items, size_t n, size_t item_size)
{
    void *out;

    if (n & (n - 1))
        return items;
    out = arena_alloc(a, (n ? 2 * n : 1) * item_size);
    if (n)
        memcpy(out, items, n * item_size);
    return out;
}

void arena_free(struct arena *a)
{
    while (a->chunks) {
        struct arena_chunk *c = a->chunks;

        a->chunks = c->next;
        free(c);
    }
}
