/* language.h - the words and rules of synthetic translations. Within train/data/ only. */
#ifndef NARROWS_TRAIN_DATA_TRANSLATION_LANGUAGE_H
#define NARROWS_TRAIN_DATA_TRANSLATION_LANGUAGE_H

#include <stdint.h>

#include "train/data/draw.h"

enum word_kind {
    WORD_DETERMINER,
    WORD_ADJECTIVE,
    WORD_NOUN,
    WORD_VERB,
    WORD_PREPOSITION,
    WORD_CONJUNCTION,
    WORD_KINDS
};

enum { WORD_FORMS = 3, LEAST_VOCABULARY = 32 };

/* Purposes of draws. */
enum { DRAW_SENTENCE = 1, DRAW_NOISE_WORDS, DRAW_FORM, DRAW_GENDER };

struct language {
    uint64_t seed;
    int32_t first[WORD_KINDS], count[WORD_KINDS]; /* tokens of a kind */
    double log_count[WORD_KINDS];                 /* log2(count + 1) */
    /* Form f of word number x of a kind is number (factor x + shift) mod count. */
    uint32_t factor[WORD_KINDS][WORD_FORMS], shift[WORD_KINDS][WORD_FORMS];
};

struct language language_of(uint64_t seed, int64_t vocabulary);
enum word_kind word_kind_of(const struct language *t, int32_t token);
int32_t word_draw(const struct language *t, enum word_kind kind, struct draw *d);

/* A sentence of 2 .. most words (most >= 2), without its end. Returns how many. */
int64_t sentence_draw(const struct language *t, struct draw *d, int64_t most, int32_t *words);

/* Its translation by the rules, as many words. */
void sentence_translate(const struct language *t, const int32_t *words, int64_t n, int32_t *target);

#endif
