/* shelf_test.c - public data sets as they unpack: what is there, what is missing, and every count that is off. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/data/shelf.h"
#include "tests/data/files.h"
#include "tests/test.h"

static void looks(const char *folder, enum shelf_id which, bool whole, enum shelf_state state, const char *says)
{
    char path[4096], why[512] = "";

    assert_int_equal(shelf_look(folder, which, whole, path, sizeof(path), why, sizeof(why)), state);
    if (!strstr(state == SHELF_THERE ? path : why, says))
        fail_msg("expected '%s' in '%s' (%s)", says, why, path);
}

static void put_byte(const char *path, long at, int byte)
{
    FILE *f = fopen(path, "r+b");

    assert_non_null(f);
    assert_int_equal(fseek(f, at, SEEK_SET), 0);
    assert_int_equal(fputc(byte, f), byte);
    assert_int_equal(fclose(f), 0);
}

static void cifar10(void **state)
{
    const char *folder = folder_fresh("shelf");
    const char *test = file_path("shelf/cifar-10-batches-bin/test_batch.bin");

    (void)state;
    assert_int_equal(rmdir(file_path("shelf/cifar-10-batches-bin")), 0);
    looks(folder, SHELF_CIFAR10, 0, SHELF_ABSENT, "cifar-10-batches-bin: No such file or directory");
    cifar10_write(file_path("shelf/cifar-10-batches-bin/"), 20);
    looks(folder, SHELF_CIFAR10, 0, SHELF_WRONG, "data_batch_1.bin: expected 30730000 bytes, got 61460");
    cifar10_write(file_path("shelf/cifar-10-batches-bin/"), 10000);
    looks(folder, SHELF_CIFAR10, 0, SHELF_THERE, "shelf/cifar-10-batches-bin");
    put_byte(test, 0, 6); /* its first label is 5 */
    looks(folder, SHELF_CIFAR10, 0, SHELF_WRONG, "expected 1000 test images of class 5, got 999");
    put_byte(test, 0, 10);
    looks(folder, SHELF_CIFAR10, 0, SHELF_WRONG, "test_batch.bin: offset 0: expected a label of 0 to 9, got 10");
    file_remove(test);
    looks(folder, SHELF_CIFAR10, 0, SHELF_WRONG, "test_batch.bin: No such file or directory");
    folder_fresh("shelf");
}

static void tiny_imagenet(void **state)
{
    const char *folder = folder_fresh("shelf");
    static const char line[] = "val_0.JPEG\tn1\t0\t0\t63\t63\n";

    (void)state;
    looks(folder, SHELF_TINY_IMAGENET, 0, SHELF_ABSENT, "tiny-imagenet-200: No such file");
    for (int class = 0; class < 2; class ++)
        file_write(file_path("shelf/tiny-imagenet-200/train/n%d/images/n%d_0.JPEG", class, class), "x", 1);
    file_write(file_path("shelf/tiny-imagenet-200/val/val_annotations.txt"), line, strlen(line));
    looks(folder, SHELF_TINY_IMAGENET, 0, SHELF_WRONG,
          "expected 200 classes, 100000 training and 10000 validation images, got 2, 2 and 1");
}

static void criteo(void **state)
{
    const char *folder = folder_fresh("shelf"), *path = file_path("shelf/criteo/train.txt");

    (void)state;
    looks(folder, SHELF_CRITEO, 1, SHELF_ABSENT, "criteo/train.txt: No such file");
    criteo_write(path, 30);
    looks(folder, SHELF_CRITEO, 0, SHELF_THERE, "criteo/train.txt");
    looks(folder, SHELF_CRITEO, 1, SHELF_WRONG, "criteo/train.txt: expected 45840617 lines, got 30");
    file_write(path, "1,2,3\n", 6);
    looks(folder, SHELF_CRITEO, 0, SHELF_WRONG, "train.txt:1: expected a label, 13 integers and 26 hexadecimal");
    file_write(path, "", 0);
    looks(folder, SHELF_CRITEO, 0, SHELF_WRONG, "train.txt:1: expected a label");
}

static void iwslt(void **state)
{
    const char *folder = folder_fresh("shelf");

    (void)state;
    looks(folder, SHELF_IWSLT, 0, SHELF_ABSENT, "iwslt14/de-en: No such file");
    iwslt_write(file_path("shelf/iwslt14/de-en/"), 40, 10);
    looks(folder, SHELF_IWSLT, 0, SHELF_WRONG,
          "iwslt14/de-en: expected 171721 training and 6750 test pairs of sentences, got 40 and 10");
    iwslt_write(file_path("shelf/iwslt14/de-en/"), 171721, 6749);
    looks(folder, SHELF_IWSLT, 0, SHELF_WRONG, "got 171721 and 6749");
    iwslt_write(file_path("shelf/iwslt14/de-en/"), 171721, 6750);
    looks(folder, SHELF_IWSLT, 0, SHELF_THERE, "iwslt14/de-en");
    file_remove(file_path("shelf/iwslt14/de-en/train.tags.de-en.en"));
    looks(folder, SHELF_IWSLT, 0, SHELF_WRONG, "train.tags.de-en.en: No such file");
    folder_fresh("shelf");
}

/* The places are what the sources of samples read. */
static void each_is_described(void **state)
{
    (void)state;
    for (int i = 0; i < SHELF_SETS; i++) {
        const struct shelf_set *s = &shelf_sets[i];

        assert_true(*s->name && *s->place && *s->holds && *s->from && *s->archive && *s->terms);
        assert_true(!strcmp(s->kind, "cifar10") || !strcmp(s->kind, "jpeg") || !strcmp(s->kind, "criteo") ||
                    !strcmp(s->kind, "iwslt"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cifar10), cmocka_unit_test(tiny_imagenet),     cmocka_unit_test(criteo),
        cmocka_unit_test(iwslt),   cmocka_unit_test(each_is_described),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
