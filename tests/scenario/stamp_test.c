/* stamp_test.c - whatever changes in a data set on disk changes its stamp, and nothing else does. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/scenario/stamp.h"
#include "tests/test.h"

static char folder[4096];

static const char *in_folder(const char *name)
{
    static char path[4200];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(in_folder(name), "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* Seconds since 1970: what was written within one tick of the clock would look the same. */
static void set_time(const char *name, long second)
{
    const struct timespec times[2] = { { second, 0 }, { second, 0 } };

    assert_int_equal(utimensat(AT_FDCWD, in_folder(name), times, 0), 0);
}

static void stamped(char digest[33])
{
    assert_int_equal(stamp_of(folder, digest), 0);
    assert_int_equal(strlen(digest), 32);
}

static int make(void **state)
{
    (void)state;
    snprintf(folder, sizeof(folder), "%s/stamp.XXXXXX", getenv("NARROWS_TEST_TMP"));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(mkdir(in_folder("test"), 0777), 0);
    write_file("a", "1234");
    write_file("test/b", "12");
    set_time("a", 1000);
    set_time("test/b", 1000);
    return 0;
}

static void what_changes_is_seen(void **state)
{
    char first[33], again[33], now[33];

    (void)state;
    stamped(first);
    set_time("test", 4000); /* of folders only what is in them counts */
    stamped(again);
    assert_string_equal(first, again);

    write_file("test/b", "13");
    set_time("test/b", 1001);
    stamped(now);
    assert_string_not_equal(first, now);
    write_file("test/b", "123");
    set_time("test/b", 1000);
    stamped(now);
    assert_string_not_equal(first, now);
    write_file("test/b", "12");
    set_time("test/b", 1000);
    stamped(now);
    assert_string_equal(first, now);

    assert_int_equal(mkdir(in_folder("empty"), 0777), 0);
    stamped(now);
    assert_string_not_equal(first, now);
    assert_int_equal(rmdir(in_folder("empty")), 0);
    char before[4200];
    snprintf(before, sizeof(before), "%s", in_folder("test/b"));
    assert_int_equal(rename(before, in_folder("b")), 0); /* up a folder */
    stamped(now);
    assert_string_not_equal(first, now);
    assert_int_equal(rename(in_folder("b"), before), 0);
    stamped(now);
    assert_string_equal(first, now);

    write_file("z", "5"); /* the last one either way, in the folder or behind it */
    set_time("z", 1000);
    stamped(first);
    snprintf(before, sizeof(before), "%s", in_folder("z"));
    assert_int_equal(rename(before, in_folder("test/z")), 0);
    stamped(now);
    assert_string_not_equal(first, now);
    assert_int_equal(unlink(in_folder("test/z")), 0);
}

static void one_file_will_do(void **state)
{
    char a[33], b[33];

    (void)state;
    assert_int_equal(stamp_of(in_folder("a"), a), 0);
    assert_int_equal(stamp_of(in_folder("test/b"), b), 0);
    assert_string_not_equal(a, b);
}

static void what_cannot_be_read_is_refused(void **state)
{
    char digest[33] = "";

    (void)state;
    assert_int_equal(stamp_of(in_folder("none"), digest), ENOENT);
    assert_int_equal(symlink(".", in_folder("test/loop")), 0);
    assert_int_equal(stamp_of(folder, digest), ELOOP);
    assert_int_equal(unlink(in_folder("test/loop")), 0);
    assert_int_equal(symlink("nowhere", in_folder("dangling")), 0);
    assert_int_equal(stamp_of(folder, digest), ENOENT);
    assert_int_equal(unlink(in_folder("dangling")), 0);
    assert_string_equal(digest, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_changes_is_seen),
        cmocka_unit_test(one_file_will_do),
        cmocka_unit_test(what_cannot_be_read_is_refused),
    };

    return cmocka_run_group_tests(tests, make, NULL);
}
