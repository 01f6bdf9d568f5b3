/* Schedules of transfers by hand. */
#include "tests/model/transfer/transfer_cases.h"

#include <math.h>
#include <string.h>

#include "model/status.h"
#include "tests/draw.h"
#include "tests/model/transfer/transfer_rig.h"
#include "tests/test.h"

static void expect(const char *name, const struct transfer_list *t, const struct transfer *want, size_t n)
{
    int64_t bytes = 0;

    if (t->n != n)
        fail_msg("%s: %zu transfers, not %zu", name, t->n, n);
    for (size_t i = 0; i < n; i++) {
        const struct transfer *a = &t->items[i], *b = &want[i];
        if (memcmp(a, b, sizeof(*a)) != 0)
            fail_msg("%s: transfer %zu is s%d: %d %d %d %d, not s%d: %d %d %d %d", name, i, a->storage, a->start,
                     a->free_after, a->back, a->need, b->storage, b->start, b->free_after, b->back, b->need);
        bytes += rig.storages[a->storage].bytes;
    }
    assert_int_equal(t->offloaded_bytes, bytes);
}

/* The stalls by hand. Algorithm 1: s1 is waited for from 110 to 180, because the 100 of operation 0 were banked. Its
 * later frees then meet copies that are over. Backward, s1 comes back from 110 on where 80 are needed and 50 are there
 * (30), ... */
static void schedules(void **state)
{
    static const struct {
        const char *name;
        enum schedule schedule;
        enum granularity granularity;
        struct transfer want[5];
        int64_t forward_ps, turn_ps, backward_ps;
    } cases[] = {
        { "layer-wise",
          SCHEDULE_LAYER_WISE,
          GRANULARITY_OPERATION,
          { { 1, 1, 1, 9, 10 }, { 2, 2, 2, 8, 9 }, { 3, 3, 3, 7, 8 }, { 4, 4, 4, 6, 7 }, { 5, 5, 5, 6, 6 } },
          70, /* s1 takes 80 besides 10; the others fit */
          0,
          50 }, /* s5 10 before operation 6, s4 40 besides its 30; s3 and s2 fit; s1 80 besides 50 */
        { "algorithm-1",
          SCHEDULE_ALGORITHM_1,
          GRANULARITY_OPERATION,
          { { 1, 1, 1, 9, 10 }, { 2, 2, 2, 8, 9 }, { 3, 3, 3, 7, 8 }, { 4, 4, 4, 6, 7 }, { 5, 5, 5, 6, 6 } },
          70,
          0,
          50 },
        { "clamped",
          SCHEDULE_CLAMPED,
          GRANULARITY_OPERATION,
          { { 1, 1, 5, 7, 10 }, { 2, 2, 5, 7, 9 }, { 3, 3, 5, 7, 8 }, { 4, 4, 5, 6, 7 }, { 5, 5, 5, 6, 6 } },
          0,
          0,
          20 }, /* s5 and s4 take 50 from the beginning on, operation 6 hides 30 of it */
        { "per-object",
          SCHEDULE_PER_OBJECT,
          GRANULARITY_OPERATION,
          { { 1, 1, 3, 7, 10 }, { 2, 2, 3, 7, 9 }, { 3, 3, 4, 7, 8 }, { 4, 4, 5, 6, 7 }, { 5, 5, 5, 6, 6 } },
          0,
          0,
          20 },
    };

    (void)state;
    make_chain();
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct transfer_options o = rig_options(cases[i].schedule);
        o.granularity = cases[i].granularity;
        struct transfer_list t = planned(&o);
        struct replayed got = rig_replay(&rig.g, &rig.s, rig.ps, &o, &t);
        expect(cases[i].name, &t, cases[i].want, 5);
        assert_string_equal(schedule_name(cases[i].schedule), cases[i].name);
        assert_int_equal(t.offloadable_bytes, 300);
        if (got.forward_ps != cases[i].forward_ps || got.turn_ps != cases[i].turn_ps ||
            got.backward_ps != cases[i].backward_ps)
            fail_msg("%s: waits %lld, %lld, %lld", cases[i].name, (long long)got.forward_ps, (long long)got.turn_ps,
                     (long long)got.backward_ps);
        transfer_free(&t);
        assert_null(t.items);
    }
}

static void keep_all(void **state)
{
    struct transfer_options o = rig_options(SCHEDULE_KEEP_ALL);

    (void)state;
    make_chain();
    for (int i = 0; i < 4; i++) {
        static const double rates[] = { 1e12, 0, NAN, -1e12 };
        o.to_host_Bps = rates[i]; /* a link that nothing uses may be anything */
        struct transfer_list t = planned(&o);
        expect("keep-all", &t, NULL, 0);
        assert_int_equal(t.offloadable_bytes, i ? 0 : 300);
        transfer_free(&t);
    }
    assert_string_equal(schedule_name(SCHEDULE_KEEP_ALL), "keep-all");
}

static void groups(void **state)
{
    static const struct transfer want[] = {
        { 1, 1, 1, 7, 10 }, { 2, 2, 4, 6, 9 }, { 3, 3, 4, 6, 8 }, { 4, 4, 4, 6, 7 }, { 5, 5, 5, 6, 6 }
    };
    /* s4 is read by operation 4 only, but was there before its group began: its copy begins with the group, before that
       of s3. */
    static const struct transfer early[] = {
        { 1, 1, 1, 7, 10 }, { 2, 2, 4, 6, 9 }, { 4, 2, 4, 6, 7 }, { 3, 3, 4, 6, 8 }, { 5, 5, 5, 6, 6 }
    };
    struct transfer_options o = rig_options(SCHEDULE_LAYER_WISE);
    struct transfer_list t;

    (void)state;
    o.granularity = GRANULARITY_GROUP;
    group(3);
    t = planned(&o);
    expect("groups", &t, want, COUNT(want));
    transfer_free(&t);

    group(0);
    t = planned(&o);
    expect("groups, early", &t, early, COUNT(early));
    transfer_free(&t);

    /* The last group of forward and the first of backward are neighbours with one number, but two. */
    o.granularity = GRANULARITY_OPERATION;
    t = planned(&o);
    assert_int_equal(t.items[4].free_after, 5);
    assert_int_equal(t.items[1].free_after, 2);
    transfer_free(&t);
}

/* s2 is read again by operation 4: no schedule may free it before, however soon its copy is over. */
static void read_again(void **state)
{
    (void)state;
    make_chain();
    rig.operations[4].x2 = 2;
    rig_settle(&rig);
    for (enum schedule s = SCHEDULE_LAYER_WISE; s < SCHEDULE_KINDS; s++) {
        struct transfer_options o = rig_options(s);
        struct transfer_list t = planned(&o);
        assert_int_equal(t.n, 5);
        assert_int_equal(t.items[1].storage, 2);
        assert_int_equal(t.items[1].start, 2);
        assert_int_equal(t.items[1].free_after, s == SCHEDULE_CLAMPED ? 5 : 4);
        transfer_free(&t);
    }
}

/* Operation 2 writes over s2 in place, and only operation 3 may send it. What nobody reads any more is not sent. */
static void written_again(void **state)
{
    static const struct transfer want[] = {
        { 1, 1, 3, 7, 10 }, { 2, 3, 3, 7, 8 }, { 4, 4, 4, 6, 7 }, { 5, 5, 5, 6, 6 }
    };
    struct transfer_options o = rig_options(SCHEDULE_PER_OBJECT);
    struct transfer_list t;

    (void)state;
    make_chain();
    rig.tensors[3].storage = 2;
    rig.operations[9].x = NO_TENSOR; /* such an operation's backward needs what it wrote */
    rig.storages[2].bytes = 30;
    rig_settle(&rig);
    assert_int_equal(rig.storages[2].last_write, 2);
    t = planned(&o);
    expect("in place", &t, want, COUNT(want));
    transfer_free(&t);

    make_chain();
    rig.operations[6].y = 6; /* backward wants the last output: generated, but read by no forward operation */
    rig.storages[6].bytes = 7;
    rig_settle(&rig);
    assert_true(rig.storages[6].generated);
    t = planned(&o);
    assert_int_equal(t.n, 5);
    assert_int_equal(t.offloaded_bytes, 180);
    transfer_free(&t);
}

/* Both inputs of a sum are sent as it begins, the lower storage first; one that it reads twice once. */
static void two_inputs(void **state)
{
    static const struct transfer want[] = {
        { 1, 1, 3, 7, 10 }, { 2, 3, 3, 7, 9 }, { 3, 3, 4, 7, 8 }, { 4, 4, 5, 6, 7 }, { 5, 5, 5, 6, 6 }
    };
    struct transfer_options o = rig_options(SCHEDULE_PER_OBJECT);
    struct transfer_list t;

    (void)state;
    make_chain();
    rig.operations[2].x = 1;
    rig.operations[3].x2 = 2; /* reads 3, then 2 */
    rig_settle(&rig);
    t = planned(&o);
    expect("a sum", &t, want, COUNT(want));
    transfer_free(&t);

    make_chain();
    rig.operations[3].x2 = 3;
    rig_settle(&rig);
    t = planned(&o);
    assert_int_equal(t.n, 5);
    assert_int_equal(t.offloaded_bytes, 180);
    transfer_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedules),  cmocka_unit_test(keep_all),      cmocka_unit_test(groups),
        cmocka_unit_test(read_again), cmocka_unit_test(written_again), cmocka_unit_test(two_inputs),
    };

    return cmocka_run_group_tests_name("transfer", tests, NULL, NULL);
}
