#include "train/data/translation/language.h"

#include <assert.h>

#include "train/data/plain_math.h"
#include "train/data/translation/translation.h"

struct language language_of(uint64_t seed, int64_t vocabulary)
{
    struct language t = { .seed = seed };
    int32_t words = (int32_t)vocabulary - TOKEN_WORDS, small = words / 16 < 2 ? 2 : words / 16 > 8 ? 8 : words / 16;
    int32_t open = words - 2 * small - 1, at = TOKEN_WORDS;

    assert(vocabulary >= LEAST_VOCABULARY && vocabulary <= INT32_MAX);
    t.count[WORD_DETERMINER] = t.count[WORD_PREPOSITION] = small;
    t.count[WORD_CONJUNCTION] = 1;
    t.count[WORD_ADJECTIVE] = open / 4;
    t.count[WORD_VERB] = open / 10 * 3;
    t.count[WORD_NOUN] = open - t.count[WORD_ADJECTIVE] - t.count[WORD_VERB];
    for (uint32_t kind = 0; kind < WORD_KINDS; kind++) {
        struct draw d = draw_of(seed, DRAW_FORM, kind, 0);

        t.first[kind] = at;
        at += t.count[kind];
        t.log_count[kind] = plain_log2(t.count[kind] + 1.0);
        for (int form = 0; form < WORD_FORMS; form++) {
            t.factor[kind][form] = draw_coprime(&d, (uint32_t)t.count[kind]);
            t.shift[kind][form] = draw_below(&d, (uint32_t)t.count[kind]);
        }
    }
    return t;
}

enum word_kind word_kind_of(const struct language *t, int32_t token)
{
    enum word_kind kind = WORD_DETERMINER;

    assert(token >= TOKEN_WORDS);
    while (kind + 1 < WORD_KINDS && token >= t->first[kind + 1])
        kind++;
    return kind;
}

int32_t word_draw(const struct language *t, enum word_kind kind, struct draw *d)
{
    return t->first[kind] + (int32_t)draw_zipf(d, t->count[kind], t->log_count[kind]);
}
