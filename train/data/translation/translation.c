#include "train/data/translation/translation.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/status.h"
#include "train/data/translation/language.h"
#include "train/number.h"

enum { MOST_POSITIONS = 4096, MOST_VOCABULARY = 1 << 24 };

struct translation {
    struct language language;
    int64_t positions;
    float noise;
};

/* Words that are wrong, of the right kind. */
static void spoil(const struct translation *tr, enum data_set set, int64_t index, int64_t n, int32_t *words)
{
    struct draw d = draw_of(tr->language.seed, DRAW_NOISE_WORDS, set, (uint64_t)index);

    for (int64_t i = 0; i < n; i++)
        if (draw_unit(&d) < tr->noise)
            words[i] = word_draw(&tr->language, word_kind_of(&tr->language, words[i]), &d);
}

static int translation_sample(const struct data_source *s, enum data_set set, int64_t index, uint64_t augment,
                              float *values, int32_t *ids, int32_t *labels, char *why, size_t nwhy)
{
    const struct translation *tr = s->own;
    struct draw d = draw_of(tr->language.seed, DRAW_SENTENCE, set, (uint64_t)index);
    int32_t *decoder = ids + tr->positions;
    int64_t n = sentence_draw(&tr->language, &d, tr->positions - 1, ids);

    (void)augment, (void)values, (void)why, (void)nwhy;
    sentence_translate(&tr->language, ids, n, labels);
    spoil(tr, set, index, n, labels);
    ids[n] = labels[n] = TOKEN_END;
    decoder[0] = TOKEN_BEGIN;
    for (int64_t i = 0; i < n; i++)
        decoder[i + 1] = labels[i];
    for (int64_t i = n + 1; i < tr->positions; i++) {
        ids[i] = decoder[i] = TOKEN_PAD;
        labels[i] = LABEL_NONE;
    }
    return 0;
}

static void translation_close(struct data_source *s)
{
    free(s->own);
    free(s);
}

static int check(const struct data_options *o, char *why, size_t nwhy)
{
    const struct data_range ranges[] = {
        { "train", o->train, 1, DATA_MOST_SAMPLES },
        { "test", o->test, 1, DATA_MOST_SAMPLES },
        { "positions", o->positions, 4, MOST_POSITIONS },
        { "vocabulary", o->vocabulary, LEAST_VOCABULARY, MOST_VOCABULARY },
    };

    return data_refused(ranges, COUNT(ranges), why, nwhy) || data_real_refused("noise", o->noise, 0, 1, why, nwhy)
               ? E_DATA
               : 0;
}

int translation_open(const struct data_options *o, struct data_source **out, char *why, size_t nwhy)
{
    struct data_source *s;
    struct translation *tr;

    if (check(o, why, nwhy))
        return E_DATA;
    s = calloc(1, sizeof(*s));
    tr = calloc(1, sizeof(*tr));
    if (!s || !tr) {
        free(s);
        free(tr);
        snprintf(why, nwhy, "no memory for a translation");
        return E_NOMEM;
    }
    *tr = (struct translation){ language_of(o->seed, o->vocabulary), o->positions, (float)o->noise };
    *s = (struct data_source){ .name = "translation",
                               .shape = { 0, 0, 0, 2 * o->positions, o->positions, o->vocabulary },
                               .count = { o->train, o->test },
                               .sample = translation_sample,
                               .close = translation_close,
                               .own = tr };
    *out = s;
    return 0;
}
