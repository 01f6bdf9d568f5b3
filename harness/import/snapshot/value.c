#include "harness/import/snapshot/value.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 1 << 12, LARGEST = 1 << 20 };

struct values_chunk {
    struct values_chunk *next;
    size_t used, size;
    _Alignas(16) char bytes[];
};

static void *take(struct values *v, size_t n)
{
    struct values_chunk *c = v->chunks;

    n = (n + 15) & ~(size_t)15;
    if (!c || c->size - c->used < n) {
        size_t size = !c ? FIRST : c->size < LARGEST ? 2 * c->size : LARGEST;

        size = n > size ? n : size;
        c = malloc(sizeof(*c) + size);
        if (!c)
            return NULL;
        *c = (struct values_chunk){ v->chunks, 0, size };
        v->chunks = c;
    }
    c->used += n;
    return c->bytes + c->used - n;
}

struct value *values_new(struct values *v, enum value_kind kind)
{
    struct value *x = take(v, sizeof(*x));

    if (x) {
        memset(x, 0, sizeof(*x));
        x->kind = kind;
    }
    return x;
}

struct value *values_text(struct values *v, const char *text, size_t size)
{
    struct value *x = values_new(v, VALUE_TEXT);
    char *copy = x ? take(v, size + 1) : NULL;

    if (!copy)
        return NULL;
    memcpy(copy, text, size);
    x->text.at = copy;
    x->text.size = size;
    return x;
}

bool values_push(struct values *v, struct value *list, const struct value *item)
{
    if (list->list.n == list->list.capacity) {
        size_t capacity = list->list.capacity ? 2 * list->list.capacity : 4;
        const struct value **grown = take(v, capacity * sizeof(*grown));

        if (!grown)
            return false;
        if (list->list.n)
            memcpy(grown, list->list.items, list->list.n * sizeof(*grown));
        list->list.items = grown;
        list->list.capacity = capacity;
    }
    list->list.items[list->list.n++] = item;
    return true;
}

void values_free(struct values *v)
{
    while (v->chunks) {
        struct values_chunk *next = v->chunks->next;

        free(v->chunks);
        v->chunks = next;
    }
}

bool value_is(const struct value *v, const char *text)
{
    return v && v->kind == VALUE_TEXT && v->text.size == strlen(text) && !memcmp(v->text.at, text, v->text.size);
}

const struct value *value_at(const struct value *map, const char *key)
{
    for (size_t i = map && map->kind == VALUE_MAP ? map->list.n : 0; i; i -= 2)
        if (value_is(map->list.items[i - 2], key))
            return map->list.items[i - 1];
    return NULL;
}

bool value_integer(const struct value *v, int64_t *out)
{
    if (!v || v->kind != VALUE_INTEGER)
        return false;
    *out = v->integer;
    return true;
}
