/* Made translations: sentences of the grammar, the rules one by one on a sentence made by hand, the share of noise, and
 * that context is needed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/train/data/help.h"
#include "train/data/translation/language.h"
#include "train/data/translation/translation.h"

enum { SEED = 5, VOCABULARY = 256, POSITIONS = 16 };

static struct data_source *open_translation(double noise)
{
    struct data_options o = data_options_of(DATA_TRANSLATION);
    struct data_source *s = NULL;
    char why[200] = "";

    o.seed = SEED, o.vocabulary = VOCABULARY, o.positions = POSITIONS, o.noise = noise;
    if (translation_open(&o, &s, why, sizeof(why)))
        fail_msg("%s", why);
    return s;
}

/* Reads on over what the grammar allows; false where it does not. */
static bool noun_phrase(const struct language *t, const int32_t *words, int64_t n, int64_t *at)
{
    if (*at < n && word_kind_of(t, words[*at]) == WORD_DETERMINER)
        ++*at;
    while (*at < n && word_kind_of(t, words[*at]) == WORD_ADJECTIVE)
        ++*at;
    return *at < n && word_kind_of(t, words[(*at)++]) == WORD_NOUN;
}

static bool prepositional(const struct language *t, const int32_t *words, int64_t n, int64_t *at)
{
    if (*at >= n || word_kind_of(t, words[*at]) != WORD_PREPOSITION)
        return 1;
    ++*at;
    return noun_phrase(t, words, n, at);
}

static bool grammatical(const struct language *t, const int32_t *words, int64_t n)
{
    for (int64_t at = 0;;) {
        if (!noun_phrase(t, words, n, &at) || !prepositional(t, words, n, &at) || at >= n ||
            word_kind_of(t, words[at++]) != WORD_VERB)
            return 0;
        if (at < n && word_kind_of(t, words[at]) <= WORD_NOUN && !noun_phrase(t, words, n, &at))
            return 0;
        if (!prepositional(t, words, n, &at))
            return 0;
        if (at == n)
            return 1;
        if (word_kind_of(t, words[at++]) != WORD_CONJUNCTION)
            return 0;
    }
}

static int64_t length_of(const int32_t *words)
{
    int64_t n = 0;

    while (words[n] >= TOKEN_WORDS)
        n++;
    return n;
}

static void sentences_are_of_the_grammar(void **state)
{
    struct language t = language_of(SEED, VOCABULARY);
    struct data_source *s = open_translation(0.1);
    struct sample sample = sample_room(s);
    int64_t lengths[POSITIONS] = { 0 }, kinds[WORD_KINDS] = { 0 };

    (void)state;
    for (int64_t i = 0; i < 2000; i++) {
        const int32_t *source = sample.ids, *decoder = sample.ids + POSITIONS, *target = sample.labels;
        int64_t n;

        sample_read(s, DATA_TRAIN, i, 0, &sample);
        n = length_of(source);
        assert_in_range(n, 2, POSITIONS - 1);
        lengths[n]++;
        assert_true(grammatical(&t, source, n));
        assert_int_equal(length_of(target), n);
        assert_true(source[n] == TOKEN_END && target[n] == TOKEN_END && decoder[0] == TOKEN_BEGIN);
        assert_memory_equal(decoder + 1, target, (size_t)n * sizeof(*target));
        for (int64_t j = n + 1; j < POSITIONS; j++)
            assert_true(source[j] == TOKEN_PAD && decoder[j] == TOKEN_PAD && target[j] == LABEL_NONE);
        for (int64_t j = 0; j < n; j++)
            kinds[word_kind_of(&t, source[j])]++;
    }
    for (int kind = 0; kind < WORD_KINDS; kind++)
        assert_true(kinds[kind] > 100);
    assert_true(lengths[7] > 20 && lengths[POSITIONS - 1] > 20);
    sample_free(&sample);
    s->close(s);
}

/* determiner adjective adjective noun preposition noun verb noun, a sentence with everything in it. */
enum place { DETERMINER, ADJECTIVE, SECOND_ADJECTIVE, SUBJECT, PREPOSITION, INNER, VERB, OBJECT, PLACES };

static const enum word_kind kinds[PLACES] = { WORD_DETERMINER,  WORD_ADJECTIVE, WORD_ADJECTIVE, WORD_NOUN,
                                              WORD_PREPOSITION, WORD_NOUN,      WORD_VERB,      WORD_NOUN };
static const int moved_to[PLACES] = { 0, 2, 3, 1, 4, 5, 6, 7 };

/* Which words of the target change, in the source's places, when one place of the source takes all its words. */
static const struct {
    enum place place;
    bool changes[PLACES];
} rules[] = {
    { DETERMINER, { 1, 0, 0, 0, 0, 0, 0, 0 } }, { ADJECTIVE, { 0, 1, 0, 0, 0, 0, 0, 0 } },
    { SUBJECT, { 1, 1, 1, 1, 0, 0, 1, 0 } },    { PREPOSITION, { 0, 0, 0, 0, 1, 0, 0, 0 } },
    { INNER, { 0, 0, 0, 0, 0, 1, 0, 0 } },      { VERB, { 0, 0, 0, 0, 0, 0, 1, 0 } },
    { OBJECT, { 0, 0, 0, 0, 0, 0, 0, 1 } },
};

static void each_rule_by_hand(void **state)
{
    struct language t = language_of(SEED, VOCABULARY);

    (void)state;
    for (size_t r = 0; r < sizeof(rules) / sizeof(*rules); r++) {
        int32_t words[PLACES], plain[PLACES], target[PLACES];
        bool changed[PLACES] = { 0 };
        int32_t count = t.count[kinds[rules[r].place]];

        for (int i = 0; i < PLACES; i++)
            words[i] = t.first[kinds[i]] + 1;
        sentence_translate(&t, words, PLACES, plain);
        for (int32_t w = 0; w < count; w++) {
            words[rules[r].place] = t.first[kinds[rules[r].place]] + w;
            sentence_translate(&t, words, PLACES, target);
            for (int i = 0; i < PLACES; i++) {
                assert_int_equal(word_kind_of(&t, target[moved_to[i]]), kinds[i]);
                changed[i] |= target[moved_to[i]] != plain[moved_to[i]];
            }
        }
        for (int i = 0; i < PLACES; i++)
            if (changed[i] != rules[r].changes[i])
                fail_msg("place %d %s when place %d does", i, changed[i] ? "changes" : "stays", (int)rules[r].place);
    }
}

/* The three forms of a word are one-to-one maps, and not all the same. */
static void forms_are_one_to_one(void **state)
{
    struct language t = language_of(SEED, VOCABULARY);

    (void)state;
    for (int role = 0; role < 3; role++) {
        bool seen[VOCABULARY] = { 0 };

        for (int32_t w = 0; w < t.count[WORD_NOUN]; w++) {
            int32_t words[] = { t.first[WORD_NOUN], t.first[WORD_PREPOSITION], t.first[WORD_NOUN], t.first[WORD_VERB],
                                t.first[WORD_NOUN] };
            int32_t target[5], at = (int32_t[]){ 0, 2, 4 }[role];

            words[at] = t.first[WORD_NOUN] + w;
            sentence_translate(&t, words, 5, target);
            assert_true(!seen[target[at]]);
            seen[target[at]] = 1;
        }
    }
}

/* The sentences are the same with and without noise; so many words of the target differ. */
static void noise_is_the_share_asked_for(void **state)
{
    struct data_source *clean = open_translation(0), *noisy = open_translation(0.3);
    struct sample a = sample_room(clean), b = sample_room(noisy);
    double differ = 0, words = 0;

    (void)state;
    for (int64_t i = 0; i < 3000; i++) {
        sample_read(clean, DATA_TEST, i, 0, &a);
        sample_read(noisy, DATA_TEST, i, 0, &b);
        assert_memory_equal(a.ids, b.ids, POSITIONS * sizeof(*a.ids));
        words += (double)length_of(a.ids);
        for (int64_t j = 0; j < POSITIONS; j++)
            differ += a.labels[j] != b.labels[j];
    }
    /* A wrong word is the right one by chance, more often in small kinds; of the one conjunction always. */
    if (differ / words < 0.24 || differ / words > 0.3)
        fail_msg("%.3f of the words differ, expected about 0.27", differ / words);
    sample_free(&a);
    sample_free(&b);
    clean->close(clean);
    noisy->close(noisy);
}

/* A table of what each source word at the same position became most often, with the word before it or without. */
static double table_accuracy(bool with_word_before)
{
    enum { TRAIN = 20000, TEST = 2000, KEYS = 1 << 16 };
    struct data_source *s = open_translation(0);
    struct sample sample = sample_room(s);
    int32_t *guess = calloc(KEYS, sizeof(*guess)), *lead = calloc(KEYS, sizeof(*lead));
    double right = 0, all = 0;

    assert_true(guess && lead);
    for (int64_t i = 0; i < TRAIN + TEST; i++) {
        sample_read(s, i < TRAIN ? DATA_TRAIN : DATA_TEST, i < TRAIN ? i : i - TRAIN, 0, &sample);
        for (int64_t j = 0; sample.labels[j] >= TOKEN_WORDS; j++) {
            int32_t key = sample.ids[j] + (with_word_before && j ? VOCABULARY * sample.ids[j - 1] : 0);

            /* The majority by Boyer and Moore's vote. */
            if (i >= TRAIN) {
                right += guess[key] == sample.labels[j];
                all++;
            } else if (!lead[key]) {
                guess[key] = sample.labels[j];
                lead[key] = 1;
            } else {
                lead[key] += guess[key] == sample.labels[j] ? 1 : -1;
            }
        }
    }
    free(guess);
    free(lead);
    sample_free(&sample);
    s->close(s);
    return right / all;
}

static void context_is_needed(void **state)
{
    double alone = table_accuracy(0), with_neighbour = table_accuracy(1);

    (void)state;
    print_message("a table of words has %.1f %% right, of words with the one before %.1f %%\n", 100 * alone,
                  100 * with_neighbour);
    assert_true(alone > 0.2 && with_neighbour > alone + 0.03 && with_neighbour < 0.8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_are_of_the_grammar),
        cmocka_unit_test(each_rule_by_hand),
        cmocka_unit_test(forms_are_one_to_one),
        cmocka_unit_test(noise_is_the_share_asked_for),
        cmocka_unit_test(context_is_needed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
