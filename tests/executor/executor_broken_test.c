/* Plans that are wrong on purpose: memory tells, and says at which operation and of which tensor. Copies are made as
 * late as the plan allows (LAZY) or as early (EAGER), so that nothing depends on time; at the end once more on
 * threads behind a slow link. */
#include <string.h>

#include "tests/draw.h"
#include "tests/executor/plans.h"
#include "tests/test.h"

static struct memory_plan make(struct model *m, enum schedule schedule, int64_t patches, bool residual)
{
    struct variation v = { .patches = patches,
                           .generated = GENERATED_STORED,
                           .in_place = 1,
                           .share_sums = 1,
                           .schedule = schedule,
                           .limit = 1,
                           .keep_last = -1,
                           .workspace_factor = 1 };
    struct memory_plan plan;

    *m = residual ? plans_residual() : plans_plain();
    assert_true(plans_make(m, &v, 2, &plan));
    assert_true(plan.transfers.n > 3 || schedule == SCHEDULE_KEEP_ALL);
    return plan;
}

static void drop(struct memory_plan *plan, struct model *m)
{
    memory_plan_free(plan);
    model_free(m);
}

static bool meet(const struct buffer *a, const struct buffer *b)
{
    return a->lower < b->upper && b->lower < a->upper && a->offset < b->offset + b->bytes &&
           b->offset < a->offset + a->bytes;
}

static bool valid(const struct lifetimes *l)
{
    for (size_t i = 0; i < l->n; i++)
        for (size_t j = 0; j < i; j++)
            if (meet(&l->buffers[i], &l->buffers[j]))
                return false;
    return true;
}

static size_t buffer_of(const struct lifetimes *l, int32_t storage, int32_t part)
{
    size_t i = 0;

    while (l->residents[i].storage != storage || l->residents[i].part != part)
        i++;
    return i;
}

/* Both at the top of the pool, where nothing else is. */
static void stack(struct lifetimes *l, struct placement *pool, size_t a, size_t b)
{
    int64_t top = (pool->height + 255) / 256 * 256;
    int64_t more = l->buffers[a].bytes > l->buffers[b].bytes ? l->buffers[a].bytes : l->buffers[b].bytes;

    l->buffers[a].offset = l->buffers[b].offset = top;
    pool->height = top + more;
}

/* What a test may change, to be put back. */
struct saved {
    int64_t offsets[4096], homes[1024], height, home_height;
};

static void save(const struct memory_plan *plan, struct saved *s)
{
    assert_true(plan->device.n <= COUNT(s->offsets) && plan->host.n <= COUNT(s->homes));
    for (size_t i = 0; i < plan->device.n; i++)
        s->offsets[i] = plan->device.buffers[i].offset;
    for (size_t i = 0; i < plan->host.n; i++)
        s->homes[i] = plan->host.buffers[i].offset;
    s->height = plan->device_pool.height;
    s->home_height = plan->host_pool.height;
}

static void restore(struct memory_plan *plan, const struct saved *s)
{
    for (size_t i = 0; i < plan->device.n; i++)
        plan->device.buffers[i].offset = s->offsets[i];
    for (size_t i = 0; i < plan->host.n; i++)
        plan->host.buffers[i].offset = s->homes[i];
    plan->device_pool.height = s->height;
    plan->host_pool.height = s->home_height;
}

/* The text names the operation and the layer whose tensor it is. */
static void check_text(const struct memory_plan *plan, const struct executor_error *f)
{
    const struct tensor *t = plan->graph.tensors;
    char name[96];
    bool named = false;

    graph_operation_name(&plan->graph, &plan->split, f->operation, name, sizeof(name));
    if (strncmp(f->text, name, strlen(name)))
        fail_msg("'%s' does not begin with '%s'", f->text, name);
    for (size_t i = 0; i < plan->graph.ntensors && !named; i++)
        named = t[i].storage == f->storage &&
                (t[i].role == TENSOR_INPUT || strstr(f->text, plan->model->layers[t[i].layer].name));
    if (!named)
        fail_msg("'%s' does not name storage %d", f->text, f->storage);
}

static void expect_fault(const char *what, const struct memory_plan *plan, enum lazy_mode mode, int32_t operation,
                         int32_t storage)
{
    struct ran r = plans_run(plan, EXECUTOR_STAMP, mode, 1);

    if (!r.errors || r.first.operation != operation || r.first.storage != storage)
        fail_msg("%s: %lld errors, expected operation %d, storage %d, got %d, %d: %s", what, (long long)r.errors,
                 operation, storage, r.first.operation, r.first.storage, r.first.text);
    assert_true(r.first.at_byte >= 0 && r.first.at_byte % 256 == 0);
    check_text(plan, &r.first);
}

static const enum schedule schedules[] = { SCHEDULE_LAYER_WISE, SCHEDULE_ALGORITHM_1, SCHEDULE_CLAMPED,
                                           SCHEDULE_PER_OBJECT };

/* Refused before it runs: the text names the operation and both of what meets. */
static void expect_refusal(const char *what, const struct memory_plan *plan, int32_t operation, const char *first,
                           const char *second)
{
    char why[512] = "runs", name[96];

    graph_operation_name(&plan->graph, &plan->split, operation, name, sizeof(name));
    if (plans_apart(plan, why) || strncmp(why, name, strlen(name)) || !strstr(why, first) || !strstr(why, second))
        fail_msg("%s: expected %s, '%s' and '%s', got: %s", what, name, first, second, why);
}

static void name_of(const struct memory_plan *plan, int32_t storage, char text[128])
{
    program_tensor_name(plan, plan->storages.items[storage].tensor, text, 128);
}

/* The end of a copy comes after operation 'free_after'; what that operation writes takes the memory that is being
 * copied. One of the two is found wrong; values that are computed could hide it, so that this is refused. */
static int taken_early(struct memory_plan *plan, enum executor_content content)
{
    static struct saved s;
    int found = 0;

    save(plan, &s);
    for (size_t i = 0; i < plan->transfers.n; i++) {
        const struct transfer *t = &plan->transfers.items[i];
        size_t a = buffer_of(&plan->device, t->storage, 0), b = 0;
        struct ran r;

        while (b < plan->device.n && (plan->device.buffers[b].lower != t->free_after || b == a ||
                                      plan->device.residents[b].storage == NO_STORAGE))
            b++;
        if (b == plan->device.n || plan->device.buffers[a].lower == t->free_after)
            continue;
        stack(&plan->device, &plan->device_pool, a, b);
        if (content == EXECUTOR_REAL) {
            char name[128];

            name_of(plan, t->storage, name);
            expect_refusal("taken early", plan, t->free_after, name, "on the way to the host");
        } else {
            r = plans_run(plan, content, LAZY, 1);
            assert_true(r.errors > 0);
            assert_true(r.first.storage == t->storage || r.first.storage == plan->device.residents[b].storage);
            check_text(plan, &r.first);
        }
        restore(plan, &s);
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
            expect_fault("freed early", plan, LAZY, t->free_after + 1, t->storage);
            expect_fault("freed early", plan, EAGER, t->free_after + 1, t->storage);
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
    for (size_t k = 0; k < COUNT(schedules); k++)
        for (int64_t patches = 1; patches <= 2; patches++) {
            struct model m;
            struct memory_plan plan = make(&m, schedules[k], patches, k % 2);

            taken += taken_early(&plan, EXECUTOR_STAMP);
            freed += freed_early(&plan);
            drop(&plan, &m);
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
    for (size_t k = 0; k < COUNT(schedules); k++)
        for (int64_t patches = 1; patches <= 2; patches++) {
            struct model m;
            struct memory_plan plan = make(&m, schedules[k], patches, k % 2);

            for (size_t i = 0; i < plan.transfers.n; i++) {
                struct transfer *t = &plan.transfers.items[i];
                int32_t need = t->need++;

                if (!awaited_all_the_same(&plan.transfers, t)) {
                    expect_fault("fetched late", &plan, LAZY, need, t->storage);
                    found++;
                }
                t->need = need;
            }
            drop(&plan, &m);
        }
    assert_in_range(found, 40, 100000);
}

static void copies_that_are_missing(void **state)
{
    struct model m;
    struct memory_plan plan = make(&m, SCHEDULE_PER_OBJECT, 2, 1);

    (void)state;
    for (size_t i = 0; i < plan.transfers.n; i++) {
        struct transfer *t = &plan.transfers.items[i], was = *t;

        t->start = INT32_MAX; /* to the host */
        expect_fault("never sent", &plan, EAGER, was.need, was.storage);
        *t = was;
        t->back = INT32_MAX; /* to the device */
        expect_fault("never fetched", &plan, EAGER, was.need, was.storage);
        *t = was;
    }
    drop(&plan, &m);
}

static bool reads(const struct memory_plan *plan, int32_t operation, int32_t storage)
{
    int32_t tensors[OPERATION_PLACES];

    for (int i = operation_reads(&plan->graph.operations[operation], tensors); i-- > 0;)
        if (plan->graph.tensors[tensors[i]].storage == storage)
            return true;
    return false;
}

/* Copies that begin before the last write, or come back into memory that is still in use. */
static void copies_that_come_early(void **state)
{
    struct model m;
    struct memory_plan plan = make(&m, SCHEDULE_CLAMPED, 1, 1);
    int found = 0;

    (void)state;
    for (size_t i = 0; i < plan.transfers.n; i++) {
        struct transfer *t = &plan.transfers.items[i], was = *t;

        t->start = plan.storages.items[t->storage].last_write;
        expect_fault("sent early", &plan, EAGER, was.need, was.storage);
        *t = was;
        for (size_t b = 0; b < plan.device.n; b++) {
            const struct buffer *f = &plan.device.buffers[b];
            static struct saved s;

            /* Something that is read last right before this comes back. */
            if (f->upper != was.back || !reads(&plan, was.back - 1, plan.device.residents[b].storage))
                continue;
            save(&plan, &s);
            stack(&plan.device, &plan.device_pool, b, buffer_of(&plan.device, was.storage, 1));
            assert_int_equal(plans_run(&plan, EXECUTOR_STAMP, EAGER, 1).errors, 0);
            t->back--;
            expect_fault("fetched early", &plan, EAGER, was.back - 1, plan.device.residents[b].storage);
            t->back++;
            restore(&plan, &s);
            found++;
            break;
        }
    }
    assert_in_range(found, 1, 1000);
    drop(&plan, &m);
}

/* Buffers moved about at random: there are faults exactly if two overlap that are alive at one time. */
static void buffers_that_overlap(void **state)
{
    static struct saved s;
    struct model m;
    struct memory_plan plan = make(&m, SCHEDULE_PER_OBJECT, 1, 1);
    uint64_t seed = 3;
    int broken = 0, fine = 0;

    (void)state;
    save(&plan, &s);
    for (int i = 0; i < 200; i++) {
        size_t a = draw(&seed) % plan.device.n, b = draw(&seed) % plan.device.n;
        struct ran lazy, eager;
        bool right;

        if (i % 2)
            stack(&plan.device, &plan.device_pool, a, b);
        else if (plan.device.buffers[a].offset + 256 + plan.device.buffers[a].bytes <= plan.device_pool.height)
            plan.device.buffers[a].offset += 256;
        right = valid(&plan.device);
        lazy = plans_run(&plan, EXECUTOR_STAMP, LAZY, 1);
        eager = plans_run(&plan, EXECUTOR_STAMP, EAGER, 1);
        if ((lazy.errors + eager.errors > 0) == right)
            fail_msg("case %d: buffers %zu and %zu: %lld and %lld errors, plan %s", i, a, b, (long long)lazy.errors,
                     (long long)eager.errors, right ? "right" : "wrong");
        if (!right)
            check_text(&plan, lazy.errors ? &lazy.first : &eager.first);
        *(right ? &fine : &broken) += 1;
        restore(&plan, &s);
    }
    assert_true(broken > 50 && fine > 50);
    drop(&plan, &m);
}

/* A tensor's third granule is taken: that is where it is found wrong. */
static void the_first_wrong_byte(void **state)
{
    static struct saved s;
    struct model m;
    struct memory_plan plan = make(&m, SCHEDULE_KEEP_ALL, 1, 1);
    int found = 0;

    (void)state;
    save(&plan, &s);
    for (size_t a = 0; a < plan.device.n; a++)
        for (size_t b = 0; b < plan.device.n; b++) {
            const struct buffer *x = &plan.device.buffers[a], *y = &plan.device.buffers[b];
            struct ran r;

            if (plan.device.residents[a].storage == NO_STORAGE || plan.device.residents[b].storage == NO_STORAGE ||
                y->lower != x->upper - 1 || y->lower == x->lower || x->bytes <= 1024)
                continue;
            /* The operation that reads x last writes y. */
            stack(&plan.device, &plan.device_pool, a, b);
            plan.device.buffers[b].offset += 512;
            plan.device_pool.height += 512;
            r = plans_run(&plan, EXECUTOR_STAMP, EAGER, 1);
            if (reads(&plan, (int32_t)y->lower, plan.device.residents[a].storage)) {
                assert_int_equal(r.first.operation, y->lower);
                assert_int_equal(r.first.storage, plan.device.residents[a].storage);
                assert_int_equal(r.first.at_byte, 512);
                assert_non_null(strstr(r.first.text, "at byte 512: expected the stamp by "));
                assert_non_null(strstr(r.first.text, ", granule 0)"));
                assert_int_equal(plans_run(&plan, EXECUTOR_REAL, EAGER, 1).first.storage, r.first.storage);
                found++;
            }
            restore(&plan, &s);
        }
    assert_in_range(found, 5, 1000);
    drop(&plan, &m);
}

/* Computed: what checksums would not see is refused, the rest they find. (Of workspaces see below: the reference uses
 * none.) */
static void computed_buffers_that_overlap(void **state)
{
    static struct saved s;
    uint64_t seed = 5;
    int broken = 0, refused = 0;
    char why[512];

    (void)state;
    for (int net = 0; net < 2; net++) {
        struct model m;
        struct memory_plan plan = make(&m, SCHEDULE_CLAMPED, 2, net);

        save(&plan, &s);
        for (int i = 0; i < 60; i++) {
            size_t a = draw(&seed) % plan.device.n, b = draw(&seed) % plan.device.n;
            struct ran lazy, eager;
            bool right;

            if (plan.device.residents[a].storage == NO_STORAGE || plan.device.residents[b].storage == NO_STORAGE)
                continue;
            stack(&plan.device, &plan.device_pool, a, b);
            right = valid(&plan.device);
            if (!plans_apart(&plan, why)) {
                assert_false(right);
                refused++;
                restore(&plan, &s);
                continue;
            }
            lazy = plans_run(&plan, EXECUTOR_REAL, LAZY, 1);
            eager = plans_run(&plan, EXECUTOR_REAL, EAGER, 1);
            if ((lazy.errors + eager.errors > 0) == right)
                fail_msg("case %d: buffers %zu and %zu: %lld and %lld errors, plan %s", i, a, b, (long long)lazy.errors,
                         (long long)eager.errors, right ? "right" : "wrong");
            broken += !right;
            restore(&plan, &s);
        }
        drop(&plan, &m);
    }
    assert_in_range(broken, 3, 1000);
    assert_in_range(refused, 1, 1000);
}

/* A workspace over what its own operation writes or reads: the results are wrong when their checksum is taken. Stamps
 * see it. */
static void workspaces_in_the_way(void **state)
{
    static struct saved s;
    struct model m;
    struct memory_plan plan = make(&m, SCHEDULE_KEEP_ALL, 2, 0);
    int found = 0;

    (void)state;
    save(&plan, &s);
    for (size_t w = 0; w < plan.device.n; w++) {
        int32_t tensors[OPERATION_PLACES], operation = plan.device.residents[w].operation;
        const struct operation *o;

        if (plan.device.residents[w].storage != NO_STORAGE)
            continue;
        o = &plan.graph.operations[operation];
        for (int writes = 0; writes < 2; writes++)
            for (int i = writes ? operation_writes(o, tensors) : operation_reads(o, tensors); i-- > 0;) {
                size_t b = buffer_of(&plan.device, plan.graph.tensors[tensors[i]].storage, 0);
                char name[128];

                stack(&plan.device, &plan.device_pool, w, b);
                program_tensor_name(&plan, tensors[i], name, sizeof(name));
                expect_refusal("a workspace", &plan, operation, "its workspace lies over", name);
                assert_true(plans_run(&plan, EXECUTOR_STAMP, EAGER, 1).errors > 0);
                restore(&plan, &s);
                found++;
            }
    }
    assert_in_range(found, 20, 1000);
    drop(&plan, &m);
}

/* The two errors that the operation before a sum writes, one over the other. */
static void results_in_each_others_way(void **state)
{
    static struct saved s;
    struct model m;
    struct variation v = { .patches = 1, .limit = 1 };
    struct memory_plan plan;
    int found = 0;

    (void)state;
    m = plans_residual();
    assert_true(plans_make(&m, &v, 2, &plan));
    save(&plan, &s);
    for (size_t i = 0; i < plan.graph.noperations; i++) {
        const struct operation *o = &plan.graph.operations[i];
        int32_t tensors[OPERATION_PLACES];
        char first[128], second[128];

        if (operation_writes(o, tensors) < 2)
            continue;
        stack(&plan.device, &plan.device_pool, buffer_of(&plan.device, plan.graph.tensors[tensors[0]].storage, 0),
              buffer_of(&plan.device, plan.graph.tensors[tensors[1]].storage, 0));
        program_tensor_name(&plan, tensors[0], first, sizeof(first));
        program_tensor_name(&plan, tensors[1], second, sizeof(second));
        expect_refusal("two results", &plan, (int32_t)i, first, second);
        assert_true(plans_run(&plan, EXECUTOR_STAMP, EAGER, 1).errors > 0);
        restore(&plan, &s);
        found++;
    }
    assert_in_range(found, 2, 100);
    memory_plan_free(&plan);
    model_free(&m);
}

/* What an operation writes, or its workspace, while a copy to the device is on its way there: it may arrive before
 * the checksum is taken. */
static void copies_that_land_on_results(void **state)
{
    static struct saved s;
    int results = 0, workspaces = 0;

    (void)state;
    for (size_t k = 0; k < COUNT(schedules); k++) {
        struct model m;
        struct memory_plan plan = make(&m, schedules[k], 1, 0);

        save(&plan, &s);
        for (size_t i = 0; i < plan.transfers.n; i++)
            for (size_t b = 0; b < plan.device.n; b++) {
                const struct transfer *t = &plan.transfers.items[i];
                const struct resident *r = &plan.device.residents[b];
                int64_t at = plan.device.buffers[b].lower;
                char name[128];

                if (at < t->back || at >= t->need || (r->storage == t->storage && r->part))
                    continue;
                name_of(&plan, t->storage, name);
                stack(&plan.device, &plan.device_pool, buffer_of(&plan.device, t->storage, 1), b);
                if (r->storage == NO_STORAGE || plan.storages.items[r->storage].first == at) {
                    expect_refusal("a landing copy", &plan, (int32_t)at, name, "on the way to the device");
                    *(r->storage == NO_STORAGE ? &workspaces : &results) += 1;
                }
                assert_true(plans_run(&plan, EXECUTOR_STAMP, EAGER, 1).errors +
                                plans_run(&plan, EXECUTOR_STAMP, LAZY, 1).errors >
                            0);
                restore(&plan, &s);
            }
        drop(&plan, &m);
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
    struct memory_plan plan = make(&m, SCHEDULE_CLAMPED, 1, 1);
    struct step_times times;
    static struct saved s;

    (void)state;
    save(&plan, &s);
    for (int content = 0; content < 2; content++)
        for (size_t i = 0; i < 2 * plan.transfers.n; i++) {
            const struct transfer *t = &plan.transfers.items[i / 2];
            size_t back = buffer_of(&plan.device, t->storage, 1);
            struct executor e;

            stack(&plan.device, &plan.device_pool, back, back); /* where nobody writes over it */

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
    drop(&plan, &m);
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
    static struct saved s;
    int replaced = 0, added = 0;

    (void)state;
    for (int net = 0; net < 2; net++) {
        struct model m;
        struct memory_plan plan = make(&m, SCHEDULE_KEEP_ALL, 2, net);
        struct program p;

        assert_int_equal(program_make(&plan, &p), 0);
        save(&plan, &s);
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
            stack(&plan.device, &plan.device_pool, buffer_of(&plan.device, at->storage, 0), b);
            r = plans_run(&plan, EXECUTOR_REAL, EAGER, 1);
            assert_in_range(r.first.operation, 0, i);
            assert_true(r.first.storage == at->storage || r.first.storage == plan.device.residents[b].storage);
            if (r.first.storage == at->storage && r.first.operation == (int32_t)i)
                *(at->adds ? &added : &replaced) += 1;
            restore(&plan, &s);
        }
        program_free(&p);
        drop(&plan, &m);
    }
    assert_in_range(replaced, 1, 1000);
    assert_in_range(added, 1, 1000);
}

static void homes_that_overlap(void **state)
{
    static struct saved s;
    struct model m;
    struct memory_plan plan = make(&m, SCHEDULE_CLAMPED, 2, 0);
    int broken = 0;

    (void)state;
    save(&plan, &s);
    for (size_t a = 0; a < plan.host.n; a++)
        for (size_t b = 0; b < a; b++) {
            struct ran r;
            int32_t storage;

            plan.host.buffers[a].offset = plan.host.buffers[b].offset;
            if (plan.host.buffers[a].offset + plan.host.buffers[a].bytes > plan.host_pool.height)
                plan.host_pool.height = plan.host.buffers[a].offset + plan.host.buffers[a].bytes;
            r = plans_run(&plan, EXECUTOR_STAMP, (a + b) % 2 ? LAZY : EAGER, 1);
            assert_int_equal(r.errors > 0, !valid(&plan.host));
            if (r.errors) {
                check_text(&plan, &r.first);
                storage = r.first.storage;
                assert_true(strstr(r.first.text, "storage"));
                assert_int_equal(plan.device.residents[buffer_of(&plan.device, storage, 1)].part, 1);
                broken++;
            }
            restore(&plan, &s);
        }
    assert_in_range(broken, 5, 10000);
    drop(&plan, &m);
}

/* Two tensors in one storage, the first of which is still to be read. */
static void storages_that_are_shared_too_early(void **state)
{
    struct model m;
    struct memory_plan plan = make(&m, SCHEDULE_KEEP_ALL, 1, 1);
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
            check_text(&plan, &r.first);
            found++;
        }
        g->tensors[o->y].storage = was;
    }
    assert_in_range(found, 3, 100);
    drop(&plan, &m);
}

/* Checksums find the same in computed values. */
static void computed_values_that_are_wrong(void **state)
{
    struct model m;
    struct memory_plan plan = make(&m, SCHEDULE_PER_OBJECT, 2, 0);

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
            check_text(&plan, &r.first);
        }
        *t = was;
    }
    drop(&plan, &m);
}

/* With real threads: a copy takes long, so what is not waited for has not happened. */
static void wrong_behind_a_slow_link(void **state)
{
    static struct saved s;
    struct model m;
    struct memory_plan plan = make(&m, SCHEDULE_PER_OBJECT, 1, 0);
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
    assert_int_equal(executor_run(&plan, &options, &r), 0);
    assert_int_equal(r.first.operation, was.need);
    assert_int_equal(r.first.storage, was.storage);
    *t = was;
    save(&plan, &s);
    a = buffer_of(&plan.device, t->storage, 0);
    while (plan.device.buffers[b].lower != t->free_after || plan.device.residents[b].storage == NO_STORAGE)
        b++;
    stack(&plan.device, &plan.device_pool, a, b);
    assert_int_equal(executor_run(&plan, &options, &r), 0);
    assert_true(r.errors > 0);
    assert_true(r.first.storage == was.storage || r.first.storage == plan.device.residents[b].storage);
    restore(&plan, &s);
    drop(&plan, &m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_is_freed_early),
        cmocka_unit_test(copies_that_come_late),
        cmocka_unit_test(copies_that_are_missing),
        cmocka_unit_test(copies_that_come_early),
        cmocka_unit_test(buffers_that_overlap),
        cmocka_unit_test(the_first_wrong_byte),
        cmocka_unit_test(computed_buffers_that_overlap),
        cmocka_unit_test(workspaces_in_the_way),
        cmocka_unit_test(results_in_each_others_way),
        cmocka_unit_test(copies_that_land_on_results),
        cmocka_unit_test(what_the_step_before_left),
        cmocka_unit_test(looks_before_writing),
        cmocka_unit_test(homes_that_overlap),
        cmocka_unit_test(storages_that_are_shared_too_early),
        cmocka_unit_test(computed_values_that_are_wrong),
        cmocka_unit_test(wrong_behind_a_slow_link),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
