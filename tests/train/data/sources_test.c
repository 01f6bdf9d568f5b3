/* What every generator keeps: samples are pure functions of (seed, set, index, augment), the same on every machine;
 * train and test are apart; labels, ids and values are what the shape says; and options that make no sense are
 * refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "tests/test.h"
#include "tests/train/data/help.h"
#include "train/data/clicks/clicks.h"
#include "train/data/images/images.h"
#include "train/data/translation/translation.h"

enum { SAMPLES = 300 };

static int open_made(const struct data_options *o, struct data_source **out, char *why, size_t nwhy)
{
    switch (o->kind) {
    case DATA_IMAGES: return images_open(o, out, why, nwhy);
    case DATA_CLICKS: return clicks_open(o, out, why, nwhy);
    default: return translation_open(o, out, why, nwhy);
    }
}

static struct data_source *open_options(const struct data_options *o)
{
    struct data_source *s = NULL;
    char why[200] = "";

    if (open_made(o, &s, why, sizeof(why)))
        fail_msg("%s: %s", data_kind_name(o->kind), why);
    return s;
}

static struct data_options options_of(enum data_kind kind, uint64_t seed)
{
    struct data_options o = data_options_of(kind);

    o.seed = seed;
    o.crop = o.mirror = 1;
    if (kind == DATA_IMAGES)
        o.height = o.width = 16;
    return o;
}

/* Digests of the first samples of a set, in the given order: every index once. */
static void digests(const struct data_source *s, enum data_set set, uint64_t augment, int64_t step, uint64_t *to)
{
    struct sample sample = sample_room(s);

    for (int64_t i = 0, at = 0; i < SAMPLES; i++, at = (at + step) % SAMPLES) {
        sample_read(s, set, at, augment, &sample);
        to[at] = sample_digest(&sample);
    }
    sample_free(&sample);
}

static int64_t alike(const uint64_t *a, const uint64_t *b)
{
    int64_t n = 0;

    for (int i = 0; i < SAMPLES; i++)
        for (int j = 0; j < SAMPLES; j++)
            n += a[i] == b[j];
    return n;
}

static void samples_are_pure(void **state)
{
    (void)state;
    for (enum data_kind kind = DATA_IMAGES; kind <= DATA_TRANSLATION; kind++) {
        struct data_options o = options_of(kind, 7), other_seed = options_of(kind, 8);
        struct data_source *one = open_options(&o), *two = open_options(&o), *other = open_options(&other_seed);
        uint64_t up[SAMPLES], down[SAMPLES], again[SAMPLES], test[SAMPLES], elsewhere[SAMPLES], varied[SAMPLES];

        digests(one, DATA_TRAIN, 0, 1, up);
        digests(one, DATA_TEST, 0, 7, test);
        digests(two, DATA_TRAIN, 0, SAMPLES - 1, down);
        digests(two, DATA_TRAIN, 0, 7, again);
        digests(other, DATA_TRAIN, 0, 1, elsewhere);
        assert_memory_equal(up, down, sizeof(up));
        assert_memory_equal(up, again, sizeof(up));
        if (alike(up, up) != SAMPLES || alike(up, test) || alike(up, elsewhere))
            fail_msg("%s: %lld of %d samples alike, %lld in the test set, %lld of another seed", one->name,
                     (long long)alike(up, up), SAMPLES, (long long)alike(up, test), (long long)alike(up, elsewhere));
        /* Tests are never varied; of training samples, images are, each in its own way. */
        digests(one, DATA_TEST, 5, 1, again);
        assert_memory_equal(test, again, sizeof(test));
        digests(one, DATA_TRAIN, 5, 1, varied);
        digests(two, DATA_TRAIN, 5, 7, again);
        assert_memory_equal(varied, again, sizeof(varied));
        assert_true(alike(up, varied) == (kind == DATA_IMAGES ? 0 : SAMPLES) || kind == DATA_IMAGES);
        assert_true(kind != DATA_IMAGES || alike(up, varied) < SAMPLES / 10);
        one->close(one);
        two->close(two);
        other->close(other);
    }
}

/* The first eight samples of seed 7: a change here changes what every stored training was trained on. */
static const struct {
    enum data_kind kind;
    uint64_t digest;
} golden[] = {
    { DATA_IMAGES, UINT64_C(0x639a76f70cd121b6) },
    { DATA_CLICKS, UINT64_C(0x63de689a9452831b) },
    { DATA_TRANSLATION, UINT64_C(0xbfd0f644b4610f15) },
};

static void bits_are_the_same_everywhere(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(golden); k++) {
        struct data_options o = options_of(golden[k].kind, 7);
        struct data_source *s = open_options(&o);
        struct sample sample = sample_room(s);
        uint64_t digest = 0;

        for (int64_t i = 0; i < 8; i++) {
            sample_read(s, DATA_TRAIN, i, (uint64_t)(i / 4), &sample);
            digest = digest * 31 + sample_digest(&sample);
        }
        if (digest != golden[k].digest)
            fail_msg("%s: digest 0x%016llx, expected 0x%016llx", s->name, (unsigned long long)digest,
                     (unsigned long long)golden[k].digest);
        sample_free(&sample);
        s->close(s);
    }
}

static void threads_see_the_same(void **state)
{
    (void)state;
    for (enum data_kind kind = DATA_IMAGES; kind <= DATA_TRANSLATION; kind++) {
        struct data_options o = options_of(kind, 7);
        struct data_source *s = open_options(&o);
        uint64_t alone[SAMPLES], together[4][SAMPLES];

        digests(s, DATA_TRAIN, 3, 1, alone);
#ifdef _OPENMP
#pragma omp parallel for num_threads(4)
#endif
        for (int t = 0; t < 4; t++)
            digests(s, DATA_TRAIN, 3, 1, together[t]);
        for (int t = 0; t < 4; t++)
            assert_memory_equal(alone, together[t], sizeof(alone));
        s->close(s);
    }
}

/* What is refused: the message begins with the option's name. */
static const struct {
    enum data_kind kind;
    size_t offset; /* of an int64_t, or of a double that gets the value */
    bool real;
    double value;
    const char *message;
} mistakes[] = {
#define WHOLE(kind, field, value, message)                            \
    {                                                                 \
        kind, offsetof(struct data_options, field), 0, value, message \
    }
#define REAL(kind, field, value, message)                             \
    {                                                                 \
        kind, offsetof(struct data_options, field), 1, value, message \
    }
    WHOLE(DATA_IMAGES, classes, 1, "classes: expected 2 to 1000, got 1"),
    WHOLE(DATA_IMAGES, classes, 1001, "classes: expected 2 to 1000, got 1001"),
    WHOLE(DATA_IMAGES, channels, 0, "channels: expected 1 to 1024, got 0"),
    WHOLE(DATA_IMAGES, height, 7, "height: expected 8 to 4096, got 7"),
    WHOLE(DATA_IMAGES, width, 1 << 20, "width: expected 8 to 4096, got 1048576"),
    WHOLE(DATA_IMAGES, train, 0, "train: expected 1 to 1099511627776, got 0"),
    WHOLE(DATA_IMAGES, test, -1, "test: expected 1 to 1099511627776, got -1"),
    REAL(DATA_IMAGES, difficulty, 1.5, "difficulty: expected 0 to 1, got 1.5"),
    WHOLE(DATA_CLICKS, dense, 257, "dense: expected 1 to 256, got 257"),
    WHOLE(DATA_CLICKS, train, 0, "train: expected 1 to 1099511627776, got 0"),
    REAL(DATA_CLICKS, difficulty, -0.5, "difficulty: expected 0 to 1, got -0.5"),
    REAL(DATA_CLICKS, base_rate, 0, "base_rate: expected 0.001 to 0.999, got 0"),
    WHOLE(DATA_TRANSLATION, positions, 3, "positions: expected 4 to 4096, got 3"),
    WHOLE(DATA_TRANSLATION, vocabulary, 31, "vocabulary: expected 32 to 16777216, got 31"),
    REAL(DATA_TRANSLATION, noise, 2, "noise: expected 0 to 1, got 2"),
};

static void senseless_options_are_refused(void **state)
{
    static const int64_t no_rows[2] = { 5, 0 }, too_many[2] = { INT32_MAX, 1 };
    struct data_options o = data_options_of(DATA_CLICKS);
    struct data_source *s = NULL;
    char why[200] = "";

    (void)state;
    for (size_t i = 0; i < COUNT(mistakes); i++) {
        struct data_options wrong = data_options_of(mistakes[i].kind);
        int64_t whole = (int64_t)mistakes[i].value;

        memcpy((char *)&wrong + mistakes[i].offset, mistakes[i].real ? (const void *)&mistakes[i].value : &whole, 8);
        assert_int_equal(open_made(&wrong, &s, why, sizeof(why)), E_DATA);
        assert_string_equal(why, mistakes[i].message);
    }
    o.tables = 0;
    assert_int_equal(clicks_open(&o, &s, why, sizeof(why)), E_DATA);
    assert_string_equal(why, "tables: expected 1 to 256, got 0");
    o.tables = 2;
    o.rows = no_rows;
    assert_int_equal(clicks_open(&o, &s, why, sizeof(why)), E_DATA);
    assert_string_equal(why, "rows[1]: expected 1 or more, and fewer than 2^31 in all tables, got 0");
    o.rows = too_many;
    assert_int_equal(clicks_open(&o, &s, why, sizeof(why)), E_DATA);
    assert_string_equal(why, "rows[1]: expected 1 or more, and fewer than 2^31 in all tables, got 1");
    assert_null(s);
}

/* The least and the most of what is asked for: opened, and read at both ends of the sets. */
static void extremes_work(void **state)
{
    static const int64_t one_row[1] = { 1 };
    struct data_options cases[] = { data_options_of(DATA_IMAGES),      data_options_of(DATA_IMAGES),
                                    data_options_of(DATA_CLICKS),      data_options_of(DATA_CLICKS),
                                    data_options_of(DATA_TRANSLATION), data_options_of(DATA_TRANSLATION) };

    (void)state;
    cases[0].classes = 2, cases[0].channels = 1, cases[0].height = 8, cases[0].width = 40, cases[0].difficulty = 1;
    cases[1].classes = 1000, cases[1].height = 33, cases[1].width = 9, cases[1].difficulty = 0;
    cases[1].train = DATA_MOST_SAMPLES;
    cases[2].dense = 1, cases[2].tables = 1, cases[2].rows = one_row, cases[2].difficulty = 0;
    cases[3].base_rate = 0.999, cases[3].difficulty = 1;
    cases[4].positions = 4, cases[4].vocabulary = 32, cases[4].noise = 1;
    cases[5].positions = 4096, cases[5].vocabulary = 1 << 24;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct data_source *s = open_options(&cases[i]);
        struct sample sample = sample_room(s);

        for (int64_t at = 0; at < 40; at++) {
            sample_read(s, DATA_TRAIN, at < 20 ? at : s->count[DATA_TRAIN] - at + 19, (uint64_t)at, &sample);
            for (int64_t j = 0; j < sample.nvalues; j++)
                assert_true(sample.values[j] > -50 && sample.values[j] < 50);
            for (int64_t j = 0; j < sample.nlabels; j++)
                assert_true(sample.labels[j] >= LABEL_NONE && sample.labels[j] < s->shape.classes);
            for (int64_t j = 0; j < sample.nids; j++)
                assert_true(sample.ids[j] >= 0 && (cases[i].kind == DATA_CLICKS || sample.ids[j] < s->shape.classes));
        }
        sample_free(&sample);
        s->close(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_pure),     cmocka_unit_test(bits_are_the_same_everywhere),
        cmocka_unit_test(threads_see_the_same), cmocka_unit_test(senseless_options_are_refused),
        cmocka_unit_test(extremes_work),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
