/* iwslt_test.c - IWSLT'14 as it unpacks: which lines are sentences, which words have tokens, what a sample holds, and
 * what is said of damaged files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/readers.h"
#include "tests/data/files.h"
#include "tests/test.h"
#include "tests/train/data/help.h"

enum {
    POSITIONS = 6,
    UNKNOWN = IWSLT_UNKNOWN,
    PAD = TOKEN_PAD,
    BEGIN = TOKEN_BEGIN,
    END = TOKEN_END,
    NONE = LABEL_NONE
};

static struct data_options options_of(const char *path)
{
    struct data_options o = data_options_of(DATA_IWSLT);

    o.path = path;
    o.positions = POSITIONS;
    o.vocabulary = 8;
    return o;
}

static void put(const char *path, const char *text)
{
    file_write(path, text, strlen(text));
}

/* In the folder "iwslt" of the test; the most frequent words are 'a' to 'd', then come those that have no token. */
static const char german[] = "<url>http://www.ted.com/talks/x</url>\n"
                             "<title>Titel a</title>\r\n"
                             "A b a\r\n"
                             "a b c a d e\n" /* too long */
                             "\n"            /* empty on one side */
                             "a B c d x\n"
                             "  <description>a a a</description>\n"
                             "b y";
static const char english[] = "<url>http://www.ted.com/talks/x</url>\n"
                              "<title>Title k</title>\n"
                              "k l.\n"
                              "k\n"
                              "k k k\n"
                              ". K l m m\n"
                              "<description>k k k</description>\n"
                              "l\n";

static void write_folder(void)
{
    static const char *const tests[] = { "TED.dev2010", "TEDX.dev2012", "TED.tst2010", "TED.tst2011", "TED.tst2012" };

    put(file_path("iwslt/train.tags.de-en.de"), german);
    put(file_path("iwslt/train.tags.de-en.en"), english);
    for (int i = 0; i < 5; i++) {
        char text[400];

        snprintf(text, sizeof(text),
                 "<?xml version=\"1.0\"?>\n<mteval>\n<doc docid=\"1\">\n<title>a</title>\n<seg id=\"1\"> %c </seg>\n"
                 "<seg id=\"2\">b z\n x.</seg></doc>\n</mteval>\n",
                 "abcde"[i]);
        put(file_path("iwslt/IWSLT14.%s.de-en.de.xml", tests[i]), text);
        snprintf(text, sizeof(text),
                 "<mteval><doc>\n<seg id=\"1\"> k k k k k l </seg>\n<seg id=\"2\"> </seg>\n</doc></mteval>");
        put(file_path("iwslt/IWSLT14.%s.de-en.en.xml", tests[i]), text);
    }
}

static void holds(const struct data_source *s, enum data_set set, int64_t index, const int32_t ids[2 * POSITIONS],
                  const int32_t labels[POSITIONS])
{
    struct sample sample = sample_room(s);

    sample_read(s, set, index, 7, &sample);
    assert_memory_equal(sample.ids, ids, 2 * POSITIONS * sizeof(*ids));
    assert_memory_equal(sample.labels, labels, POSITIONS * sizeof(*labels));
    sample_free(&sample);
}

/* Of German a and b come three times, c and d and x and y once: tokens 4 .. 7 are a, b, c, d. Of English l comes three
 * times, '.', k and m twice: 4 is l, then in the order of their bytes '.', k, m. */
static void sentences_are_read(void **state)
{
    struct data_options o = options_of(folder_fresh("iwslt"));
    struct data_source *s;

    (void)state;
    write_folder();
    s = data_open_or_fail(&o);
    assert_string_equal(s->name, "iwslt");
    assert_true(s->count[DATA_TRAIN] == 3 && s->count[DATA_TEST] == 10);
    assert_true(s->shape.channels == 0 && s->shape.ids == 12 && s->shape.labels == 6 && s->shape.classes == 8);
    holds(s, DATA_TRAIN, 0, (int32_t[]){ 4, 5, 4, END, PAD, PAD, BEGIN, 6, 4, 5, PAD, PAD },
          (int32_t[]){ 6, 4, 5, END, NONE, NONE });
    holds(s, DATA_TRAIN, 1, (int32_t[]){ 4, 5, 6, 7, UNKNOWN, END, BEGIN, 5, 6, 4, 7, 7 },
          (int32_t[]){ 5, 6, 4, 7, 7, END });
    holds(s, DATA_TRAIN, 2, (int32_t[]){ 5, UNKNOWN, END, PAD, PAD, PAD, BEGIN, 4, PAD, PAD, PAD, PAD },
          (int32_t[]){ 4, END, NONE, NONE, NONE, NONE });
    for (int i = 0; i < 5; i++) /* what is too long for a test is cut */
        holds(s, DATA_TEST, 2 * i,
              (int32_t[]){ i < 4 ? 4 + i : UNKNOWN, END, PAD, PAD, PAD, PAD, BEGIN, 6, 6, 6, 6, 6 },
              (int32_t[]){ 6, 6, 6, 6, 6, END });
    holds(s, DATA_TEST, 9, (int32_t[]){ 5, UNKNOWN, UNKNOWN, UNKNOWN, END, PAD, BEGIN, PAD, PAD, PAD, PAD, PAD },
          (int32_t[]){ END, NONE, NONE, NONE, NONE, NONE });
    s->close(s);
}

static void parts_are_spread(void **state)
{
    struct data_options o = options_of(folder_fresh("iwslt"));
    struct data_source *s;

    (void)state;
    write_folder();
    o.train = 1;
    o.test = 5;
    s = data_open_or_fail(&o);
    assert_true(s->count[DATA_TRAIN] == 1 && s->count[DATA_TEST] == 5);
    holds(s, DATA_TEST, 3, (int32_t[]){ 7, END, PAD, PAD, PAD, PAD, BEGIN, 6, 6, 6, 6, 6 },
          (int32_t[]){ 6, 6, 6, 6, 6, END });
    s->close(s);
    o.train = 4;
    assert_refused(&o, "train: expected 0 to 3, got 4");
    o.train = 0;
    o.positions = 3;
    assert_refused(&o, "positions: expected 4 to 4096, got 3");
    o.positions = POSITIONS;
    o.vocabulary = 7;
    assert_refused(&o, "vocabulary: expected 8 to 16777216, got 7");
    o.vocabulary = 100; /* more than there are words: the last tokens are not used */
    s = data_open_or_fail(&o);
    assert_true(s->shape.classes == 100);
    holds(s, DATA_TRAIN, 2, (int32_t[]){ 5, 9, END, PAD, PAD, PAD, BEGIN, 4, PAD, PAD, PAD, PAD },
          (int32_t[]){ 4, END, NONE, NONE, NONE, NONE });
    s->close(s);
}

/* Tests that are not there are done without, but not half of a pair, nor all of them. */
static void tests_may_be_missing(void **state)
{
    static const char *const names[] = { "TED.dev2010", "TED.tst2010", "TED.tst2011", "TED.tst2012" };
    const char *folder = folder_fresh("iwslt"), *last;
    struct data_options o = options_of(folder);
    struct data_source *s;

    (void)state;
    write_folder();
    for (int i = 0; i < 4; i++) {
        file_remove(file_path("iwslt/IWSLT14.%s.de-en.de.xml", names[i]));
        file_remove(file_path("iwslt/IWSLT14.%s.de-en.en.xml", names[i]));
    }
    s = data_open_or_fail(&o);
    assert_true(s->count[DATA_TEST] == 2);
    holds(s, DATA_TEST, 0, (int32_t[]){ 5, END, PAD, PAD, PAD, PAD, BEGIN, 6, 6, 6, 6, 6 },
          (int32_t[]){ 6, 6, 6, 6, 6, END });
    s->close(s);
    last = file_path("iwslt/IWSLT14.TEDX.dev2012.de-en.en.xml");
    file_remove(last);
    assert_refused(&o, "%s: No such file or directory", last);
    file_remove(file_path("iwslt/IWSLT14.TEDX.dev2012.de-en.de.xml"));
    assert_refused(&o, "%s: expected test sentences, as in IWSLT14.TED.tst2010.de-en.de.xml, got none", folder);
}

#define SEGMENT "expected <seg id=\"N\">, a sentence and </seg>, got "

/* One file of the folder replaced; the message follows its path. */
static const struct {
    const char *file, *text, *message;
} damages[] = {
    { "train.tags.de-en.de", "", ":1: expected sentences, got none" },
    { "train.tags.de-en.de", "<url>x</url>\n<title>y", ":1: expected sentences, got none" },
    { "train.tags.de-en.en", "k\nk\n", ": expected 5 sentences, as many as in %s/train.tags.de-en.de, got 2" },
    { "train.tags.de-en.en", "k\nk\nk\nk\nk\n\n",
      ": expected 5 sentences, as many as in %s/train.tags.de-en.de, got 6" },
    { "IWSLT14.TED.tst2011.de-en.de.xml", "", ":1: expected sentences, got none" },
    { "IWSLT14.TED.tst2011.de-en.de.xml", "<seg id=\"1\">a</seg>",
      ": expected 1 sentences, as many as in %s/IWSLT14.TED.tst2011.de-en.de.xml, got 2" },
    { "IWSLT14.TED.tst2011.de-en.de.xml", "<mteval>\n<seg id=\"1\">a</seg>\n<seg id=\"2\">b</s",
      ":3: " SEGMENT "the end of the file" },
    { "IWSLT14.TED.tst2011.de-en.de.xml", "<mteval>\n<seg id=\"1\">a\n<seg id=\"2\">b</seg>\n",
      ":2: " SEGMENT "another <seg before its end" },
    { "IWSLT14.TED.tst2011.de-en.de.xml", "\n\n<seg", ":3: " SEGMENT "the end of the file" },
    { "IWSLT14.TED.tst2011.de-en.de.xml", "<mteval>\n<seg id=\"1\">a</seg>\n<seg id=\"2\">b</seg>\n",
      ":4: expected </mteval> behind all segments, got the end of the file" },
};

static void damage_is_reported(void **state)
{
    const char *folder = folder_fresh("iwslt");
    struct data_options o = options_of(folder);

    (void)state;
    for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
        const char *file = damages[i].file;
        char message[1000], other[64];

        write_folder();
        put(file_path("iwslt/%s", file), damages[i].text);
        snprintf(other, sizeof(other), "%s", file);
        if (strstr(damages[i].message, ".de.xml, got")) /* the second file of the pair is the one that is named */
            memcpy(strstr(other, ".de.xml"), ".en", 3);
        snprintf(message, sizeof(message), damages[i].message, folder);
        assert_refused(&o, "%s/%s%s", folder, other, message);
    }
    write_folder();
    file_write(file_path("iwslt/train.tags.de-en.en"), "a\nb\0c\n", 6);
    assert_refused(&o, "%s/train.tags.de-en.en:2: expected text, got a byte of 0", folder);
    write_folder();
    file_write(file_path("iwslt/IWSLT14.TED.dev2010.de-en.de.xml"), "\0", 1);
    assert_refused(&o, "%s/IWSLT14.TED.dev2010.de-en.de.xml:1: expected text, got a byte of 0", folder);
    write_folder();
    put(file_path("iwslt/train.tags.de-en.de"), "\n\n\n\n\n");
    assert_refused(&o, "%s: expected training pairs of 1 to 5 words a sentence, got none", folder);
    file_remove(file_path("iwslt/train.tags.de-en.de"));
    assert_refused(&o, "%s/train.tags.de-en.de: No such file or directory", folder);
    o.path = "/nowhere";
    assert_refused(&o, "/nowhere/train.tags.de-en.de: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_are_read),
        cmocka_unit_test(parts_are_spread),
        cmocka_unit_test(tests_may_be_missing),
        cmocka_unit_test(damage_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
