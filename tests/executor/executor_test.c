/* executor_test.c - plans of small networks run for real: whatever was planned, every use finds what was written for
 * it, and the gradients are the same bits. */
#include <string.h>
#include <unistd.h>

#include "harness/status.h"
#include "tests/executor/plans.h"
#include "tests/test.h"

static struct model (*const nets[])(void) = { plans_plain, plans_residual };

/* Every variation, at every order that the queues allow: copies as late as can be, as early as can be, anyhow. */
static void right_contents(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT(nets); n++) {
        struct model m = nets[n]();

        for (size_t i = n; i < plans_variations(); i += 11) {
            struct variation v = plans_variation(i);
            struct memory_plan plan;
            struct ran r;

            v.patches = 1 + (int64_t)(i / 2 % 3);
            v.workspace_factor = (int64_t)(i % 2);
            if (!plans_make(&m, &v, 1 + (int64_t)(i % 3), &plan))
                continue;
            r = plans_run(&plan, EXECUTOR_STAMP, (enum lazy_mode)(i % NMODES), 2);
            if (r.errors)
                fail_msg("%s, %s: %lld errors: %s", m.name, plans_name(&v), (long long)r.errors, r.first.text);
            assert_int_equal(r.to_host_bytes, plans_moved_bytes(&plan));
            assert_int_equal(r.peak_bytes, plan.device_pool.height);
            memory_plan_free(&plan);
        }
        model_free(&m);
    }
}

static uint32_t bits(float x)
{
    uint32_t word;

    memcpy(&word, &x, sizeof(word));
    return word;
}

/* The last step's: dropout draws a new mask in each. */
static void same_gradients(const struct model *m, int64_t patches, int64_t steps, size_t every)
{
    struct variation plainest = { .patches = patches, .limit = 1 };
    struct memory_plan plan;
    struct ran expected, r;

    assert_true(plans_make(m, &plainest, 2, &plan));
    assert_true(patches == 1 || plan.split.nlayers > 0);
    expected = plans_run(&plan, EXECUTOR_REAL, EAGER, steps);
    assert_int_equal(expected.errors, 0);
    assert_true(expected.loss > 0.5f && expected.loss < 50); /* ln 10 or so */
    memory_plan_free(&plan);
    for (size_t i = 0; i < plans_variations(); i += every) {
        struct variation v = plans_variation(i);

        v.patches = patches;
        if (!plans_make(m, &v, 2, &plan))
            continue;
        r = plans_run(&plan, EXECUTOR_REAL, (enum lazy_mode)(i / every % NMODES), steps);
        if (r.errors)
            fail_msg("%s, %s: %lld errors: %s", m->name, plans_name(&v), (long long)r.errors, r.first.text);
        if (r.gradients != expected.gradients || bits(r.loss) != bits(expected.loss))
            fail_msg("%s, %s: other gradients (loss %g, expected %g)", m->name, plans_name(&v), (double)r.loss,
                     (double)expected.loss);
        memory_plan_free(&plan);
    }
}

static void same_gradients_of_every_plan(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT(nets); n++) {
        struct model m = nets[n]();

        same_gradients(&m, 1, 2, 31);
        same_gradients(&m, 2, 1, 37);
        model_free(&m);
    }
}

static struct executor_result run_with(const struct ops_backend *ops, const struct memory_plan *plan)
{
    struct executor_options options = {
        .content = EXECUTOR_REAL, .ops = ops->name, .verify = 1, .seed = 7, .steps = 2, .link = { 100e6, 100e6 }
    };
    struct executor_result r;

    assert_int_equal(executor_run(plan, &options, &r), NW_OK);
    if (r.errors)
        fail_msg("%s: %lld errors: %s", ops->name, (long long)r.errors, r.first.text);
    assert_string_equal(r.ops, ops->name);
    return r;
}

/* On threads, with workspaces; the loss is that of the reference, but for rounding. */
static void same_gradients_with_any_operations(void **state)
{
    struct variation keep = { .patches = 2, .limit = 1, .workspace_factor = 1 };
    struct variation move = { .patches = 2,
                              .in_place = 1,
                              .share_sums = 1,
                              .recompute_norm = 1,
                              .schedule = SCHEDULE_CLAMPED,
                              .placement = PLACEMENT_GREEDY_SIZE,
                              .limit = 1,
                              .workspace_factor = 1 };

    (void)state;
    for (size_t n = 0; n < COUNT(nets); n++) {
        struct model m = nets[n]();
        struct memory_plan kept, moved;
        double loss;

        assert_true(plans_make(&m, &keep, 3, &kept) && plans_make(&m, &move, 3, &moved));
        loss = run_with(&ops_reference, &kept).loss;
        for (size_t i = 0; ops_backends[i]; i++) {
            struct executor_result a, b;

            if (ops_backends[i]->on_device || !ops_backends[i]->usable())
                continue;
            a = run_with(ops_backends[i], &kept);
            assert_int_equal(a.backend_bytes > 0, ops_backends[i] != &ops_reference);
            b = run_with(ops_backends[i], &moved);
            assert_true(a.gradients == b.gradients && a.loss == b.loss);
            assert_true(a.loss - loss < 1e-4 && loss - a.loss < 1e-4);
            assert_int_equal(b.to_host_bytes, moved.transfers.offloaded_bytes);
            assert_int_equal(b.to_device_bytes, moved.transfers.offloaded_bytes);
            assert_true(b.to_host_bytes > 0 && b.pool_bytes < a.pool_bytes && b.peak_bytes < a.peak_bytes);
        }
        memory_plan_free(&kept);
        memory_plan_free(&moved);
        model_free(&m);
    }
}

/* What operations hold outside the plan's memory is reported, and is not more than was estimated: few channels and
 * large windows, many channels and small images, a wide product. */
static void memory_beside_the_plan(void **state)
{
    struct layer_spec image[] = { { .kind = LAYER_CONV, .channels = 24, .kernel = 7, .stride = 2, .pad = 3 },
                                  { .kind = LAYER_CONV, .channels = 40, .kernel = 5, .pad = 2 },
                                  { .kind = LAYER_AVGPOOL },
                                  { .kind = LAYER_CLASSIFIER },
                                  { .kind = LAYER_SOFTMAX } };
    struct layer_spec deep[] = { { .kind = LAYER_CONV, .channels = 256, .kernel = 1 },
                                 { .kind = LAYER_CONV, .channels = 256, .kernel = 1 },
                                 { .kind = LAYER_FC, .units = 200 },
                                 { .kind = LAYER_CLASSIFIER },
                                 { .kind = LAYER_SOFTMAX } };
    const struct model_spec specs[] = {
        { .name = "image", .channels = 1, .height = 96, .width = 96, .classes = 4, .layers = image, .nlayers = 5 },
        { .name = "deep", .channels = 5, .height = 12, .width = 12, .classes = 4, .layers = deep, .nlayers = 5 },
    };
    struct variation v = { .patches = 1, .limit = 1 };

    (void)state;
    for (size_t k = 0; k < COUNT(specs); k++)
        for (size_t i = 0; ops_backends[i]; i++) {
            struct executor_options options = { .content = EXECUTOR_REAL, .ops = ops_backends[i]->name, .steps = 1 };
            struct executor_result r;
            struct memory_plan plan;
            struct model m;
            char why[200];

            if (ops_backends[i]->on_device || !ops_backends[i]->usable() || ops_backends[i] == &ops_reference)
                continue; /* the reference holds nothing, and takes its time */
            assert_int_equal(model_infer(&specs[k], &m, why, sizeof(why)), 0);
            assert_true(plans_make(&m, &v, 24, &plan));
            assert_int_equal(executor_run(&plan, &options, &r), NW_OK);
            assert_true(r.backend_bytes > 100000);
            if ((double)r.backend_bytes > executor_backend_bytes(&plan, (double)sysconf(_SC_NPROCESSORS_ONLN)))
                fail_msg("%s, %s: %lld bytes outside the plan", specs[k].name, r.ops, (long long)r.backend_bytes);
            assert_int_equal(r.peak_bytes, -1); /* nothing is checked, nothing was filled */
            memory_plan_free(&plan);
            model_free(&m);
        }
}

/* Steps are alike but for dropout. */
static void steps_draw_anew(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT(nets); n++) {
        struct variation v = { .patches = 1, .limit = 1 };
        struct model m = nets[n]();
        struct memory_plan plan;

        assert_true(plans_make(&m, &v, 2, &plan));
        assert_int_equal(plans_run(&plan, EXECUTOR_REAL, EAGER, 1).gradients ==
                             plans_run(&plan, EXECUTOR_REAL, EAGER, 2).gradients,
                         nets[n] == plans_residual);
        memory_plan_free(&plan);
        model_free(&m);
    }
}

/* The images' own norm has gradients, but no error to put out; whole and in patches. */
static void begins_with_a_norm(void **state)
{
    struct layer_spec list[] = { { .kind = LAYER_BATCHNORM },
                                 { .kind = LAYER_CONV, .channels = 6, .kernel = 3, .pad = 1 },
                                 { .kind = LAYER_RELU },
                                 { .kind = LAYER_CLASSIFIER },
                                 { .kind = LAYER_SOFTMAX } };
    struct model_spec spec = {
        .name = "normed", .channels = 3, .height = 8, .width = 8, .classes = 4, .layers = list, .nlayers = COUNT(list)
    };
    struct model m;
    char why[200];

    (void)state;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), 0);
    for (int64_t patches = 1; patches <= 2; patches++) {
        struct variation v = { .patches = patches, .limit = 1 };
        struct executor_options options = { .content = EXECUTOR_REAL, .ops = "reference", .verify = 1, .steps = 1 };
        struct memory_plan plan;
        struct step_times times;
        struct executor e;

        assert_true(plans_make(&m, &v, 2, &plan));
        assert_int_equal(executor_open(&plan, &options, NULL, &e), NW_OK);
        assert_int_equal(executor_step(&e, &times), NW_OK);
        assert_int_equal(e.errors, 0);
        for (int i = 0; i < 6; i++) /* scales and shifts of three channels */
            assert_true(bits(e.gradients[i]) && e.gradients[i] > -1e3f && e.gradients[i] < 1e3f);
        executor_close(&e);
        memory_plan_free(&plan);
    }
    same_gradients(&m, 1, 1, 61);
    model_free(&m);
}

/* Patches of unlike sizes: what is computed depends on the cut alone, not on what is moved when. */
static void a_stochastic_split(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT(nets); n++) {
        struct variation v = { .patches = 2, .wiggle = 0.2, .limit = 1 }, even = { .patches = 2, .limit = 1 };
        struct model m = nets[n]();
        struct memory_plan plan, other;
        struct ran kept, moved;

        assert_true(plans_make(&m, &v, 2, &plan) && plans_make(&m, &even, 2, &other));
        kept = plans_run(&plan, EXECUTOR_REAL, EAGER, 1);
        assert_true(kept.gradients != plans_run(&other, EXECUTOR_REAL, EAGER, 1).gradients);
        memory_plan_free(&plan);
        memory_plan_free(&other);
        v = (struct variation){ .patches = 2,
                                .wiggle = 0.2,
                                .limit = 1,
                                .schedule = SCHEDULE_PER_OBJECT,
                                .in_place = 1,
                                .share_sums = 1,
                                .keep_last = -1,
                                .placement = PLACEMENT_EXACT };
        assert_true(plans_make(&m, &v, 2, &plan));
        assert_int_equal(plans_run(&plan, EXECUTOR_STAMP, LAZY, 2).errors, 0);
        moved = plans_run(&plan, EXECUTOR_REAL, LAZY, 1);
        assert_int_equal(kept.errors + moved.errors, 0);
        assert_true(kept.gradients == moved.gradients && moved.to_host_bytes > 0);
        memory_plan_free(&plan);
        model_free(&m);
    }
}

/* A network that ends where its patches are joined: the error comes from outside, and each patch takes its part. */
static void ends_with_its_patches(void **state)
{
    struct layer_spec list[] = { { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1 } };
    struct model_spec spec = {
        .name = "short", .channels = 3, .height = 16, .width = 16, .classes = 10, .layers = list, .nlayers = 1
    };
    struct variation v = { .patches = 2, .limit = 1 };
    struct memory_plan plan;
    struct model m;
    char why[200];

    (void)state;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), 0);
    assert_true(plans_make(&m, &v, 4, &plan));
    assert_int_equal(plan.split.nlayers, 1);
    assert_int_equal(plans_run(&plan, EXECUTOR_STAMP, EAGER, 2).errors, 0);
    memory_plan_free(&plan);
    model_free(&m);
}

/* One step on images that are zero around every cut. */
static void blank_run(struct executor *e, const struct memory_plan *plan, const struct split_net *cuts)
{
    struct executor_options options = { .content = EXECUTOR_REAL, .ops = "reference", .seed = 9, .steps = 1 };
    struct shape in = plan->model->input;
    struct step_times times;

    assert_int_equal(executor_open(plan, &options, NULL, e), NW_OK);
    for (int64_t i = 0; i < plan->batch * in.channels * in.height * in.width; i++)
        for (int axis = 0; axis < 2; axis++) {
            const struct split_axis *a = axis ? &cuts->width : &cuts->height;
            int64_t at = axis ? i % in.width : i / in.width % in.height;

            for (int64_t k = 1; k < a->n; k++)
                if (at >= a->parts[k].in_start - 3 && at < a->parts[k].in_start + 3)
                    ((float *)(void *)e->images)[i] = 0;
        }
    assert_int_equal(executor_step(e, &times), NW_OK);
}

/* What a split replaces by zeros is zero anyway: then the split network is the unsplit one. The window strides, the
 * padding is not the same on both sides, rows and columns are not as many. */
static void a_split_that_changes_nothing(void **state)
{
    struct layer_spec list[] = {
        { .kind = LAYER_CONV, .channels = 5, .kernel = 3, .stride = 2, .pad = 1, .bias = 1 },
        { .kind = LAYER_CLASSIFIER, .bias = 1 },
        { .kind = LAYER_SOFTMAX },
    };
    struct model_spec spec = {
        .name = "blank", .channels = 3, .height = 24, .width = 34, .classes = 6, .layers = list, .nlayers = COUNT(list)
    };
    struct variation parts = { .patches = 2, .columns = 3, .limit = 1 }, whole = { .patches = 1, .limit = 1 };
    struct memory_plan split, unsplit;
    struct executor a, b;
    struct model m;
    char why[200];

    (void)state;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), 0);
    assert_true(plans_make(&m, &parts, 2, &split) && plans_make(&m, &whole, 2, &unsplit));
    assert_int_equal(split.split.nlayers, 1);
    assert_int_not_equal(split.split.height.parts[0].pad_begin, split.split.height.parts[0].pad_end);
    blank_run(&a, &split, &split.split);
    blank_run(&b, &unsplit, &split.split);
    assert_true(a.loss - b.loss < 1e-5f && b.loss - a.loss < 1e-5f);
    for (int64_t i = 0; i < a.real.parameters.nweights; i++) {
        float d = a.gradients[i] - b.gradients[i];

        if (d > 1e-5f || d < -1e-5f)
            fail_msg("gradient %lld: %g split, %g whole", (long long)i, (double)a.gradients[i], (double)b.gradients[i]);
    }
    executor_close(&a);
    executor_close(&b);
    memory_plan_free(&split);
    memory_plan_free(&unsplit);
    model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_contents),
        cmocka_unit_test(same_gradients_of_every_plan),
        cmocka_unit_test(same_gradients_with_any_operations),
        cmocka_unit_test(memory_beside_the_plan),
        cmocka_unit_test(steps_draw_anew),
        cmocka_unit_test(a_stochastic_split),
        cmocka_unit_test(begins_with_a_norm),
        cmocka_unit_test(ends_with_its_patches),
        cmocka_unit_test(a_split_that_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
