#include "harness/data/text/vocabulary.h"

#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "model/vec.h"

enum { FIRST_SLOTS = 1 << 12, MOST_WORDS = 1 << 29 };

/* FNV-1a. */
static uint64_t hash_of(struct word w)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < w.n; i++)
        h = (h ^ (uint8_t)w.at[i]) * UINT64_C(0x100000001b3);
    return h ^ h >> 32;
}

/* The slot where the word is, or where it would be. */
static size_t slot_of(const struct vocabulary *v, struct word w)
{
    size_t i = hash_of(w) & (v->nslots - 1);

    for (; v->slots[i] >= 0; i = (i + 1) & (v->nslots - 1)) {
        struct word there = v->words[v->slots[i]].word;

        if (there.n == w.n && !memcmp(there.at, w.at, w.n))
            break;
    }
    return i;
}

static int grow(struct vocabulary *v)
{
    size_t n = v->nslots ? 2 * v->nslots : FIRST_SLOTS;
    int32_t *slots = malloc(n * sizeof(*slots));

    if (!slots)
        return E_NOMEM;
    memset(slots, 0xff, n * sizeof(*slots));
    free(v->slots);
    v->slots = slots;
    v->nslots = n;
    for (size_t i = 0; i < v->nwords; i++)
        slots[slot_of(v, v->words[i].word)] = (int32_t)i;
    return 0;
}

int32_t vocabulary_add(struct vocabulary *v, struct word word)
{
    size_t slot;

    if (v->nslots <= 2 * (v->nwords + 1) && grow(v))
        return -1;
    slot = slot_of(v, word);
    if (v->slots[slot] >= 0)
        return v->slots[slot];
    if (v->nwords >= MOST_WORDS || !VEC_RESERVE(v->words, v->capacity, v->nwords))
        return -1;
    v->words[v->nwords] = (struct vocabulary_word){ .word = word };
    return v->slots[slot] = (int32_t)v->nwords++;
}

int32_t vocabulary_find(const struct vocabulary *v, struct word word)
{
    return v->nslots ? v->slots[slot_of(v, word)] : -1;
}

/* No two words are equal, so that the order does not depend on how it is sorted. */
static int by_count(const void *left, const void *right)
{
    const struct vocabulary_word *a = *(struct vocabulary_word *const *)left,
                                 *b = *(struct vocabulary_word *const *)right;
    size_t n = a->word.n < b->word.n ? a->word.n : b->word.n;
    int order;

    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    order = memcmp(a->word.at, b->word.at, n);
    return order ? order : a->word.n < b->word.n ? -1 : 1;
}

int vocabulary_rank(struct vocabulary *v, int32_t first, int64_t most, int32_t unknown)
{
    struct vocabulary_word **order = malloc((v->nwords + 1) * sizeof(struct vocabulary_word *));

    if (!order)
        return E_NOMEM;
    for (size_t i = 0; i < v->nwords; i++)
        order[i] = &v->words[i];
    qsort(order, v->nwords, sizeof(*order), by_count);
    for (size_t i = 0; i < v->nwords; i++)
        order[i]->token = (int64_t)i < most && order[i]->count ? first + (int32_t)i : unknown;
    free(order);
    return 0;
}

void vocabulary_free(struct vocabulary *v)
{
    free(v->words);
    free(v->slots);
    *v = (struct vocabulary){ 0 };
}
