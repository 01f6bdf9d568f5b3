/* jpeg_test.c - folders of JPEGs: classes by name, sets, sizes, colours, cuts and variations, and every error with
 * its file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/data/jpeg_decode.h"
#include "model/status.h"
#include "tests/data/files.h"
#include "tests/test.h"
#include "tests/train/data/help.h"

#ifdef NW_HAVE_JPEG

static const double mean[] = { 0.485, 0.456, 0.406 }, deviation[] = { 0.229, 0.224, 0.225 };

static struct data_options options_of(const char *folder, int size)
{
    struct data_options o = data_options_of(DATA_JPEG);

    o.path = folder;
    o.height = o.width = size;
    return o;
}

static void put_jpeg(const char *path, int width, int height, int channels, int which, enum jpeg_scans scans)
{
    size_t n;
    uint8_t *bytes = jpeg_make(width, height, channels, which, scans, &n);

    file_write(path, bytes, n);
    free(bytes);
}

/* train/ and test/ with classes b, a and c, in which the picture tells the class. */
static const char *folder_of_three(const char *name)
{
    static const char *const classes[] = { "b", "a", "c" };
    const char *folder = folder_fresh(name);

    for (int class = 0; class < 3; class ++)
        for (int i = 0; i < 3; i++) {
            put_jpeg(file_path("%s/train/%s/%d.jpg", name, classes[class], i), 40, 40, 3, class,
                     i == 1 ? SCANS_PROGRESSIVE : SCAN_ONE);
            if (i < 2)
                put_jpeg(file_path("%s/test/%s/%d.JPEG", name, classes[class], i), 40, 40, 3, class, SCAN_ONE);
        }
    return folder;
}

static void classes_are_folders(void **state)
{
    static const int picture[] = { 1, 0, 2 }; /* of classes a, b, c */
    const char *folder = folder_of_three("jpeg");
    struct data_options o = options_of(folder, 35);
    struct data_source *s = data_open_or_fail(&o);
    struct sample sample = sample_room(s);

    (void)state;
    assert_true(s->count[DATA_TRAIN] == 9 && s->count[DATA_TEST] == 6 && s->shape.classes == 3);
    for (int set = 0; set < 2; set++)
        for (int i = 0; i < s->count[set]; i++) {
            int class = i / (set ? 2 : 3);

            /* 35 x 35 of 40 x 40 is cut out of the middle and not scaled: from (2.5, 2.5). */
            sample_read(s, (enum data_set)set, i, 0, &sample);
            assert_int_equal(sample.labels[0], class);
            for (int at = 0; at < 3 * 35 * 35; at += 111) {
                int c = at / (35 * 35), y = at / 35 % 35, x = at % 35;
                double value = jpeg_value(40, 40, c, picture[class], y + 2.5, x + 2.5);
                double expected = (value / 255 - mean[c]) / deviation[c];

                if (fabs(sample.values[at] - expected) > 0.05)
                    fail_msg("set %d, sample %d, channel %d at %d, %d: %g, expected %g", set, i, c, y, x,
                             sample.values[at], expected);
            }
        }
    sample_free(&sample);
    s->close(s);
}

static double mean_difference(const uint8_t *bytes, size_t n, int width, int height, int which,
                              const struct jpeg_cut *cut)
{
    int64_t plane = cut->height * cut->width;
    float *values = malloc((size_t)(cut->channels * plane) * sizeof(*values));
    double step = fmin((double)height / (double)cut->height, (double)width / (double)cut->width) * 7 / 8, sum = 0;
    char why[300] = "";

    assert_non_null(values);
    if (jpeg_decode("x.jpg", bytes, n, cut, values, why, sizeof(why)))
        fail_msg("%d x %d: %s", height, width, why);
    for (int64_t i = 0; i < cut->channels * plane; i++) {
        double top = (height - step * (double)cut->height) * cut->down, at_y = (double)(i / cut->width % cut->height);
        double left = (width - step * (double)cut->width) * cut->right, at_x = (double)(i % cut->width);
        double y = fmin(fmax(top + (at_y + 0.5) * step - 0.5, 0), height - 1);
        double x = fmin(fmax(left + (at_x + 0.5) * step - 0.5, 0), width - 1);

        sum += fabs(values[i] - jpeg_value(width, height, (int)(i / plane), which, y, x));
    }
    free(values);
    return sum / (double)(cut->channels * plane);
}

/* Larger and smaller than what is asked for, upright and lying, from any place: the picture's values at the places
 * that the cut's pixels lie on, up to what its steps and the encoding cost. */
static void sizes_and_places(void **state)
{
    static const int sizes[][2] = { { 64, 64 }, { 500, 300 }, { 90, 250 }, { 20, 31 }, { 1, 1 }, { 1200, 900 } };
    static const struct jpeg_cut cuts[] = {
        { 3, 32, 32, 0.5f, 0.5f },  { 3, 56, 56, 0, 0 },     { 3, 56, 56, 1, 1 },
        { 3, 24, 48, 0.25f, 0.8f }, { 3, 7, 5, 0.5f, 0.1f }, { 1, 16, 16, 0.5f, 0.5f },
    };

    (void)state;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            size_t n;
            uint8_t *bytes =
                jpeg_make(sizes[i][0], sizes[i][1], (int)cuts[j].channels, i, cuts[j].channels == 3 ? i % 3 : 0, &n);
            double difference = mean_difference(bytes, n, sizes[i][0], sizes[i][1], i, &cuts[j]);

            free(bytes);
            if (difference > 1.5)
                fail_msg("%d x %d, cut %d: off by %.1f", sizes[i][0], sizes[i][1], j, difference);
        }
}

/* Grey becomes three equal channels; colours become grey; inks become colours. */
static void colours_are_converted(void **state)
{
    const struct jpeg_cut colour = { 3, 20, 20, 0.5f, 0.5f }, grey = { 1, 20, 20, 0.5f, 0.5f };
    float values[1200], inks[1200], one[400];
    char why[300];
    size_t n;
    uint8_t *bytes = jpeg_make(40, 40, 1, 0, SCAN_ONE, &n);

    (void)state;
    assert_int_equal(jpeg_decode("grey", bytes, n, &colour, values, why, sizeof(why)), 0);
    free(bytes);
    for (int i = 0; i < 400; i++)
        assert_true(values[i] == values[i + 400] && values[i] == values[i + 800]);
    bytes = jpeg_make(40, 40, 3, 0, SCAN_ONE, &n);
    assert_int_equal(jpeg_decode("colour", bytes, n, &colour, values, why, sizeof(why)), 0);
    assert_int_equal(jpeg_decode("colour", bytes, n, &grey, one, why, sizeof(why)), 0);
    free(bytes);
    for (int i = 0; i < 400; i++)
        assert_true(fabs(one[i] - (0.299 * values[i] + 0.587 * values[i + 400] + 0.114 * values[i + 800])) < 2);
    bytes = jpeg_make(40, 40, 4, 0, SCAN_ONE, &n);
    assert_int_equal(jpeg_decode("inks", bytes, n, &colour, inks, why, sizeof(why)), 0);
    assert_int_equal(jpeg_decode("inks", bytes, n, &grey, one, why, sizeof(why)), 0);
    free(bytes);
    /* libjpeg marks it as Adobe's, so its values are those of light; the fourth is the first again. */
    for (int i = 0; i < 400; i++) {
        for (int c = 0; c < 3; c++)
            assert_true(fabs(inks[i + 400 * c] - values[i + 400 * c] * values[i] / 255) < 6);
        assert_true(fabs(one[i] - (0.299 * inks[i] + 0.587 * inks[i + 400] + 0.114 * inks[i + 800])) < 2);
    }
}

static void variations_move_and_mirror(void **state)
{
    const char *folder = folder_of_three("varied");
    struct data_options o = options_of(folder, 35);
    int rising = 0;
    double first = 0, last = 0;
    struct data_source *s;
    struct sample sample;

    (void)state;
    o.crop = o.mirror = 1;
    s = data_open_or_fail(&o);
    sample = sample_room(s);
    for (uint64_t augment = 1; augment <= 40; augment++) {
        /* Class b's red rises to the right; its green falls downwards. */
        sample_read(s, DATA_TRAIN, 3, augment, &sample);
        rising += sample.values[34] > sample.values[0];
        if (sample.values[1225] < first)
            first = sample.values[1225];
        if (sample.values[1225] > last)
            last = sample.values[1225];
    }
    assert_true(rising > 10 && rising < 30);
    assert_true(last - first > 0.2); /* up to 5 rows of 180 / 40 / 255 / 0.224 each */
    sample_free(&sample);
    s->close(s);
}

static void one_folder_is_split(void **state)
{
    const char *folder = folder_fresh("together");
    struct data_options o = options_of(folder, 8);
    struct data_source *s;

    (void)state;
    for (int class = 0; class < 2; class ++)
        for (int i = 0; i < (class ? 2 : 25); i++)
            put_jpeg(file_path("together/class%d/%02d.jpg", class, i), 8, 8, 3, class, SCAN_ONE);
    s = data_open_or_fail(&o);
    assert_true(s->count[DATA_TRAIN] == 22 + 1 && s->count[DATA_TEST] == 3 + 1);
    s->close(s);
}

/* Tiny ImageNet as it is distributed: boxes next to the folders of images, tests in one folder, their classes in a
 * list. */
static void tests_are_annotated(void **state)
{
    static const char list[] = "val_0.JPEG\tn2\t0\t32\t44\t62\nval_1.JPEG\tn1\t0\t0\t7\t7\r\nval_2.JPEG\tn2";
    const char *folder = folder_fresh("tiny"), *path = file_path("tiny/val/val_annotations.txt");
    struct data_options o = options_of(folder, 7);
    struct data_source *s;
    struct sample sample;

    (void)state;
    for (int i = 0; i < 4; i++) {
        put_jpeg(file_path("tiny/train/n%d/images/n%d_%d.JPEG", 1 + i / 2, 1 + i / 2, i), 8, 8, 3, i / 2, SCAN_ONE);
        file_write(file_path("tiny/train/n%d/n%d_boxes.txt", 1 + i / 2, 1 + i / 2), "x", 1);
        put_jpeg(file_path("tiny/val/images/val_%d.JPEG", i), 8, 8, 3, i != 1, SCAN_ONE);
    }
    file_write(path, list, strlen(list));
    s = data_open_or_fail(&o);
    sample = sample_room(s);
    assert_true(s->count[DATA_TRAIN] == 4 && s->count[DATA_TEST] == 3 && s->shape.classes == 2);
    for (int i = 0; i < 4; i++) {
        sample_read(s, DATA_TRAIN, i, 0, &sample);
        assert_int_equal(sample.labels[0], i / 2);
    }
    for (int i = 0; i < 3; i++) {
        sample_read(s, DATA_TEST, i, 0, &sample);
        assert_int_equal(sample.labels[0], i != 1);
    }
    sample_free(&sample);
    s->close(s);
    file_write(path, "val_0.JPEG\tn22\n", 15);
    assert_refused(&o, "%s:1: expected a class that training has, got 'n22'", path);
    file_write(path, "val_0.JPEG\tn\n", 13);
    assert_refused(&o, "%s:1: expected a class that training has, got 'n'", path);
    file_write(path, "val_0.JPEG n1\n", 14);
    assert_refused(&o, "%s:1: expected the name of a file, a tab and its class", path);
    file_write(path, "../x.JPEG\tn1\n", 13);
    assert_refused(&o, "%s:1: expected the name of a file, a tab and its class", path);
    file_write(path, "", 0);
    assert_refused(&o, "%s: expected a line for each test, got none", path);
}

static void folders_are_checked(void **state)
{
    const char *folder = folder_of_three("checked");
    struct data_options o = options_of(folder, 32);
    struct data_source *s;

    (void)state;
    o.channels = 2;
    assert_refused(&o, "channels: expected 1 or 3, got 2");
    o.channels = 3;
    o.height = 0;
    assert_refused(&o, "height: expected 1 to 4096, got 0");
    o.height = 32;
    file_path("checked/train/d/");
    assert_refused(&o, "%s/train/d: expected 1 file or more, got 0", folder);
    put_jpeg(file_path("checked/train/d/0.jpg"), 8, 8, 3, 0, SCAN_ONE);
    assert_refused(&o, "%s/test: expected the 4 classes that training has, got 3", folder);
    file_path("checked/test/e/");
    assert_refused(&o, "%s/test/e: expected the classes that training has, got another", folder);
    assert_int_equal(rename(file_path("checked/test/e"), file_path("checked/test/d")), 0);
    assert_refused(&o, "%s/test/d: expected 1 file or more, got 0", folder);
    put_jpeg(file_path("checked/test/d/0.jpg"), 8, 8, 3, 0, SCAN_ONE);
    file_path("checked/test/e/");
    assert_refused(&o, "%s/test/e: expected the classes that training has, got another", folder);
    assert_int_equal(rmdir(file_path("checked/test/e")), 0);
    file_write(file_path("checked/test/d/notes.txt"), "x", 1);
    assert_refused(&o, "%s/test/d/notes.txt: expected only files that end in .jpg or .jpeg", folder);
    file_remove(file_path("checked/test/d/notes.txt"));
    file_path("checked/test/d/more.jpg/");
    assert_refused(&o, "%s/test/d/more.jpg: expected only files that end in .jpg or .jpeg", folder);
    assert_int_equal(rmdir(file_path("checked/test/d/more.jpg")), 0);
    file_write(file_path("checked/train/README"), "x", 1);
    assert_refused(&o, "%s/train/README: expected only folders, one for each class", folder);
    file_remove(file_path("checked/train/README"));
    assert_int_equal(rename(file_path("checked/test"), file_path("checked/elsewhere")), 0);
    assert_refused(&o, "%s: expected a folder 'test' or 'val' next to 'train', got none", folder);
    assert_int_equal(rename(file_path("checked/elsewhere"), file_path("checked/val")), 0);
    s = data_open_or_fail(&o);
    s->close(s);
    o.path = folder_fresh("empty");
    assert_refused(&o, "%s: expected 2 to 100000 folders, one for each class, got 0", o.path);
    o.path = "/nowhere";
    assert_refused(&o, "/nowhere: expected a folder, got none");
}

/* Of one file, by what it holds. */
static void contents_are_checked(void **state)
{
    const char *folder = folder_of_three("contents"), *path;
    struct data_options o = options_of(folder, 32);
    struct data_source *s = data_open_or_fail(&o);
    size_t n, huge;
    uint8_t *bytes = jpeg_make(64, 64, 3, 0, SCAN_ONE, &n);

    (void)state;
    path = file_path("contents/train/a/1.jpg");
    file_write(path, bytes, n - 2);
    assert_unreadable(s, DATA_TRAIN, 1, "%s: offset %zu: expected a whole JPEG, got: Premature end of JPEG file", path,
                      n - 2);
    file_write(path, bytes, n / 2);
    assert_unreadable(s, DATA_TRAIN, 1, "%s: offset %zu: expected a whole JPEG, got: Premature end of JPEG file", path,
                      n / 2);
    file_write(path, bytes, 1);
    assert_unreadable(s, DATA_TRAIN, 1, "%s: offset 0: expected a JPEG, got 1 bytes", path);
    file_write(path, "", 0);
    assert_unreadable(s, DATA_TRAIN, 1, "%s: offset 0: expected a JPEG, got 0 bytes", path);
    file_write(path, "\x89PNG\r\n\x1a\n", 8);
    assert_unreadable(s, DATA_TRAIN, 1, "%s: offset 0: expected a JPEG, got a PNG", path);
    file_write(path, "GIF89a", 6);
    assert_unreadable(s, DATA_TRAIN, 1, "%s: offset 0: expected a JPEG (ff d8), got 47 49", path);
    file_remove(path);
    assert_unreadable(s, DATA_TRAIN, 1, "%s: No such file or directory", path);
    free(bytes);
    /* A small file that claims to be 65000 x 65000, in many passes, which would take 25 GB. */
    bytes = jpeg_make(64, 64, 3, 0, SCANS_PROGRESSIVE, &huge);
    for (size_t i = 0; i + 8 < huge; i++)
        if (bytes[i] == 0xff && bytes[i + 1] == 0xc2) {
            memcpy(bytes + i + 5, "\xfd\xe8\xfd\xe8", 4);
            break;
        }
    file_write(path, bytes, huge);
    assert_unreadable(s, DATA_TRAIN, 1, "%s: offset 240: expected an image that decodes in 1 GiB, got 65000 x 65000",
                      path);
    free(bytes);
    s->close(s);
}

/* A scan said again and again costs a pass each time. */
static void scans_are_counted(void **state)
{
    const struct jpeg_cut cut = { 3, 8, 8, 0.5f, 0.5f };
    float values[192];
    char why[300] = "", *at;
    size_t n, scan = 0, end;
    uint8_t *bytes = jpeg_make(16, 16, 3, 0, SCANS_APART, &n), *many;

    (void)state;
    for (size_t i = 0; i + 1 < n && !scan; i++)
        scan = bytes[i] == 0xff && bytes[i + 1] == 0xda ? i : 0;
    for (end = scan + 2; bytes[end] != 0xff || !bytes[end + 1]; end++)
        ;
    many = malloc(end + 600 * (end - scan) + 2);
    assert_non_null(many);
    memcpy(many, bytes, end);
    for (int i = 0; i < 600; i++)
        memcpy(many + end + (size_t)i * (end - scan), bytes + scan, end - scan);
    memcpy(many + end + 600 * (end - scan), "\xff\xd9", 2);
    n = end + 600 * (end - scan) + 2;
    assert_int_equal(jpeg_decode("x", many, n, &cut, values, why, sizeof(why)), E_DATA);
    at = strstr(why, "expected");
    assert_non_null(at);
    assert_string_equal(at, "expected at most 500 scans, got more");
    free(bytes);
    free(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_folders),   cmocka_unit_test(sizes_and_places),
        cmocka_unit_test(colours_are_converted), cmocka_unit_test(variations_move_and_mirror),
        cmocka_unit_test(one_folder_is_split),   cmocka_unit_test(folders_are_checked),
        cmocka_unit_test(contents_are_checked),  cmocka_unit_test(scans_are_counted),
        cmocka_unit_test(tests_are_annotated),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void what_is_missing_is_told(void **state)
{
    struct data_options o = data_options_of(DATA_JPEG);

    (void)state;
    o.path = "photos";
    assert_refused(&o,
                   "photos: this program was built without libjpeg (Debian: libjpeg62-turbo-dev), which reads JPEGs");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(what_is_missing_is_told) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
