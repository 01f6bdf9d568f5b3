#include "tests/data/files.h"

#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/data/data.h"
#include "model/status.h"
#include "tests/test.h"
#include "tests/train/data/help.h"

enum { MOST_PATH = 512, PATHS = 16 };

static const char *folder_of_test(void)
{
    const char *tmp = getenv("NARROWS_TEST_TMP");

    return tmp ? tmp : "/tmp/narrows-data-test";
}

const char *file_path(const char *format, ...)
{
    static char paths[PATHS][MOST_PATH];
    static int next;
    char *path = paths[next++ % PATHS];
    int n = snprintf(path, MOST_PATH, "%s/", folder_of_test());
    va_list args;

    va_start(args, format);
    n += vsnprintf(path + n, (size_t)(MOST_PATH - n), format, args);
    va_end(args);
    assert_true(n < MOST_PATH);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) && errno != EEXIST)
            fail_msg("%s: %s", path, strerror(errno));
        *slash = '/';
    }
    return path;
}

void file_write(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");

    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f))
        fail_msg("%s: %s", path, strerror(errno));
}

void file_remove(const char *path)
{
    assert_int_equal(remove(path), 0);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

const char *folder_fresh(const char *name)
{
    static char folders[PATHS][MOST_PATH];
    static int next;
    char *path = folders[next++ % PATHS];

    strcpy(path, file_path("%s", name));
    nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    file_path("%s/", name);
    return path;
}

uint8_t cifar10_byte(int file, int record, int i)
{
    return (uint8_t)(7 * file + 3 * record + i + 50 * (i / 1024));
}

void cifar10_write(const char *folder, int records)
{
    uint8_t *bytes = malloc((size_t)records * 3073);

    assert_non_null(bytes);
    for (int file = 0; file < 6; file++) {
        char path[MOST_PATH];

        for (int r = 0; r < records; r++) {
            bytes[r * 3073] = (uint8_t)((file + r) % 10);
            for (int i = 0; i < 3072; i++)
                bytes[r * 3073 + 1 + i] = cifar10_byte(file, r, i);
        }
        snprintf(path, sizeof(path), file < 5 ? "%s/data_batch_%d.bin" : "%s/test_batch.bin", folder, file + 1);
        file_write(path, bytes, (size_t)records * 3073);
    }
    free(bytes);
}

static void put_number(uint8_t *to, int value)
{
    to[0] = (uint8_t)(value >> 24), to[1] = (uint8_t)(value >> 16), to[2] = (uint8_t)(value >> 8),
    to[3] = (uint8_t)value;
}

void idx_write(const char *folder, int train, int test, int height, int width)
{
    for (int set = 0; set < 2; set++) {
        const char *prefix = set ? "t10k" : "train";
        int count = set ? test : train, plane = height * width;
        uint8_t *bytes = malloc((size_t)(16 + count * plane));
        char path[MOST_PATH];

        assert_non_null(bytes);
        put_number(bytes, 0x803), put_number(bytes + 4, count), put_number(bytes + 8, height),
            put_number(bytes + 12, width);
        for (int i = 0; i < count * plane; i++)
            bytes[16 + i] = (uint8_t)(31 * set + 5 * (i / plane) + i % plane);
        snprintf(path, sizeof(path), "%s/%s-images-idx3-ubyte", folder, prefix);
        file_write(path, bytes, (size_t)(16 + count * plane));
        put_number(bytes, 0x801);
        for (int i = 0; i < count; i++)
            bytes[8 + i] = (uint8_t)(i % 10);
        snprintf(path, sizeof(path), "%s/%s-labels-idx1-ubyte", folder, prefix);
        file_write(path, bytes, (size_t)(8 + count));
        free(bytes);
    }
}

size_t criteo_text(int line, char *text, size_t ntext)
{
    size_t n = (size_t)snprintf(text, ntext, "%d", line % 4 == 0);

    for (int i = 0; i < CRITEO_DENSE; i++)
        n += (size_t)((line + i) % 5 ? snprintf(text + n, ntext - n, "\t%d", (line * 37 + i * 11) % 400 - 3)
                                     : snprintf(text + n, ntext - n, "\t"));
    for (int i = 0; i < CRITEO_TABLES; i++)
        n += (size_t)((line + i) % 7
                          ? snprintf(text + n, ntext - n, "\t%08x", (unsigned)(line / 3 * 2654435761u + i * 97))
                          : snprintf(text + n, ntext - n, "\t"));
    assert_true(n < ntext);
    return n;
}

void criteo_write(const char *path, int lines)
{
    FILE *f = fopen(path, "wb");
    char text[1024];

    assert_non_null(f);
    for (int i = 0; i < lines; i++) {
        text[criteo_text(i, text, sizeof(text) - 1)] = '\0';
        fprintf(f, "%s\n", text);
    }
    assert_int_equal(fclose(f), 0);
}

static void write_sentences(FILE *f, int sentences, bool segments)
{
    static const char *const words[] = { "Ein", "wort",
                                         "\xc3\xbc"
                                         "ber",
                                         "ein", "\xe2\x80\x9eund\xe2\x80\x9c" };

    for (int i = 0; i < sentences; i++) {
        if (segments)
            fprintf(f, "<seg id=\"%d\">", i + 1);
        for (int k = 0; k <= i % 4; k++)
            fprintf(f, " %s", words[(i + k) % 5]);
        fputs(segments ? " </seg>\n" : "\n", f);
    }
}

void iwslt_write(const char *folder, int train, int test)
{
    for (int side = 0; side < 2; side++) {
        char path[MOST_PATH];
        FILE *f;

        snprintf(path, sizeof(path), "%s/train.tags.de-en.%s", folder, side ? "en" : "de");
        f = fopen(path, "wb");
        assert_non_null(f);
        fputs("<url>x</url>\n<title>y</title>\n", f);
        write_sentences(f, train, false);
        assert_int_equal(fclose(f), 0);
        snprintf(path, sizeof(path), "%s/IWSLT14.TED.tst2010.de-en.%s.xml", folder, side ? "en" : "de");
        f = fopen(path, "wb");
        assert_non_null(f);
        fputs("<?xml version=\"1.0\"?>\n<mteval><doc>\n<title>y</title>\n", f);
        write_sentences(f, test, true);
        fputs("</doc></mteval>\n", f);
        assert_int_equal(fclose(f), 0);
    }
}

struct data_source *data_open_or_fail(const struct data_options *o)
{
    struct data_source *s = NULL;
    char why[600] = "";

    if (data_open(o, &s, why, sizeof(why)))
        fail_msg("%s: %s", data_kind_name(o->kind), why);
    return s;
}

void assert_refused(const struct data_options *o, const char *format, ...)
{
    struct data_source *s = NULL;
    char why[1200] = "", expected[1200];
    va_list args;

    va_start(args, format);
    vsnprintf(expected, sizeof(expected), format, args);
    va_end(args);
    assert_int_equal(data_open(o, &s, why, sizeof(why)), E_DATA);
    assert_string_equal(why, expected);
    assert_null(s);
}

void assert_unreadable(const struct data_source *s, enum data_set set, int64_t index, const char *format, ...)
{
    struct sample sample = sample_room(s);
    char why[1200] = "", expected[1200];
    va_list args;

    va_start(args, format);
    vsnprintf(expected, sizeof(expected), format, args);
    va_end(args);
    assert_int_equal(s->sample(s, set, index, 0, sample.values, sample.ids, sample.labels, why, sizeof(why)), E_DATA);
    assert_string_equal(why, expected);
    sample_free(&sample);
}
