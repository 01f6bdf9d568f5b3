/* vocabulary.h - the distinct words of a text, numbered as they come, and the tokens that stand for the frequent ones.
 * Ownership  the bytes of words are the caller's and have to outlive the vocabulary. A zeroed one is empty. */
#ifndef NARROWS_HARNESS_DATA_TEXT_VOCABULARY_H
#define NARROWS_HARNESS_DATA_TEXT_VOCABULARY_H

#include <stddef.h>
#include <stdint.h>

#include "harness/data/text/words.h"

struct vocabulary_word {
    struct word word;
    int64_t count; /* kept by the caller */
    int32_t token;
};

struct vocabulary {
    struct vocabulary_word *words;
    size_t nwords, capacity;
    int32_t *slots; /* a hash table of numbers of words; -1: free */
    size_t nslots;  /* a power of two, more than twice the words */
};

/* The word's number, a new one if need be; -1 without memory. */
int32_t vocabulary_add(struct vocabulary *v, struct word word);

/* The word's number; -1 if there is none. */
int32_t vocabulary_find(const struct vocabulary *v, struct word word);

/* Give tokens first .. first + most - 1 to the words that were counted most often, those of equal counts in the order
 * of their bytes, and 'unknown' to the others. 0 or E_NOMEM. */
int vocabulary_rank(struct vocabulary *v, int32_t first, int64_t most, int32_t unknown);

void vocabulary_free(struct vocabulary *v);

#endif
