/* arena.h - memory that is released all at once, with a scenario file or a point.
 * Ownership  arena_free() releases everything; single allocations are never released.
 * Errors     running out of memory leaves by longjmp(*oom, 1), so that callers in between need no checks. The code that
 *            sets 'oom' must keep what it has to release in variables that survive the jump. */
#ifndef NARROWS_HARNESS_SCENARIO_YAML_ARENA_H
#define NARROWS_HARNESS_SCENARIO_YAML_ARENA_H

#include <setjmp.h>
#include <stddef.h>

struct arena {
    struct arena_chunk *chunks;
    jmp_buf *oom;
};

void *arena_alloc(struct arena *a, size_t size);                  /* zeroed, aligned for any type */
char *arena_copy(struct arena *a, const char *text, size_t size); /* adds the final NUL */
char *arena_text(struct arena *a, const char *text);
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Make space for one more element: returns 'items', or a larger copy of it if n is a power of two (or 0). */
void *arena_grow(struct arena *a, void *items, size_t n, size_t item_size);

void arena_free(struct arena *a);

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_alloc((a), (n) * sizeof(type)))
/* Append a zeroed element to a (pointer, count) pair; its address. */
#define ARENA_PUSH(a, items, n) ((items) = arena_grow((a), (items), (n), sizeof(*(items))), &(items)[(n)++])

#endif
