/* snapshot_test.c - PyTorch's memory snapshots: lifetimes and offsets by hand, Python's pickles, opcodes one by one,
 * and what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/import/snapshot/snapshot.h"
#include "harness/import/snapshot/value.h"
#include "harness/status.h"
#include "tests/test.h"

/* The bytes in memory of exactly their size, so that a sanitizer sees a read past their end. */
static int read_bytes(const char *bytes, size_t size, int device, struct snapshot *s, char **said)
{
    size_t nsaid = 0;
    char *copy = malloc(size ? size : 1);
    FILE *err = open_memstream(said, &nsaid);
    int rc;

    assert_true(copy && err);
    memcpy(copy, bytes, size);
    rc = snapshot_read("s", copy, size, device, s, err);
    fclose(err);
    free(copy);
    return rc;
}

#define ALLOC(address, size) "{\"action\":\"alloc\",\"addr\":" address ",\"size\":" size "}"
#define FREE(address, size) "{\"action\":\"free_completed\",\"addr\":" address ",\"size\":" size "}"
#define ASKED(address, size) "{\"action\":\"free_requested\",\"addr\":" address ",\"size\":" size "}"
#define SNAPSHOT(segments, events) "{\"segments\":[" segments "],\"device_traces\":[[" events "]]}"
#define SEGMENT(address, size, blocks) \
    "{\"device\":0,\"address\":" address ",\"total_size\":" size ",\"blocks\":[" blocks "]}"
#define BLOCK(size, requested, state) "{\"size\":" size ",\"requested_size\":" requested ",\"state\":\"" state "\"}"

static const struct {
    const char *what, *text;
    size_t n, nbefore, nafter, nlost;
    struct wanted {
        int64_t lower, upper, bytes, offset;
    } want[3];
} lifetimes[] = {
    { "allocated and freed",
      SNAPSHOT("", ALLOC("1024", "100") "," ASKED("1024", "100") "," FREE("1024", "100")),
      1,
      0,
      0,
      0,
      { { 1, 2, 100, 0 } } },
    { "alive at the end",
      SNAPSHOT("", ALLOC("512", "4") "," ALLOC("1024", "5")),
      2,
      0,
      2,
      0,
      { { 1, 3, 4, 0 }, { 2, 3, 5, 4 } } },
    { "freed, but not yet back",
      SNAPSHOT("", ALLOC("512", "4") "," ASKED("512", "4") "," ALLOC("1024", "5")),
      2,
      0,
      2,
      0,
      { { 1, 3, 4, 0 }, { 2, 3, 5, 4 } } },
    { "there before the history",
      SNAPSHOT("", FREE("512", "4") "," ALLOC("512", "8") "," FREE("512", "8")),
      2,
      1,
      0,
      0,
      { { 0, 1, 4, 0 }, { 2, 3, 8, 0 } } },
    { "before it, and at its end",
      SNAPSHOT(SEGMENT("1000", "96", BLOCK("32", "0", "inactive") "," BLOCK("64", "60", "active_allocated")),
               ALLOC("1000", "9") "," FREE("1000", "9")),
      2,
      1,
      1,
      0,
      { { 0, 3, 60, 32 }, { 1, 2, 9, 0 } } },
    { "a block that the history speaks of is no other one",
      SNAPSHOT(SEGMENT("1000", "64", BLOCK("64", "60", "active_allocated")), ALLOC("1000", "60")),
      1,
      0,
      1,
      0,
      { { 1, 2, 60, 0 } } },
    { "gaps between segments are closed",
      SNAPSHOT(SEGMENT("1000", "100", "") "," SEGMENT("900000", "50", ""), ALLOC("900010", "7") "," ALLOC("1040", "7")),
      2,
      0,
      2,
      0,
      { { 1, 3, 7, 110 }, { 2, 3, 7, 40 } } },
    { "a free that was not seen",
      SNAPSHOT("", ALLOC("512", "4") "," ALLOC("512", "6") "," FREE("512", "6")),
      2,
      0,
      0,
      1,
      { { 1, 2, 4, 0 }, { 2, 3, 6, 0 } } },
    { "a segment that was given back",
      SNAPSHOT("", "{\"action\":\"segment_alloc\",\"addr\":64,\"size\":64}," ALLOC("96", "8") "," FREE(
                       "96", "8") ",{\"action\":\"segment_free\",\"addr\":64,\"size\":64},{\"action\":\"oom\"}"),
      1,
      0,
      0,
      0,
      { { 1, 2, 8, 32 } } },
    { "the device with the most events",
      "{\"device_traces\":[[" ALLOC("1", "1") "],[" ALLOC("7", "2") "," FREE("7", "2") "],[]]}",
      1,
      0,
      0,
      0,
      { { 1, 2, 2, 0 } } },
};

static void lifetimes_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(lifetimes); i++) {
        struct snapshot s;
        char *said = NULL;

        if (read_bytes(lifetimes[i].text, strlen(lifetimes[i].text), -1, &s, &said))
            fail_msg("%s: %s", lifetimes[i].what, said);
        if (s.n != lifetimes[i].n || s.nbefore != lifetimes[i].nbefore || s.nafter != lifetimes[i].nafter ||
            s.nlost != lifetimes[i].nlost)
            fail_msg("%s: %zu buffers, %zu before, %zu after, %zu lost", lifetimes[i].what, s.n, s.nbefore, s.nafter,
                     s.nlost);
        for (size_t k = 0; k < s.n; k++) {
            const struct buffer *a = &s.list[k];
            const struct wanted *b = &lifetimes[i].want[k];
            if (a->lower != b->lower || a->upper != b->upper || a->bytes != b->bytes || a->offset != b->offset)
                fail_msg("%s: [%lld, %lld), %lld bytes at %lld", lifetimes[i].what, (long long)a->lower,
                         (long long)a->upper, (long long)a->bytes, (long long)a->offset);
        }
        snapshot_free(&s);
        free(said);
    }
}

/* What Python's pickle wrote of an allocator played for a while, whose first events were dropped. */
static void pickles_are_read(void **state)
{
    struct snapshot s;
    char path[512], bytes[8192], *said = NULL;
    FILE *f;
    size_t n, i, j;

    (void)state;
    snprintf(path, sizeof(path), "%s/tests/import/data/small.pickle", getenv("NARROWS_HOME"));
    f = fopen(path, "rb");
    assert_non_null(f);
    n = fread(bytes, 1, sizeof(bytes), f);
    fclose(f);
    if (read_bytes(bytes, n, 0, &s, &said))
        fail_msg("%s", said);
    free(said);
    assert_int_equal(s.n, 16);
    assert_int_equal(s.nevents, 22);
    assert_int_equal(s.nbefore, 2);
    assert_int_equal(s.nafter, 8);
    assert_int_equal(s.list[1].bytes, 812);
    assert_int_equal(s.list[1].upper, 3);
    assert_int_equal(s.list[13].offset, 2 << 20); /* the second segment's first */
    assert_true(placement_valid(s.list, s.n, 512, &i, &j));
    snapshot_free(&s);
    for (size_t cut = 0; cut < n; cut += 7) { /* cut off anywhere */
        assert_int_equal(read_bytes(bytes, cut, 0, &s, &said), NW_EINPUT);
        assert_true(*said);
        free(said);
    }
}

#define BYTES(text) text, sizeof(text) - 1

/* To this depth. */
static void print(const struct value *v, int depth, FILE *out)
{
    static const char *const brackets[] = { "()", "{}" };

    switch (v->kind) {
    case VALUE_NONE: fputs("none", out); return;
    case VALUE_BOOL: fputs(v->integer ? "true" : "false", out); return;
    case VALUE_INTEGER: fprintf(out, "%lld", (long long)v->integer); return;
    case VALUE_NUMBER: fprintf(out, "%g.", v->number); return;
    case VALUE_TEXT: fprintf(out, "'%.*s'", (int)v->text.size, v->text.at); return;
    default: break;
    }
    fputc(brackets[v->kind == VALUE_MAP][0], out);
    for (size_t i = 0; i < v->list.n && depth; i++) {
        if (i)
            fputc(' ', out);
        print(v->list.items[i], depth - 1, out);
    }
    fputc(brackets[v->kind == VALUE_MAP][1], out);
}

static void opcodes_one_by_one(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *want;
    } cases[] = {
        { BYTES("\x80\x02N."), "none" },
        { BYTES("\x80\x04\x95\x01\0\0\0\0\0\0\0\x88."), "true" },
        { BYTES("\x80\x02\x89."), "false" },
        { BYTES("K\xff."), "255" },
        { BYTES("M\x01\x80."), "32769" },
        { BYTES("J\xfe\xff\xff\xff."), "-2" },
        { BYTES("\x8a\0."), "0" },
        { BYTES("\x8a\x02\0\x80."), "-32768" },
        { BYTES("\x8a\x06\0\0\0\0\x2a\x7f."), "139818365353984" },
        { BYTES("\x8b\x08\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff."), "-1" },
        { BYTES("\x8b\x08\0\0\0\0\0\0\0\0\0\0\x80."), "-9223372036854775808" },
        { BYTES("\x8a\x09\0\0\0\0\0\0\0\0\x01."), "1.84467e+19." },
        { BYTES("G\x3f\xf8\0\0\0\0\0\0."), "1.5." },
        { BYTES("\x8c\x02"
                "ab."),
          "'ab'" },
        { BYTES("X\x02\0\0\0ab."), "'ab'" },
        { BYTES("\x8d\x01\0\0\0\0\0\0\0a."), "'a'" },
        { BYTES("U\x01"
                "a."),
          "'a'" },
        { BYTES("C\x01"
                "a."),
          "'a'" },
        { BYTES("]."), "()" },
        { BYTES(")."), "()" },
        { BYTES("}."), "{}" },
        { BYTES("]K\1a."), "(1)" },
        { BYTES("](K\1K\2K\3K\4K\5e."), "(1 2 3 4 5)" },
        { BYTES("(K\1K\2t."), "(1 2)" },
        { BYTES("K\1\x85."), "(1)" },
        { BYTES("K\1K\2\x86."), "(1 2)" },
        { BYTES("K\1K\2K\3\x87."), "(1 2 3)" },
        { BYTES("}K\1K\2s."), "{1 2}" },
        { BYTES("}(K\1K\2K\3K\4u."), "{1 2 3 4}" },
        { BYTES("](K\7q\0h\0e."), "(7 7)" },
        { BYTES("](K\7\x94h\0e."), "(7 7)" },
        { BYTES("](K\7r\1\0\0\0j\1\0\0\0e."), "(7 7)" },
        { BYTES("K\1K\2"
                "0."),
          "1" },
        { BYTES("K\1(K\2K\3"
                "1."),
          "1" },
        { BYTES("K\1"
                "2\x86."),
          "(1 1)" },
        { BYTES("]q\0h\0a."), "((()))" }, /* a list that holds itself, to a depth of two */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct values values = { 0 };
        const struct value *v = NULL;
        char *text = NULL;
        size_t n = 0;
        FILE *out = open_memstream(&text, &n);

        if (pickle_read("p", cases[i].bytes, cases[i].size, &values, &v, stderr))
            fail_msg("case %d is refused", (int)i);
        print(v, 2, out);
        fclose(out);
        if (strcmp(text, cases[i].want) != 0)
            fail_msg("case %d: %s, not %s", (int)i, text, cases[i].want);
        free(text);
        values_free(&values);
    }
}

static void bad_snapshots_are_refused(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *want;
    } cases[] = {
        { BYTES(""), "s: expected a pickle of protocol 2 to 5, or a map in JSON" },
        { BYTES("(dp0\n."), "s: expected a pickle of protocol 2 to 5, or a map in JSON" },
        { BYTES("[1]"), "s: expected a pickle of protocol 2 to 5, or a map in JSON" },
        { BYTES("\x80\x02"), "s: byte 2: expected STOP at the end, got the end of the file" },
        { BYTES("\x80\x06N."), "s: byte 0: expected pickle protocol 2 to 5, got another" },
        { BYTES("\x80\x02."), "s: byte 2: expected values that the opcode takes, got too few" },
        { BYTES("\x80\x02"
                "cos\nsystem\nU\x02ls\x85R."),
          "s: byte 2: expected plain data: dict, list, tuple, str, int, float, bool, None, got GLOBAL" },
        { BYTES("\x80\x04\x8c\x02os\x8c\x06system\x93."),
          "s: byte 14: expected plain data: dict, list, tuple, str, int, float, bool, None, got STACK_GLOBAL" },
        { BYTES("\x80\x02)R."),
          "s: byte 3: expected plain data: dict, list, tuple, str, int, float, bool, None, got REDUCE" },
        { BYTES("\x80\x02)b."),
          "s: byte 3: expected plain data: dict, list, tuple, str, int, float, bool, None, got BUILD" },
        { BYTES("\x80\x02))\x81."),
          "s: byte 4: expected plain data: dict, list, tuple, str, int, float, bool, None, got NEWOBJ" },
        { BYTES("\x80\x02I1\n."), "s: byte 2: expected an opcode of pickle protocols 2 to 5, got byte 0x49" },
        { BYTES("\x80\x02X\xff\xff\xff\x7f"
                "a."),
          "s: byte 2: expected as many bytes as its opcode has, got the end" },
        { BYTES("\x80\x02h\x05."), "s: byte 2: expected the number of a value that was kept, got another" },
        { BYTES("\x80\x02Nr\xff\xff\xff\xff."), "s: byte 3: expected a number of a value that is kept" },
        { BYTES("\x80\x02NNa."), "s: byte 4: expected a list to append to, got something else" },
        { BYTES("\x80\x02"
                "e."),
          "s: byte 2: expected a mark below the elements, got none" },
        { BYTES("\x80\x02}(Nu."), "s: byte 5: expected a value for each key, got an odd number" },
        { BYTES("\x80\x02N(a."), "s: byte 4: expected values that the opcode takes, got too few" },
        { BYTES("\x80\x02}."), "s: expected a map with a list 'device_traces'" },
        { BYTES("{\"a\""), "s: byte 4: " },
        { BYTES("{\"device_traces\":{}}"), "s: expected a map with a list 'device_traces'" },
        { BYTES("{\"device_traces\":[]}"),
          "s: expected events of device 0 (torch.cuda.memory._record_memory_history()" },
        { BYTES("{\"device_traces\":[[1]]}"),
          "s: device_traces, event 0: expected a map with a text 'action', got none" },
        { BYTES(SNAPSHOT("", ALLOC("-1", "1"))),
          "s: device_traces, event 0: expected whole numbers 'addr' and 'size'" },
        { BYTES(SNAPSHOT("", ALLOC("1", "1.5"))),
          "s: device_traces, event 0: expected whole numbers 'addr' and 'size'" },
        { BYTES(SNAPSHOT("1", ALLOC("1", "1"))), "s: segments, 0: expected whole numbers 'address' and 'total_size'" },
        { BYTES(SNAPSHOT(SEGMENT("1", "1", "{}"), ALLOC("1", "1"))),
          "s: segments, 0, block 0: expected a whole number 'size'" },
        { BYTES(SNAPSHOT("", "{\"action\":\"oom\"}")), "s: expected events 'alloc' or 'free_completed' of device 0" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct snapshot s;
        char *said = NULL;

        assert_int_equal(read_bytes(cases[i].bytes, cases[i].size, -1, &s, &said), NW_EINPUT);
        if (strncmp(said, cases[i].want, strlen(cases[i].want)) != 0)
            fail_msg("case %d: '%s' does not begin with '%s'", (int)i, said, cases[i].want);
        free(said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lifetimes_by_hand),
        cmocka_unit_test(pickles_are_read),
        cmocka_unit_test(opcodes_one_by_one),
        cmocka_unit_test(bad_snapshots_are_refused),
    };

    return cmocka_run_group_tests_name("snapshot", tests, NULL, NULL);
}
