/* small_files_test.c - CIFAR-10's and MNIST's files: values, labels, parts of a set, variations, and every error with
 * its message. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/data/files.h"
#include "tests/test.h"
#include "tests/train/data/help.h"

static struct data_options options_of(enum data_kind kind, const char *folder)
{
    struct data_options o = data_options_of(kind);

    o.path = folder;
    return o;
}

static void near(float got, double expected)
{
    if (fabs(got - expected) > 1e-5 * (1 + fabs(expected)))
        fail_msg("%g, expected %g", got, expected);
}

static void cifar10_is_read(void **state)
{
    static const double mean[] = { 0.4914, 0.4822, 0.4465 }, deviation[] = { 0.2470, 0.2435, 0.2616 };
    const char *folder = folder_fresh("cifar10");
    struct data_options o = options_of(DATA_CIFAR10, folder);
    struct data_source *s;
    struct sample sample;

    (void)state;
    cifar10_write(folder, 4);
    s = data_open_or_fail(&o);
    assert_string_equal(s->name, "cifar10");
    assert_true(s->count[DATA_TRAIN] == 20 && s->count[DATA_TEST] == 4 && s->shape.classes == 10);
    sample = sample_room(s);
    assert_int_equal(sample.nvalues, 3072);
    for (int set = 0; set < 2; set++)
        for (int i = 0; i < s->count[set]; i++) {
            int file = set ? 5 : i / 4, record = i % 4;

            sample_read(s, (enum data_set)set, i, 0, &sample);
            assert_int_equal(sample.labels[0], (file + record) % 10);
            for (int j = 0; j < 3072; j += 97)
                near(sample.values[j], (cifar10_byte(file, record, j) / 255.0 - mean[j / 1024]) / deviation[j / 1024]);
        }
    sample_free(&sample);
    s->close(s);
}

static void parts_of_a_set_are_spread(void **state)
{
    const char *folder = folder_fresh("part");
    struct data_options o = options_of(DATA_CIFAR10, folder);
    struct data_source *s;
    struct sample sample;

    (void)state;
    cifar10_write(folder, 4);
    o.train = 5;
    o.test = 2;
    s = data_open_or_fail(&o);
    assert_true(s->count[DATA_TRAIN] == 5 && s->count[DATA_TEST] == 2);
    sample = sample_room(s);
    for (int i = 0; i < 5; i++) {
        sample_read(s, DATA_TRAIN, i, 0, &sample);
        assert_int_equal(sample.labels[0], i); /* the first of each file */
    }
    sample_free(&sample);
    s->close(s);
    o.train = 21;
    assert_refused(&o, "train: expected 0 to 20, got 21");
    o.train = 20;
    o.test = -1;
    assert_refused(&o, "test: expected 0 to 4, got -1");
}

/* With 'crop' and 'mirror' what a sample shows is moved and mirrored, of training samples only. */
static void variations_are_asked_for(void **state)
{
    const char *folder = folder_fresh("varied");
    struct data_options o = options_of(DATA_IDX, folder);
    struct data_source *plain, *varied;
    struct sample a, b;
    int differ = 0;

    (void)state;
    idx_write(folder, 20, 20, 16, 16);
    plain = data_open_or_fail(&o);
    o.crop = o.mirror = 1;
    varied = data_open_or_fail(&o);
    a = sample_room(plain);
    b = sample_room(varied);
    for (int i = 0; i < 20; i++) {
        for (int augment = 0; augment < 2; augment++) {
            sample_read(plain, DATA_TEST, i, 7, &a);
            sample_read(varied, DATA_TEST, i, 7, &b);
            assert_true(sample_digest(&a) == sample_digest(&b));
            sample_read(plain, DATA_TRAIN, i, (uint64_t)augment, &a);
            sample_read(varied, DATA_TRAIN, i, (uint64_t)augment, &b);
            assert_int_equal(a.labels[0], b.labels[0]);
            assert_true(augment || sample_digest(&a) == sample_digest(&b));
            differ += augment && sample_digest(&a) != sample_digest(&b);
        }
    }
    assert_true(differ >= 15);
    sample_free(&a);
    sample_free(&b);
    plain->close(plain);
    varied->close(varied);
}

static void idx_is_read(void **state)
{
    const char *folder = folder_fresh("idx");
    struct data_options o = options_of(DATA_IDX, folder);
    double sum = 0, squares = 0;
    struct data_source *s;
    struct sample sample;

    (void)state;
    idx_write(folder, 30, 12, 5, 7);
    s = data_open_or_fail(&o);
    assert_true(s->count[DATA_TRAIN] == 30 && s->count[DATA_TEST] == 12);
    assert_true(s->shape.channels == 1 && s->shape.height == 5 && s->shape.width == 7 && s->shape.classes == 10);
    sample = sample_room(s);
    for (int i = 0; i < 30; i++) {
        sample_read(s, DATA_TRAIN, i, 0, &sample);
        assert_int_equal(sample.labels[0], i % 10);
        for (int j = 0; j < 35; j++) {
            sum += sample.values[j];
            squares += sample.values[j] * sample.values[j];
        }
    }
    near((float)(sum / 1050), 0);
    near((float)(squares / 1050), 1);
    /* Tests by what training gave: bytes 0 .. 179 there, of deviation 50.2. */
    sample_read(s, DATA_TEST, 3, 0, &sample);
    assert_int_equal(sample.labels[0], 3);
    for (int j = 1; j < 35; j++)
        near((sample.values[j] - sample.values[0]) / (sample.values[1] - sample.values[0]), j);
    sample_free(&sample);
    s->close(s);
}

/* One change to good files, and what is said of it. Bytes are put at 'offset', or the file is cut there, or it is
 * removed. */
static const struct damage {
    enum data_kind kind;
    const char *file;
    enum { PUT, CUT, REMOVE, APPEND } how;
    size_t offset;
    uint8_t bytes[5];
    size_t nbytes;
    const char *message; /* behind the file's path */
} damages[] = {
    { DATA_CIFAR10,
      "data_batch_3.bin",
      CUT,
      5000,
      { 0 },
      0,
      ": expected records of 3073 bytes (a label, 3 x 32 x 32 values), got 5000 bytes" },
    { DATA_CIFAR10,
      "data_batch_1.bin",
      CUT,
      0,
      { 0 },
      0,
      ": expected records of 3073 bytes (a label, 3 x 32 x 32 values), got 0 bytes" },
    { DATA_CIFAR10,
      "test_batch.bin",
      APPEND,
      0,
      { 1 },
      1,
      ": expected records of 3073 bytes (a label, 3 x 32 x 32 values), got 6147 bytes" },
    { DATA_CIFAR10, "data_batch_5.bin", PUT, 3073, { 10 }, 1, ": offset 3073: expected a label of 0 to 9, got 10" },
    { DATA_CIFAR10, "data_batch_2.bin", REMOVE, 0, { 0 }, 0, ": No such file or directory" },
    { DATA_IDX,
      "train-images-idx3-ubyte",
      PUT,
      2,
      { 9 },
      1,
      ": offset 0: expected the magic number 0x00000803, got 0x00000903" },
    { DATA_IDX,
      "train-labels-idx1-ubyte",
      PUT,
      3,
      { 3 },
      1,
      ": offset 0: expected the magic number 0x00000801, got 0x00000803" },
    { DATA_IDX, "train-images-idx3-ubyte", CUT, 15, { 0 }, 0, ": offset 0: expected a head of 16 bytes, got 15" },
    { DATA_IDX, "t10k-labels-idx1-ubyte", CUT, 7, { 0 }, 0, ": offset 0: expected a head of 8 bytes, got 7" },
    { DATA_IDX, "train-images-idx3-ubyte", PUT, 4, { 0, 0, 0, 0 }, 4, ": offset 4: expected images, got 0" },
    { DATA_IDX,
      "train-images-idx3-ubyte",
      PUT,
      8,
      { 255, 255, 255, 255 },
      4,
      ": offset 8: expected images of 1 x 1 to 4096 x 4096, got 4294967295 x 6" },
    { DATA_IDX,
      "train-images-idx3-ubyte",
      PUT,
      4,
      { 255, 255, 255, 255 },
      4,
      ": expected 103079215096 bytes for 4294967295 images of 4 x 6, got 88" },
    { DATA_IDX, "t10k-images-idx3-ubyte", CUT, 87, { 0 }, 0, ": expected 88 bytes for 3 images of 4 x 6, got 87" },
    { DATA_IDX,
      "t10k-images-idx3-ubyte",
      PUT,
      11,
      { 6, 0, 0, 0, 4 },
      5,
      ": offset 8: expected images of 4 x 6 as for training, got 6 x 4" },
    { DATA_IDX,
      "train-labels-idx1-ubyte",
      PUT,
      7,
      { 4 },
      1,
      ": offset 4: expected a label for each of 3 images, got 4" },
    { DATA_IDX, "train-images-idx3-ubyte", APPEND, 0, { 1 }, 1, ": expected 88 bytes for 3 images of 4 x 6, got 89" },
    { DATA_IDX, "train-labels-idx1-ubyte", APPEND, 0, { 1, 2 }, 2, ": expected 11 bytes for 3 labels, got 13" },
    { DATA_IDX, "t10k-labels-idx1-ubyte", PUT, 10, { 10 }, 1, ": offset 10: expected a label of 0 to 9, got 10" },
    { DATA_IDX, "t10k-images-idx3-ubyte", REMOVE, 0, { 0 }, 0, ": No such file or directory" },
};

static void spoil(const char *path, const struct damage *damage)
{
    FILE *f = fopen(path, "rb");
    uint8_t bytes[3 * 3073];
    size_t n;

    assert_non_null(f);
    n = fread(bytes, 1, sizeof(bytes), f);
    fclose(f);
    switch (damage->how) {
    case PUT: memcpy(bytes + damage->offset, damage->bytes, damage->nbytes); break;
    case CUT: n = damage->offset; break;
    case APPEND:
        memcpy(bytes + n, damage->bytes, damage->nbytes);
        n += damage->nbytes;
        break;
    case REMOVE: file_remove(path); return;
    }
    file_write(path, bytes, n);
}

static void damage_is_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
        const char *folder = folder_fresh("faulty");
        struct data_options o = options_of(damages[i].kind, folder);
        char path[600];

        if (damages[i].kind == DATA_CIFAR10)
            cifar10_write(folder, 2);
        else
            idx_write(folder, 3, 3, 4, 6);
        snprintf(path, sizeof(path), "%s/%s", folder, damages[i].file);
        spoil(path, &damages[i]);
        assert_refused(&o, "%s%s", path, damages[i].message);
    }
}

static void other_damage_is_reported(void **state)
{
    const char *folder = folder_fresh("other");
    struct data_options o = options_of(DATA_IDX, folder);
    char path[600];

    (void)state;
    idx_write(folder, 3, 3, 4, 6);
    o.classes = 1;
    assert_refused(&o, "classes: expected 2 to 256, got 1");
    o.classes = 2;
    assert_refused(&o, "%s/train-labels-idx1-ubyte: offset 10: expected a label of 0 to 1, got 2", folder);
    o.classes = 10;
    snprintf(path, sizeof(path), "%s/train-images-idx3-ubyte", folder);
    file_remove(path);
    file_write(file_path("other/train-images-idx3-ubyte.gz"), "", 0);
    assert_refused(&o, "%s: expected unpacked files, got %s.gz (gunzip it)", path, path);
    file_path("other/train-images-idx3-ubyte/folder");
    assert_refused(&o, "%s: expected a file, got a folder or a device", path);
    o.path = "/nowhere/at/all";
    assert_refused(&o, "/nowhere/at/all/train-images-idx3-ubyte: No such file or directory");
    o.kind = DATA_KINDS;
    assert_refused(&o, "kind: expected one of the kinds of data, got number 8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cifar10_is_read),          cmocka_unit_test(parts_of_a_set_are_spread),
        cmocka_unit_test(variations_are_asked_for), cmocka_unit_test(idx_is_read),
        cmocka_unit_test(damage_is_reported),       cmocka_unit_test(other_damage_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
