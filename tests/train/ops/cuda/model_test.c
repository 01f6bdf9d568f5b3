/* model_test.c - what is particular to the backend "cuda" in recommendation models and Transformers: shapes larger than
 * a launch, its own memory, and what it must refuse or report. */
#include "tests/train/ops/cuda/model_test.h"

#if defined(NW_OPS_CUDA) || defined(NW_EMULATED)
#include "train/ops/rows.h"
#ifdef NW_EMULATED
#include "tests/train/ops/cuda/stand_ins.h"
#endif

struct pair {
    struct ops *device, *host;
};

static void try_all(const struct pair *p, const struct trial *t, const char *start)
{
    int tried = 0;

    for (const struct operation *op = model_operations; op->name; op++)
        if (strncmp(op->name, start, strlen(start)) == 0) {
            trial_compare(&ops_cuda, p->device, p->host, op, t);
            tried++;
        }
    assert_true(tried > 0);
}

static void more_than_a_launch(void **state)
{
    static const struct {
        const char *op;
        struct conv_shape shape;
    } cases[] = {
        { "bag", { 2051, 1, 1, 2, 1, 1, 2, 2, 1, 0, 0, 0, 0, 1 } },
        { "bag", { 1, 3, 3, 700, 1, 0, 0, 2, 1, 0, 0, 0, 0, 1 } },
        { "bag_update", { 3, 1000, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "concat", { 2051, 1, 1, 2, 3, 1, 2, 1, 1, 0, 0, 0, 0, 1 } },
        { "tokens_forward", { 1, 2, 1, 2048 * 128 + 300, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "interact", { 3, 70, 1, 9, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "attention_backward", { 2051, 1, 2, 2, 2, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "attention", { 1, 1, 5, 70, 19, 0, 0, 2, 1, 0, 0, 0, 0, 1 } },
        { "layernorm", { 3, 40, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "layernorm", { 1, 3, 33, 31, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct trial t = { .conv = cases[i].shape, .seed = 400 + i };

        try_all(*state, &t, cases[i].op);
    }
}

/* Far from zero, where sums of squares would lose all that they are about; and scores that exp() could not hold. */
static void far(void **state)
{
    struct trial t = { .conv = { 2, 3, 9, 8, 4, 0, 0, 2, 1, 0, 0, 0, 0, 1 }, .mean = 1000, .seed = 5 };

    try_all(*state, &t, "layernorm_forward");
    t.mean = 0;
    t.spread = 20;
    t.conv.in_width = 70;
    try_all(*state, &t, "attention_forward");
}

static void there_and_back(void **state)
{
    static const size_t sizes[] = { 1, 64, 1000, 100003, 0 };
    struct ops *o = ((struct pair *)*state)->device;
    static char from[100003], to[100003];

    for (size_t i = 0; i < sizeof(from); i++)
        from[i] = (char)(i * 7 % 251);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        char *p = ops_cuda.alloc(o, sizes[i]);

        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 64, 0);
        memset(to, 'x', sizeof(to));
        assert_int_equal(ops_cuda.upload(o, p, from, sizes[i], NULL), 0);
        assert_int_equal(ops_cuda.zero(o, p, sizes[i] / 2, NULL), 0);
        assert_int_equal(ops_cuda.download(o, to, p, sizes[i], NULL), 0);
        for (size_t j = 0; j < sizes[i]; j++)
            assert_int_equal(to[j], j < sizes[i] / 2 ? 0 : from[j]);
        ops_cuda.release(o, p);
    }
    ops_cuda.release(o, NULL);
    assert_null(ops_cuda.alloc(o, (size_t)1 << 60));
    assert_non_null(strstr(ops_cuda.error(o), "no memory on the device for 1152921504606846976 bytes"));
    assert_int_equal(ops_cuda.finish(o, NULL), 0);
}

/* There it cannot be refused: the loss becomes a NaN. */
static void a_label_that_is_none(void **state)
{
    struct ops *o = ((struct pair *)*state)->device;
    const float y[3] = { 0.25f, 0.5f, 0.25f }, zero = 0;
    const int32_t labels[3] = { 1, -1, 0 };
    float loss;
    struct buffer from = buffer_of(y, sizeof(y), 0), to = buffer_make(sizeof(y), 0);
    struct buffer which = buffer_of(labels, sizeof(labels), 0), sum = buffer_of(&zero, sizeof(zero), 0);

    assert_int_equal(
        ops_cuda.bce_backward(o, 3, (float *)from.at, (int32_t *)which.at, (float *)to.at, (float *)sum.at, NULL), 0);
    buffer_close(&sum, &loss, "loss");
    assert_true(loss != loss);
    buffer_close(&from, NULL, "y"), buffer_close(&to, NULL, "dx"), buffer_close(&which, NULL, "labels");
}

/* More than 32 bits count, or than a launch has blocks. */
static void refusals(void **state)
{
    static const struct {
        const char *op, *why;
        struct conv_shape shape;
    } cases[] = {
        { "bag_forward", "bags: more than", { 1, 1 << 20, 1, 1 << 11, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "bag_backward_data", "bags: batch 0", { 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "bag_update", "lookups: more than", { 1, 1 << 20, 1, 1, 1, 0, 0, 1 << 11, 1, 0, 0, 0, 0, 1 } },
        { "interact_forward", "interaction: more than", { 1, 2, 1, 1 << 30, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "interact_backward", "pairs: more than", { 1, 1 << 16, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "interact_backward", "interaction: batch", { (int64_t)1 << 31, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "bce_backward", "cross-entropy: batch 0", { 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "layernorm_forward", "layer norm: ", { 1 << 30, 2, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "layernorm_backward", "layer norm: ", { 1, 1, 1 << 16, 1 << 16, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "tokens_forward", "tokens: batch 0", { 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "tokens_backward", "tokens: more than", { 1, 1 << 20, 1, 1 << 11, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
        { "concat_backward", "image: ", { 1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1 } },
    };
    struct ops *o = ((struct pair *)*state)->device;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        float *nothing[TRIAL_ARRAYS] = { NULL };
        struct trial wrong = { .conv = cases[i].shape };
        const struct operation *op = model_operations;

        while (strcmp(op->name, cases[i].op) != 0)
            op++;
        assert_int_equal(op->run(&ops_cuda, o, &wrong, nothing), -1);
        if (!strstr(ops_cuda.error(o), cases[i].why))
            fail_msg("%s: %s", op->name, ops_cuda.error(o));
    }
}

static void too_many_queries(void **state)
{
    const struct attention_shape s = { 1 << 20, 1 << 11, 1, 1, 1, 0 };
    struct ops *o = ((struct pair *)*state)->device;
    static float array[1];

    assert_int_equal(ops_cuda.attention_forward(o, &s, array, array, array, array, array, array,
                                                ops_cuda.attention_workspace(o, &s), NULL),
                     -1);
    assert_non_null(strstr(ops_cuda.error(o), "attention: more than"));
}

#ifdef NW_EMULATED
/* Each of the products of attention may fail; then nothing else is said. */
static void failures_come_through(void **state)
{
    struct trial t = { .conv = { 1, 1, 3, 3, 2, 0, 0, 1, 1, 0, 0, 0, 0, 1 } };
    struct ops *o = ((struct pair *)*state)->device;
    float a[TRIAL_ARRAYS][4 * 2 * 2] = { { 0 } }, *at[TRIAL_ARRAYS];
    int products = 0;

    for (int i = 0; i < TRIAL_ARRAYS; i++)
        at[i] = a[i];
    for (const struct operation *op = model_operations; op->name; op++) {
        int rc = -1;

        if (strncmp(op->name, "attention", 9) != 0)
            continue;
        for (int fail = 1; rc; fail++) {
            stand_ins.fail_multiply = fail;
            rc = op->run(&ops_cuda, o, &t, at);
            if (rc)
                assert_string_equal(ops_cuda.error(o), "the product failed");
            products += rc != 0;
        }
        stand_ins.fail_multiply = 0;
    }
    assert_int_equal(products, 2 * (4 + 3 + 2 * 4)); /* to itself and to a memory: forward, again, backward */
}

/* A download has waited when it returns, on its own stream. */
static void waiting(void **state)
{
    struct ops *o = ((struct pair *)*state)->device;
    static char streams[2];
    char from = 7, to = 0;
    int finished = stand_ins.finished;

    assert_int_equal(ops_cuda.upload(o, &to, &to, 1, &streams[0]), 0);
    assert_int_equal(ops_cuda.zero(o, &to, 1, &streams[0]), 0);
    assert_int_equal(stand_ins.finished, finished);
    assert_int_equal(ops_cuda.download(o, &to, &from, 1, &streams[1]), 0);
    assert_int_equal(to, 7);
    assert_int_equal(ops_cuda.finish(o, &streams[0]), 0);
    assert_int_equal(stand_ins.finished, finished + 2);
}
#endif

int model_tests(struct ops *on_device, struct ops *on_host)
{
    struct pair p = { on_device, on_host };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(more_than_a_launch, &p),
        cmocka_unit_test_prestate(far, &p),
        cmocka_unit_test_prestate(there_and_back, &p),
        cmocka_unit_test_prestate(a_label_that_is_none, &p),
        cmocka_unit_test_prestate(refusals, &p),
        cmocka_unit_test_prestate(too_many_queries, &p),
#ifdef NW_EMULATED
        cmocka_unit_test_prestate(failures_come_through, &p),
        cmocka_unit_test_prestate(waiting, &p),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
