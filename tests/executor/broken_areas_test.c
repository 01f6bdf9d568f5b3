/* broken_areas_test.c - plans whose tensors, workspaces or homes overlap: what memory shows, and what is refused
 * because checksums could not show it. */
#include <string.h>

#include "tests/draw.h"
#include "tests/executor/broken_plan.h"

/* Buffers moved at random: there are errors exactly if two overlap that are alive at one time. */
static void buffers_that_overlap(void **state)
{
    static struct broken_saved s;
    struct model m;
    struct memory_plan plan = broken_make(&m, SCHEDULE_PER_OBJECT, 1, 1);
    uint64_t seed = 3;
    int broken = 0, fine = 0;

    (void)state;
    broken_save(&plan, &s);
    for (int i = 0; i < 200; i++) {
        size_t a = draw(&seed) % plan.device.n, b = draw(&seed) % plan.device.n;
        struct ran lazy, eager;
        bool right;

        if (i % 2)
            broken_stack(&plan.device, &plan.device_pool, a, b);
        else if (plan.device.buffers[a].offset + 256 + plan.device.buffers[a].bytes <= plan.device_pool.height)
            plan.device.buffers[a].offset += 256;
        right = broken_valid(&plan.device);
        lazy = plans_run(&plan, EXECUTOR_STAMP, LAZY, 1);
        eager = plans_run(&plan, EXECUTOR_STAMP, EAGER, 1);
        if ((lazy.errors + eager.errors > 0) == right)
            fail_msg("case %d: buffers %zu and %zu: %lld and %lld errors, plan %s", i, a, b, (long long)lazy.errors,
                     (long long)eager.errors, right ? "right" : "wrong");
        if (!right)
            broken_check_text(&plan, lazy.errors ? &lazy.first : &eager.first);
        *(right ? &fine : &broken) += 1;
        broken_restore(&plan, &s);
    }
    assert_true(broken > 50 && fine > 50);
    broken_drop(&plan, &m);
}

/* A tensor's third granule is taken: that is where it is found wrong. */
static void the_first_wrong_byte(void **state)
{
    static struct broken_saved s;
    struct model m;
    struct memory_plan plan = broken_make(&m, SCHEDULE_KEEP_ALL, 1, 1);
    int found = 0;

    (void)state;
    broken_save(&plan, &s);
    for (size_t a = 0; a < plan.device.n; a++)
        for (size_t b = 0; b < plan.device.n; b++) {
            const struct buffer *x = &plan.device.buffers[a], *y = &plan.device.buffers[b];
            struct ran r;

            if (plan.device.residents[a].storage == NO_STORAGE || plan.device.residents[b].storage == NO_STORAGE ||
                y->lower != x->upper - 1 || y->lower == x->lower || x->bytes <= 1024)
                continue;
            /* The operation that reads x last writes y. */
            broken_stack(&plan.device, &plan.device_pool, a, b);
            plan.device.buffers[b].offset += 512;
            plan.device_pool.height += 512;
            r = plans_run(&plan, EXECUTOR_STAMP, EAGER, 1);
            if (broken_reads(&plan, (int32_t)y->lower, plan.device.residents[a].storage)) {
                assert_int_equal(r.first.operation, y->lower);
                assert_int_equal(r.first.storage, plan.device.residents[a].storage);
                assert_int_equal(r.first.at_byte, 512);
                assert_non_null(strstr(r.first.text, "at byte 512: expected the stamp by "));
                assert_non_null(strstr(r.first.text, ", granule 0)"));
                assert_int_equal(plans_run(&plan, EXECUTOR_REAL, EAGER, 1).first.storage, r.first.storage);
                found++;
            }
            broken_restore(&plan, &s);
        }
    assert_in_range(found, 5, 1000);
    broken_drop(&plan, &m);
}

/* Computed: what checksums would not see is refused, the rest they find. (Of workspaces see below: the reference uses
 * none.) */
static void computed_buffers_that_overlap(void **state)
{
    static struct broken_saved s;
    uint64_t seed = 5;
    int broken = 0, refused = 0;
    char why[512];

    (void)state;
    for (int net = 0; net < 2; net++) {
        struct model m;
        struct memory_plan plan = broken_make(&m, SCHEDULE_CLAMPED, 2, net);

        broken_save(&plan, &s);
        for (int i = 0; i < 60; i++) {
            size_t a = draw(&seed) % plan.device.n, b = draw(&seed) % plan.device.n;
            struct ran lazy, eager;
            bool right;

            if (plan.device.residents[a].storage == NO_STORAGE || plan.device.residents[b].storage == NO_STORAGE)
                continue;
            broken_stack(&plan.device, &plan.device_pool, a, b);
            right = broken_valid(&plan.device);
            if (!plans_apart(&plan, why)) {
                assert_false(right);
                refused++;
                broken_restore(&plan, &s);
                continue;
            }
            lazy = plans_run(&plan, EXECUTOR_REAL, LAZY, 1);
            eager = plans_run(&plan, EXECUTOR_REAL, EAGER, 1);
            if ((lazy.errors + eager.errors > 0) == right)
                fail_msg("case %d: buffers %zu and %zu: %lld and %lld errors, plan %s", i, a, b, (long long)lazy.errors,
                         (long long)eager.errors, right ? "right" : "wrong");
            broken += !right;
            broken_restore(&plan, &s);
        }
        broken_drop(&plan, &m);
    }
    assert_in_range(broken, 3, 1000);
    assert_in_range(refused, 1, 1000);
}

/* A workspace over what its own operation writes or reads: the results are wrong when their checksum is taken. Stamps
 * see it. */
static void workspaces_in_the_way(void **state)
{
    static struct broken_saved s;
    struct model m;
    struct memory_plan plan = broken_make(&m, SCHEDULE_KEEP_ALL, 2, 0);
    int found = 0;

    (void)state;
    broken_save(&plan, &s);
    for (size_t w = 0; w < plan.device.n; w++) {
        int32_t tensors[OPERATION_PLACES], operation = plan.device.residents[w].operation;
        const struct operation *o;

        if (plan.device.residents[w].storage != NO_STORAGE)
            continue;
        o = &plan.graph.operations[operation];
        for (int writes = 0; writes < 2; writes++)
            for (int i = writes ? operation_writes(o, tensors) : operation_reads(o, tensors); i-- > 0;) {
                size_t b = broken_buffer_of(&plan.device, plan.graph.tensors[tensors[i]].storage, 0);
                char name[128];

                broken_stack(&plan.device, &plan.device_pool, w, b);
                program_tensor_name(&plan, tensors[i], name, sizeof(name));
                broken_expect_refusal("a workspace", &plan, operation, "its workspace lies over", name);
                assert_true(plans_run(&plan, EXECUTOR_STAMP, EAGER, 1).errors > 0);
                broken_restore(&plan, &s);
                found++;
            }
    }
    assert_in_range(found, 20, 1000);
    broken_drop(&plan, &m);
}

/* The two errors that the operation before a sum writes, one over the other. */
static void results_in_each_others_way(void **state)
{
    static struct broken_saved s;
    struct model m;
    struct variation v = { .patches = 1, .limit = 1 };
    struct memory_plan plan;
    int found = 0;

    (void)state;
    m = plans_residual();
    assert_true(plans_make(&m, &v, 2, &plan));
    broken_save(&plan, &s);
    for (size_t i = 0; i < plan.graph.noperations; i++) {
        const struct operation *o = &plan.graph.operations[i];
        int32_t tensors[OPERATION_PLACES];
        char first[128], second[128];

        if (operation_writes(o, tensors) < 2)
            continue;
        broken_stack(&plan.device, &plan.device_pool,
                     broken_buffer_of(&plan.device, plan.graph.tensors[tensors[0]].storage, 0),
                     broken_buffer_of(&plan.device, plan.graph.tensors[tensors[1]].storage, 0));
        program_tensor_name(&plan, tensors[0], first, sizeof(first));
        program_tensor_name(&plan, tensors[1], second, sizeof(second));
        broken_expect_refusal("two results", &plan, (int32_t)i, first, second);
        assert_true(plans_run(&plan, EXECUTOR_STAMP, EAGER, 1).errors > 0);
        broken_restore(&plan, &s);
        found++;
    }
    assert_in_range(found, 2, 100);
    memory_plan_free(&plan);
    model_free(&m);
}

/* A buffer that is born after operation 'from' and is gone by operation 'to'. */
static size_t between(const struct memory_plan *plan, int64_t from, int64_t to)
{
    for (size_t b = 0; b < plan->device.n; b++)
        if (plan->device.residents[b].storage != NO_STORAGE && plan->device.buffers[b].lower > from &&
            plan->device.buffers[b].upper <= to)
            return b;
    return plan->device.n;
}

/* What somebody wrote over is replaced by the operation that reads it, or gets a part added: only a look before that
 * finds it. */
static void looks_before_writing(void **state)
{
    static struct broken_saved s;
    int replaced = 0, added = 0;

    (void)state;
    for (int net = 0; net < 2; net++) {
        struct model m;
        struct memory_plan plan = broken_make(&m, SCHEDULE_KEEP_ALL, 2, net);
        struct program p;

        assert_int_equal(program_make(&plan, &p), 0);
        broken_save(&plan, &s);
        for (size_t i = 0; i < p.noperations; i++) {
            const struct program_operation *o = &p.operations[i];
            const struct place *at = NULL;
            size_t b;
            struct ran r;

            for (int k = 0; k < o->nreads; k++)
                at = o->reads[k].replaced ? &o->reads[k] : at;
            for (int k = 0; k < o->nwrites; k++)
                at = o->writes[k].adds ? &o->writes[k] : at;
            b = at ? between(&plan, at->adds ? plan.graph.tensors[at->tensor].producer : p.values[at->value].writer,
                             (int64_t)i)
                   : plan.device.n;
            if (b == plan.device.n)
                continue;
            broken_stack(&plan.device, &plan.device_pool, broken_buffer_of(&plan.device, at->storage, 0), b);
            r = plans_run(&plan, EXECUTOR_REAL, EAGER, 1);
            assert_in_range(r.first.operation, 0, i);
            assert_true(r.first.storage == at->storage || r.first.storage == plan.device.residents[b].storage);
            if (r.first.storage == at->storage && r.first.operation == (int32_t)i)
                *(at->adds ? &added : &replaced) += 1;
            broken_restore(&plan, &s);
        }
        program_free(&p);
        broken_drop(&plan, &m);
    }
    assert_in_range(replaced, 1, 1000);
    assert_in_range(added, 1, 1000);
}

static void homes_that_overlap(void **state)
{
    static struct broken_saved s;
    struct model m;
    struct memory_plan plan = broken_make(&m, SCHEDULE_CLAMPED, 2, 0);
    int broken = 0;

    (void)state;
    broken_save(&plan, &s);
    for (size_t a = 0; a < plan.host.n; a++)
        for (size_t b = 0; b < a; b++) {
            struct ran r;
            int32_t storage;

            plan.host.buffers[a].offset = plan.host.buffers[b].offset;
            if (plan.host.buffers[a].offset + plan.host.buffers[a].bytes > plan.host_pool.height)
                plan.host_pool.height = plan.host.buffers[a].offset + plan.host.buffers[a].bytes;
            r = plans_run(&plan, EXECUTOR_STAMP, (a + b) % 2 ? LAZY : EAGER, 1);
            assert_int_equal(r.errors > 0, !broken_valid(&plan.host));
            if (r.errors) {
                broken_check_text(&plan, &r.first);
                storage = r.first.storage;
                assert_true(strstr(r.first.text, "storage"));
                assert_int_equal(plan.device.residents[broken_buffer_of(&plan.device, storage, 1)].part, 1);
                broken++;
            }
            broken_restore(&plan, &s);
        }
    assert_in_range(broken, 5, 10000);
    broken_drop(&plan, &m);
}

/* Two tensors in one storage, the first of which is still to be read. */
static void storages_that_are_shared_too_early(void **state)
{
    struct model m;
    struct memory_plan plan = broken_make(&m, SCHEDULE_KEEP_ALL, 1, 1);
    struct graph *g = &plan.graph;
    int found = 0;

    (void)state;
    for (size_t i = 0; i < g->nforward; i++) {
        struct operation *o = &g->operations[i];
        int32_t was;

        if (o->kind != OPERATION_LAYER || m.layers[o->layer].kind != LAYER_BATCHNORM)
            continue;
        was = g->tensors[o->y].storage; /* the norm's input is needed in backward */
        g->tensors[o->y].storage = g->tensors[o->x].storage;
        {
            struct ran r = plans_run(&plan, EXECUTOR_STAMP, EAGER, 1);

            assert_true(r.errors > 0);
            broken_check_text(&plan, &r.first);
            found++;
        }
        g->tensors[o->y].storage = was;
    }
    assert_in_range(found, 3, 100);
    broken_drop(&plan, &m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_that_overlap),
        cmocka_unit_test(the_first_wrong_byte),
        cmocka_unit_test(computed_buffers_that_overlap),
        cmocka_unit_test(workspaces_in_the_way),
        cmocka_unit_test(results_in_each_others_way),
        cmocka_unit_test(looks_before_writing),
        cmocka_unit_test(homes_that_overlap),
        cmocka_unit_test(storages_that_are_shared_too_early),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
