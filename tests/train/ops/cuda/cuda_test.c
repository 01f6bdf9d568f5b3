/* The backend "cuda" against the reference, every operation on many shapes: on a device (exit 77 without one) and,
 * built with NW_EMULATED, its own kernels on the processor. */
#include <math.h>

#include "tests/train/ops/cuda/cuda_test.h"
#include "tests/train/ops/cuda/model_test.h"
#include "tests/train/ops/cuda/trial.h"

#if defined(NW_OPS_CUDA) || defined(NW_EMULATED)
#include "tests/sanitized.h"
#include "train/ops/cuda/turn.h"
#include "train/ops/rows.h"
#ifdef NW_EMULATED
#include "tests/train/ops/cuda/stand_ins.h"
enum { RANDOM_SHAPES = SANITIZED ? 4 : 40 };
#else
enum { RANDOM_SHAPES = 400 };
#endif

struct ops *on_device, *on_host;

bool is(const struct operation *op, const char *start)
{
    return strncmp(op->name, start, strlen(start)) == 0;
}

void try_all(const struct trial *t, const char *start)
{
    int tried = 0;

    for (size_t i = 0; i < 2; i++)
        for (const struct operation *op = i ? model_operations : operations; op->name; op++)
            if (is(op, start)) {
                trial_compare(&ops_cuda, on_device, on_host, op, t);
                tried++;
            }
    assert_true(tried > 0);
}

/* --- shapes ------------------------------------------------------------------------------------------------------- */

static uint64_t random_state = 7;

/* low to high. */
int64_t draw(int64_t low, int64_t high)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return low + (int64_t)((random_state >> 33) % (uint64_t)(high - low + 1));
}

static int64_t outputs(int64_t in, int64_t before, int64_t after, int64_t kernel, int64_t stride)
{
    return in + before + after < kernel ? 0 : (in + before + after - kernel) / stride + 1;
}

bool complete(struct trial *t)
{
    struct conv_shape *c = &t->conv;

    c->out_height = outputs(c->in_height, c->pad_top, c->pad_bottom, c->kernel, c->stride);
    c->out_width = outputs(c->in_width, c->pad_left, c->pad_right, c->kernel, c->stride);
    return c->out_height > 0 && c->out_width > 0;
}

/* The arguments of add, cut and paste besides the image. */
static void draw_others(struct trial *t)
{
    const struct conv_shape *c = &t->conv;

    t->stride = draw(1, 3);
    t->second =
        (struct image_shape){ c->batch, draw(1, c->in_channels + 2), (c->in_height - 1) * t->stride + 1 + draw(0, 2),
                              (c->in_width - 1) * t->stride + 1 + draw(0, 2) };
    t->patch = (struct image_shape){ c->batch, c->in_channels, draw(1, c->in_height), draw(1, c->in_width) };
    t->top = draw(0, c->in_height - t->patch.height);
    t->left = draw(0, c->in_width - t->patch.width);
}

static struct trial draw_trial(void)
{
    struct trial t = { .n = draw(0, 1100), .offsets = (unsigned)(draw(0, 1) * draw(0, 0xffff)) };

    do
        t.conv = (struct conv_shape){ .batch = draw(1, 3),
                                      .in_channels = draw(1, 7),
                                      .in_height = draw(1, 13),
                                      .in_width = draw(1, 13),
                                      .out_channels = draw(1, 7),
                                      .kernel = draw(1, 5),
                                      .stride = draw(1, 3),
                                      .pad_top = draw(-2, 3),
                                      .pad_bottom = draw(-2, 3),
                                      .pad_left = draw(-2, 3),
                                      .pad_right = draw(-2, 3) };
    while (!complete(&t));
    if (draw(0, 1)) {
        t.conv.groups = draw(1, 3);
        t.conv.in_channels *= t.conv.groups;
        t.conv.out_channels *= t.conv.groups;
    }
    draw_others(&t);
    t.seed = (uint64_t)draw(1, 1 << 30);
    return t;
}

static void random_shapes(void **state)
{
    (void)state;
    for (int i = 0; i < RANDOM_SHAPES; i++) {
        struct trial t = draw_trial();

        try_all(&t, "");
    }
}

/* The parts of a split operation, and what has its own limits. */
const struct conv_shape shapes[] = {
    /* batch, channels, height, width, channels out, -, -, kernel, stride, paddings */
    { 2, 3, 8, 7, 4, 0, 0, 3, 1, 1, 0, 1, 0, 1 },    /* the first part of two, each way */
    { 2, 3, 9, 8, 4, 0, 0, 3, 1, 0, 1, 0, 1, 1 },    /* the last one */
    { 2, 3, 8, 9, 4, 0, 0, 3, 1, 0, 0, 0, 0, 1 },    /* one between others */
    { 1, 5, 9, 9, 3, 0, 0, 3, 2, 1, 0, 0, 1, 1 },    /* with a stride */
    { 1, 2, 9, 11, 3, 0, 0, 1, 2, -1, 0, 0, -2, 1 }, /* rows and columns skipped */
    { 1, 3, 17, 15, 8, 0, 0, 7, 2, 3, 2, 3, 3, 1 },  /* the first layer of a ResNet */
    { 2, 4, 14, 14, 4, 0, 0, 2, 2, 0, 0, 0, 0, 1 },  /* a pool that fits */
    { 2, 6, 7, 7, 5, 0, 0, 7, 1, 0, 0, 0, 0, 1 },    /* one over all of the image */
    { 1, 2, 4, 3, 2, 0, 0, 3, 1, 4, 4, 4, 4, 1 },    /* windows that lie in the padding */
    { 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1 },    /* a single value */
    { 3, 1, 1, 1, 1, 0, 0, 3, 1, 1, 1, 1, 1, 1 },    /* all padding but one */
    { 5, 9, 1, 1, 130, 0, 0, 1, 1, 0, 0, 0, 0, 1 },  /* more channels than a block has */
    { 2, 300, 2, 2, 3, 0, 0, 2, 1, 0, 0, 0, 0, 1 },  /* more channels than sums have threads; long rows */
    { 3, 2, 45, 51, 2, 0, 0, 3, 3, 1, 1, 1, 1, 1 },  /* sums in parts, planes of many blocks */
    { 300, 2, 2, 3, 1, 0, 0, 2, 1, 0, 0, 0, 0, 1 },  /* more rows than the loss has threads */
    { 1, 1, 3, 300, 1, 0, 0, 3, 1, 1, 1, 1, 1, 1 },  /* wide */
};

static void chosen_shapes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
        struct trial t = { .conv = shapes[i], .n = 257, .seed = 100 + i };

        assert_true(complete(&t));
        draw_others(&t);
        try_all(&t, "");
    }
}

/* --- precision ---------------------------------------------------------------------------------------------------- */

/* Values that bf16 does not hold. The backend refuses bf16 accumulators, and counts what it did. */
static void mixed_precision(void **state)
{
    uint64_t device[FMA_NMODES][OPS_NPASSES], host[FMA_NMODES][OPS_NPASSES];
    uint64_t before[FMA_NMODES][OPS_NPASSES], host_before[FMA_NMODES][OPS_NPASSES];

    (void)state;
    assert_int_equal(ops_cuda.set_precision(on_device, FMA_BF16), -1);
    assert_non_null(strstr(ops_cuda.error(on_device), "bf16 came"));
    assert_int_equal(ops_cuda.set_precision(on_device, FMA_MP), 0);
    assert_int_equal(ops_reference.set_precision(on_host, FMA_MP), 0);
    ops_cuda.multiply_adds(on_device, before);
    ops_reference.multiply_adds(on_host, host_before);
    for (size_t i = 0; i < 13; i++) {
        struct trial t = { .conv = shapes[i], .seed = 300 + i, .spread = 1.37f, .mean = 0.01f };
#ifdef NW_EMULATED
        int products = stand_ins.products;

        stand_ins.dnn_takes = true;
#endif
        assert_true(complete(&t));
        try_all(&t, "conv");
        try_all(&t, "fc");
#ifdef NW_EMULATED
        assert_int_equal(stand_ins.products, products);
        stand_ins.dnn_takes = false;
#endif
    }
    ops_cuda.multiply_adds(on_device, device);
    ops_reference.multiply_adds(on_host, host);
    for (int p = 0; p < OPS_NPASSES; p++) {
        assert_true(device[FMA_MP][p] > before[FMA_MP][p]);
        assert_int_equal(device[FMA_MP][p] - before[FMA_MP][p], 2 * (host[FMA_MP][p] - host_before[FMA_MP][p]));
        assert_int_equal(device[FMA_FP32][p], before[FMA_FP32][p]);
    }
    assert_int_equal(ops_cuda.set_precision(on_device, FMA_FP32), 0);
    assert_int_equal(ops_reference.set_precision(on_host, FMA_FP32), 0);
}

/* --- workspace ---------------------------------------------------------------------------------------------------- */

/* Space for this many columns, from the backend's own memory and from the caller's. */
static void any_workspace(void **state)
{
    static const int64_t columns[] = { 1, 3, 63, 64, 65, 130, 200, 100000 };

    (void)state;
    for (size_t i = 0; i < 2 * 8; i++)
        for (size_t j = 0; j < 4; j++) {
            struct trial t = { .conv = shapes[(i + j * 3) % 13], .seed = 200 + i, .offsets = 0x1b * (unsigned)(i % 4) };
            size_t own = turn_of(on_device)->ncolumns, column;
            struct buffer array;

            assert_true(complete(&t));
            column = 4 * (size_t)(t.conv.in_channels * t.conv.kernel * t.conv.kernel + t.conv.out_channels);
            t.nworkspace = (size_t)columns[i / 2] * column;
            if (i % 2) {
                turn_of(on_device)->ncolumns = t.nworkspace;
                t.nworkspace = 0;
            } else {
                turn_of(on_device)->ncolumns = 0;
                t.nworkspace += 256;
            }
            array = buffer_make(t.nworkspace, 4 * (i % 4));
            t.workspace = (char *)array.at;
            try_all(&t, "conv");
            buffer_close(&array, NULL, "workspace");
            turn_of(on_device)->ncolumns = own;
        }
}

static void no_room_for_a_column(void **state)
{
    struct trial t = { .conv = shapes[0] };
    float *nothing[4] = { NULL };
    size_t own = turn_of(on_device)->ncolumns;

    (void)state;
    assert_true(complete(&t));
    turn_of(on_device)->ncolumns = 4 * (3 * 9 + 4) - 1;
    assert_int_equal(operations[0].run(&ops_cuda, on_device, &t, nothing), -1);
    assert_non_null(strstr(ops_cuda.error(on_device), "a column takes 124 bytes"));
    t.workspace = (char *)(uintptr_t)4; /* up to the first aligned address there is nothing of it */
    t.nworkspace = 200;
    assert_int_equal(operations[0].run(&ops_cuda, on_device, &t, nothing), -1);
    turn_of(on_device)->ncolumns = own;
}

static void refusals(void **state)
{
    struct trial t = { .conv = shapes[0], .second = { 2, 3, 8, 7 }, .stride = 1, .patch = { 2, 3, 8, 7 }, .n = 1 };
    static const struct {
        const char *op, *why;
        int64_t channels, height, kernel, left;
    } cases[] = {
        { "conv_forward", "does not give", 3, 8, 4, 0 },
        { "conv_backward_data", "more than", 1 << 25, 8, 3, 0 },
        { "conv_backward_weights", "does not give", 3, 9, 3, 0 },
        { "fc_forward", "fully connected", 0, 8, 3, 0 },
        { "norm_forward", "sums are taken over", 16385, 8, 3, 0 },
        { "norm_backward", "more than", 1 << 25, 9, 3, 0 },
        { "maxpool_forward", "does not give", 3, 8, 1, 0 },
        { "add", "stride 1", 3, 9, 3, 0 },
        { "add_backward", "stride 1", 3, 9, 3, 0 },
        { "cut", "patch", 3, 8, 3, 1 },
        { "paste", "patch", 3, 8, 3, -1 },
        { "softmax_forward", "classes", 0, 8, 3, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        float *nothing[TRIAL_ARRAYS] = { NULL };
        struct trial wrong = t;
        const struct operation *op = operations;

        complete(&wrong);
        wrong.conv.in_channels = cases[i].channels;
        wrong.conv.in_height = cases[i].height;
        wrong.conv.kernel = cases[i].kernel;
        wrong.left = cases[i].left;
        while (!is(op, cases[i].op))
            op++;
        assert_int_equal(op->run(&ops_cuda, on_device, &wrong, nothing), -1);
        if (!strstr(ops_cuda.error(on_device), cases[i].why))
            fail_msg("%s: %s", op->name, ops_cuda.error(on_device));
    }
    assert_int_equal(ops_cuda.cut(on_device, &(struct image_shape){ 1, 1, 4, 4 }, &(struct image_shape){ 1, 1, 2, 2 },
                                  -1, 0, NULL, NULL, NULL),
                     -1);
    assert_int_equal(ops_cuda.dropout(on_device, 1, 1.0f, 1, NULL, NULL, NULL), -1);
}

#ifdef NW_EMULATED
/* --- what only stand-ins can show --------------------------------------------------------------------------------- */

static void by_cudnn_where_it_takes_a_shape(void **state)
{
    int before = stand_ins.convolutions, products = stand_ins.products, passes = 0;
    size_t own = turn_of(on_device)->ncolumns;
    static char workspace[2100];

    (void)state;
    stand_ins.dnn_takes = true;
    turn_of(on_device)->ncolumns = 1000;
    for (size_t i = 6; i < 12; i++) {
        struct trial t = { .conv = shapes[i], .seed = i, .workspace = workspace + 4 * i, .nworkspace = 2000 };

        assert_true(complete(&t));
        try_all(&t, "conv");
        passes += 5 * 2; /* rows of the table, times runs of each */
        assert_int_equal(ops_cuda.conv_workspace(on_device, &t.conv), (20 << 20) + 256);
    }
    turn_of(on_device)->ncolumns = own;
    assert_int_equal(stand_ins.convolutions - before, passes);
    assert_int_equal(stand_ins.products, products);
    for (size_t i = 0; i < 2; i++) {
        struct trial t = { .conv = shapes[i], .seed = i };

        assert_true(complete(&t));
        try_all(&t, "conv");
        assert_int_equal(ops_cuda.conv_workspace(on_device, &t.conv), 0);
    }
    assert_int_equal(stand_ins.convolutions - before, passes);
    assert_true(stand_ins.products > products);
    stand_ins.dnn_takes = false;
}

/* A column takes 4 (64 * 9 + 64) bytes. */
static void workspace_wanted(void **state)
{
    struct conv_shape s = { 1, 64, 56, 56, 64, 56, 56, 3, 1, 1, 1, 1, 1, 1 };

    (void)state;
    assert_int_equal(ops_cuda.conv_workspace(on_device, &s), 0); /* 8 MB: the backend's own is more */
    s.batch = 4;
    assert_int_equal(ops_cuda.conv_workspace(on_device, &s), 4 * 56 * 56 * 2560 + 256);
    s.batch = 64;
    assert_int_equal(ops_cuda.conv_workspace(on_device, &s), (64 << 20) + 256);
    s.out_width = 55;
    assert_int_equal(ops_cuda.conv_workspace(on_device, &s), 0);
}

static void failures_come_through(void **state)
{
    struct trial t = { .conv = shapes[6], .seed = 1 };
    float a[4][2 * 7 * 14 * 14];
    float *at[] = { a[0], a[1], a[2], a[3] };

    (void)state;
    memset(a, 0, sizeof(a));
    assert_true(complete(&t));
    for (const struct operation *op = operations; op->name; op++) {
        if (!is(op, "conv") && !is(op, "fc"))
            continue;
        stand_ins.fail_multiply = 1;
        if (is(op, "fc"))
            t.conv = (struct conv_shape){ 2, 3, 4, 4, 5, 2, 2, 3, 1, 0, 0, 0, 0, 1 };
        assert_int_equal(op->run(&ops_cuda, on_device, &t, at), -1);
        assert_string_equal(ops_cuda.error(on_device), "the product failed");
        assert_int_equal(stand_ins.fail_multiply, 0);
        if (is(op, "fc"))
            continue;
        stand_ins.dnn_takes = true;
        stand_ins.fail_dnn = 1;
        assert_int_equal(op->run(&ops_cuda, on_device, &t, at), -1);
        assert_string_equal(ops_cuda.error(on_device), "the convolution failed");
        stand_ins.dnn_takes = false;
    }
}

/* Calls on one stream follow each other anyway; on another one they wait for the memory that they share. */
static void streams_take_turns(void **state)
{
    const struct image_shape s = { 1, 1, 2, 2 };
    float v[4] = { 1, 2, 3, 4 }, y[4], one[4] = { 1, 1, 1, 1 };
    static char streams[2];
    int set = stand_ins.marks_set, waited;

    (void)state;
    ops_cuda.norm_forward(on_device, &s, v, one, one, y, one, one, &streams[0]);
    waited = stand_ins.marks_waited;
    ops_cuda.norm_forward(on_device, &s, v, one, one, y, one, one, &streams[0]);
    assert_int_equal(stand_ins.marks_waited, waited);
    ops_cuda.norm_forward(on_device, &s, v, one, one, y, one, one, &streams[1]);
    assert_int_equal(stand_ins.marks_waited, waited + 1);
    assert_ptr_equal(stand_ins.waiting_stream, &streams[1]);
    assert_int_equal(stand_ins.marks_set, set + 3);
    assert_ptr_equal(stand_ins.mark_stream, &streams[1]);
    ops_cuda.fc_backward_data(on_device, 1, 2, 2, v, one, y, &streams[0]);
    ops_cuda.norm_backward(on_device, &s, v, v, one, one, one, y, one, one, &streams[1]);
    assert_int_equal(stand_ins.marks_waited, waited + 3);
    ops_cuda.relu_forward(on_device, 4, v, y, &streams[0]);
    assert_int_equal(stand_ins.marks_waited, waited + 3);
    assert_int_equal(stand_ins.marks_set, set + 5);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_shapes),
        cmocka_unit_test(chosen_shapes),
        cmocka_unit_test(mixed_precision),
        cmocka_unit_test(any_workspace),
        cmocka_unit_test(no_room_for_a_column),
        cmocka_unit_test(refusals),
#ifdef NW_EMULATED
        cmocka_unit_test(by_cudnn_where_it_takes_a_shape),
        cmocka_unit_test(workspace_wanted),
        cmocka_unit_test(failures_come_through),
        cmocka_unit_test(streams_take_turns),
#endif
    };
    const char *why;
    char reason[256];
    int failed;

    if (!device_present(&why)) {
        printf("skipped: no device to test on: %s\n", why);
        return 77;
    }
    on_device = ops_cuda.open(reason, sizeof(reason));
    if (!on_device) {
        printf("skipped: %s\n", reason);
        return 77;
    }
    on_host = ops_reference.open(reason, sizeof(reason));
    printf("on %s%s\n", device_name(), turn_of(on_device)->dnn ? ", with cuDNN" : "");
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    failed += value_tests();
    failed += model_tests(on_device, on_host);
    ops_cuda.close(on_device);
    ops_reference.close(on_host);
    return failed;
}
#else
int main(void)
{
    printf("skipped: built without CUDA, or without cuBLAS\n");
    return 77;
}
#endif
