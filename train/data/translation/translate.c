/* translate.c - a sentence of the target language, by rules, from one of the source language. */
#include "train/data/translation/language.h"

static int32_t form_of(const struct language *t, int32_t token, uint32_t form)
{
    enum word_kind kind = word_kind_of(t, token);
    uint64_t x = (uint64_t)(token - t->first[kind]);

    return t->first[kind] + (int32_t)((t->factor[kind][form] * x + t->shift[kind][form]) % (uint64_t)t->count[kind]);
}

static uint32_t gender_of(const struct language *t, int32_t noun)
{
    struct draw d = draw_of(t->seed, DRAW_GENDER, 0, (uint64_t)noun);

    return draw_below(&d, WORD_FORMS);
}

enum role { ROLE_SUBJECT, ROLE_AFTER_PREPOSITION, ROLE_OBJECT };

/* The noun phrase at 'at': determiner, noun, adjectives. Returns where it ends; its noun's gender in *gender. */
static int64_t translate_noun_phrase(const struct language *t, const int32_t *words, int64_t at, enum role role,
                                     int32_t *target, uint32_t *gender)
{
    int64_t noun = at, to = at, adjective = at;

    while (word_kind_of(t, words[noun]) != WORD_NOUN)
        noun++;
    *gender = gender_of(t, words[noun]);
    if (word_kind_of(t, words[at]) == WORD_DETERMINER)
        target[to++] = form_of(t, words[adjective++], *gender);
    target[to++] = form_of(t, words[noun], role);
    while (adjective < noun)
        target[to++] = form_of(t, words[adjective++], *gender);
    return noun + 1;
}

void sentence_translate(const struct language *t, const int32_t *words, int64_t n, int32_t *target)
{
    enum word_kind before = WORD_CONJUNCTION;
    uint32_t subject = 0, gender;
    int64_t i = 0;

    while (i < n) {
        enum word_kind kind = word_kind_of(t, words[i]);

        if (kind == WORD_VERB)
            target[i] = form_of(t, words[i], subject);
        else if (kind == WORD_PREPOSITION)
            target[i] = form_of(t, words[i], before == WORD_VERB);
        else if (kind == WORD_CONJUNCTION)
            target[i] = words[i];
        if (kind >= WORD_VERB) {
            before = kind;
            i++;
            continue;
        }
        i = translate_noun_phrase(t, words, i,
                                  before == WORD_PREPOSITION ? ROLE_AFTER_PREPOSITION
                                  : before == WORD_VERB      ? ROLE_OBJECT
                                                             : ROLE_SUBJECT,
                                  target, &gender);
        if (before == WORD_CONJUNCTION)
            subject = gender;
        before = WORD_NOUN;
    }
}
