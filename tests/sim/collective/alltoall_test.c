/* All-to-all: every part once to whom it belongs, one message at a time in each direction; the closed form. */
#include "tests/sim/collective/collective_rig.h"

static void play(struct star *s, int64_t bytes, const int ready[], int done[])
{
    struct collective_place p = place_of(s, 0);

    assert_int_equal(collective_alltoall(s->e, &p, bytes, ready, done, 7, 3), E_OK);
    assert_int_equal(engine_run(s->e), E_OK);
}

/* n - 1 messages one after another: of 1250 bytes at 1.25 GB/s, a microsecond, and ten of latency. */
static void by_hand(void **state)
{
    int ready[MOST_RANKS], done[MOST_RANKS];

    (void)state;
    memset(ready, -1, sizeof(ready));
    for (int64_t n = 1; n <= 8; n++) {
        struct star s;
        star_new(&s, n, 1, slow, instant);
        play(&s, 1250, ready, done);
        assert_int_equal(engine_end_ps(s.e), (n - 1) * 11000000);
        star_free(&s);
    }
}

static void closed_form_is_the_flows(void **state)
{
    static const struct hop *hops[] = { &slow, &instant, &odd, &fast };
    int ready[MOST_RANKS], done[MOST_RANKS];

    (void)state;
    memset(ready, -1, sizeof(ready));
    for (int64_t n = 1; n <= 33; n = next_ranks(n))
        for (size_t h = 0; h < COUNT(hops); h++)
            for (int k = 0; byte_count(k, n) >= 0; k++)
                for (int one = 0; one < 2; one++) { /* on one machine, or each on its own */
                    struct star s;
                    star_new(&s, n, one ? n : 1, one ? odd : *hops[h], one ? *hops[h] : odd);
                    struct collective_shape shape = shape_of(&s, 0);
                    int64_t bytes = byte_count(k, n);
                    play(&s, bytes, ready, done);
                    assert_int_equal(engine_end_ps(s.e), collective_alltoall_ps(&shape, bytes));
                    assert_int_equal(collective_alltoall_crossing(&shape, bytes),
                                     one || !bytes ? 0 : (n - 1) * (bytes + hops[h]->framing_bytes));
                    star_free(&s);
                }
}

/* Of transfer i and those before it: no two of one sender, or to one receiver, at a time. */
static void takes_turns(const struct star *s, size_t i)
{
    int64_t start_ps, end_ps;

    engine_task(s->e, s->list[i].task, &start_ps, &end_ps);
    for (size_t k = 0; k < i; k++) {
        int64_t from_ps, to_ps;
        engine_task(s->e, s->list[k].task, &from_ps, &to_ps);
        if (s->list[k].from == s->list[i].from || s->list[k].to == s->list[i].to)
            assert_true(end_ps <= from_ps || start_ps >= to_ps);
    }
}

/* Also where ranks join late, and where some messages stay within a machine. */
static void every_part_arrives_once(void **state)
{
    enum { PART = 1000 };

    (void)state;
    for (int64_t n = 2; n <= 12; n++)
        for (int64_t l = 1; l <= n; l++) {
            bool seen[MOST_RANKS][MOST_RANKS] = { { 0 } };
            int ready[MOST_RANKS], done[MOST_RANKS];
            struct star s;
            star_new(&s, n, l, slow, fast);
            for (int64_t r = 0; r < n; r++)
                ready[r] = engine_compute(s.e, ENGINE_NO_RESOURCE, r * 7919 % 13 * 1000000, 0);
            play(&s, PART, ready, done);
            assert_int_equal(s.n, n * (n - 1));
            for (size_t i = 0; i < s.n; i++) {
                const struct carried *c = &s.list[i];
                int64_t start_ps, end_ps, ready_ps, done_ps, ps;
                assert_true(c->add && c->bytes == PART && c->offset == c->to * PART && !seen[c->from][c->to]);
                seen[c->from][c->to] = true;
                engine_task(s.e, c->task, &start_ps, &end_ps);
                for (int side = 0; side < 2; side++) {
                    engine_task(s.e, ready[side ? c->to : c->from], &ps, &ready_ps);
                    engine_task(s.e, done[side ? c->to : c->from], &ps, &done_ps);
                    assert_true(start_ps >= ready_ps && end_ps <= done_ps);
                }
                takes_turns(&s, i);
            }
            star_free(&s);
        }
}

static void symmetry_is_the_closed_form(void **state)
{
    static const struct {
        int64_t ranks, per_machine, placed;
    } cases[] = { { 16, 1, 1 }, { 16, 1, 2 }, { 1000, 1, 1 }, { 17, 1, 2 }, { 4, 4, 4 }, { 1, 1, 1 } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int64_t bytes = 0; bytes < 20000000; bytes = 5 * bytes + 12000) {
            int ready[MOST_RANKS], done[MOST_RANKS];
            struct star s;
            star_new(&s, cases[i].placed < 2 ? 2 : cases[i].placed, cases[i].per_machine, slow, fast);
            struct collective_place p = place_of(&s, 0);
            struct collective_shape shape = shape_of(&s, 0);
            p.ranks = cases[i].placed;
            shape.ranks = cases[i].ranks;
            memset(ready, -1, sizeof(ready));
            assert_int_equal(collective_alltoall_symmetric(s.e, &shape, &p, bytes, ready, done, 7, 3), E_OK);
            assert_int_equal(engine_run(s.e), E_OK);
            assert_int_equal(engine_end_ps(s.e), collective_alltoall_ps(&shape, bytes));
            star_free(&s);
        }
}

/* In some steps the ranks of a machine send to each other, in others they do not: no one rank stands for all. */
static void messages_that_differ_have_no_closed_form(void **state)
{
    struct collective_shape shape = { .ranks = 8, .ranks_per_machine = 2, .between = slow, .within = fast };

    (void)state;
    assert_int_equal(collective_alltoall_ps(&shape, 1000), E_INVAL);
    assert_int_equal(collective_alltoall_crossing(&shape, 1000), E_INVAL);
    shape.ranks_per_machine = 1;
    assert_int_equal(collective_alltoall_ps(&shape, -1), E_INVAL);
    assert_int_equal(collective_alltoall_ps(&shape, INT64_MAX), E_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(by_hand), cmocka_unit_test(closed_form_is_the_flows),
                                        cmocka_unit_test(every_part_arrives_once),
                                        cmocka_unit_test(symmetry_is_the_closed_form),
                                        cmocka_unit_test(messages_that_differ_have_no_closed_form) };

    return cmocka_run_group_tests_name("all-to-all", tests, NULL, NULL);
}
