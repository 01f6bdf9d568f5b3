#include "train/trainer/bleu.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static bool same(const int32_t *a, const int32_t *b, int64_t n)
{
    return !memcmp(a, b, (size_t)n * sizeof(*a));
}

/* How often the n-gram at 'gram' stands in text[0..length). */
static int64_t count(const int32_t *gram, int64_t n, const int32_t *text, int64_t length)
{
    int64_t found = 0;

    for (int64_t i = 0; i + n <= length; i++)
        found += same(gram, text + i, n);
    return found;
}

/* The k-th n-gram of its kind counts if the reference has so many. Sentences are short: no table is made. */
static int64_t common_grams(const int32_t *translation, int64_t length, const int32_t *reference, int64_t nreference,
                            int64_t n)
{
    int64_t common = 0;

    for (int64_t i = 0; i + n <= length; i++) {
        int64_t kth = count(translation + i, n, translation, i + n);

        common += kth <= count(translation + i, n, reference, nreference);
    }
    return common;
}

void bleu_add(struct bleu *b, const int32_t *translation, int64_t n, const int32_t *reference, int64_t nreference)
{
    for (int64_t g = 1; g <= BLEU_GRAMS; g++) {
        b->all[g - 1] += n >= g ? n - g + 1 : 0;
        b->common[g - 1] += common_grams(translation, n, reference, nreference, g);
    }
    b->length += n;
    b->reference_length += nreference;
}

double bleu_score(const struct bleu *b)
{
    double logarithms = 0, penalty;

    for (int g = 0; g < BLEU_GRAMS; g++) {
        if (!b->common[g])
            return 0;
        logarithms += log((double)b->common[g] / (double)b->all[g]);
    }
    penalty = b->length < b->reference_length ? exp(1 - (double)b->reference_length / (double)b->length) : 1;
    return penalty * exp(logarithms / BLEU_GRAMS);
}
