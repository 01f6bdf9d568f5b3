/* words_test.c - how text is split into words, and which words get tokens. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/text/vocabulary.h"
#include "harness/data/text/words.h"
#include "tests/test.h"
#include "train/data/draw.h"

/* The words of a text, joined by '|'. */
static const struct {
    const char *text, *words;
} splits[] = {
    { "", "" },
    { " \t\r\n\v\f\x01\x7f ", "" },
    { "Das ist  gut.", "das|ist|gut|." },
    { "don't (1.5)", "don|'|t|(|1|.|5|)" },
    { "A-Z_a@z", "a|-|z|_|a|@|z" },
    { "...", ".|.|." },
    { "\xc3\x84pfel \xc3\xbc"
      "BER",
      "\xc3\x84pfel|\xc3\xbc"
      "ber" },
    { "\xe2\x80\x9eHaus\xe2\x80\x9c \xe2\x80\x93 \xe2\x80\x99s",
      "\xe2\x80\x9e|haus|\xe2\x80\x9c|\xe2\x80\x93|\xe2\x80\x99|s" },
    { "\xc2\xabja\xc2\xbb\xc2\xbfque", "\xc2\xab|ja|\xc2\xbb|\xc2\xbf|que" },
    { "a\xc2\xa0"
      "b\xe2\x80\x8b"
      "c\xe2\x80\xa8"
      "d\xe3\x80\x80"
      "e\xef\xbb\xbf"
      "f\xe2\x81\xa0g",
      "a|b|c|d|e|f|g" },
    { "caf\xc3\xa9\xe2\x80\xa6", "caf\xc3\xa9|\xe2\x80\xa6" },
    { "R&amp;D &lt;i&gt; &quot;x&apos; &ampx;", "r|&|d|<|i|>|\"|x|'|&|ampx|;" },
    { "\xe2\x82\xac"
      "5 \xe4\xbd\xa0",
      "\xe2\x82\xac"
      "5|\xe4\xbd\xa0" },
    /* Not UTF-8: bytes of words, also where the text ends within a character. */
    { "\xff\xfe"
      "A \x80\xe2 b\xe2\x80",
      "\xff\xfe"
      "a|\x80\xe2|b\xe2\x80" },
    { "\xc2", "\xc2" },
    { "x&am", "x|&|am" },
};

/* In memory of exactly its size, so that a read past its end is seen. */
static char *exact(const char *text, size_t n)
{
    char *copy = malloc(n ? n : 1);

    assert_non_null(copy);
    memcpy(copy, text, n);
    return copy;
}

static void text_is_split(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(splits) / sizeof(*splits); i++) {
        size_t n = strlen(splits[i].text), length = 0;
        char *text = exact(splits[i].text, n), *p = text, joined[200];
        struct word w;

        while (word_next(&p, text + n, &w)) {
            if (length)
                joined[length++] = '|';
            memcpy(joined + length, w.at, w.n);
            length += w.n;
        }
        joined[length] = '\0';
        assert_string_equal(joined, splits[i].words);
        assert_ptr_equal(p, text + n);
        free(text);
    }
}

/* Any bytes end, and each word is of one byte at least. */
static void any_bytes_are_text(void **state)
{
    static const char likely[] = "&amp;&lt\xe2\x80\x9e\xc2\xa0 A.\xef\xbb\xbf";
    struct draw d = draw_of(1, 50, 0, 0);

    (void)state;
    for (int i = 0; i < 20000; i++) {
        size_t n = draw_below(&d, 12), words = 0;
        char bytes[12], *text, *p;
        struct word w;

        for (size_t k = 0; k < n; k++)
            bytes[k] = (char)(draw_below(&d, 2) ? likely[draw_below(&d, sizeof(likely))] : (char)draw_word(&d));
        p = text = exact(bytes, n);
        while (word_next(&p, text + n, &w)) {
            assert_true(w.n > 0 && p <= text + n);
            words++;
        }
        assert_true(words <= n && p == text + n);
        free(text);
    }
}

static struct word word_of(const char *text)
{
    return (struct word){ text, strlen(text) };
}

static void words_are_ranked(void **state)
{
    static const struct {
        const char *word;
        int count, token;
    } words[] = { { "often", 9, 4 }, { "b", 3, 6 },   { "a", 3, 5 },      { "\xc3\xa9", 2, 9 },
                  { "ab", 2, 7 },    { "abc", 2, 8 }, { "seldom", 1, 3 }, { "none", 0, 3 } };
    enum { WORDS = sizeof(words) / sizeof(*words) };
    struct vocabulary v = { 0 };

    (void)state;
    assert_int_equal(vocabulary_find(&v, word_of("a")), -1);
    for (int i = 0; i < WORDS; i++) {
        assert_int_equal(vocabulary_add(&v, word_of(words[i].word)), i);
        assert_int_equal(vocabulary_add(&v, word_of(words[i].word)), i);
        v.words[i].count = words[i].count;
    }
    assert_int_equal(vocabulary_find(&v, word_of("abcd")), -1);
    assert_int_equal(vocabulary_rank(&v, 4, 6, 3), 0);
    for (int i = 0; i < WORDS; i++) {
        assert_int_equal(vocabulary_find(&v, word_of(words[i].word)), i);
        assert_int_equal(v.words[i].token, words[i].token);
    }
    assert_int_equal(vocabulary_rank(&v, 4, 100, 3), 0);
    assert_int_equal(v.words[6].token, 10);
    assert_int_equal(v.words[7].token, 3); /* it never came */
    vocabulary_free(&v);
    assert_int_equal(vocabulary_find(&v, word_of("a")), -1);
}

/* Enough of them that the table has to grow, more than once. */
static void many_words_are_found(void **state)
{
    enum { MANY = 20000 };
    struct vocabulary v = { 0 };
    char(*texts)[16] = malloc(MANY * sizeof(*texts));

    (void)state;
    assert_non_null(texts);
    for (int i = 0; i < MANY; i++) {
        snprintf(texts[i], sizeof(*texts), "%d", i);
        assert_int_equal(vocabulary_add(&v, word_of(texts[i])), i);
    }
    for (int i = 0; i < MANY; i++)
        assert_int_equal(vocabulary_find(&v, word_of(texts[i])), i);
    assert_int_equal(vocabulary_find(&v, word_of("-1")), -1);
    vocabulary_free(&v);
    free(texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_split),
        cmocka_unit_test(any_bytes_are_text),
        cmocka_unit_test(words_are_ranked),
        cmocka_unit_test(many_words_are_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
