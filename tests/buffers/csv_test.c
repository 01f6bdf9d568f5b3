/* csv_test.c - the reader of buffers: what is accepted, every error with its place, what is written is read again,
 * and rows that nobody meant. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/buffers/csv.h"
#include "harness/status.h"
#include "tests/test.h"

#define HEAD "id,lower,upper,size\n"
#define LARGEST "4611686018427387904"

/* Without gaps and an alignment. */
#define BUFFER(lower_, upper_, bytes_, offset_)                                      \
    {                                                                                \
        .lower = (lower_), .upper = (upper_), .bytes = (bytes_), .offset = (offset_) \
    }

struct reading {
    struct buffers_csv csv;
    char *said;
    int rc;
};

/* The text in memory of exactly its size, so that a sanitizer sees a read past its end. */
static struct reading parse(const char *text, size_t size)
{
    struct reading r = { 0 };
    size_t nsaid = 0;
    char *copy = malloc(size ? size : 1);
    FILE *err = open_memstream(&r.said, &nsaid);

    assert_non_null(err);
    assert_non_null(copy);
    memcpy(copy, text, size);
    r.rc = buffers_csv_parse("b.csv", copy, size, &r.csv, err);
    fclose(err);
    free(copy);
    return r;
}

static void release(struct reading *r)
{
    buffers_csv_free(&r->csv);
    free(r->said);
}

static void plain_files_are_read(void **state)
{
    static const char text[] = "\xef\xbb\xbf# exported\r\n"
                               "\n"
                               " size ,id,\tupper, lower\r\n"
                               "100, conv1/out ,5,-3\n"
                               "  # between\n"
                               " " LARGEST ",t1',7 ,7\r\n"
                               "0,\xc3\xa4 b," LARGEST ",-" LARGEST;
    static const struct {
        const char *id;
        struct buffer buffer;
        int64_t line;
    } want[] = { { "conv1/out", BUFFER(-3, 5, 100, 0), 4 },
                 { "t1'", BUFFER(7, 7, BUFFERS_CSV_LARGEST, 0), 6 },
                 { "\xc3\xa4 b", BUFFER(-BUFFERS_CSV_LARGEST, BUFFERS_CSV_LARGEST, 0, 0), 7 } };

    (void)state;
    struct reading r = parse(text, sizeof(text) - 1);
    if (r.rc || r.csv.n != COUNT(want))
        fail_msg("answered %d, %zu buffers: %s", r.rc, r.csv.n, r.said);
    assert_false(r.csv.placed);
    for (size_t i = 0; i < COUNT(want); i++) {
        assert_string_equal(r.csv.ids[i], want[i].id);
        assert_memory_equal(&r.csv.list[i], &want[i].buffer, sizeof(struct buffer));
        assert_int_equal(r.csv.lines[i], want[i].line);
    }
    assert_string_equal(r.said, "");
    release(&r);
}

static void offsets_are_read(void **state)
{
    static const char text[] = "offset,size,upper,lower,id\n8,16,2,1,x\n0,8,2,1,y\n";

    (void)state;
    struct reading r = parse(text, sizeof(text) - 1);
    if (r.rc || r.csv.n != 2)
        fail_msg("answered %d, %zu buffers: %s", r.rc, r.csv.n, r.said);
    assert_true(r.csv.placed);
    assert_int_equal(r.csv.list[0].offset, 8);
    assert_int_equal(r.csv.list[1].offset, 0);
    assert_int_equal(r.csv.list[1].bytes, 8);
    release(&r);
}

/* Headers that public files have, the same two buffers under each. */
static void other_names_are_read(void **state)
{
    static const char *const cases[] = {
        "id,lower,upper,size\na,0,3,4\nb,-3,9,8\n",
        "buffer,start,end,size\na,0,2,4\nb,-3,8,8\n",
        "buffer_id,begin,end,size\na,0,2,4\nb,-3,8,8\n",
        "id,begin,upper,size\na,0,3,4\nb,-3,9,8\n",
        "end,size,start,buffer\n2,4,0,a\n8,8,-3,b\n",
        "id,lower,upper,size,hint\na,0,3,4,-1\nb,-3,9,8,\n",
        "buffer,start,end,size,alignment,gaps\na,0,2,4,1,\nb,-3,8,8,0,\n",
        "buffer,gaps,alignment,start,hint,end,size,offset\na, ,,0,x,2,4,0\nb,,1,-3,,8,8,0\n",
    };
    static const struct buffer want[] = { BUFFER(0, 3, 4, 0), BUFFER(-3, 9, 8, 0) };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct reading r = parse(cases[i], strlen(cases[i]));
        if (r.rc || r.csv.n != COUNT(want))
            fail_msg("'%s': answered %d, %zu buffers: %s", cases[i], r.rc, r.csv.n, r.said);
        for (size_t k = 0; k < COUNT(want); k++) {
            assert_in_range(r.csv.list[k].alignment, 0, 1);
            r.csv.list[k].alignment = 0;
            assert_memory_equal(&r.csv.list[k], &want[k], sizeof(*want));
        }
        assert_string_equal(r.csv.ids[0], "a");
        assert_string_equal(r.csv.ids[1], "b");
        release(&r);
    }

    static const char ends[] = "id,start,end,size\na,5,4,1\nb,0,4611686018427387903,1\n";
    struct reading r = parse(ends, sizeof(ends) - 1);
    assert_int_equal(r.rc, NW_OK);
    assert_int_equal(r.csv.list[0].upper, 5); /* never alive */
    assert_true(r.csv.list[1].upper == BUFFERS_CSV_LARGEST);
    release(&r);
}

/* The same two buffers, with [lower, upper) and with the last moment of life. */
static void gaps_and_alignments_are_read(void **state)
{
    static const char *const cases[] = {
        "id,lower,upper,size,alignment,gaps\na,-5,20,100,64,-5--3 0-9\t 9-12@10:100 \nb,0,9,7,,\n",
        "gaps,alignment,id,lower,upper,size\n -5--3 0-9 9-12@10:100,64,a,-5,20,100\n,0,b,0,9,7\n",
        "buffer,start,end,size,alignment,gaps\na,-5,19,100,64,-5--4 0-8 9-11@10:100\nb,0,8,7,1,\n",
    };
    static const struct buffer_gap gaps[] = { { -5, -3, 0, 0 }, { 0, 9, 0, 0 }, { 9, 12, 10, 100 } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct reading r = parse(cases[i], strlen(cases[i]));
        if (r.rc || r.csv.n != 2)
            fail_msg("'%s': answered %d, %zu buffers: %s", cases[i], r.rc, r.csv.n, r.said);
        const struct buffer *b = r.csv.list;
        assert_true(b[0].lower == -5 && b[0].upper == 20 && b[0].bytes == 100 && b[0].alignment == 64);
        assert_int_equal(b[0].ngaps, COUNT(gaps));
        assert_memory_equal(b[0].gaps, gaps, sizeof(gaps));
        assert_true(b[1].alignment <= 1 && !b[1].ngaps && !b[1].gaps);
        release(&r);
    }
}

/* A text, and the whole of what is said about it. */
struct refusal {
    const char *text, *said;
};

static void expect_refusals(const struct refusal cases[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct reading r = parse(cases[i].text, strlen(cases[i].text));
        if (r.rc != NW_EINPUT || strcmp(r.said, cases[i].said) != 0)
            fail_msg("'%s': %d, said '%s', not '%s'", cases[i].text, r.rc, r.said, cases[i].said);
        assert_null(r.csv.list);
        release(&r);
    }
}

static void errors_have_a_place(void **state)
{
    static const struct refusal cases[] = {
        { "", "b.csv:1:1: expected the header 'id,lower,upper,size', got no line\n" },
        { "# only\n\n", "b.csv:3:1: expected the header 'id,lower,upper,size', got no line\n" },
        { HEAD, "b.csv:2:1: expected a buffer, got no line\n" },
        { "id,lower,upper\n1,2,3\n", "b.csv:1:1: expected a column 'size', got 'id,lower,upper'\n" },
        { "id,lower,size,upper,lower\n", "b.csv:1:21: expected each column once, got 'lower'\n" },
        { "id,first,upper,size\n",
          "b.csv:1:4: expected the columns id (or buffer), lower (start), upper (end), size and, "
          "if you like, offset, alignment, gaps, hint, got 'first'\n" },
        { "id,lower,upper,size,offset,\n",
          "b.csv:1:28: expected the columns id (or buffer), lower (start), upper (end), size and, if you like, offset, "
          "alignment, gaps, hint, got nothing\n" },
        { "hint,id,lower,upper,size,offset,gaps,alignment,\n",
          "b.csv:1:1: expected at most 8 columns, got 'hint,id,lower,upper,size,offset,gaps,ali...'\n" },
        { "id,start,upper,size,lower\n",
          "b.csv:1:21: expected each column once, and this is 'start' again, got 'lower'\n" },
        { "buffer,id,lower,upper,size\n",
          "b.csv:1:8: expected each column once, and this is 'buffer' again, got 'id'\n" },
        { "buffer,start,size\n", "b.csv:1:1: expected a column 'upper', got 'buffer,start,size'\n" },
        { HEAD "a,1,2\n", "b.csv:2:1: expected 4 values, as the header has, got 'a,1,2'\n" },
        { HEAD "a,1,2,3,\n", "b.csv:2:1: expected 4 values, as the header has, got 'a,1,2,3,'\n" },
        { HEAD "a,1,2,3,4,5,6,7,8\n", "b.csv:2:1: expected 4 values, as the header has, got 'a,1,2,3,4,5,6,7,8'\n" },
        { HEAD "a,1,2, 3x\n", "b.csv:2:8: size: expected whole bytes from 0 to " LARGEST ", got '3x'\n" },
        { HEAD "a,1,2,-3\n", "b.csv:2:7: size: expected whole bytes from 0 to " LARGEST ", got '-3'\n" },
        { HEAD "a,1,2,4611686018427387905\n",
          "b.csv:2:7: size: expected whole bytes from 0 to " LARGEST ", got '4611686018427387905'\n" },
        { HEAD "a,1,2,99999999999999999999999999\n",
          "b.csv:2:7: size: expected whole bytes from 0 to " LARGEST ", got '99999999999999999999999999'\n" },
        { HEAD "a,,2,3\n",
          "b.csv:2:3: lower: expected a whole number from -" LARGEST " to " LARGEST ", got nothing\n" },
        { HEAD "a,1,-,3\n", "b.csv:2:5: upper: expected a whole number from -" LARGEST " to " LARGEST ", got '-'\n" },
        { HEAD "a,1,+2,3\n", "b.csv:2:5: upper: expected a whole number from -" LARGEST " to " LARGEST ", got '+2'\n" },
        { HEAD "a,-1,-2,3\n", "b.csv:2:6: upper: expected no less than lower, -1, got '-2'\n" },
        { "upper,size,lower,id\n1,5,2,a\n", "b.csv:2:1: upper: expected no less than lower, 2, got '1'\n" },
        { "id,lower,upper,size,offset\na,1,2,3,\n",
          "b.csv:2:9: offset: expected whole bytes from 0 to " LARGEST ", got nothing\n" },
        { "lower,upper,size,id\n1,2,3,#a\n", "b.csv:2:7: id: expected text that does not begin with '#', without "
                                             "control characters, got '#a'\n" },
        { HEAD ",1,2,3\n",
          "b.csv:2:1: id: expected text that does not begin with '#', without control characters, got nothing\n" },
        { HEAD "a\x1b[2J,1,2,3\n",
          "b.csv:2:1: id: expected text that does not begin with '#', without control characters, got 'a?[2J'\n" },
        { HEAD "a,1,2,3\nb,1,2,3\r\n# c\n a ,1,2,3\n",
          "b.csv:5:2: id: expected another one than line 2 has, got 'a'\n" },
        { "buffer,start,end,size\n#\na,x,2,3\n",
          "b.csv:3:3: start: expected a whole number from -" LARGEST " to " LARGEST ", got 'x'\n" },
        { "buffer,begin,end,size\na,3, 1,3\n", "b.csv:2:6: end: expected no less than begin - 1, 2, got '1'\n" },
        { "buffer,start,end,size\na,1," LARGEST ",3\n",
          "b.csv:2:5: end: expected a whole number from -" LARGEST " to 4611686018427387903, got '" LARGEST "'\n" },
        { HEAD "a,1,2,x\nb,1,2,3\nc,1,2,y\n",
          "b.csv:2:7: size: expected whole bytes from 0 to " LARGEST ", got 'x'\n"
          "b.csv:4:7: size: expected whole bytes from 0 to " LARGEST ", got 'y'\n" },
    };

    (void)state;
    expect_refusals(cases, COUNT(cases));
}

static void errors_of_gaps_have_a_place(void **state)
{
    static const struct refusal cases[] = {
        { "id,lower,upper,size,gaps\na,1,9,3,2\n",
          "b.csv:2:9: gaps: expected gaps such as '7-9' or '7-9@0:64', separated by blanks, got '2'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3, 2-\n",
          "b.csv:2:10: gaps: expected gaps such as '7-9' or '7-9@0:64', separated by blanks, got '2-'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,2-3-4\n",
          "b.csv:2:9: gaps: expected gaps such as '7-9' or '7-9@0:64', separated by blanks, got '2-3-4'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,A-B\n",
          "b.csv:2:9: gaps: expected gaps such as '7-9' or '7-9@0:64', separated by blanks, got 'A-B'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,2-3 4\n",
          "b.csv:2:13: gaps: expected gaps such as '7-9' or '7-9@0:64', separated by blanks, got '4'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,2-3;5-7\n",
          "b.csv:2:9: gaps: expected gaps such as '7-9' or '7-9@0:64', separated by blanks, got '2-3;5-7'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,2-3@1\n",
          "b.csv:2:9: gaps: expected gaps such as '7-9' or '7-9@0:64', separated by blanks, got '2-3@1'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,2-3@1:x\n",
          "b.csv:2:9: gaps: expected gaps such as '7-9' or '7-9@0:64', separated by blanks, got '2-3@1:x'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,2-3@-1:2\n",
          "b.csv:2:9: gaps: expected gaps such as '7-9' or '7-9@0:64', separated by blanks, got '2-3@-1:2'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,2-3@\n",
          "b.csv:2:9: gaps: expected gaps such as '7-9' or '7-9@0:64', separated by blanks, got '2-3@'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,2 - 3\n",
          "b.csv:2:9: gaps: expected gaps such as '7-9' or '7-9@0:64', separated by blanks, got '2'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,2-99999999999999999999\n",
          "b.csv:2:9: gaps: expected gaps such as '7-9' or '7-9@0:64', separated by blanks"
          ", got '2-99999999999999999999'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,0-3\n",
          "b.csv:2:9: gaps: expected a gap within the lifetime, got '0-3'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,2-3 8-10\n",
          "b.csv:2:13: gaps: expected a gap within the lifetime, got '8-10'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,5-6 2-3\n",
          "b.csv:2:13: gaps: expected a gap after the one before, got '2-3'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,2-5 4-6\n",
          "b.csv:2:13: gaps: expected a gap after the one before, got '4-6'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,4-4\n",
          "b.csv:2:9: gaps: expected a gap that ends later than it begins, got '4-4'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,4-3\n",
          "b.csv:2:9: gaps: expected a gap that ends later than it begins, got '4-3'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,2-3@2:1\n",
          "b.csv:2:9: gaps: expected a window within the buffer, from its first byte to the one after its last"
          ", got '2-3@2:1'\n" },
        { "id,lower,upper,size,gaps\na,1,9,3,2-3@0:4\n",
          "b.csv:2:9: gaps: expected a window within the buffer, from its first byte to the one after its last"
          ", got '2-3@0:4'\n" },
        { "gaps,size,end,start,buffer\n4-3,3,9,1,a\n",
          "b.csv:2:1: gaps: expected a gap that ends no earlier than it begins, got '4-3'\n" },
        { "gaps,size,end,start,buffer\n4-9 10-10,3,9,1,a\n",
          "b.csv:2:5: gaps: expected a gap within the lifetime, got '10-10'\n" },
        { "alignment,id,lower,upper,size\n-1,a,1,9,3\n",
          "b.csv:2:1: alignment: expected whole bytes from 0 to " LARGEST ", or nothing, got '-1'\n" },
        { "alignment,id,lower,upper,size\n2.5,a,1,9,3\n",
          "b.csv:2:1: alignment: expected whole bytes from 0 to " LARGEST ", or nothing, got '2.5'\n" },
        { "id,lower,upper,size,alignment\na,1,9,3, 4611686018427387905\n",
          "b.csv:2:10: alignment: expected whole bytes from 0 to " LARGEST
          ", or nothing, got '4611686018427387905'\n" },
    };

    (void)state;
    expect_refusals(cases, COUNT(cases));
}

static void only_the_first_errors_are_listed(void **state)
{
    char text[4096] = HEAD;
    size_t lines = 0;

    (void)state;
    for (int i = 0; i < 40; i++)
        strcat(text, "a,b\n");
    struct reading r = parse(text, strlen(text));
    for (const char *p = r.said; *p; p++)
        lines += *p == '\n';
    assert_int_equal(r.rc, NW_EINPUT);
    assert_int_equal(lines, 11);
    assert_non_null(strstr(r.said, "and perhaps more"));
    release(&r);

    static const char nul[] = HEAD "a\0b,1,2,3\n";
    r = parse(nul, sizeof(nul) - 1);
    assert_int_equal(r.rc, NW_EINPUT);
    assert_non_null(strstr(r.said, "got 'a?b'"));
    release(&r);
}

static void many_ids_are_compared(void **state)
{
    enum { MANY = 50000 };
    char *text = malloc(64 * MANY);
    size_t used = 0;

    (void)state;
    used += (size_t)sprintf(text, HEAD);
    for (int i = 0; i < MANY; i++)
        used += (size_t)sprintf(text + used, "x%d,%d,%d,1\n", i, i, i + 1);
    struct reading r = parse(text, used);
    assert_int_equal(r.rc, NW_OK);
    assert_int_equal(r.csv.n, MANY);
    assert_string_equal(r.csv.ids[MANY - 1], "x49999");
    release(&r);
    used += (size_t)sprintf(text + used, "x777,0,1,1\n");
    r = parse(text, used);
    assert_int_equal(r.rc, NW_EINPUT);
    assert_string_equal(r.said, "b.csv:50002:1: id: expected another one than line 779 has, got 'x777'\n");
    release(&r);
    free(text);
}

static void gaps_are_written(const char *path)
{
    static const struct buffer_gap gaps[] = { { -5, -3, 0, 0 }, { 0, 9, 2, 12 } };
    static const struct buffer list[] = {
        { .lower = -5, .upper = 9, .bytes = 12, .offset = 30, .alignment = 6, .gaps = gaps, .ngaps = 2 },
        BUFFER(0, 1, 2, 0),
    };
    static const char *const ids[] = { "x", "y" };
    static const char *const want[2][2] = {
        { "id,lower,upper,size\ny,0,1,2\n", "id,lower,upper,size,offset\ny,0,1,2,0\n" },
        { "id,lower,upper,size,alignment,gaps\nx,-5,9,12,6,-5--3 0-9@2:12\ny,0,1,2,1,\n",
          "id,lower,upper,size,alignment,gaps,offset\nx,-5,9,12,6,-5--3 0-9@2:12,30\ny,0,1,2,1,,0\n" },
    };
    char text[256];

    for (int all = 0; all < 2; all++)
        for (int offsets = 0; offsets < 2; offsets++) {
            assert_int_equal(buffers_csv_write(path, list + !all, ids + !all, (size_t)all + 1, offsets, stderr), NW_OK);
            FILE *f = fopen(path, "r");
            size_t n = fread(text, 1, sizeof(text) - 1, f);
            fclose(f);
            text[n] = 0;
            assert_string_equal(text, want[all][offsets]);
            struct reading r = parse(text, n);
            assert_int_equal(r.rc, NW_OK);
            assert_int_equal(r.csv.list[0].ngaps, all ? 2 : 0);
            release(&r);
        }
    unlink(path);
}

static void what_is_written_is_read(void **state)
{
    static const struct buffer list[] = { BUFFER(-5, 7, 12, 3), BUFFER(0, 0, 0, BUFFERS_CSV_LARGEST) };
    static const char *const ids[] = { "t 1", "w'2" };
    char path[4096];

    (void)state;
    snprintf(path, sizeof(path), "%s/written.csv", getenv("NARROWS_TEST_TMP") ? getenv("NARROWS_TEST_TMP") : "/tmp");
    for (int offsets = 0; offsets < 2; offsets++) {
        struct buffers_csv csv;
        assert_int_equal(buffers_csv_write(path, list, ids, COUNT(list), offsets, stderr), NW_OK);
        assert_int_equal(buffers_csv_read(path, &csv, stderr), NW_OK);
        assert_int_equal(csv.n, COUNT(list));
        assert_int_equal(csv.placed, offsets);
        for (size_t i = 0; i < COUNT(list); i++) {
            struct buffer want = list[i];
            want.offset = offsets ? want.offset : 0;
            assert_memory_equal(&csv.list[i], &want, sizeof(want));
            assert_string_equal(csv.ids[i], ids[i]);
        }
        buffers_csv_free(&csv);
    }
    unlink(path);
    gaps_are_written(path);

    struct buffers_csv none;
    FILE *quiet = fopen("/dev/null", "w");
    assert_int_equal(buffers_csv_read("no/such/file.csv", &none, quiet), NW_EIO);
    assert_int_equal(buffers_csv_read("tests", &none, quiet), NW_EIO); /* a folder */
    assert_int_equal(buffers_csv_write("no/such/file.csv", list, ids, 2, 1, quiet), NW_EIO);
    fclose(quiet);
}

static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* What is accepted keeps the promises of the header; what is not says where and why, in whole lines. */
static void check_promises(const struct reading *r, const char *text)
{
    assert_true(r->rc == NW_OK || r->rc == NW_EINPUT);
    assert_true(!r->rc == !*r->said);
    for (const char *line = r->said; *line; line = strchr(line, '\n') + 1)
        if (strncmp(line, "b.csv:", 6) != 0 || !strchr(line, '\n'))
            fail_msg("'%s': said '%s'", text, r->said);
    for (const char *p = r->said; *p; p++)
        assert_true((*p >= ' ' && *p <= '~') || *p == '\n');
    for (size_t i = 0; !r->rc && i < r->csv.n; i++) {
        const struct buffer *b = &r->csv.list[i];
        assert_true(b->lower <= b->upper && b->bytes >= 0 && b->offset >= 0);
        assert_true(b->bytes <= BUFFERS_CSV_LARGEST && b->offset <= BUFFERS_CSV_LARGEST);
        assert_true(b->alignment >= 0 && b->alignment <= BUFFERS_CSV_LARGEST);
        for (size_t g = 0; g < b->ngaps; g++) {
            const struct buffer_gap *gap = &b->gaps[g];
            assert_true(gap->lower >= (g ? gap[-1].upper : b->lower) && gap->lower < gap->upper);
            assert_true(gap->upper <= b->upper && gap->from <= gap->to && gap->to <= b->bytes && gap->from >= 0);
        }
        assert_true(*r->csv.ids[i] && !strpbrk(r->csv.ids[i], ",\n"));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(r->csv.ids[i], r->csv.ids[j]);
    }
    assert_true(r->rc || r->csv.n);
}

static void hostile_rows_do_no_harm(void **state)
{
    static const char *const pieces[] = { "id",
                                          "lower",
                                          "upper",
                                          "size",
                                          "offset",
                                          "start",
                                          "end",
                                          "gaps",
                                          "alignment",
                                          "1-2",
                                          "3-4@0:1 5-6",
                                          "@",
                                          ":",
                                          ",",
                                          ",",
                                          ",",
                                          "\n",
                                          "\n",
                                          "\r",
                                          "-",
                                          "0",
                                          "1",
                                          "17",
                                          LARGEST,
                                          "99999999999999999999",
                                          "a",
                                          "#",
                                          " ",
                                          "\t",
                                          "\"",
                                          "'",
                                          "\xef\xbb\xbf",
                                          "\x80",
                                          "\x01",
                                          "a,1,2,3\n",
                                          "b,5,9,100\n",
                                          HEAD,
                                          "buffer,start,end,size,hint\n",
                                          "id,lower,upper,size,offset\n",
                                          "gaps,id,lower,upper,size,alignment\n2-3,a,1,9,4,8\n" };
    uint64_t seed = 1;
    int accepted = 0;

    (void)state;
    for (int round = 0; round < 30000; round++) {
        char text[1024] = "";
        size_t n = 0;
        if (round % 4)
            strcpy(text, round % 4 == 1 ? HEAD "a,1,2,3\n" : "size,id,lower,upper,offset\n7,x,1,2,0\n9,y,1,2,7\n");
        for (uint64_t k = draw(&seed) % 12; k > 0; k--)
            strcat(text, pieces[draw(&seed) % COUNT(pieces)]);
        n = strlen(text);
        for (uint64_t k = draw(&seed) % 3; k > 0 && n; k--) { /* and bytes that change */
            char with[] = "0,-\n a\xff\0";
            text[draw(&seed) % n] = with[draw(&seed) % sizeof(with)];
        }
        struct reading r = parse(text, n);
        check_promises(&r, text);
        accepted += !r.rc;
        release(&r);
    }
    assert_in_range(accepted, 500, 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_files_are_read),
        cmocka_unit_test(offsets_are_read),
        cmocka_unit_test(other_names_are_read),
        cmocka_unit_test(gaps_and_alignments_are_read),
        cmocka_unit_test(errors_have_a_place),
        cmocka_unit_test(errors_of_gaps_have_a_place),
        cmocka_unit_test(only_the_first_errors_are_listed),
        cmocka_unit_test(many_ids_are_compared),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(hostile_rows_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
