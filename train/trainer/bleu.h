/* bleu.h - BLEU of a corpus (Papineni and others, ACL 2002): the geometric mean of the shares of 1- to 4-grams that a
 * translation has in common with its reference, each counted at most as often as in the reference, times a penalty for
 * being shorter. One reference per sentence, no smoothing: 0 if no 4-gram is common. */
#ifndef NARROWS_TRAIN_TRAINER_BLEU_H
#define NARROWS_TRAIN_TRAINER_BLEU_H

#include <stdint.h>

enum { BLEU_GRAMS = 4 };

struct bleu {
    int64_t common[BLEU_GRAMS], all[BLEU_GRAMS]; /* n-grams of the translations */
    int64_t length, reference_length;
};

/* Add one sentence; both without the end symbol. */
void bleu_add(struct bleu *b, const int32_t *translation, int64_t n, const int32_t *reference, int64_t nreference);

double bleu_score(const struct bleu *b); /* 0 .. 1 */

#endif
