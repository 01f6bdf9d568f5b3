/* What holds for every plan, on hundreds of random steps: moments in order, limits, choices by brute force, Algorithm 1
 * as its printed lines say, and what a replay by arithmetic waits and holds. */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "tests/draw.h"
#include "tests/model/transfer/transfer_rig.h"
#include "tests/test.h"

enum { SEEDS = 500, MOST = RIG_OPERATIONS };

static struct rig rig;

static struct transfer_options random_options(uint64_t seed, enum schedule schedule)
{
    static const double limits[] = { 1, 0.9, 0.5, 0.3 };
    static const int64_t keep_last[] = { -1, 0, 0, 1, 3 };
    struct transfer_options o = rig_options(schedule);
    uint64_t state = ~seed;

    o.granularity = draw(&state) & 1 ? GRANULARITY_GROUP : GRANULARITY_OPERATION;
    o.choice = (enum transfer_choice)(draw(&state) % CHOICE_KINDS);
    o.limit = limits[draw(&state) % COUNT(limits)];
    o.limit_by_link = draw(&state) & 1;
    o.keep_last = keep_last[draw(&state) % COUNT(keep_last)];
    o.to_device_Bps = draw(&state) & 1 ? 1e12 : 0.5e12;
    o.latency_ps = draw(&state) & 1 ? 0 : 50;
    return o;
}

static struct transfer_list planned(const struct transfer_options *o)
{
    struct transfer_list t = { 0 };
    char why[200] = "";

    if (transfer_plan(&rig.g, &rig.s, rig.ps, o, &t, why, sizeof(why)))
        fail_msg("refused: %s", why);
    return t;
}

static int64_t to_host_ps(const struct transfer_options *o, int32_t storage)
{
    return rig.storages[storage].bytes + o->latency_ps; /* the rig's link: 1 byte/ps */
}

static int64_t to_device_ps(const struct transfer_options *o, int32_t storage)
{
    return (int64_t)((double)rig.storages[storage].bytes * 1e12 / o->to_device_Bps) + o->latency_ps;
}

static int64_t span_ps(int32_t from, int32_t to)
{
    int64_t sum = 0;

    while (from < to)
        sum += rig.ps[from++];
    return sum;
}

static int32_t nforward(void)
{
    return (int32_t)rig.g.nforward;
}

static bool reads(int32_t op, int32_t storage)
{
    const struct operation *o = &rig.operations[op];
    const int32_t places[] = { o->x, o->x2, o->backward ? o->y : NO_TENSOR };

    for (size_t i = 0; i < COUNT(places); i++)
        if (places[i] != NO_TENSOR && rig.tensors[places[i]].storage == storage)
            return true;
    return false;
}

static void check_moments(const struct transfer *t)
{
    const struct storage *s = &rig.storages[t->storage];

    assert_true(s->generated && s->bytes > 0);
    assert_true(t->start > s->last_write);
    assert_true(t->start <= t->free_after && t->free_after >= s->last_forward && t->free_after < nforward());
    assert_true(t->back >= nforward() && t->back <= t->need && t->need == s->first_backward);
    for (int32_t op = t->free_after + 1; op < t->back; op++)
        assert_false(reads(op, t->storage));
    assert_true(reads(t->need, t->storage));
}

static void moments_and_limits(void **state)
{
    (void)state;
    size_t moved = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        rig_random(&rig, seed);
        for (enum schedule s = SCHEDULE_KEEP_ALL; s < SCHEDULE_KINDS; s++) {
            struct transfer_options o = random_options(seed, s);
            struct transfer_list t = planned(&o);
            int64_t bytes = 0;
            for (size_t i = 0; i < t.n; i++) {
                const struct transfer *a = &t.items[i], *b = a + 1;
                check_moments(a);
                assert_true(i + 1 == t.n || a->start < b->start || (a->start == b->start && a->storage < b->storage));
                bytes += rig.storages[a->storage].bytes;
            }
            assert_int_equal(t.offloaded_bytes, bytes);
            assert_int_equal(t.offloadable_bytes, span_ps(0, nforward()));
            assert_true((double)bytes <= o.limit * (double)rig.s.generated_bytes * (1 + 1e-9));
            assert_true(!o.limit_by_link || bytes <= t.offloadable_bytes);
            assert_true(s != SCHEDULE_KEEP_ALL || !t.n);
            moved += t.n;
            transfer_free(&t);
        }
    }
    assert_true(moved > 10 * SEEDS);
}

/* --- choice, by brute force
 * ----------------------------------------------------------------------------------------- */

struct candidate {
    struct transfer t;
    double key;
    bool done, taken;
};

/* First operation of op's convolution group, or the last one. */
static int32_t group_edge(int32_t op, int step)
{
    for (int32_t next = op + step; next >= 0 && next < 2 * nforward(); op = next, next += step)
        if ((next < nforward()) != (op < nforward()) || rig.operations[next].group != rig.operations[op].group)
            break;
    return op;
}

static size_t candidates(const struct transfer_options *o, struct candidate *c)
{
    bool groups = o->schedule == SCHEDULE_LAYER_WISE && o->granularity == GRANULARITY_GROUP;
    size_t n = 0;

    for (int32_t op = 0; op < nforward(); op++) /* as starts, so that they come in order */
        for (int32_t i = 0; i < (int32_t)rig.s.n; i++) {
            const struct storage *s = &rig.storages[i];
            int32_t own = s->last_write + 1;
            while (own < nforward() && !reads(own, i))
                own++;
            if (!s->generated || !s->bytes || own == nforward())
                continue;
            int32_t start = groups ? group_edge(own, -1) : own, last = groups ? group_edge(own, 1) : own;
            start = start > s->last_write ? start : s->last_write + 1;
            if (start != op)
                continue;
            double copy = (double)to_host_ps(o, i),
                   keys[CHOICE_KINDS] = { 0, -(double)s->bytes, -(double)span_ps(start, last + 1) / copy, 0 };
            c[n++] = (struct candidate){ .t = { .storage = i, .start = start, .need = s->first_backward },
                                         .key = keys[o->choice] };
        }
    return n;
}

static bool over_in_time(const struct transfer_options *o, const struct candidate *c, size_t n, size_t with)
{
    int64_t link = 0;

    for (size_t i = 0; i < n; i++) {
        int64_t begin = span_ps(0, c[i].t.start);
        if (c[i].taken || i == with)
            link = (link > begin ? link : begin) + to_host_ps(o, c[i].t.storage);
    }
    return link <= span_ps(0, nforward());
}

static void choose(const struct transfer_options *o, struct candidate *c, size_t n)
{
    double share = o->limit, generated = (double)rig.s.generated_bytes, link = (double)span_ps(0, nforward());
    double met = 0, moved = 0;

    if (o->limit_by_link && link < share * generated)
        share = link / generated;
    for (size_t k = 0; k < n; k++) {
        size_t best = n;
        for (size_t i = 0; i < n; i++)
            if (!c[i].done && (best == n || c[i].key < c[best].key - 1e-12))
                best = i;
        double bytes = (double)rig.storages[c[best].t.storage].bytes;
        met += bytes;
        c[best].done = true;
        if (moved + bytes > share * (o->choice == CHOICE_SPREAD ? met : generated) + 1e-6)
            continue;
        if (c[best].t.need - nforward() < o->keep_last)
            continue;
        if (o->keep_last >= 0 && o->schedule != SCHEDULE_LAYER_WISE && !over_in_time(o, c, n, best))
            continue;
        c[best].taken = true;
        moved += bytes;
    }
}

static void choices(void **state)
{
    static struct candidate c[MOST];
    size_t left_out = 0;

    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        enum schedule s = SCHEDULE_LAYER_WISE + (enum schedule)(seed % (SCHEDULE_KINDS - 1));
        rig_random(&rig, seed);
        struct transfer_options o = random_options(seed, s);
        struct transfer_list t = planned(&o);
        size_t n = candidates(&o, c), k = 0;
        choose(&o, c, n);
        for (size_t i = 0; i < n; i++) {
            left_out += !c[i].taken;
            if (!c[i].taken)
                continue;
            assert_true(k < t.n);
            assert_int_equal(t.items[k].storage, c[i].t.storage);
            assert_int_equal(t.items[k].start, c[i].t.start);
            k++;
        }
        assert_int_equal(k, t.n);
        transfer_free(&t);
    }
    assert_true(left_out > SEEDS);
}

/* --- moments, by the printed lines and by one copy after another
 * ---------------------------------------------------- */

/* Algorithm 1 line by line, in bytes, of forward or, with time reversed, of backward. 'leaves' gets operations. */
static void printed(const struct transfer_list *t, bool backward, bool clamped, int32_t *leaves)
{
    bool pending[MOST] = { 0 };
    int64_t balance = 0;
    int32_t first = backward ? 2 * nforward() - 1 : 0, last = backward ? nforward() : nforward() - 1;

    for (int32_t op = first;; op += backward ? -1 : 1) {
        bool any = false;
        for (size_t i = 0; i < t->n; i++)
            if (backward ? t->items[i].need == op + 1 || (op == last && t->items[i].need == op)
                         : t->items[i].start == op) {
                pending[i] = true;
                balance -= rig.storages[t->items[i].storage].bytes;
            }
        balance += rig.ps[op];
        for (size_t i = 0; i < t->n; i++)
            any = any || pending[i];
        if (any && (balance >= 0 || op == last)) {
            for (size_t i = 0; i < t->n; i++)
                if (pending[i])
                    leaves[i] = op, pending[i] = false;
            balance = 0;
        }
        if (clamped && !any && balance > 0)
            balance = 0;
        if (op == last)
            break;
    }
}

static void by_the_printed_lines(void **state)
{
    int32_t leaves[MOST];

    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        rig_random(&rig, seed);
        for (enum schedule s = SCHEDULE_ALGORITHM_1; s <= SCHEDULE_CLAMPED; s++) {
            struct transfer_options o = rig_options(s);
            struct transfer_list t = planned(&o);
            printed(&t, false, s == SCHEDULE_CLAMPED, leaves);
            for (size_t i = 0; i < t.n; i++) {
                int32_t last = rig.storages[t.items[i].storage].last_forward;
                assert_int_equal(t.items[i].free_after, leaves[i] > last ? leaves[i] : last);
            }
            printed(&t, true, s == SCHEDULE_CLAMPED, leaves);
            for (size_t i = 0; i < t.n; i++)
                assert_int_equal(t.items[i].back, leaves[i]);
            transfer_free(&t);
        }
    }
}

/* The latest begin of each copy back so that all are there in time: from the last needed to the first, each right
 * before the one after it. Below 0: not without waiting. Of those needed together any may be first. */
static int64_t latest_begins(const struct transfer_options *o, const struct transfer_list *t, int64_t *begins)
{
    int64_t link = INT64_MAX;

    for (int32_t op = 2 * nforward() - 1; op >= nforward(); op--)
        for (size_t i = 0; i < t->n; i++)
            if (t->items[i].need == op) {
                int64_t need = span_ps(nforward(), op);
                link = begins[i] = (link < need ? link : need) - to_device_ps(o, t->items[i].storage);
            }
    return link;
}

static void copy_by_copy(void **state)
{
    int64_t begins[MOST];

    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        rig_random(&rig, seed);
        struct transfer_options o = random_options(seed, SCHEDULE_PER_OBJECT);
        struct transfer_list t = planned(&o);
        int64_t link = 0;
        latest_begins(&o, &t, begins);
        for (size_t i = 0; i < t.n; i++) {
            const struct transfer *a = &t.items[i];
            int64_t begin = span_ps(0, a->start);
            int32_t op = a->start;
            link = (link > begin ? link : begin) + to_host_ps(&o, a->storage);
            while (op < nforward() - 1 && (span_ps(0, op + 1) < link || op < rig.storages[a->storage].last_forward))
                op++;
            assert_int_equal(a->free_after, op);
            for (op = 2 * nforward() - 1; op > nforward() && span_ps(nforward(), op) > begins[i]; op--)
                ;
            if (a->back != op && span_ps(a->back, op)) /* of operations that last no time any */
                fail_msg("seed %d: s%d is back at %d, not %d", (int)seed, a->storage, a->back, op);
        }
        transfer_free(&t);
    }
}

/* --- what a replay shows
 * -------------------------------------------------------------------------------------------- */

static void clamped_never_waits(void **state)
{
    int64_t begins[MOST];
    size_t without = 0, printed_waits = 0;

    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        rig_random(&rig, seed);
        for (enum schedule s = SCHEDULE_CLAMPED; s <= SCHEDULE_PER_OBJECT; s++) {
            struct transfer_options o = random_options(seed, s);
            struct transfer_list t = planned(&o);
            struct replayed r = rig_replay(&rig.g, &rig.s, rig.ps, &o, &t);
            assert_int_equal(r.forward_ps, 0);
            if (o.keep_last >= 0) {
                assert_int_equal(r.turn_ps, 0);
                assert_true(r.copied_ps <= span_ps(0, nforward()));
            }
            if (latest_begins(&o, &t, begins) >= 0) {
                assert_int_equal(r.backward_ps, 0);
                without += t.n > 0;
            }
            transfer_free(&t);
        }
        struct transfer_options o = rig_options(SCHEDULE_ALGORITHM_1);
        struct transfer_list t = planned(&o);
        printed_waits += rig_replay(&rig.g, &rig.s, rig.ps, &o, &t).forward_ps > 0;
        transfer_free(&t);
    }
    assert_true(without > SEEDS / 4);
    assert_true(printed_waits > SEEDS / 2);
}

/* Object by object nothing is freed later, or fetched earlier, than by the clamped balance: at no operation is more
 * alive. */
static void per_object_holds_least(void **state)
{
    static int64_t by_balance[MOST], by_object[MOST];
    size_t less = 0;

    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        rig_random(&rig, seed);
        struct transfer_options o = random_options(seed, SCHEDULE_CLAMPED);
        struct transfer_list clamped = planned(&o);
        o.schedule = SCHEDULE_PER_OBJECT;
        struct transfer_list objects = planned(&o);
        assert_int_equal(clamped.n, objects.n);
        for (size_t i = 0; i < clamped.n; i++) {
            assert_int_equal(clamped.items[i].storage, objects.items[i].storage);
            assert_true(objects.items[i].free_after <= clamped.items[i].free_after);
            assert_true(objects.items[i].back >= clamped.items[i].back);
        }
        rig_live(&rig.g, &rig.s, &clamped, by_balance);
        rig_live(&rig.g, &rig.s, &objects, by_object);
        for (int32_t op = 0; op < 2 * nforward(); op++) {
            assert_true(by_object[op] <= by_balance[op]);
            less += by_object[op] < by_balance[op];
        }
        transfer_free(&clamped);
        transfer_free(&objects);
    }
    assert_true(less > SEEDS);
}

/* vDNN: nothing outlives its operation (its group), and nothing comes back before the one in front of its own. */
static void layer_by_layer(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        rig_random(&rig, seed);
        struct transfer_options o = random_options(seed, SCHEDULE_LAYER_WISE);
        bool groups = o.granularity == GRANULARITY_GROUP;
        struct transfer_list t = planned(&o);
        for (size_t i = 0; i < t.n; i++) {
            const struct transfer *a = &t.items[i];
            const struct storage *s = &rig.storages[a->storage];
            int32_t own = s->last_write + 1, front = groups ? group_edge(a->need, -1) : a->need;
            while (!reads(own, a->storage))
                own++;
            own = groups ? group_edge(own, 1) : own;
            assert_int_equal(a->free_after, own > s->last_forward ? own : s->last_forward);
            front = front == nforward() ? front : groups ? group_edge(front - 1, -1) : front - 1;
            assert_int_equal(a->back, front);
        }
        transfer_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_and_limits),   cmocka_unit_test(choices),
        cmocka_unit_test(by_the_printed_lines), cmocka_unit_test(copy_by_copy),
        cmocka_unit_test(clamped_never_waits),  cmocka_unit_test(per_object_holds_least),
        cmocka_unit_test(layer_by_layer),
    };
    return cmocka_run_group_tests_name("transfer_random", tests, NULL, NULL);
}
