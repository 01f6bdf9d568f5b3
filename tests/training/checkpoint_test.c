/* checkpoint_test.c - checkpoints: what was written comes back; nothing but that is taken for a checkpoint; and
 * whatever fails while one is written, the one before is there. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/status.h"
#include "harness/training/checkpoint_format.h"
#include "tests/store/support.h"
#include "tests/test.h"
#include "tests/training/disk_calls.h"

#define KEY_A "0123456789abcdef0123456789abcdef"
#define KEY_B "fedcba9876543210fedcba9876543210"

static const float weights[] = { 1.5f, -2.25f, 0, 1e30f };
static const unsigned char noise[] = "any bytes\0with a zero";

static int write_sections(struct checkpoint_writer *w)
{
    checkpoint_add(w, "conv1/weights", weights, sizeof(weights));
    checkpoint_add(w, "empty", NULL, 0);
    checkpoint_add(w, "a name with blanks", noise, sizeof(noise));
    return checkpoint_commit(w);
}

static int write_whole(const char *to, const char *key, int64_t step)
{
    struct checkpoint_writer *w = NULL;
    int rc = checkpoint_create(to, key, step, &w);

    return rc ? rc : write_sections(w);
}

static char path[512], other[512]; /* in the test's folder */

static int setup(void **state)
{
    int rc = support_setup(state);

    disk_reset();
    snprintf(path, sizeof(path), "%s", support_path("a.ckpt"));
    snprintf(other, sizeof(other), "%s", support_path("b.ckpt"));
    return rc;
}

static void put_file(const char *to, const void *bytes, size_t n)
{
    FILE *f = fopen(to, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

/* That a.ckpt is the whole checkpoint of KEY_A after this many steps, and nothing is next to it. */
static void expect_whole(int64_t step)
{
    struct checkpoint *c = NULL;
    float read[COUNT(weights)];
    char bytes[sizeof(noise)];
    size_t n = 99;

    assert_int_equal(checkpoint_open(path, KEY_A, &c), 1);
    assert_int_equal(checkpoint_step(c), step);
    assert_int_equal(checkpoint_read(c, "conv1/weights", read, sizeof(read)), NW_OK);
    assert_memory_equal(read, weights, sizeof(read));
    assert_int_equal(checkpoint_read(c, "a name with blanks", bytes, sizeof(bytes)), NW_OK);
    assert_memory_equal(bytes, noise, sizeof(bytes));
    assert_true(checkpoint_has(c, "empty", &n));
    assert_int_equal(n, 0);
    assert_int_equal(checkpoint_read(c, "empty", NULL, 0), NW_OK);
    assert_true(checkpoint_has(c, "conv1/weights", &n));
    assert_int_equal(n, sizeof(weights));
    assert_false(checkpoint_has(c, "conv1/weight", &n));
    checkpoint_close(c);
    assert_int_not_equal(access(support_path("a.ckpt.part"), F_OK), 0);
}

static void what_was_written_comes_back(void **state)
{
    struct checkpoint *c = NULL;
    struct checkpoint_writer *w = NULL;

    (void)state;
    assert_int_equal(checkpoint_open(path, KEY_A, &c), 0);
    assert_int_equal(write_whole(path, KEY_A, 7), NW_OK);
    expect_whole(7);
    assert_int_equal(write_whole(path, KEY_A, INT64_MAX), NW_OK);
    expect_whole(INT64_MAX);
    /* One without sections is one, too. */
    assert_int_equal(checkpoint_create(path, KEY_A, 0, &w), NW_OK);
    assert_int_equal(checkpoint_commit(w), NW_OK);
    assert_int_equal(checkpoint_open(path, KEY_A, &c), 1);
    assert_int_equal(checkpoint_step(c), 0);
    checkpoint_close(c);
}

static void many_sections_are_found(void **state)
{
    struct checkpoint_writer *w = NULL;
    struct checkpoint *c = NULL;
    char name[CHECKPOINT_NAME + 1];

    (void)state;
    assert_int_equal(checkpoint_create(path, KEY_A, 1, &w), NW_OK);
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof(name), "worker %d", i * 7919 % 1000);
        checkpoint_add(w, name, &i, sizeof(i));
    }
    memset(name, 'x', CHECKPOINT_NAME);
    name[CHECKPOINT_NAME] = 0;
    assert_int_equal(checkpoint_add(w, name, weights, sizeof(weights)), NW_OK);
    assert_int_equal(checkpoint_commit(w), NW_OK);
    assert_int_equal(checkpoint_open(path, KEY_A, &c), 1);
    for (int i = 0, read; i < 1000; i++) {
        char of[32];

        snprintf(of, sizeof(of), "worker %d", i * 7919 % 1000);
        assert_int_equal(checkpoint_read(c, of, &read, sizeof(read)), NW_OK);
        assert_int_equal(read, i);
    }
    float read[COUNT(weights)];
    assert_int_equal(checkpoint_read(c, name, read, sizeof(read)), NW_OK);
    checkpoint_close(c);
}

static void sections_must_be_as_asked_for(void **state)
{
    struct checkpoint *c = NULL;
    float read[COUNT(weights) + 1];

    (void)state;
    assert_int_equal(write_whole(path, KEY_A, 7), NW_OK);
    assert_int_equal(checkpoint_open(path, KEY_A, &c), 1);
    support_listen();
    assert_int_equal(checkpoint_read(c, "conv2/weights", read, sizeof(weights)), NW_EINPUT);
    assert_int_equal(checkpoint_read(c, "conv1/weights", read, sizeof(weights) + 4), NW_EINPUT);
    assert_int_equal(checkpoint_read(c, "conv1/weights", read, sizeof(weights) - 4), NW_EINPUT);
    const char *said = support_heard();
    assert_non_null(strstr(said, "a.ckpt: offset"));
    assert_non_null(strstr(said, "expected a section 'conv2/weights', found none"));
    assert_non_null(strstr(said, "expected section 'conv1/weights' to have 20 bytes, found 16"));
    checkpoint_close(c);
}

/* Cut short at every length, and with something behind it. */
static void a_file_of_another_length_is_refused(void **state)
{
    struct checkpoint *c = NULL;
    size_t size;

    (void)state;
    assert_int_equal(write_whole(path, KEY_A, 7), NW_OK);
    free(support_read(path, &size));
    support_listen();
    for (size_t n = size + 2; n-- > 0;) {
        assert_int_equal(truncate(path, (off_t)n), 0);
        if (checkpoint_open(path, KEY_A, &c) != (n == size ? 1 : NW_EINPUT))
            fail_msg("%zu of %zu bytes are taken otherwise", n, size);
        if (n == size)
            checkpoint_close(c);
    }
    assert_non_null(strstr(support_heard(), "a.ckpt: offset"));
}

static void every_bit_counts(void **state)
{
    size_t size;
    struct checkpoint *c = NULL;

    (void)state;
    assert_int_equal(write_whole(path, KEY_A, 7), NW_OK);
    char *bytes = support_read(path, &size);
    FILE *f = fopen(path, "r+b");
    assert_non_null(f);
    setvbuf(f, NULL, _IONBF, 0);
    support_listen();
    for (size_t at = 0; at < size; at++)
        for (int flip = 0; flip <= 9; flip++) {
            int mask = flip < 8 ? 1 << flip : flip == 8 ? 0xff : 0; /* the last one puts it right */

            fseek(f, (long)at, SEEK_SET);
            fputc((unsigned char)bytes[at] ^ mask, f);
            if (mask && checkpoint_open(path, KEY_A, &c) != NW_EINPUT)
                fail_msg("byte %zu may be changed by %#x", at, (unsigned)mask);
        }
    support_heard();
    fclose(f);
    expect_whole(7);
    free(bytes);
}

/* Files whose checksum fits what someone made up. */
struct forgery {
    unsigned char bytes[1024];
    size_t n;
};

static void forge(struct forgery *f, const void *bytes, size_t n)
{
    memcpy(f->bytes + f->n, bytes, n);
    f->n += n;
}

static void forge_section(struct forgery *f, uint32_t name_bytes, uint32_t zero, uint64_t bytes, const char *text)
{
    struct checkpoint_section s = { name_bytes, zero, bytes };

    forge(f, &s, sizeof(s));
    forge(f, text, strlen(text));
}

static void forge_end(struct forgery *f, uint64_t bytes)
{
    XXH128_canonical_t sum;

    forge_section(f, 0, 0, bytes, "");
    XXH128_canonicalFromHash(&sum, XXH3_128bits(f->bytes, f->n));
    forge(f, &sum, sizeof(sum));
}

static void forged_files_are_refused(void **state)
{
    /* What is not said is as it should be. */
    static const struct {
        const char *what, *said, *magic, *key;
        uint32_t version;
        int64_t step;
        struct {
            uint32_t name_bytes, zero;
            uint64_t bytes;
            const char *text; /* its name and bytes, which may be fewer than it says; NULL: no section */
        } sections[2];
        uint64_t end_bytes; /* that the end says to have */
    } cases[] = {
        { .what = "nothing wrong", .sections = { { 1, 0, 2, "abc" } } },
        { .what = "two sections", .sections = { { 1, 0, 2, "abc" }, { 1, 0, 0, "b" } } },
        { .what = "another kind of file", .said = "offset 0: expected a checkpoint", .magic = "NRWSCKPX" },
        { .what = "a newer version", .said = "offset 8: expected version 1, found 2", .version = 2 },
        { .what = "the other byte order", .said = "found 16777216", .version = 0x1000000 },
        { .what = "another training", .said = "16: expected the training " KEY_A ", found " KEY_B, .key = KEY_B },
        { .what = "no key", .said = "32 hex digits", .key = "\033[2J                            " },
        { .what = "steps below zero", .said = "offset 48: expected steps, found -1", .step = -1 },
        { .what = "a name of nothing", .said = "1 to 200", .sections = { { 0, 0, 1, "a" } } },
        { .what = "a name too long", .said = "1 to 200", .sections = { { 201, 0, 1, "a" } } },
        { .what = "a name of all there is", .said = "1 to 200", .sections = { { UINT32_MAX, 0, 1, "a" } } },
        { .what = "a name past the end", .said = "at most", .sections = { { 8, 0, 0, "abc" } } },
        /* Its second byte is the next section's, whose numbers have zeros. */
        { .what = "a name with a zero", .said = "a zero in it", .sections = { { 17, 0, 0, "a" }, { 1, 0, 0, "" } } },
        { .what = "no zero", .said = "found 1 and 1", .sections = { { 1, 1, 2, "abc" } } },
        { .what = "bytes past the end", .said = "at most", .sections = { { 1, 0, 3, "abc" } } },
        { .what = "bytes that wrap", .said = "at most", .sections = { { 1, 0, UINT64_MAX, "abc" } } },
        { .what = "bytes that wrap to it", .said = "at most", .sections = { { 1, 0, UINT64_MAX - 16, "abc" } } },
        { .what = "bytes below zero", .said = "at most", .sections = { { 1, 0, (uint64_t)INT64_MAX + 1, "abc" } } },
        { .what = "less than a section", .said = "a section, found 1 bytes", .sections = { { 1, 0, 1, "abc" } } },
        { .what = "one name twice", .said = "one section 'a'", .sections = { { 1, 0, 2, "abc" }, { 1, 0, 0, "a" } } },
        { .what = "no end", .said = "expected the end", .end_bytes = 1 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct checkpoint_head head = { .version = cases[i].version ? cases[i].version : CHECKPOINT_VERSION,
                                        .step = cases[i].step ? cases[i].step : 3 };
        struct forgery f = { .n = 0 };
        struct checkpoint *c = NULL;

        memcpy(head.magic, cases[i].magic ? cases[i].magic : CHECKPOINT_MAGIC, sizeof(head.magic));
        memcpy(head.key, cases[i].key ? cases[i].key : KEY_A, sizeof(head.key));
        forge(&f, &head, sizeof(head));
        for (int k = 0; k < 2 && cases[i].sections[k].text; k++)
            forge_section(&f, cases[i].sections[k].name_bytes, cases[i].sections[k].zero, cases[i].sections[k].bytes,
                          cases[i].sections[k].text);
        forge_end(&f, cases[i].end_bytes);
        put_file(path, f.bytes, f.n);
        support_listen();
        int rc = checkpoint_open(path, KEY_A, &c);
        const char *said = support_heard();
        if (cases[i].said ? rc != NW_EINPUT || !strstr(said, cases[i].said) || !strstr(said, "a.ckpt: offset")
                          : rc != 1 || *said)
            fail_msg("%s: answered %d and said: %s", cases[i].what, rc, said);
        if (rc == 1)
            checkpoint_close(c);
    }
}

static void what_is_no_file_is_refused(void **state)
{
    struct checkpoint *c = NULL;
    struct checkpoint_writer *w = NULL;

    (void)state;
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(mkfifo(other, 0666), 0);
    support_listen();
    assert_int_equal(checkpoint_open(path, KEY_A, &c), NW_EINPUT);
    assert_int_equal(checkpoint_open(other, KEY_A, &c), NW_EINPUT);
    assert_int_equal(checkpoint_create(support_path("nowhere/a.ckpt"), KEY_A, 1, &w), NW_EIO);
    assert_int_equal(write_whole(path, KEY_A, 7), NW_EIO); /* cannot take its place */
    const char *said = support_heard();
    assert_non_null(strstr(said, "a.ckpt: offset 0"));
    assert_non_null(strstr(said, "b.ckpt: offset 0"));
    assert_non_null(strstr(said, "nowhere/a.ckpt.part"));
    assert_non_null(strstr(said, "rename"));
    assert_int_not_equal(access(support_path("a.ckpt.part"), F_OK), 0);
}

/* The disk is full after every number of bytes that a checkpoint can have, in writes of every size. */
static void a_full_disk_leaves_the_one_before(void **state)
{
    size_t size;

    (void)state;
    assert_int_equal(write_whole(path, KEY_A, 7), NW_OK);
    free(support_read(path, &size));
    for (size_t most = 0; most < 20; most += 19)
        for (size_t space = 0; space <= size; space++) {
            support_listen();
            disk = (struct disk_calls){ .space = (int64_t)space, .most = most };
            int rc = write_whole(path, KEY_A, 8);
            disk_reset();
            const char *said = support_heard();
            if (rc != (space == size ? NW_OK : NW_EIO) || (rc && !strstr(said, "a.ckpt.part: offset")))
                fail_msg("space for %zu of %zu bytes: answered %d and said: %s", space, size, rc, said);
            expect_whole(space == size ? 8 : 7);
            if (space == size)
                assert_int_equal(write_whole(path, KEY_A, 7), NW_OK);
        }
}

static void a_call_that_fails_leaves_a_whole_one(void **state)
{
    static const struct {
        char call;
        const char *said, *order;
        int64_t step; /* of the checkpoint that is there */
    } cases[] = {
        { 's', "sync", "w", 7 },
        { 'r', "rename", "ws", 7 },
        { 'f', "could not be synced", "wsr", 8 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(write_whole(path, KEY_A, 7), NW_OK);
        support_listen();
        disk = (struct disk_calls){ .space = -1, .fails = cases[i].call };
        int rc = write_whole(path, KEY_A, 8);
        const char *said = support_heard();
        if (rc != NW_EIO || !strstr(said, cases[i].said) || strcmp(disk.order, cases[i].order) != 0)
            fail_msg("%c fails: answered %d after %s and said: %s", cases[i].call, rc, disk.order, said);
        disk_reset();
        expect_whole(cases[i].step);
    }
}

/* All is on the disk before the new one takes the place of the one before, and then that is on the disk, too. */
static void calls_come_in_order(void **state)
{
    (void)state;
    disk = (struct disk_calls){ .space = -1, .most = 3, .interruptions = 5 };
    assert_int_equal(write_whole(path, KEY_A, 7), NW_OK);
    assert_string_equal(disk.order, "wsrf");
    expect_whole(7);
}

static void a_writer_given_up_leaves_nothing(void **state)
{
    struct checkpoint_writer *w = NULL;

    (void)state;
    assert_int_equal(write_whole(path, KEY_A, 7), NW_OK);
    assert_int_equal(checkpoint_create(path, KEY_A, 8, &w), NW_OK);
    assert_int_equal(checkpoint_add(w, "a", weights, sizeof(weights)), NW_OK);
    checkpoint_discard(w);
    checkpoint_discard(NULL);
    expect_whole(7);
}

/* What a killed process left is written over, and is longer than what is written. */
static void a_killed_writer_is_no_obstacle(void **state)
{
    int status;

    (void)state;
    assert_int_equal(write_whole(path, KEY_A, 7), NW_OK);
    pid_t child = fork();
    if (child == 0) {
        struct checkpoint_writer *w = NULL;

        for (int i = 0; !checkpoint_create(path, KEY_A, 8, &w) && i < 100; i++)
            for (int k = 0; k < 100; k++)
                if (checkpoint_add(w, "a", weights, sizeof(weights)) || k == 99)
                    raise(SIGKILL);
        _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_int_equal(access(support_path("a.ckpt.part"), F_OK), 0);
    assert_int_equal(write_whole(path, KEY_A, 9), NW_OK);
    expect_whole(9);
}

static void one_at_a_time_writes(void **state)
{
    struct checkpoint_writer *first = NULL, *second = NULL;

    (void)state;
    assert_int_equal(checkpoint_create(path, KEY_A, 1, &first), NW_OK);
    support_listen();
    assert_int_equal(checkpoint_create(path, KEY_A, 2, &second), NW_EIO);
    assert_non_null(strstr(support_heard(), "a.ckpt.part: another process is writing"));
    assert_int_equal(write_sections(first), NW_OK);
    expect_whole(1);
    assert_int_equal(write_whole(path, KEY_A, 2), NW_OK);
    expect_whole(2);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(what_was_written_comes_back),
        TEST(many_sections_are_found),
        TEST(sections_must_be_as_asked_for),
        TEST(a_file_of_another_length_is_refused),
        TEST(every_bit_counts),
        TEST(forged_files_are_refused),
        TEST(what_is_no_file_is_refused),
        TEST(a_full_disk_leaves_the_one_before),
        TEST(a_call_that_fails_leaves_a_whole_one),
        TEST(calls_come_in_order),
        TEST(a_writer_given_up_leaves_nothing),
        TEST(a_killed_writer_is_no_obstacle),
        TEST(one_at_a_time_writes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
