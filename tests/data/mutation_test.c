/* mutation_test.c - hostile files: good ones with bytes changed, cut off or doubled at random, thousands of times. A
 * reader may refuse or read them; it must not crash (ASan and UBSan see more than a crash), and a refusal names the
 * file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/data/criteo_line.h"
#include "harness/data/data.h"
#include "harness/data/jpeg_decode.h"
#include "tests/data/files.h"
#include "tests/test.h"
#include "tests/train/data/help.h"
#include "train/data/draw.h"

struct bytes {
    uint8_t *at;
    size_t n, capacity;
};

static struct bytes bytes_read(const char *path)
{
    struct bytes b = { .capacity = 1 << 16 };
    FILE *f = fopen(path, "rb");

    b.at = malloc(b.capacity);
    assert_true(f && b.at);
    b.n = fread(b.at, 1, b.capacity / 2, f);
    fclose(f);
    return b;
}

/* One to four changes. */
static void mutate(struct bytes *b, const struct bytes *good, struct draw *d)
{
    memcpy(b->at, good->at, good->n);
    b->n = good->n;
    for (uint32_t i = draw_below(d, 4) + 1; i && b->n; i--) {
        uint32_t at = draw_below(d, (uint32_t)b->n), n;

        if (draw_below(d, 4) == 0)
            at = draw_below(d, b->n < 24 ? (uint32_t)b->n : 24); /* heads are where it matters */
        switch (draw_below(d, 6)) {
        case 0: b->n = at; break;
        case 1: b->at[at] ^= (uint8_t)(1u << draw_below(d, 8)); break;
        case 2: b->at[at] = 0xff; break;
        case 3: b->at[at] = (uint8_t)draw_word(d); break;
        case 4: b->at[at] = 0; break;
        default:
            n = draw_below(d, (uint32_t)(b->n - at) + 1);
            if (b->n + n > b->capacity)
                break;
            memmove(b->at + at + n, b->at + at, b->n - at);
            b->n += n;
        }
    }
}

/* Opens and reads both ends of both sets. */
static int try_all(const struct data_options *o, const char *named)
{
    struct data_source *s = NULL;
    char why[1200] = "";
    int rc = data_open(o, &s, why, sizeof(why));

    for (int set = 0; !rc && set < DATA_SETS; set++) {
        struct sample sample = sample_room(s);

        for (int64_t i = 0; !rc && i<s->count[set]; i += s->count[set]> 8 ? s->count[set] / 8 : 1)
            rc = s->sample(s, (enum data_set)set, i, 5, sample.values, sample.ids, sample.labels, why, sizeof(why));
        sample_free(&sample);
    }
    if (rc && strncmp(why, named, strlen(named)) && strncmp(why, o->path, strlen(o->path)))
        fail_msg("'%s' does not name %s", why, named);
    if (s)
        s->close(s);
    return rc;
}

static void try_mutants(const struct data_options *o, const char *path, int times, uint32_t which)
{
    struct draw d = draw_of(1, which, 0, 0);
    struct bytes good = bytes_read(path), b = bytes_read(path);
    int refused = 0;

    for (int i = 0; i < times; i++) {
        mutate(&b, &good, &d);
        file_write(path, b.at, b.n);
        refused += try_all(o, path) != 0;
    }
    file_write(path, good.at, good.n);
    assert_int_equal(try_all(o, path), 0);
    assert_true(refused > 0 && refused < times);
    free(good.at);
    free(b.at);
}

static void idx_survives(void **state)
{
    static const char *const names[] = { "train-images-idx3-ubyte", "train-labels-idx1-ubyte",
                                         "t10k-images-idx3-ubyte" };
    const char *folder = folder_fresh("idx");
    struct data_options o = data_options_of(DATA_IDX);

    (void)state;
    o.path = folder;
    o.crop = o.mirror = 1;
    idx_write(folder, 5, 4, 3, 9);
    for (uint32_t i = 0; i < 3; i++)
        try_mutants(&o, file_path("idx/%s", names[i]), 300, i);
}

static void cifar10_survives(void **state)
{
    const char *folder = folder_fresh("cifar10");
    struct data_options o = data_options_of(DATA_CIFAR10);

    (void)state;
    o.path = folder;
    cifar10_write(folder, 1);
    try_mutants(&o, file_path("cifar10/data_batch_4.bin"), 300, 10);
}

static void criteo_survives(void **state)
{
    const char *path = file_path("criteo.txt");
    struct data_options o = data_options_of(DATA_CRITEO);

    (void)state;
    o.path = path;
    criteo_write(path, 20);
    try_mutants(&o, path, 1000, 20);
}

static void iwslt_survives(void **state)
{
    static const char *const names[] = { "train.tags.de-en.de", "train.tags.de-en.en",
                                         "IWSLT14.TED.tst2010.de-en.de.xml" };
    const char *folder = folder_fresh("iwslt");
    struct data_options o = data_options_of(DATA_IWSLT);

    (void)state;
    o.path = folder;
    o.positions = 6;
    o.vocabulary = 12;
    iwslt_write(folder, 9, 4);
    for (uint32_t i = 0; i < 3; i++)
        try_mutants(&o, file_path("iwslt/%s", names[i]), 300, 60 + i);
}

/* In memory of exactly its size, so that a read past its end is seen. */
static void criteo_lines_survive(void **state)
{
    struct draw d = draw_of(1, 30, 0, 0);
    uint8_t text[1024], changed[2048];
    struct bytes good = { text, criteo_text(11, (char *)text, sizeof(text)), 1024 }, b = { changed, 0, 2048 };

    (void)state;
    for (int i = 0; i < 5000; i++) {
        struct criteo_error error;
        struct criteo_line line;
        char *exact;

        mutate(&b, &good, &d);
        exact = malloc(b.n ? b.n : 1);
        assert_non_null(exact);
        memcpy(exact, b.at, b.n);
        if (!criteo_line_read(exact, b.n, &line, &error))
            assert_true(error.found >= exact && error.found + error.nfound <= exact + b.n && error.column <= 40);
        free(exact);
    }
}

#ifdef NW_HAVE_JPEG
static void jpegs_survive(void **state)
{
    const struct jpeg_cut cut = { 3, 12, 12, 0.5f, 0.5f };
    struct draw d = draw_of(1, 40, 0, 0);

    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        struct bytes good = { 0 }, b = { 0 };
        int refused = 0;

        good.at = jpeg_make(20, 17, kind == 3 ? 4 : 3, kind, kind == 3 ? SCAN_ONE : (enum jpeg_scans)kind, &good.n);
        b.capacity = 4 * good.n;
        b.at = malloc(b.capacity);
        assert_non_null(b.at);
        for (int i = 0; i < 1500; i++) {
            float values[3 * 12 * 12];
            uint8_t *exact;
            char why[400] = "";

            mutate(&b, &good, &d);
            exact = malloc(b.n ? b.n : 1);
            assert_non_null(exact);
            memcpy(exact, b.at, b.n);
            if (jpeg_decode("x.jpg", exact, b.n, &cut, values, why, sizeof(why))) {
                refused++;
                assert_memory_equal(why, "x.jpg: offset ", 14);
            }
            free(exact);
        }
        assert_true(refused > 0 && refused < 1500);
        free(good.at);
        free(b.at);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idx_survives),         cmocka_unit_test(cifar10_survives), cmocka_unit_test(criteo_survives),
        cmocka_unit_test(criteo_lines_survive), cmocka_unit_test(iwslt_survives),
#ifdef NW_HAVE_JPEG
        cmocka_unit_test(jpegs_survive),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
