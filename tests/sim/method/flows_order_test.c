/* Flows that wait for others, and delays: exact ends, what is reported, the timeline, and what is refused. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "sim/method/method.h"
#include "tests/sim/network/clusters.h"
#include "tests/test.h"

#define HOST(m)       \
    {                 \
        (m), END_HOST \
    }
enum { US = 1000000, MB = 1000000 };

/* All thirty steps, each waiting for what the neighbour sent before. */
static void a_ring_of_flows_that_wait(void **state)
{
    enum { RANKS = 16, STEPS = 30, PART = (16 << 20) / RANKS };
    static struct flow_spec list[RANKS * STEPS];
    static uint32_t after[RANKS * STEPS];
    struct cluster c;
    struct flows f = { .list = list, .n = RANKS * STEPS };
    int64_t end_ps[RANKS * STEPS];

    (void)state;
    for (int i = 0; i < RANKS * STEPS; i++) {
        int rank = i % RANKS;
        after[i] = (uint32_t)(i - rank - RANKS + (rank + RANKS - 1) % RANKS);
        list[i] = (struct flow_spec){ .src = HOST(rank), .dst = HOST((rank + 1) % RANKS), .bytes = PART };
        list[i].after = &after[i];
        list[i].nafter = i >= RANKS;
    }
    cluster_make(&c, TOPOLOGY_STAR, RANKS, 0);
    assert_int_equal(flows_ends(&c.platform, &f, end_ps, NULL, 0), E_OK);
    assert_int_equal(end_ps[RANKS * STEPS - 1], 25465824000);
}

/* Links of 10 Gbit/s and two latencies of 5 us: a megabyte takes 810 us. Times in us. */
static void flows_wait_for_others(void **state)
{
    static const struct {
        int64_t src, dst, bytes, start, delay;
        uint32_t after[3];
        size_t nafter;
        int64_t end;
    } rows[] = {
        { 0, 0, 0, 7, 100, { 0 }, 0, 107 },      /* a delay alone, after its start */
        { 0, 1, MB, 0, 0, { 0 }, 1, 917 },       /* sets out when it is over */
        { 1, 1, 0, 0, 50, { 1 }, 1, 967 },       /* computed with what arrived */
        { 1, 0, MB, 0, 20, { 1, 0 }, 2, 1747 },  /* the later of two, and a delay */
        { 0, 0, 0, 2000, 0, { 3 }, 1, 2000 },    /* its own start is later still */
        { 0, 0, 0, 0, 0, { 2, 3, 4 }, 3, 2000 }, /* three meet */
        { 0, 1, 0, 0, 0, { 6 + 1 }, 1, 3010 },   /* waits for one that comes after it in the file */
        { 1, 1, 0, 3000, 0, { 0 }, 0, 3000 },    /* that one */
        { 0, 0, MB, 0, 0, { 7, 7 }, 2, 3000 },   /* the same one twice */
    };
    struct flow_spec list[COUNT(rows)];
    struct flows f = { .list = list, .n = COUNT(rows) };
    int64_t end_ps[COUNT(rows)];
    struct cluster c;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        list[i] = (struct flow_spec){ .src = HOST(rows[i].src), .dst = HOST(rows[i].dst), .bytes = rows[i].bytes };
        list[i].start_ps = rows[i].start * US;
        list[i].delay_ps = rows[i].delay * US;
        list[i].after = rows[i].after;
        list[i].nafter = rows[i].nafter;
    }
    cluster_make(&c, TOPOLOGY_STAR, 2, 0);
    assert_int_equal(flows_ends(&c.platform, &f, end_ps, NULL, 0), E_OK);
    for (size_t i = 0; i < COUNT(rows); i++)
        if (end_ps[i] != rows[i].end * US)
            fail_msg("flow %zu ends at %lld ps, not %lld us", i, (long long)end_ps[i], (long long)rows[i].end);
}

static int play(const struct cluster *c, struct flow_spec *list, size_t n, struct readings *r, struct timeline *t,
                char *why, size_t nwhy)
{
    struct method m = { .kind = METHOD_FLOWS, .flows = { .file = "f.csv", .digest = "", .list = list, .n = n } };
    struct job j = { .platform = &c->platform, .method = &m };

    r->n = 0;
    return flows_play(&j, r, t, why, nwhy);
}

/* A transfer's duration is without its delay; its span begins when it waits for nothing else, with an arrow from what
 * it waited for last. */
static void what_waits_is_read_out(void **state)
{
    static const uint32_t after[] = { 0 };
    struct flow_spec list[] = { { .id = 4, .src = HOST(0), .dst = HOST(0), .delay_ps = 90 * (int64_t)US },
                                { .id = 9, .src = HOST(0), .dst = HOST(1), .bytes = MB, .delay_ps = 10 * US } };
    struct timeline t = { .most = 0 };
    struct cluster c;
    struct readings r;

    (void)state;
    list[1].after = after;
    list[1].nafter = 1;
    cluster_make(&c, TOPOLOGY_STAR, 2, 0);
    assert_int_equal(play(&c, list, 2, &r, &t, NULL, 0), E_OK);
    assert_true(fabs(reading_value(&r, "end_ms") - 0.91) < 1e-12);
    assert_true(fabs(reading_value(&r, "longest_ms") - 0.81) < 1e-12);
    assert_int_equal(t.nspans, 2);
    assert_int_equal(t.spans[0].end_ps, 90 * (int64_t)US);
    assert_int_equal(t.spans[0].after, 0);
    assert_int_equal(t.spans[1].start_ps, 90 * (int64_t)US);
    assert_int_equal(t.spans[1].after, 1 + 4);
    timeline_free(&t);
}

static void orders_that_cannot_be_are_refused(void **state)
{
    static const uint32_t self[] = { 0 }, next[] = { 1 }, second[] = { 2 }, none[] = { 4 };
    static const struct {
        const uint32_t *after[4];
        const char *why;
    } cases[] = {
        { { self },
          "method.file: line 2: after: expected flows that end before it starts, got ones that wait for flow 7" },
        { { next, self }, "line 2: after: expected flows that end before it starts, got ones that wait for flow 7" },
        { { next, second, next },
          "line 3: after: expected flows that end before it starts, got ones that wait for flow 8" },
        { { NULL, NULL, NULL, none }, "method.file: line 5: after: expected one of 4 flows, got 4" },
    };
    struct cluster c;
    struct readings r;

    (void)state;
    cluster_make(&c, TOPOLOGY_STAR, 1, 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct flow_spec list[4];
        char why[256] = "";
        for (int k = 0; k < 4; k++)
            list[k] = (struct flow_spec){ .id = 7 + k,
                                          .src = HOST(0),
                                          .dst = HOST(0),
                                          .line = 2 + k,
                                          .after = cases[i].after[k],
                                          .nafter = cases[i].after[k] != NULL };
        assert_int_equal(play(&c, list, 4, &r, NULL, why, sizeof(why)), E_INVAL);
        if (!strstr(why, cases[i].why))
            fail_msg("case %zu: %s", i, why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_of_flows_that_wait),
        cmocka_unit_test(flows_wait_for_others),
        cmocka_unit_test(what_waits_is_read_out),
        cmocka_unit_test(orders_that_cannot_be_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
