/* executor_refusal_test.c - what cannot be run is refused, with the reason, before anything runs. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/executor/stamp_lane.h"
#include "harness/status.h"
#include "tests/executor/plans.h"
#include "tests/test.h"
#include "train/draw.h"

/* What the program says on stderr meanwhile. */
static char said[4096];
static int kept = -1;

static void listen(void)
{
    FILE *f = tmpfile();

    assert_non_null(f);
    fflush(stderr);
    kept = dup(2);
    assert_true(kept >= 0 && dup2(fileno(f), 2) == 2);
    fclose(f);
}

static const char *heard(void)
{
    ssize_t n;

    fflush(stderr);
    n = pread(2, said, sizeof(said) - 1, 0);
    said[n > 0 ? n : 0] = 0;
    dup2(kept, 2);
    close(kept);
    return said;
}

static void expect(const char *what, const struct memory_plan *plan, const struct executor_options *options, int rc,
                   const char *why)
{
    struct executor_result r;
    int got;
    const char *text;

    listen();
    got = executor_run(plan, options, &r);
    text = heard();
    if (got != rc || !strstr(text, why))
        fail_msg("%s: expected %d, '%s'; got %d, '%s'", what, rc, why, got, text);
}

static const struct variation usual = {
    .patches = 2, .in_place = 1, .schedule = SCHEDULE_PER_OBJECT, .limit = 1, .keep_last = -1
};

static void options_and_plans(void **state)
{
    struct model m = plans_plain();
    struct memory_plan plan;
    struct executor_options stamp = { .content = EXECUTOR_STAMP, .steps = 1 }, o;
    struct executor_options real = { .content = EXECUTOR_REAL, .ops = "reference", .steps = 1 };
    struct executor_result r;
    int64_t was;

    (void)state;
    assert_true(plans_make(&m, &usual, 2, &plan));
    o = stamp, o.steps = 0;
    expect("no steps", &plan, &o, NW_EINPUT, "one step or more");
    o = stamp, o.link.to_device_Bps = -1;
    expect("a negative rate", &plan, &o, NW_EINPUT, "below 0");
    o = stamp, o.pace = -1;
    expect("a negative pace", &plan, &o, NW_EINPUT, "below 0");
    o = stamp, o.pool_bytes = plan.device_pool.height - 1;
    expect("a small pool", &plan, &o, NW_EINPUT, "pool of");
    o.pool_bytes++;
    assert_int_equal(executor_run(&plan, &o, &r), NW_OK);
    assert_int_equal(r.pool_bytes, plan.device_pool.height);
    o = real, o.pool_bytes = plan.device_pool.height; /* the parameters need some, too */
    expect("a pool without parameters", &plan, &o, NW_EINPUT, "pool of");
    o = real, o.ops = "abacus";
    expect("unknown operations", &plan, &o, NW_EENV, "abacus");

    plan.options.alignment = 64;
    expect("an alignment", &plan, &stamp, NW_EINPUT, "granules of 256 bytes");
    plan.options.alignment = 256;
    was = plan.device.buffers[1].offset;
    plan.device.buffers[1].offset += 4;
    expect("an offset", &plan, &stamp, NW_EINPUT, "granules of 256 bytes");
    plan.device.buffers[1].offset = plan.device_pool.height;
    expect("an offset past the end", &plan, &stamp, NW_EINPUT, "past the device's pool");
    plan.device.buffers[1].offset = -256;
    expect("a negative offset", &plan, &real, NW_EINPUT, "past the device's pool");
    plan.device.buffers[1].offset = was;
    was = plan.host.buffers[0].offset;
    plan.host.buffers[0].offset = plan.host_pool.height;
    expect("a home past the end", &plan, &stamp, NW_EINPUT, "past the host's pool");
    plan.host.buffers[0].offset = was;
    was = (int64_t)plan.host.n;
    plan.host.n--;
    expect("no home", &plan, &stamp, NW_EINPUT, "lacks one of its three places");
    plan.host.n = (size_t)was;
    was = (int64_t)plan.device.n;
    plan.device.n = 0;
    expect("no buffers", &plan, &stamp, NW_EINPUT, "no place in the pool");
    plan.device.n = (size_t)was;
    assert_int_equal(executor_run(&plan, &stamp, &r), NW_OK);
    memory_plan_free(&plan);
    model_free(&m);
}

/* Of transformers and recommenders. */
static struct layer_spec pair[] = { { .kind = LAYER_CONV, .channels = 4, .kernel = 3 },
                                    { .kind = LAYER_CONV, .channels = 4, .kernel = 3 } };
static struct layer_spec gelu[] = { { .kind = LAYER_CONV, .channels = 4, .kernel = 3 },
                                    { .kind = LAYER_GELU },
                                    { .kind = LAYER_CLASSIFIER },
                                    { .kind = LAYER_SOFTMAX } };
static struct layer_spec product[] = { { .kind = LAYER_PRODUCT, .layers = pair, .nlayers = 2 },
                                       { .kind = LAYER_CLASSIFIER },
                                       { .kind = LAYER_SOFTMAX } };
static struct layer_spec patches[] = { { .kind = LAYER_CONV, .channels = 4, .kernel = 3 },
                                       { .kind = LAYER_SEQUENCE },
                                       { .kind = LAYER_PREPEND },
                                       { .kind = LAYER_RMSNORM },
                                       { .kind = LAYER_SILU },
                                       { .kind = LAYER_FIRST },
                                       { .kind = LAYER_CLASSIFIER },
                                       { .kind = LAYER_SOFTMAX } };
static struct layer_spec sum[] = { { .kind = LAYER_CONV, .channels = 4, .kernel = 3 },
                                   { .kind = LAYER_SUM },
                                   { .kind = LAYER_CLASSIFIER },
                                   { .kind = LAYER_SOFTMAX } };

static void networks(void **state)
{
    struct layer_spec endless[] = { { .kind = LAYER_CONV, .channels = 4, .kernel = 3, .pad = 1 },
                                    { .kind = LAYER_RELU } };
    struct layer_spec two[] = { { .kind = LAYER_CONV, .channels = 4, .kernel = 3 },
                                { .kind = LAYER_SOFTMAX },
                                { .kind = LAYER_CLASSIFIER },
                                { .kind = LAYER_SOFTMAX } };
    struct layer_spec flat[] = { { .kind = LAYER_CONV, .channels = 4, .kernel = 3 },
                                 { .kind = LAYER_AVGPOOL },
                                 { .kind = LAYER_CLASSIFIER },
                                 { .kind = LAYER_SOFTMAX } };
    struct layer_spec clicks[] = { { .kind = LAYER_FC, .units = 1 }, { .kind = LAYER_SIGMOID } };
    struct layer_spec branches[] = { { .kind = LAYER_CONCAT, .layers = pair, .nlayers = 2 },
                                     { .kind = LAYER_CLASSIFIER },
                                     { .kind = LAYER_SOFTMAX } };
    struct layer_spec rows[] = { { .kind = LAYER_FC, .units = 4 },
                                 { .kind = LAYER_EMBEDDING, .tables = 2, .rows = 6, .dim = 4 },
                                 { .kind = LAYER_INTERACTION, .dim = 4 },
                                 { .kind = LAYER_CLASSIFIER },
                                 { .kind = LAYER_SOFTMAX } };
    struct layer_spec words[] = { { .kind = LAYER_TOKENS, .rows = 5, .dim = 4, .positions = 3 },
                                  { .kind = LAYER_ATTENTION, .bias = 1, .heads = 2 },
                                  { .kind = LAYER_LAYERNORM },
                                  { .kind = LAYER_LINEAR, .units = 5 },
                                  { .kind = LAYER_SOFTMAX } };
    struct layer_spec oblong[] = { { .kind = LAYER_CONV, .channels = 4, .kernel = 3, .kernel_width = 1 },
                                   { .kind = LAYER_CLASSIFIER },
                                   { .kind = LAYER_SOFTMAX } };
    struct layer_spec line[] = { { .kind = LAYER_CONV, .channels = 4, .kernel = 8 }, { .kind = LAYER_SOFTMAX } };
    const struct {
        const char *what;
        struct layer_spec *layers;
        size_t n;
        const char *why;
        bool no_input;
    } cases[] = {
        { "no softmax", endless, 2, "after all other layers", 0 },
        { "two of them", two, 4, "after all other layers", 0 },
        { "a plane that is not square", flat, 4, "expected a square plane, got 6 x 9", 0 },
        { "a sigmoid", clicks, 2, "after all other layers", 0 },
        { "branches", branches, 3, "concat1 cannot be computed: concat has no operation", 0 },
        { "tables", rows, 5, "embedding1 cannot be computed: embedding has no operation", 0 },
        { "a window that is not square", oblong, 3, "conv1 cannot be computed: expected a square window, got 3 x 1",
          0 },
        { "GELU", gelu, 4, "gelu1 cannot be computed: gelu has no operation", 0 },
        { "a product", product, 3, "product1 cannot be computed: product has no operation", 0 },
        { "an image's sequence", patches, 8, "sequence1 cannot be computed: sequence has no operation", 0 },
        { "one sum", sum, 4, "sum1 cannot be computed: sum has no operation", 0 },
        { "words", words, 5, "tokens1 cannot be computed: tokens has no operation", 1 },
        { "a softmax at each position", line, 2, "softmax1 cannot be computed: a softmax at each position", 0 },
    };
    struct executor_options real = { .content = EXECUTOR_REAL, .ops = "reference", .steps = 1 };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        bool input = !cases[i].no_input;
        struct model_spec spec = { .name = cases[i].what,
                                   .channels = input ? 3 : 0,
                                   .height = input ? 8 : 0,
                                   .width = input ? 11 : 0,
                                   .classes = 5,
                                   .layers = cases[i].layers,
                                   .nlayers = cases[i].n };
        struct variation v = { .patches = 1, .limit = 1 };
        struct memory_plan plan;
        struct model m;
        char why[200];

        assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), 0);
        assert_true(plans_make(&m, &v, 2, &plan));
        assert_int_equal(plans_run(&plan, EXECUTOR_STAMP, EAGER, 1).errors, 0); /* stamps do not compute */
        expect(cases[i].what, &plan, &real, NW_EINPUT, cases[i].why);
        memory_plan_free(&plan);
        model_free(&m);
    }
}

/* A backend computes no product in place. */
static void in_place(void **state)
{
    struct model m = plans_plain();
    struct executor_options real = { .content = EXECUTOR_REAL, .ops = "reference", .steps = 1 };
    struct memory_plan plan;

    (void)state;
    assert_true(plans_make(&m, &usual, 2, &plan));
    for (size_t i = 0; i < plan.graph.nforward; i++) {
        const struct operation *o = &plan.graph.operations[i];

        if (o->kind == OPERATION_LAYER && m.layers[o->layer].kind == LAYER_CONV && o->layer == 2 && o->patch == 0)
            plan.graph.tensors[o->y].storage = plan.graph.tensors[o->x].storage;
    }
    expect("a convolution in place", &plan, &real, NW_EINPUT, "conv2 [0,0] cannot be computed: its result");
    memory_plan_free(&plan);
    model_free(&m);
}

/* Of a plan whose alignment is less than a number's. */
static void a_place_that_is_none_for_numbers(void **state)
{
    struct variation v = { .patches = 1, .limit = 1, .workspace_factor = 1 };
    struct model m = plans_plain();
    struct memory_plan plan;
    int tensors = 0, workspaces = 0;

    (void)state;
    assert_true(plans_make(&m, &v, 2, &plan));
    plan.device_pool.height += 4;
    for (size_t i = 0; i < plan.device.n; i++)
        for (int off = 1; off < 4; off++) {
            struct executor_options real = { .content = EXECUTOR_REAL, .ops = "reference", .steps = 1 };
            bool workspace = plan.device.residents[i].storage == NO_STORAGE;
            char why[128];

            plan.device.buffers[i].offset += off;
            snprintf(why, sizeof(why), "%s at byte %lld of the pool, expected a multiple of 4 (alignment)",
                     workspace ? "its workspace" : "", (long long)plan.device.buffers[i].offset);
            expect("a place", &plan, &real, NW_EINPUT, why);
            plan.device.buffers[i].offset -= off;
            *(workspace ? &workspaces : &tensors) += 1;
        }
    assert_true(tensors > 20 && workspaces > 10);
    memory_plan_free(&plan);
    model_free(&m);
}

/* Its checksum would be taken of what the workspace left. Whatever the backend, and with checksums or without. */
static void a_workspace_over_a_result(void **state)
{
    struct variation v = { .patches = 1, .limit = 1, .workspace_factor = 8 };
    struct model m = plans_plain();
    struct memory_plan plan;
    size_t w = 0, y = 0;

    (void)state;
    assert_true(plans_make(&m, &v, 2, &plan));
    while (plan.device.residents[w].storage != NO_STORAGE)
        w++;
    while (plan.device.residents[y].storage !=
           plan.graph.tensors[plan.graph.operations[plan.device.residents[w].operation].y].storage)
        y++;
    plan.device.buffers[y].offset = plan.device.buffers[w].offset;
    for (size_t i = 0; ops_backends[i]; i++)
        for (int verify = 0; verify < 2; verify++) {
            struct executor_options real = {
                .content = EXECUTOR_REAL, .ops = ops_backends[i]->name, .verify = verify, .steps = 1
            };

            if (!ops_backends[i]->on_device && ops_backends[i]->usable())
                expect("a workspace", &plan, &real, NW_EINPUT,
                       "conv1 cannot be computed: its workspace lies over the output of conv1 that it writes");
        }
    memory_plan_free(&plan);
    model_free(&m);
}

static void a_shortcut_off_its_corner(void **state)
{
    struct variation v = { .patches = 2, .depth = 1, .limit = 1 };
    struct executor_options real = { .content = EXECUTOR_REAL, .ops = "reference", .steps = 1 };
    struct model m = plans_residual();
    struct memory_plan plan;
    size_t l = 0;

    (void)state;
    assert_true(plans_make(&m, &v, 2, &plan));
    while (m.layers[l].kind != LAYER_ADD || m.layers[l].stride < 2)
        l++;
    assert_true(l < plan.split.nlayers);
    plan.split.width.second[l * (size_t)plan.split.width.n + 1].pad_begin = -1;
    expect("a shortcut", &plan, &real, NW_EINPUT, "[0,1] cannot be computed: its shortcut does not begin");
    memory_plan_free(&plan);
    model_free(&m);
}

/* A clock of a device that fails at one mark. */
static size_t failing;

static int64_t at_ns_but_one(const struct clock *c, size_t mark)
{
    return mark == failing ? -1 : clock_host.at_ns(c, mark);
}

static void clocks_that_fail(void **state)
{
    struct clock_ops clock = clock_host;
    struct model m = plans_plain();
    struct memory_plan plan;
    int64_t *operation_ns;
    int failed[2] = { 0 };

    (void)state;
    clock.at_ns = at_ns_but_one;
    assert_true(plans_make(&m, &usual, 2, &plan));
    operation_ns = test_calloc(plan.graph.noperations, sizeof(*operation_ns));
    for (int each = 0; each < 2; each++)
        for (failing = 1; failing <= 2 * plan.graph.noperations; failing++) { /* one more than operations have */
            struct executor_options o = { .content = EXECUTOR_STAMP,
                                          .steps = 1,
                                          .operation_ns = each ? operation_ns : NULL };
            struct step_times times;
            struct executor e;
            const char *text;
            int rc;

            assert_int_equal(executor_open(&plan, &o, lazy_backend_open(EAGER, 1), &e), NW_OK);
            e.clock_ops = &clock;
            listen();
            rc = executor_step(&e, &times);
            text = heard();
            if (rc ? rc != NW_EENV || !strstr(text, "when an operation began or ended") : *text)
                fail_msg("mark %zu: %d, '%s'", failing, rc, text);
            failed[each] += rc != NW_OK;
            executor_close(&e);
        }
    assert_in_range(failed[0], 10, 2 * plan.graph.noperations - 1); /* waits and ends */
    assert_in_range(failed[1], 2 * plan.graph.noperations - 1, 2 * plan.graph.noperations);
    test_free(operation_ns);
    memory_plan_free(&plan);
    model_free(&m);
}

/* Fields do not run into each other. */
static void stamps(void **state)
{
    const int64_t storage = (1 << STAMP_STORAGE_BITS) - 1, version = (1 << STAMP_VERSION_BITS) - 2;

    (void)state;
    for (int64_t step = 0; step < 130; step++) {
        uint64_t word = stamp_first(step, version, storage) + ((1u << STAMP_POSITION_BITS) - 1);

        assert_int_equal(stamp_field(word, 0, STAMP_POSITION_BITS), (1 << STAMP_POSITION_BITS) - 1);
        assert_int_equal(stamp_field(word, STAMP_STORAGE_AT, STAMP_STORAGE_BITS), storage);
        assert_int_equal(stamp_field(word, STAMP_VERSION_AT, STAMP_VERSION_BITS), version);
        assert_int_equal(stamp_field(word, STAMP_STEP_AT, STAMP_STEP_BITS), step % 64);
    }
}

/* Each layer, patch and step draws for itself. */
static void seeds_of_dropout(void **state)
{
    enum { LAYERS = 4, PATCHES = 5, STEPS = 6, SEEDS = 2, ALL = LAYERS * PATCHES * STEPS * SEEDS };
    uint64_t seen[ALL];

    (void)state;
    for (int i = 0; i < ALL; i++) {
        seen[i] = draw_seed((uint64_t)(i % SEEDS) << 40, i / SEEDS % LAYERS, i / SEEDS / LAYERS % PATCHES - 1,
                            i / SEEDS / LAYERS / PATCHES);
        for (int j = 0; j < i; j++)
            assert_true(seen[i] != seen[j]);
    }
}

struct heard_progress {
    int64_t calls, step, ends;
    size_t last, n;
};

static void hear(void *context, int64_t step, size_t operation, size_t n, bool last)
{
    struct heard_progress *h = context;

    assert_true(operation < n && step >= h->step);
    assert_true(step > h->step || operation >= h->last);
    assert_int_equal(h->ends, step); /* each step before this one has ended, once */
    assert_true(!last || operation + 1 == n);
    *h = (struct heard_progress){ h->calls + 1, step, h->ends + last, operation, n };
}

/* A slow run tells how far it is, and every step that it is over. */
static void progress(void **state)
{
    struct model m = plans_plain();
    struct heard_progress h = { 0 };
    struct executor_options o = {
        .content = EXECUTOR_STAMP, .steps = 2, .pace = 30, .progress = hear, .context = &h, .link = { 1e9, 1e9 }
    };
    struct executor_result r;
    struct memory_plan plan;
    int64_t planned_ns;

    (void)state;
    assert_true(plans_make(&m, &usual, 2, &plan));
    /* The last operation is reported more than once while it runs. */
    plan.operation_ps[plan.graph.noperations - 1] += 10000000000;
    planned_ns = (plan.forward_ps + plan.backward_ps) / 1000 + 10000000;
    assert_int_equal(executor_run(&plan, &o, &r), NW_OK);
    assert_int_equal(h.step, 1);
    assert_int_equal(h.ends, 2);
    assert_int_equal(h.last + 1, h.n);
    assert_int_equal(h.n, plan.graph.noperations);
    assert_true(h.calls >= 2 + 30 * planned_ns / 200000000); /* ten a second are meant */
    assert_true(r.step_ns >= 30 * planned_ns);               /* an operation lasts at least that */
    assert_int_equal(r.forward_ns + r.backward_ns, r.step_ns);
    memory_plan_free(&plan);
    model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_and_plans),
        cmocka_unit_test(networks),
        cmocka_unit_test(in_place),
        cmocka_unit_test(a_place_that_is_none_for_numbers),
        cmocka_unit_test(a_workspace_over_a_result),
        cmocka_unit_test(a_shortcut_off_its_corner),
        cmocka_unit_test(stamps),
        cmocka_unit_test(progress),
        cmocka_unit_test(seeds_of_dropout),
        cmocka_unit_test(clocks_that_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
