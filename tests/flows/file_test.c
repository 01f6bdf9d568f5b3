/* file_test.c - the reader of traffic: what is accepted, every error with its line, the digest, and the ends that are
 * written. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness/flows/file.h"
#include "harness/status.h"
#include "tests/test.h"

#define HEAD "id,src,dst,bytes,start_s\n"

struct reading {
    struct flow_spec *list;
    size_t n;
    char digest[FLOW_FILE_DIGEST + 1];
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
    r.rc = flow_file_parse("f.csv", copy, size, &r.list, &r.n, r.digest, err);
    fclose(err);
    free(copy);
    return r;
}

static void release(struct reading *r)
{
    free(r->list);
    free(r->said);
}

static void plain_files_are_read(void **state)
{
    static const char text[] = "\xef\xbb\xbf# a measured trace\r\n"
                               "\n"
                               " id ,src,\tdst,bytes,start_s\r\n"
                               "4,0,1,1000,0\n"
                               "  # between\n"
                               "  \t\r\n"
                               " 9 , 12.gpu3 ,0.gpu0,\t0 ,1.5 \r\n"
                               "2147483647,2147483647,5.gpu2147483647,9223372036854775807,9223372.036854775807";
    static const struct flow_spec want[] = {
        { 4, { 0, END_HOST }, { 1, END_HOST }, 1000, 0, 4, 0, NULL, 0 },
        { 9, { 12, 3 }, { 0, 0 }, 0, 1500000000000, 7, 0, NULL, 0 },
        { 2147483647, { 2147483647, END_HOST }, { 5, 2147483647 }, INT64_MAX, INT64_MAX, 8, 0, NULL, 0 },
    };

    (void)state;
    struct reading r = parse(text, sizeof(text) - 1);
    if (r.rc || r.n != COUNT(want))
        fail_msg("answered %d, %zu flows: %s", r.rc, r.n, r.said);
    for (size_t i = 0; i < COUNT(want); i++) {
        const struct flow_spec *a = &r.list[i], *b = &want[i];
        if (a->id != b->id || a->src.machine != b->src.machine || a->src.gpu != b->src.gpu ||
            a->dst.machine != b->dst.machine || a->dst.gpu != b->dst.gpu || a->bytes != b->bytes ||
            a->start_ps != b->start_ps || a->line != b->line)
            fail_msg("flow %zu is wrong: id %lld, line %lld, %lld B at %lld ps", i, (long long)a->id,
                     (long long)a->line, (long long)a->bytes, (long long)a->start_ps);
    }
    assert_string_equal(r.said, "");
    release(&r);
}

static void a_header_alone_is_no_traffic(void **state)
{
    (void)state;
    struct reading r = parse(HEAD, sizeof(HEAD) - 1);
    assert_int_equal(r.rc, NW_OK);
    assert_int_equal(r.n, 0);
    release(&r);
}

/* Decimal seconds to picoseconds, without a double in between. -1: refused. */
static void seconds_are_exact(void **state)
{
    static const struct {
        const char *text;
        int64_t ps;
    } cases[] = {
        { "0", 0 },
        { "0.000000000001", 1 },
        { "1.000000000001", 1000000000001 },
        { "0.3", 300000000000 },
        { "00012.50", 12500000000000 },
        { "7.", 7000000000000 },
        { ".5", 500000000000 },
        { "1e-05", 10000000 },
        { "1E-12", 1 },
        { "1.25e+3", 1250000000000000 },
        { "0.001e3", 1000000000000 },
        { "0e9999", 0 },
        { "0e10000", -1 },
        { "0.30000000000000004", 300000000000 },
        { "0.0000000000014", 1 },
        { "0.0000000000015", 2 },
        { "0.00000000000049999", 0 },
        { "5e-13", 1 },
        { "5e-14", 0 },
        { "9e-9999", 0 },
        { "1234567.123456789012", 1234567123456789012 },
        { "1234567.1234567890125", 1234567123456789013 },
        { "1234567.12345678901249999999999999999999999999", 1234567123456789012 },
        { "9223372.036854775807", INT64_MAX },
        { "9223372.0368547758074", INT64_MAX },
        { "9223372.0368547758075", -1 },
        { "9223372.036854775808", -1 },
        { "99999999999999999999999999999999999999999999", -1 },
        { "100000000000000000000000000000000000000000e-35", 1000000000000000000 },
        { "1e9999", -1 },
        { "1e10000", -1 },
        { "1e7", -1 },
        { "-1", -1 },
        { "+1", -1 },
        { "-0", -1 },
        { "1.2.3", -1 },
        { ".", -1 },
        { "e3", -1 },
        { "1e", -1 },
        { "1e-", -1 },
        { "1e+-3", -1 },
        { "1e3.5", -1 },
        { "1s", -1 },
        { "1 2", -1 },
        { "nan", -1 },
        { "inf", -1 },
        { "0x10", -1 },
        { "", -1 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[128];
        int n = snprintf(text, sizeof(text), HEAD "1,0,1,1,%s\n", cases[i].text);
        struct reading r = parse(text, (size_t)n);
        if (r.rc != (cases[i].ps < 0 ? NW_EINPUT : NW_OK) || (!r.rc && r.list[0].start_ps != cases[i].ps))
            fail_msg("'%s': answered %d, %lld ps, not %lld", cases[i].text, r.rc,
                     r.rc ? -1LL : (long long)r.list[0].start_ps, (long long)cases[i].ps);
        release(&r);
    }
}

#define ORDERED "id,src,dst,bytes,start_s,after,delay_s\n"

/* The flow waits for another, before and after it in the file. */
static void what_flows_wait_for_is_read_and_written(void **state)
{
    static const char text[] =
        ORDERED "7,0,1,1000,0,9  4,0\n4,0.gpu1,0.gpu1,0,0, ,1.5\n9,1,0,3,0.25,4,0.000000000001\n";
    char *again = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&again, &size);

    (void)state;
    struct reading r = parse(text, sizeof(text) - 1);
    if (r.rc || r.n != 3)
        fail_msg("answered %d: %s", r.rc, r.said);
    assert_int_equal(r.list[0].nafter, 2);
    assert_int_equal(r.list[0].after[0], 2);
    assert_int_equal(r.list[0].after[1], 1);
    assert_int_equal(r.list[1].nafter, 0);
    assert_int_equal(r.list[1].delay_ps, 1500000000000);
    assert_int_equal(r.list[2].nafter, 1);
    assert_int_equal(r.list[2].after[0], 1);
    assert_int_equal(r.list[2].delay_ps, 1);
    assert_non_null(out);
    flow_file_write(out, r.list, r.n);
    fclose(out);
    assert_string_equal(again, ORDERED "7,0,1,1000,0.000000000000,9 4,0.000000000000\n"
                                       "4,0.gpu1,0.gpu1,0,0.000000000000,,1.500000000000\n"
                                       "9,1,0,3,0.250000000000,4,0.000000000001\n");
    free(again);
    release(&r);
}

#define ID "id: expected a whole number from 0 to 2147483647, got "
#define SRC "src: expected a machine (7) or a GPU of it (7.gpu1), got "
#define DST "dst: expected a machine (7) or a GPU of it (7.gpu1), got "
#define BYTES "bytes: expected a whole number from 0 to 9223372036854775807, got "
#define AFTER "after: expected ids from 0 to 2147483647 with blanks between, got "
#define START "start_s: expected seconds from 0 to 9223372 (0.25, 1e-05), got "
#define HEADER "expected the header 'id,src,dst,bytes,start_s', got "
#define VALUES(n) "expected 5 values (id,src,dst,bytes,start_s), found " #n ", got "

static void every_error_is_reported_with_its_place(void **state)
{
    static const struct {
        const char *text, *said;
    } cases[] = {
        { "", "f.csv:1:1: " HEADER "no line\n" },
        { "\n# nothing\n", "f.csv:3:1: " HEADER "no line\n" },
        { "1,0,1,5,0\n", "f.csv:1:1: " HEADER "'1,0,1,5,0'\n" },
        { "id,src,dst,bytes\n1,0\n", "f.csv:1:1: " HEADER "'id,src,dst,bytes'\n" },
        { "id,src,dst,bytes,start_s,end_s\n", "f.csv:1:1: " HEADER "'id,src,dst,bytes,start_s,end_s'\n" },
        { "\nid;src;dst;bytes;start_s\r\n", "f.csv:2:1: " HEADER "'id;src;dst;bytes;start_s'\n" },
        { "id,src,dst,bytes,start\n", "f.csv:1:1: " HEADER "'id,src,dst,bytes,start'\n" },
        { "ID,src,dst,bytes,start_s\n", "f.csv:1:1: " HEADER "'ID,src,dst,bytes,start_s'\n" },
        { HEAD "1,0,1,5\n", "f.csv:2:1: " VALUES(4) "'1,0,1,5'\n" },
        { HEAD "1,0,1,5,0,\n", "f.csv:2:1: " VALUES(6) "'1,0,1,5,0,'\n" },
        { "id,src,dst,bytes,start_s,after\n", "f.csv:1:1: " HEADER "'id,src,dst,bytes,start_s,after'\n" },
        { ORDERED "1,0,1,5,0\n",
          "f.csv:2:1: expected 7 values (id,src,dst,bytes,start_s,after,delay_s), found 5, got '1,0,1,5,0'\n" },
        { ORDERED "1,0,1,5,0,x,0\n", "f.csv:2:11: " AFTER "'x'\n" },
        { ORDERED "1,0,1,5,0,3;4,0\n", "f.csv:2:11: " AFTER "'3;4'\n" },
        { ORDERED "1,0,1,5,0,3 -4,0\n", "f.csv:2:13: " AFTER "'-4'\n" },
        { ORDERED "1,0,1,5,0,2147483648,0\n", "f.csv:2:11: " AFTER "'2147483648'\n" },
        { ORDERED "1,0,1,5,0,,-1\n",
          "f.csv:2:12: delay_s: expected seconds from 0 to 9223372 (0.25, 1e-05), got '-1'\n" },
        { ORDERED "1,0,1,5,0,2,0\n", "f.csv:2:1: after: expected ids of flows of the file, got 2\n" },
        { HEAD "\n1\n", "f.csv:3:1: " VALUES(1) "'1'\n" },
        { HEAD ",0,1,5,0\n", "f.csv:2:1: " ID "nothing\n" },
        { HEAD "-1,0,1,5,0\n", "f.csv:2:1: " ID "'-1'\n" },
        { HEAD "  1.0 ,0,1,5,0\n", "f.csv:2:3: " ID "'1.0'\n" },
        { HEAD "1.0,0,1,5,0\n", "f.csv:2:1: " ID "'1.0'\n" },
        { HEAD "2147483648,0,1,5,0\n", "f.csv:2:1: " ID "'2147483648'\n" },
        { HEAD "99999999999999999999,0,1,5,0\n", "f.csv:2:1: " ID "'99999999999999999999'\n" },
        { HEAD "1, ,1,5,0\n", "f.csv:2:4: " SRC "nothing\n" },
        { HEAD "1,a,1,5,0\n", "f.csv:2:3: " SRC "'a'\n" },
        { HEAD "1,2147483648,1,5,0\n", "f.csv:2:3: " SRC "'2147483648'\n" },
        { HEAD "1,0.gpu,1,5,0\n", "f.csv:2:3: " SRC "'0.gpu'\n" },
        { HEAD "1,0.gpu-1,1,5,0\n", "f.csv:2:3: " SRC "'0.gpu-1'\n" },
        { HEAD "1,0.GPU1,1,5,0\n", "f.csv:2:3: " SRC "'0.GPU1'\n" },
        { HEAD "1,0.gpu1x,1,5,0\n", "f.csv:2:3: " SRC "'0.gpu1x'\n" },
        { HEAD "1,.gpu1,1,5,0\n", "f.csv:2:3: " SRC "'.gpu1'\n" },
        { HEAD "1,0 .gpu1,1,5,0\n", "f.csv:2:3: " SRC "'0 .gpu1'\n" },
        { HEAD "1,0,1.5,5,0\n", "f.csv:2:5: " DST "'1.5'\n" },
        { HEAD "1,0,,5,0\n", "f.csv:2:5: " DST "nothing\n" },
        { HEAD "1,0,1,,0\n", "f.csv:2:7: " BYTES "nothing\n" },
        { HEAD "1,0,1,1e6,0\n", "f.csv:2:7: " BYTES "'1e6'\n" },
        { HEAD "1,0,1,-5,0\n", "f.csv:2:7: " BYTES "'-5'\n" },
        { HEAD "1,0,1,5.5,0\n", "f.csv:2:7: " BYTES "'5.5'\n" },
        { HEAD "1,0,1,9223372036854775808,0\n", "f.csv:2:7: " BYTES "'9223372036854775808'\n" },
        { HEAD "1,0,1,5,-0.5\n", "f.csv:2:9: " START "'-0.5'\n" },
        { HEAD "1,0,1,5,\"0\"\n", "f.csv:2:9: " START "'\"0\"'\n" },
        { HEAD "1,0,1,5,1 # late\n", "f.csv:2:9: " START "'1 # late'\n" },
        { HEAD "1,0,1,5,a\x01\x7f\n", "f.csv:2:9: " START "'a?"
                                      "?'\n" },
        { HEAD "1,0,1,5,12345678901234567890123456789012345678901\n",
          "f.csv:2:9: " START "'1234567890123456789012345678901234567890...'\n" },
        { HEAD "1,0,1,5,0\n2,0,1,5,0\n1,2,3,4,5\n",
          "f.csv:4:1: id: expected one that no other flow has, got 1, which line 2 has\n" },
        { HEAD "7,0,1,5,0\n\n7,0,1,5,0\n7,0,1,5,0\n",
          "f.csv:4:1: id: expected one that no other flow has, got 7, which line 2 has\n"
          "f.csv:5:1: id: expected one that no other flow has, got 7, which line 2 has\n" },
        /* All errors of a file at once. */
        { HEAD "x,0,1,5,0\n2,0,1,5,0\n3,y,1,5,0\n4,0,1,z,0",
          "f.csv:2:1: " ID "'x'\nf.csv:4:3: " SRC "'y'\nf.csv:5:7: " BYTES "'z'\n" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct reading r = parse(cases[i].text, strlen(cases[i].text));
        if (r.rc != NW_EINPUT || strcmp(r.said, cases[i].said))
            fail_msg("row %zu: answered %d and said\n%s\nnot\n%s", i, r.rc, r.said, cases[i].said);
        assert_null(r.list);
        release(&r);
    }
}

/* Of a file that is something else altogether the first few lines tell enough. */
static void the_first_errors_are_enough(void **state)
{
    char text[256] = HEAD, want[2048] = "";

    (void)state;
    for (int i = 2; i < 14; i++)
        strcat(text, "1\n");
    for (int i = 2; i < 12; i++)
        sprintf(want + strlen(want), "f.csv:%d:1: " VALUES(1) "'1'\n", i);
    strcat(want, "f.csv: and perhaps more: the first 10 errors were listed\n");
    struct reading r = parse(text, strlen(text));
    assert_int_equal(r.rc, NW_EINPUT);
    assert_string_equal(r.said, want);
    release(&r);
}

/* A NUL is a character like others that do not belong there. */
static void a_nul_ends_nothing(void **state)
{
    static const char text[] = HEAD "1,0,1,5,0\0,7\n";

    (void)state;
    struct reading r = parse(text, sizeof(text) - 1);
    assert_int_equal(r.rc, NW_EINPUT);
    assert_string_equal(r.said, "f.csv:2:1: " VALUES(6) "'1,0,1,5,0?,7'\n");
    release(&r);
}

/* Many flows in no order: none is taken for another, and the one that is doubled is found. */
static void many_ids_out_of_order(void **state)
{
    enum { N = 20000 };
    char *text = malloc(N * 32), *p = text + sprintf(text, HEAD);

    (void)state;
    for (int i = 0; i < N; i++)
        p += sprintf(p, "%d,0,1,%d,0\n", (int)(i * 7919LL % N), i);
    struct reading r = parse(text, (size_t)(p - text));
    assert_int_equal(r.rc, NW_OK);
    assert_int_equal(r.n, N);
    for (int i = 0; i < N; i++)
        assert_true(r.list[i].id == i * 7919LL % N && r.list[i].bytes == i && r.list[i].line == i + 2);
    release(&r);
    p += sprintf(p, "%d,0,1,0,0\n", (int)(12345 * 7919LL % N));
    r = parse(text, (size_t)(p - text));
    assert_int_equal(r.rc, NW_EINPUT);
    assert_non_null(strstr(r.said, "f.csv:20002:1: id: "));
    assert_non_null(strstr(r.said, "which line 12347 has"));
    release(&r);
    free(text);
}

/* --- files --- */

static const char *path_of(const char *name)
{
    static char path[4][512];
    static int next;
    const char *tmp = getenv("NARROWS_TEST_TMP");

    next = (next + 1) % 4;
    snprintf(path[next], sizeof(path[0]), "%s/%s", tmp ? tmp : "/tmp", name);
    return path[next];
}

static char *contents(const char *path)
{
    char *text = calloc(1, 4096);
    FILE *f = fopen(path, "rb");

    assert_non_null(f);
    assert_in_range(fread(text, 1, 4095, f), 0, 4094);
    fclose(f);
    return text;
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* The digest is of the bytes: a comment changes it, another name does not. */
static void the_digest_is_of_the_content(void **state)
{
    const char *path = path_of("digest.csv");
    char digest[FLOW_FILE_DIGEST + 1];
    struct flow_spec *list = NULL;
    size_t n = 0;

    (void)state;
    struct reading a = parse(HEAD "1,0,1,5,0\n", strlen(HEAD "1,0,1,5,0\n"));
    struct reading b = parse(HEAD "1,0,1,5,0\n#\n", strlen(HEAD "1,0,1,5,0\n#\n"));
    assert_int_equal(strlen(a.digest), FLOW_FILE_DIGEST);
    assert_int_equal(strspn(a.digest, "0123456789abcdef"), FLOW_FILE_DIGEST);
    /* printf 'id,src,dst,bytes,start_s\n1,0,1,5,0\n' | xxhsum -H2 */
    assert_string_equal(a.digest, "8641d668bf29373488ef6c8c0e091c72");
    assert_string_not_equal(a.digest, b.digest);
    write_text(path, HEAD "1,0,1,5,0\n");
    assert_int_equal(flow_file_read(path, &list, &n, digest, stderr), NW_OK);
    assert_string_equal(digest, a.digest);
    assert_int_equal(n, 1);
    free(list);
    release(&a);
    release(&b);
}

static void files_that_cannot_be_read(void **state)
{
    struct flow_spec *list = NULL;
    char digest[FLOW_FILE_DIGEST + 1], *said = NULL;
    size_t n = 0, nsaid = 0;
    FILE *err = open_memstream(&said, &nsaid);

    (void)state;
    assert_int_equal(flow_file_read(path_of("none.csv"), &list, &n, digest, err), NW_EIO);
    assert_int_equal(flow_file_read(path_of("."), &list, &n, digest, err), NW_EIO);
    fclose(err);
    assert_non_null(strstr(said, "none.csv: No such file"));
    assert_non_null(strstr(said, "Is a directory"));
    assert_null(list);
    free(said);
}

static void ends_are_written_to_the_picosecond(void **state)
{
    static const struct flow_spec list[] = {
        { 4, { 0, END_HOST }, { 1, 2 }, 1000, 0, 2, 0, NULL, 0 },
        { 3, { 12, 0 }, { 0, END_HOST }, INT64_MAX, 1500000000001, 3, 0, NULL, 0 },
    };
    static const int64_t end_ps[] = { 10000800, INT64_MAX };
    const char *path = path_of("ends.csv"), *nowhere = path_of("none/ends.csv");
    char *said = NULL, *text;
    size_t nsaid = 0;
    FILE *err = open_memstream(&said, &nsaid);

    (void)state;
    write_text(path, "what was there before");
    assert_int_equal(flow_file_write_ends(path, list, 2, end_ps, err), NW_OK);
    text = contents(path);
    assert_string_equal(text, "id,src,dst,bytes,start_s,end_s\n"
                              "4,0,1.gpu2,1000,0.000000000000,0.000010000800\n"
                              "3,12.gpu0,0,9223372036854775807,1.500000000001,9223372.036854775807\n");
    free(text);
    assert_int_equal(flow_file_write_ends(nowhere, list, 2, end_ps, err), NW_EIO);
    assert_int_equal(flow_file_write_ends(path_of("."), list, 2, end_ps, err), NW_EIO);
    fclose(err);
    assert_non_null(strstr(said, "No such file"));
    free(said);
}

/* Where the disk fills up on the way, what was there stays and nothing is left next to it. */
static void a_write_that_fails_changes_nothing(void **state)
{
    static const struct flow_spec flow = { 1, { 0, END_HOST }, { 1, END_HOST }, 5, 0, 2, 0, NULL, 0 };
    const char *path = path_of("kept.csv");
    struct rlimit old, small;
    char temporary[600], *said = NULL, *text;
    size_t nsaid = 0;
    FILE *err = open_memstream(&said, &nsaid);

    (void)state;
    write_text(path, "kept");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 40;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int rc = flow_file_write_ends(path, &flow, 1, &(int64_t){ 9 }, err);
    setrlimit(RLIMIT_FSIZE, &old);
    fclose(err);
    assert_int_equal(rc, NW_EIO);
    assert_non_null(strstr(said, "File too large"));
    text = contents(path);
    assert_string_equal(text, "kept");
    snprintf(temporary, sizeof(temporary), "%s.%ld.tmp", path, (long)getpid());
    assert_int_not_equal(access(temporary, F_OK), 0);
    free(text);
    free(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_files_are_read),
        cmocka_unit_test(a_header_alone_is_no_traffic),
        cmocka_unit_test(seconds_are_exact),
        cmocka_unit_test(what_flows_wait_for_is_read_and_written),
        cmocka_unit_test(every_error_is_reported_with_its_place),
        cmocka_unit_test(the_first_errors_are_enough),
        cmocka_unit_test(a_nul_ends_nothing),
        cmocka_unit_test(many_ids_out_of_order),
        cmocka_unit_test(the_digest_is_of_the_content),
        cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(ends_are_written_to_the_picosecond),
        cmocka_unit_test(a_write_that_fails_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
