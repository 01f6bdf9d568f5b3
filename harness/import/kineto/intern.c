#include "harness/import/kineto/intern.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash(const char *text)
{
    uint64_t h = 0xcbf29ce484222325; /* FNV-1a */

    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3;
    return h ^ h >> 29;
}

/* The slot of this text, or the free one where it belongs. */
static int32_t *slot_of(const struct intern *t, const char *text)
{
    size_t i = hash(text) & (t->nslots - 1);

    while (t->slots[i] && strcmp(t->texts[t->slots[i] - 1], text) != 0)
        i = (i + 1) & (t->nslots - 1);
    return &t->slots[i];
}

static bool grow(struct intern *t)
{
    size_t capacity = t->capacity ? 2 * t->capacity : 64, nslots = 2 * capacity;
    char **texts = realloc(t->texts, capacity * sizeof(*texts));
    int32_t *slots = calloc(nslots, sizeof(*slots));

    if (texts) {
        t->texts = texts;
        t->capacity = capacity;
    }
    if (!texts || !slots) {
        free(slots);
        return false;
    }
    free(t->slots);
    t->slots = slots;
    t->nslots = nslots;
    for (size_t i = 0; i < t->n; i++)
        *slot_of(t, t->texts[i]) = (int32_t)i + 1;
    return true;
}

int32_t intern_text(struct intern *t, const char *text)
{
    int32_t *slot;
    char *copy;

    if (2 * t->n >= t->nslots && !grow(t))
        return -1;
    slot = slot_of(t, text);
    if (*slot)
        return *slot - 1;
    copy = strdup(text);
    if (!copy)
        return -1;
    t->texts[t->n++] = copy;
    *slot = (int32_t)t->n;
    return *slot - 1;
}

void intern_free(struct intern *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->texts[i]);
    free(t->texts);
    free(t->slots);
    *t = (struct intern){ 0 };
}
