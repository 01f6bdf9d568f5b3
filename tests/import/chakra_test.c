/* chakra_test.c - Chakra traces as flows: when each node ends on a small network, what collectives move, and what is
 * refused. */
#include <stdlib.h>
#include <string.h>

#include "harness/import/chakra/chakra.h"
#include "harness/status.h"
#include "sim/network/topology.h"
#include "tests/import/chakra_text.h"
#include "tests/sim/network/clusters.h"
#include "tests/test.h"

enum { COMP = 4, SEND = 5, RECV = 6, COLL = 7, MB = 1000000, US = 1000000, MOST = 1000 };

struct reading {
    struct chakra *c;
    const struct flow_spec *list;
    size_t n;
    char *said;
    int rc;
};

static double flops_per_s; /* of the next traces */

static struct reading read_rows(const struct chakra_row *rows, size_t nrows, int ranks, int gpus)
{
    static const char *const names[] = { "0.et", "1.et", "2.et", "3.et" };
    struct reading r = { 0 };
    size_t nsaid, size;
    FILE *err = open_memstream(&r.said, &nsaid);

    assert_non_null(err);
    r.c = chakra_new(err);
    assert_non_null(r.c);
    chakra_set_rate(r.c, flops_per_s);
    for (int i = 0; !r.rc && i < ranks; i++) {
        uint8_t *text = chakra_text(rows, nrows, i, &size);
        r.rc = chakra_read(r.c, names[i % 4], text, size);
        free(text);
    }
    r.rc = r.rc ? r.rc : chakra_lower(r.c, gpus, &r.list, &r.n);
    fclose(err);
    return r;
}

static void release(struct reading *r)
{
    chakra_free(r->c);
    free(r->said);
}

/* When the last flow ends, on links of 10 Gbit/s and 5 us: a megabyte takes 810 us. */
static int64_t end_of(const struct reading *r, int machines)
{
    static int64_t end_ps[MOST];
    struct flows f = { .list = (struct flow_spec *)r->list, .n = r->n };
    char why[256] = "";
    struct cluster c;
    int64_t last_ps = 0;

    assert_true(r->n <= MOST);
    cluster_make(&c, TOPOLOGY_STAR, machines, 0);
    if (flows_ends(&c.platform, &f, end_ps, why, sizeof(why)))
        fail_msg("not played: %s", why);
    for (size_t i = 0; i < r->n; i++)
        last_ps = end_ps[i] > last_ps ? end_ps[i] : last_ps;
    return last_ps;
}

/* When the last flow of these ends. */
static const struct {
    const char *what;
    int ranks;
    int64_t us;
    struct chakra_row rows[7]; /* up to the first of type 0 */
} played[] = {
    { "one after the other",
      1,
      150,
      { { .type = COMP, .id = 3, .us = 100 }, { .type = COMP, .us = 50, .deps = { 3 }, .ndeps = 1 } } },
    { "on one device", 1, 300, { { .type = COMP, .us = 100 }, { .type = COMP, .id = 1, .us = 200 } } },
    { "on two", 1, 200, { { .type = COMP, .us = 100, .gpu = 1 }, { .type = COMP, .id = 1, .us = 200 } } },
    { "loads exclude nothing", 1, 200, { { .type = 2, .us = 100 }, { .type = 3, .id = 1, .us = 200 } } },
    { "a type of later versions",
      1,
      70,
      { { .type = 99, .us = 30 }, { .type = 9, .id = 1, .us = 40, .deps = { 0 }, .ndeps = 1 } } },
    { "the earlier start goes first",
      1,
      500,
      { { .type = COMP, .us = 100, .start_us = 20 },
        { .type = COMP, .id = 1, .us = 200, .start_us = 10 },
        { .type = 2, .id = 2, .us = 200, .deps = { 0 }, .ndeps = 1, .start_us = 30 } } },
    { "a message",
      2,
      100 + 810 + 50,
      { { .type = COMP, .us = 100 },
        { .type = SEND, .id = 1, .deps = { 0 }, .ndeps = 1, .size = MB, .peer = 1 },
        { .rank = 1, .type = RECV, .id = 1, .size = MB },
        { .rank = 1, .type = COMP, .id = 0, .us = 50, .deps = { 1 }, .ndeps = 1 } } },
    { "a receive that comes late",
      2,
      1000 + 50,
      { { .type = SEND, .id = 1, .size = MB, .peer = 1 },
        { .rank = 1, .type = COMP, .id = 2, .us = 1000 },
        { .rank = 1, .type = RECV, .id = 1, .size = MB, .deps = { 2 }, .ndeps = 1 },
        { .rank = 1, .type = COMP, .id = 0, .us = 50, .deps = { 1 }, .ndeps = 1 } } },
    { "an all-reduce that waits for the later rank",
      2,
      100 + 2 * 810 + 50,
      { { .type = COMP, .us = 100 },
        { .type = COLL, .id = 1, .deps = { 0 }, .ndeps = 1, .size = 2 * MB },
        { .type = COMP, .id = 2, .us = 50, .deps = { 1 }, .ndeps = 1 },
        { .rank = 1, .type = COLL, .id = 1, .size = 2 * MB } } },
    { "a ring in which what is passed on comes late",
      3,
      1000 + 4 * 810 + 5000,
      { { .type = COMP, .us = 1000 },
        { .type = COLL, .id = 1, .deps = { 0 }, .ndeps = 1, .size = 3 * MB },
        { .rank = 1, .type = COLL, .id = 1, .size = 3 * MB },
        { .rank = 2, .type = COLL, .id = 1, .size = 3 * MB },
        { .rank = 2, .type = COMP, .id = 2, .us = 5000, .deps = { 1 }, .ndeps = 1 } } },
    { "a broadcast in two parts",
      2,
      2 * 810,
      { { .type = COLL, .size = 2 * MB, .coll = 5 }, { .rank = 1, .type = COLL, .size = 2 * MB, .coll = 5 } } },
    { "a broadcast in three parts over two hops",
      3,
      4 * 810,
      { { .type = COLL, .size = 3 * MB, .coll = 5 },
        { .rank = 1, .type = COLL, .size = 3 * MB, .coll = 5 },
        { .rank = 2, .type = COLL, .size = 3 * MB, .coll = 5 } } },
    { "an all-to-all with a late rank: two share its link",
      3,
      1000 + 1610 + 5000,
      { { .rank = 0, .type = COMP, .us = 1000 },
        { .rank = 0, .type = COLL, .id = 1, .deps = { 0 }, .ndeps = 1, .size = 3 * MB, .coll = 6 },
        { .rank = 1, .type = COLL, .id = 1, .size = 3 * MB, .coll = 6 },
        { .rank = 2, .type = COLL, .id = 1, .size = 3 * MB, .coll = 6 },
        { .rank = 2, .type = COMP, .id = 2, .us = 5000, .deps = { 1 }, .ndeps = 1 } } },
    { "a gather with a late rank",
      3,
      1000 + 810 + 5000,
      { { .rank = 1, .type = COMP, .us = 1000 },
        { .rank = 0, .type = COLL, .id = 1, .size = MB, .coll = 3 },
        { .rank = 1, .type = COLL, .id = 1, .deps = { 0 }, .ndeps = 1, .size = MB, .coll = 3 },
        { .rank = 2, .type = COLL, .id = 1, .size = MB, .coll = 3 },
        { .rank = 0, .type = COMP, .id = 2, .us = 5000, .deps = { 1 }, .ndeps = 1 } } },
    { "a scatter with a late root",
      3,
      1000 + 1610 + 5000,
      { { .rank = 0, .type = COMP, .us = 1000 },
        { .rank = 0, .type = COLL, .id = 1, .deps = { 0 }, .ndeps = 1, .size = 3 * MB + 2, .coll = 4 },
        { .rank = 1, .type = COLL, .id = 1, .size = 3 * MB + 2, .coll = 4 },
        { .rank = 2, .type = COLL, .id = 1, .size = 3 * MB + 2, .coll = 4 },
        { .rank = 2, .type = COMP, .id = 2, .us = 5000, .deps = { 1 }, .ndeps = 1 } } },
    { "a reduce that begins late",
      3,
      1000 + 4 * 810 + 5000,
      { { .rank = 1, .type = COMP, .us = 1000 },
        { .rank = 0, .type = COLL, .id = 1, .size = 3 * MB, .coll = 1 },
        { .rank = 1, .type = COLL, .id = 1, .deps = { 0 }, .ndeps = 1, .size = 3 * MB, .coll = 1 },
        { .rank = 2, .type = COLL, .id = 1, .size = 3 * MB, .coll = 1 },
        { .rank = 0, .type = COMP, .id = 2, .us = 5000, .deps = { 1 }, .ndeps = 1 } } },
    { "a group of one rank", 2, 0, { { .type = COLL, .size = MB, .group = "mine" }, { .rank = 1, .type = COMP } } },
};

static void nodes_end_when_they_should(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(played); i++) {
        size_t n = 0;
        while (n < 7 && played[i].rows[n].type)
            n++;
        struct reading r = read_rows(played[i].rows, n, played[i].ranks, 0);
        if (r.rc)
            fail_msg("%s: %s", played[i].what, r.said);
        if (end_of(&r, played[i].ranks) != played[i].us * US)
            fail_msg("%s: ends at %lld ps, not %lld us", played[i].what, (long long)end_of(&r, played[i].ranks),
                     (long long)played[i].us);
        release(&r);
    }
}

/* A computation of 12 MFLOP that says no duration, and one of 5 us that says both. */
static void operations_take_time_at_a_rate(void **state)
{
    static const struct {
        double rate;
        int64_t us;
    } cases[] = { { 0, 5 }, { 1e12, 17 }, { 4e12, 8 } };
    static const struct chakra_row rows[] = { { .type = COMP, .ops = 12000000 },
                                              { .type = COMP, .id = 1, .us = 5, .ops = 99 } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        flops_per_s = cases[i].rate;
        struct reading r = read_rows(rows, COUNT(rows), 1, 0);
        flops_per_s = 0;
        assert_int_equal(r.rc, NW_OK);
        assert_int_equal(end_of(&r, 1), cases[i].us * US);
        release(&r);
    }
    static const struct chakra_row many[] = { { .type = COMP, .ops = INT64_MAX } };
    flops_per_s = 1;
    struct reading r = read_rows(many, 1, 1, 0);
    flops_per_s = 0;
    assert_int_equal(r.rc, NW_EINPUT);
    assert_non_null(strstr(r.said, "node 0: num_ops: expected at most"));
    release(&r);
}

/* The same 25.465824 ms as the allreduce of 16 ranks in tests/sim/collective/. */
static void a_ring_takes_as_long_as_a_ring(void **state)
{
    struct chakra_row rows[16];

    (void)state;
    for (int i = 0; i < 16; i++)
        rows[i] = (struct chakra_row){ .rank = i, .type = COLL, .size = 16 << 20 };
    struct reading r = read_rows(rows, 16, 16, 0);
    assert_int_equal(r.rc, NW_OK);
    assert_int_equal(end_of(&r, 16), 25465824000);
    release(&r);
}

/* Bytes between ranks, of a collective of 1003 bytes over four. */
static void collectives_move_what_they_must(void **state)
{
    static const int64_t bytes[] = { 6 * 1003, 3 * 1003, 12 * 1003, 3 * 1003, 1003 - 251,
                                     3 * 1003, 3 * 1003, 3 * 1003,  3 * 1003, 6 * 1003 };
    static const size_t messages[] = { 24, 12, 12, 3, 3, 12, 12, 12, 12, 24 };

    (void)state;
    for (int type = 0; type < (int)COUNT(bytes); type++) {
        struct chakra_row rows[4];
        int64_t sum = 0;
        size_t n = 0;
        for (int i = 0; i < 4; i++)
            rows[i] = (struct chakra_row){ .rank = i, .type = COLL, .size = 1003, .coll = type };
        struct reading r = read_rows(rows, 4, 4, 2);
        assert_int_equal(r.rc, NW_OK);
        for (size_t i = 0; i < r.n; i++) {
            const struct flow_spec *f = &r.list[i];
            sum += f->bytes;
            n += f->src.machine != f->dst.machine || f->src.gpu != f->dst.gpu;
            assert_true(f->src.machine < 2 && f->src.gpu >= 0 && f->src.gpu < 2);
            for (size_t k = 0; k < f->nafter; k++)
                assert_true(f->after[k] < i);
        }
        if (sum != bytes[type] || n != messages[type])
            fail_msg("type %d: %lld bytes in %zu messages", type, (long long)sum, n);
        release(&r);
    }
}

static void nodes_that_cannot_be_are_refused(void **state)
{
    static const struct {
        int ranks;
        struct chakra_row rows[5];
        const char *said;
    } cases[] = {
        { 1,
          { { .type = COMP, .id = 5 }, { .type = COMP, .id = 5 } },
          "0.et: node 5: expected an id that no other node has" },
        { 1,
          { { .type = COMP, .id = 5, .deps = { 9 }, .ndeps = 1 } },
          "0.et: node 5: expected dependencies on nodes of the file, got one on 9" },
        { 1,
          { { .type = COMP, .id = 5, .deps = { 5 }, .ndeps = 1 } },
          "node 5: expected dependencies without a circle" },
        { 1,
          { { .type = COMP, .id = 5, .deps = { 6 }, .ndeps = 1 },
            { .type = COMP, .id = 6, .deps = { 5 }, .ndeps = 1 } },
          "node 5: expected dependencies without a circle" },
        { 1, { { .type = COMP, .us = (uint64_t)-3 } }, "node 0: duration_micros: expected 0 to 9223372036854, got -3" },
        { 1, { { .type = COMP, .start_us = (uint64_t)-3 } }, "node 0: start_time_micros: expected 0 or more, got -3" },
        { 1, { { .type = -1 }, { .type = 0, .id = 4, .us = 1 } }, "0.et: node 4: expected a type from 1 on, got 0" },
        { 1,
          { { .type = COMP, .us = 9000000000000 },
            { .type = COMP, .id = 1, .us = 9000000000000, .deps = { 0 }, .ndeps = 1 } },
          "node 1: expected an end within 2^63 ps" },
        { 1, { { .type = SEND, .size = 4, .peer = -1 } }, "node 0: expected the attribute comm_dst, got none" },
        { 1, { { .type = RECV, .size = 4, .peer = -1 } }, "node 0: expected the attribute comm_src, got none" },
        { 1, { { .type = SEND, .size = -1 } }, "node 0: expected the attribute comm_size, got none" },
        { 1, { { .type = COLL, .size = -1 } }, "node 0: expected the attribute comm_size, got none" },
        { 1, { { .type = COLL, .size = 4, .coll = 10 } }, "comm_type: expected a collective from 0 to 9, got 10" },
        { 1, { { .type = COLL, .size = 4, .coll = -2 } }, "comm_type: expected 0 or more, got -2" },
        { 1, { { .type = SEND, .size = 4, .peer = 1 } }, "expected ranks 0 to 0, got a message from 0 to 1" },
        { 2,
          { { .type = SEND, .size = 4, .peer = 1 }, { .rank = 1, .type = COMP } },
          "0.et: node 0: expected a receive of the message from rank 0 to 1, tag 0, got none" },
        { 2,
          { { .type = COMP }, { .rank = 1, .type = RECV, .size = 4 } },
          "1.et: node 0: expected a send of the message from rank 0 to 1" },
        { 2,
          { { .type = SEND, .size = 4, .peer = 1 }, { .rank = 1, .type = RECV, .size = 5 } },
          "1.et: node 0: comm_size: expected the 4 bytes of node 0 of 0.et, got 5" },
        { 2,
          { { .type = COLL, .size = 4 }, { .rank = 1, .type = COMP } },
          "expected collective 0 of group '' on 2 ranks, got it on 1" },
        { 2,
          { { .type = COLL, .size = 4, .group = "a" },
            { .type = COLL, .id = 1, .size = 4, .group = "a" },
            { .rank = 1, .type = COLL, .size = 4, .group = "a" } },
          "node 1: expected collective 1 of group 'a' on 2 ranks, got it on 1" },
        { 2,
          { { .type = COLL, .size = 4 }, { .rank = 1, .type = COLL, .size = 4, .coll = 2 } },
          "1.et: node 0: expected the collective of type 0 with 4 bytes that node 0 of 0.et is, got one of type 2" },
        { 2,
          { { .type = COLL, .size = 4 }, { .rank = 1, .type = COLL, .size = 8 } },
          "got one of type 0 with 8 bytes" },
        { 1,
          { { .type = COLL, .size = 4, .group = "a name of more than thirty-one bytes" } },
          "pg_name: expected at most 31 bytes, got 36" },
        { 2,
          { { .type = COLL, .size = 4, .group = "a", .deps = { 1 }, .ndeps = 1 },
            { .type = COLL, .id = 1, .size = 4, .group = "b" },
            { .rank = 1, .type = COLL, .size = 4, .group = "a" },
            { .rank = 1, .type = COLL, .id = 1, .size = 4, .group = "b", .deps = { 0 }, .ndeps = 1 } },
          "expected dependencies without a circle" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t n = 0;
        while (n < 5 && (cases[i].rows[n].type || cases[i].rows[n].us))
            n++;
        struct reading r = read_rows(cases[i].rows, n, cases[i].ranks, 0);
        if (r.rc != NW_EINPUT || !strstr(r.said, cases[i].said))
            fail_msg("case %zu: answered %d, said '%s', not '%s'", i, r.rc, r.said, cases[i].said);
        release(&r);
    }
}

static void bytes_that_are_no_trace_are_refused(void **state)
{
#define META "\x03\x0a\x01x"
    static const struct {
        const char *bytes;
        size_t n;
        const char *said;
    } cases[] = {
        { "", 0, "f.et: byte 0: expected the metadata of a Chakra trace, got an empty file" },
        { "\x80", 1, "byte 0: expected the size of a message, got the end of the file within it" },
        { "\x80\x80\x80\x80\x80\x01", 6, "byte 0: expected the size of a message below 2^31, got a longer varint" },
        { "\x05\x0a\x01x", 4, "byte 0: expected a message of 5 bytes, got 3 up to the file's end" },
        { "\x02\x08\x01", 3, "byte 1: expected the metadata of a Chakra trace, got a message that is none" },
        { META, 4, "byte 4: expected a node, got the end of the file" },
        { META "\x02\x08", 6, "byte 4: expected a message of 2 bytes, got 1 up to the file's end" },
        { META "\x02\x08\x80", 7, "byte 5: expected a node, got a message that is none" },
        { META "\x03\x22\x05\x01", 8, "byte 5: expected a node, got a message that is none" },
        { META "\x02\x0d\x01", 7, "byte 5: expected a node, got a message that is none" },
        { META "\x02\x18\x04\x80", 8, "byte 7: expected the size of a message, got the end of the file within it" },
        { META "\xff\xff\xff\xff\x0f", 9,
          "byte 4: expected a message of 4294967295 bytes, got 0 up to the file's end" },
        { META "\x11\x18\x05\x52\x0d\x0a\x09"
               "comm_size\x20\x01",
          22, "" },
        { META "\x12\x18\x05\x52\x0e\x0a\x08"
               "comm_dst\x21\x01\x02\x03",
          23, "" },
        { META "\x18\x18\x05\x52\x14\x0a\x09"
               "comm_size\x19\x00\x00\x00\x00\x00\x00\xe0\x3f",
          29, "node 0: comm_size: expected a whole number" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *said = NULL, *copy = malloc(cases[i].n + !cases[i].n);
        size_t nsaid;
        FILE *err = open_memstream(&said, &nsaid);
        struct chakra *c = chakra_new(err);
        assert_true(c && copy);
        memcpy(copy, cases[i].bytes, cases[i].n);
        int rc = chakra_read(c, "f.et", copy, cases[i].n);
        fclose(err);
        if (rc != NW_EINPUT || !strstr(said, cases[i].said))
            fail_msg("case %zu: answered %d, said '%s', not '%s'", i, rc, said, cases[i].said);
        chakra_free(c);
        free(said);
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_end_when_they_should),       cmocka_unit_test(operations_take_time_at_a_rate),
        cmocka_unit_test(a_ring_takes_as_long_as_a_ring),   cmocka_unit_test(collectives_move_what_they_must),
        cmocka_unit_test(nodes_that_cannot_be_are_refused), cmocka_unit_test(bytes_that_are_no_trace_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
