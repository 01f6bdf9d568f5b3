/* broken_copies_test.c - plans whose copies are wrong: memory shows at which operation and in which tensor. Copies
 * are made as late as the plan allows (LAZY) or as early (EAGER), so that nothing depends on time; at the end once
 * more on threads behind a slow link. */
#include <string.h>

#include "tests/executor/broken_plan.h"

/* The end of a copy comes after operation 'free_after'; what that operation writes takes the memory that is being
 * copied. One of the two is found wrong; values that are computed could hide it, so that this is refused. */
static int taken_early(struct memory_plan *plan, enum executor_content content)
{
    static struct broken_saved s;
    int found = 0;

    broken_save(plan, &s);
    for (size_t i = 0; i < plan->transfers.n; i++) {
        const struct transfer *t = &plan->transfers.items[i];
        size_t a = broken_buffer_of(&plan->device, t->storage, 0), b = 0;
        struct ran r;

        while (b < plan->device.n && (plan->device.buffers[b].lower != t->free_after || b == a ||
                                      plan->device.residents[b].storage == NO_STORAGE))
            b++;
        if (b == plan->device.n || plan->device.buffers[a].lower == t->free_after)
            continue;
        broken_stack(&plan->device, &plan->device_pool, a, b);
        if (content == EXECUTOR_REAL) {
            char name[128];

            broken_name_of(plan, t->storage, name);
            broken_expect_refusal("taken early", plan, t->free_after, name, "on the way to the host");
        } else {
            r = plans_run(plan, content, LAZY, 1);
            assert_true(r.errors > 0);
            assert_true(r.first.storage == t->storage || r.first.storage == plan->device.residents[b].storage);
            broken_check_text(plan, &r.first);
        }
        broken_restore(plan, &s);
        found++;
    }
    return found;
}

/* The wait stands before an operation that reads what is freed behind it. */
static int freed_early(struct memory_plan *plan)
{
    int found = 0;

    for (size_t i = 0; i < plan->transfers.n; i++) {
        struct transfer *t = &plan->transfers.items[i], was = *t;

        t->free_after = plan->storages.items[t->storage].last_forward - 1;
        if (t->free_after >= t->start) {
            broken_expect_error("freed early", plan, LAZY, t->free_after + 1, t->storage);
            broken_expect_error("freed early", plan, EAGER, t->free_after + 1, t->storage);
            found++;
        }
        *t = was;
    }
    return found;
}

static void memory_that_is_freed_early(void **state)
{
    int taken = 0, freed = 0;

    (void)state;
    for (size_t k = 0; k < BROKEN_SCHEDULES; k++)
        for (int64_t patches = 1; patches <= 2; patches++) {
            struct model m;
            struct memory_plan plan = broken_make(&m, broken_schedules[k], patches, k % 2);

            taken += taken_early(&plan, EXECUTOR_STAMP);
            freed += freed_early(&plan);
            broken_drop(&plan, &m);
        }
    assert_in_range(taken, 40, 100000);
    assert_in_range(freed, 5, 100000);
}

/* Does another copy that is waited for by then stand behind it in the queue? */
static bool awaited_all_the_same(const struct transfer_list *l, const struct transfer *t)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct transfer *u = &l->items[i];

        if (u != t && u->need <= t->need - 1 &&
            (u->back > t->back || (u->back == t->back && (u->need > t->need || (u->need == t->need && u > t)))))
            return true;
    }
    return false;
}

static void copies_that_come_late(void **state)
{
    int found = 0;

    (void)state;
    for (size_t k = 0; k < BROKEN_SCHEDULES; k++)
        for (int64_t patches = 1; patches <= 2; patches++) {
            struct model m;
            struct memory_plan plan = broken_make(&m, broken_schedules[k], patches, k % 2);

            for (size_t i = 0; i < plan.transfers.n; i++) {
                struct transfer *t = &plan.transfers.items[i];
                int32_t need = t->need++;

                if (!awaited_all_the_same(&plan.transfers, t)) {
                    broken_expect_error("fetched late", &plan, LAZY, need, t->storage);
                    found++;
                }
                t->need = need;
            }
            broken_drop(&plan, &m);
        }
    assert_in_range(found, 40, 100000);
}

static void copies_that_are_missing(void **state)
{
    struct model m;
    struct memory_plan plan = broken_make(&m, SCHEDULE_PER_OBJECT, 2, 1);

    (void)state;
    for (size_t i = 0; i < plan.transfers.n; i++) {
        struct transfer *t = &plan.transfers.items[i], was = *t;

        t->start = INT32_MAX; /* to the host */
        broken_expect_error("never sent", &plan, EAGER, was.need, was.storage);
        *t = was;
        t->back = INT32_MAX; /* to the device */
        broken_expect_error("never fetched", &plan, EAGER, was.need, was.storage);
        *t = was;
    }
    broken_drop(&plan, &m);
}

/* Copies that begin before the last write, or come back into memory that is still in use. */
static void copies_that_come_early(void **state)
{
    struct model m;
    struct memory_plan plan = broken_make(&m, SCHEDULE_CLAMPED, 1, 1);
    int found = 0;

    (void)state;
    for (size_t i = 0; i < plan.transfers.n; i++) {
        struct transfer *t = &plan.transfers.items[i], was = *t;

        t->start = plan.storages.items[t->storage].last_write;
        broken_expect_error("sent early", &plan, EAGER, was.need, was.storage);
        *t = was;
        for (size_t b = 0; b < plan.device.n; b++) {
            const struct buffer *f = &plan.device.buffers[b];
            static struct broken_saved s;

            /* Something that is read last right before this comes back. */
            if (f->upper != was.back || !broken_reads(&plan, was.back - 1, plan.device.residents[b].storage))
                continue;
            broken_save(&plan, &s);
            broken_stack(&plan.device, &plan.device_pool, b, broken_buffer_of(&plan.device, was.storage, 1));
            assert_int_equal(plans_run(&plan, EXECUTOR_STAMP, EAGER, 1).errors, 0);
            t->back--;
            broken_expect_error("fetched early", &plan, EAGER, was.back - 1, plan.device.residents[b].storage);
            t->back++;
            broken_restore(&plan, &s);
            found++;
            break;
        }
    }
    assert_in_range(found, 1, 1000);
    broken_drop(&plan, &m);
}

/* What an operation writes, or its workspace, while a copy to the device is on its way there: it may arrive before
 * the checksum is taken. */
static void copies_that_land_on_results(void **state)
{
    static struct broken_saved s;
    int results = 0, workspaces = 0;

    (void)state;
    for (size_t k = 0; k < BROKEN_SCHEDULES; k++) {
        struct model m;
        struct memory_plan plan = broken_make(&m, broken_schedules[k], 1, 0);

        broken_save(&plan, &s);
        for (size_t i = 0; i < plan.transfers.n; i++)
            for (size_t b = 0; b < plan.device.n; b++) {
                const struct transfer *t = &plan.transfers.items[i];
                const struct resident *r = &plan.device.residents[b];
                int64_t at = plan.device.buffers[b].lower;
                char name[128];

                if (at < t->back || at >= t->need || (r->storage == t->storage && r->part))
                    continue;
                broken_name_of(&plan, t->storage, name);
                broken_stack(&plan.device, &plan.device_pool, broken_buffer_of(&plan.device, t->storage, 1), b);
                if (r->storage == NO_STORAGE || plan.storages.items[r->storage].first == at) {
                    broken_expect_refusal("a landing copy", &plan, (int32_t)at, name, "on the way to the device");
                    *(r->storage == NO_STORAGE ? &workspaces : &results) += 1;
                }
                assert_true(plans_run(&plan, EXECUTOR_STAMP, EAGER, 1).errors +
                                plans_run(&plan, EXECUTOR_STAMP, LAZY, 1).errors >
                            0);
                broken_restore(&plan, &s);
            }
        broken_drop(&plan, &m);
    }
    assert_in_range(results, 5, 10000);
    assert_in_range(workspaces, 5, 10000);
}

/* A step that goes right leaves everything in its place: a copy that the next step forgets must be missed all the
 * same. */
static void what_the_step_before_left(void **state)
{
    static const enum moment moments[] = { MOMENT_START, MOMENT_BACK };
    struct executor_options options = { .verify = 1, .ops = "reference", .steps = 2 };
    struct model m;
    struct memory_plan plan = broken_make(&m, SCHEDULE_CLAMPED, 1, 1);
    struct step_times times;
    static struct broken_saved s;

    (void)state;
    broken_save(&plan, &s);
    for (int content = 0; content < 2; content++)
        for (size_t i = 0; i < 2 * plan.transfers.n; i++) {
            const struct transfer *t = &plan.transfers.items[i / 2];
            size_t back = broken_buffer_of(&plan.device, t->storage, 1);
            struct executor e;

            broken_stack(&plan.device, &plan.device_pool, back, back); /* where nobody writes over it */

            options.content = content ? EXECUTOR_REAL : EXECUTOR_STAMP;
            assert_int_equal(executor_open(&plan, &options, lazy_backend_open(EAGER, 1), &e), 0);
            assert_int_equal(executor_step(&e, &times), 0);
            assert_int_equal(e.errors, 0);
            for (size_t v = 0; v < e.program.nevents; v++)
                if (e.program.events[v].copy == (int32_t)(i / 2) && e.program.events[v].moment == moments[i % 2])
                    e.program.events[v].operation = -1; /* the first are skipped; the order does not matter to them */
            assert_int_equal(executor_step(&e, &times), 0);
            if (!e.errors || e.first.operation != t->need || e.first.storage != t->storage)
                fail_msg("transfer %zu, content %d: %lld errors: %s", i / 2, content, (long long)e.errors,
                         e.first.text);
            executor_close(&e);
        }
    broken_drop(&plan, &m);
}

/* Checksums find the same in computed values. */
static void computed_values_that_are_wrong(void **state)
{
    struct model m;
    struct memory_plan plan = broken_make(&m, SCHEDULE_PER_OBJECT, 2, 0);

    (void)state;
    assert_in_range(taken_early(&plan, EXECUTOR_REAL), 3, 1000);
    for (size_t i = 0; i < plan.transfers.n; i++) {
        struct transfer *t = &plan.transfers.items[i], was = *t;
        struct ran r;

        t->start = INT32_MAX;
        for (int64_t steps = 1; steps <= 2; steps++) {
            r = plans_run(&plan, EXECUTOR_REAL, LAZY, steps);
            assert_true(r.errors >= steps); /* what the step before left does not pass for this one's */
            assert_int_equal(r.first.operation, was.need);
            assert_int_equal(r.first.storage, was.storage);
            broken_check_text(&plan, &r.first);
        }
        *t = was;
    }
    broken_drop(&plan, &m);
}

/* A copy that nobody waits for comes too late, unless the thread that computes was kept from its processor for that
 * long: on a busy machine it may take more than one try. */
static void run_until_wrong(const struct memory_plan *plan, const struct executor_options *options,
                            struct executor_result *r)
{
    enum { TRIES = 20 };

    r->errors = 0;
    for (int i = 0; i < TRIES && !r->errors; i++)
        assert_int_equal(executor_run(plan, options, r), 0);
}

/* With real threads: a copy takes long, so what is not waited for has not happened. */
static void wrong_behind_a_slow_link(void **state)
{
    static struct broken_saved s;
    struct model m;
    struct memory_plan plan = broken_make(&m, SCHEDULE_PER_OBJECT, 1, 0);
    struct executor_options options = { .content = EXECUTOR_STAMP, .steps = 1, .link = { 2e6, 2e6 }, .pace = 1 };
    struct executor_result r;
    struct transfer *t = plan.transfers.items, was;
    size_t a, b = 0;

    (void)state;
    assert_int_equal(executor_run(&plan, &options, &r), 0);
    assert_int_equal(r.errors, 0);
    assert_string_equal(r.backend, "threads");
    assert_true(r.step_ns >= (int64_t)(1e9 * (double)r.to_host_bytes / options.link.to_host_Bps));
    while (t->back + 2 > t->need) /* so late that a faster link would have been in time */
        t++;
    assert_true(t < plan.transfers.items + plan.transfers.n);
    was = *t;
    t->need = INT32_MAX;
    run_until_wrong(&plan, &options, &r);
    assert_int_equal(r.first.operation, was.need);
    assert_int_equal(r.first.storage, was.storage);
    *t = was;
    broken_save(&plan, &s);
    a = broken_buffer_of(&plan.device, t->storage, 0);
    while (plan.device.buffers[b].lower != t->free_after || plan.device.residents[b].storage == NO_STORAGE)
        b++;
    broken_stack(&plan.device, &plan.device_pool, a, b);
    run_until_wrong(&plan, &options, &r);
    assert_true(r.errors > 0);
    assert_true(r.first.storage == was.storage || r.first.storage == plan.device.residents[b].storage);
    broken_restore(&plan, &s);
    broken_drop(&plan, &m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_is_freed_early),     cmocka_unit_test(copies_that_come_late),
        cmocka_unit_test(copies_that_are_missing),        cmocka_unit_test(copies_that_come_early),
        cmocka_unit_test(copies_that_land_on_results),    cmocka_unit_test(what_the_step_before_left),
        cmocka_unit_test(computed_values_that_are_wrong), cmocka_unit_test(wrong_behind_a_slow_link),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
