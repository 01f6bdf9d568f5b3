/* gpu_work_test.c - times of products, attention and streams against arithmetic. */
#include <inttypes.h>

#include "model/status.h"
#include "sim/parallel/gpu_work.h"
#include "tests/test.h"

/* 1 PFLOP/s of bf16 in tiles of 128 x 256 on 100 multiprocessors, 2 TB/s of which 90 % are reached. */
static struct platform gpu(void)
{
    return (struct platform){ .compute_scale = 1,
                              .gpu = { .peak_flops = 100e12,
                                       .precision_flops = { [COMPUTE_BF16] = 1e15, [COMPUTE_FP8] = 2e15 },
                                       .memory_Bps = 2e12,
                                       .efficiency_memory = 0.9,
                                       .matrix_share = 0.8,
                                       .matrix_half_depth = 256,
                                       .matrix_tile_rows = 128,
                                       .matrix_tile_columns = 256,
                                       .multiprocessors = 100,
                                       .attention_share = 1.2,
                                       .attention_half = 65536,
                                       .attention_back_share = 1,
                                       .attention_back_half = 32768,
                                       .cache_bytes = 18000000,
                                       .cache_Bps = 6e12,
                                       .launch_latency_s = 3e-6 } };
}

enum { LAUNCH_PS = 3000000 };

static void check(const char *what, int64_t got, double want_ps)
{
    if ((double)got < want_ps - 1 || (double)got > want_ps + 1)
        fail_msg("%s: %" PRId64 " ps, not %.3f", what, got, want_ps);
}

#define PRODUCT(n_, ...) (&(struct gpu_work){ .kind = GPU_PRODUCT, .batch = (n_), __VA_ARGS__ })
#define BF16(op) gpu_work_ps(&p, COMPUTE_BF16, (op))

static void products_take_what_their_tiles_do(void **state)
{
    struct platform p = gpu();
    double full_ps = 2 * 12800.0 * 2560 * 1024 / (1e15 * 0.8 * 0.8) * 1e12;

    (void)state;
    /* 100 x 10 tiles are ten full rounds; a depth of 1024 is 0.8 of the share. */
    check("full", BF16(PRODUCT(1, .m = 12800, .n = 2560, .k = 1024)), full_ps + LAUNCH_PS);
    check("one tile more", BF16(PRODUCT(1, .m = 12801, .n = 2560, .k = 1024)), full_ps * 1.1 + LAUNCH_PS);
    check("the round is full", BF16(PRODUCT(1, .m = 14080, .n = 2560, .k = 1024)), full_ps * 1.1 + LAUNCH_PS);
    check("a row less", BF16(PRODUCT(1, .m = 12799, .n = 2560, .k = 1024)), full_ps + LAUNCH_PS);
    check("a column more", BF16(PRODUCT(1, .m = 12800, .n = 2561, .k = 1024)), full_ps * 1.1 + LAUNCH_PS);
    check("fp8", gpu_work_ps(&p, COMPUTE_FP8, PRODUCT(1, .m = 12800, .n = 2560, .k = 1024)), full_ps / 2 + LAUNCH_PS);
    check("fp32", gpu_work_ps(&p, COMPUTE_FP32, PRODUCT(1, .m = 12800, .n = 2560, .k = 1024)),
          full_ps * 10 + LAUNCH_PS);
    p.compute_scale = 2;
    check("twice as fast", BF16(PRODUCT(1, .m = 12800, .n = 2560, .k = 1024)), full_ps / 2 + LAUNCH_PS);
    p.compute_scale = 1;
    p.gpu.multiprocessors = p.gpu.matrix_tile_rows = p.gpu.matrix_tile_columns = 0;
    check("no tiles", BF16(PRODUCT(1, .m = 12801, .n = 2560, .k = 1024)), full_ps * 12801 / 12800 + LAUNCH_PS);
}

/* 100 products of one tile each are a full round; each by itself would be a hundredth of one. */
static void a_batch_fills_rounds_together(void **state)
{
    struct platform p = gpu();
    double round_ps = 2 * 128.0 * 256 * 1024 * 100 / (1e15 * 0.8) * 1e12;

    (void)state;
    p.gpu.memory_Bps = p.gpu.cache_Bps = 1e18;
    check("100", BF16(PRODUCT(100, .m = 128, .n = 256, .k = 1024)), round_ps + LAUNCH_PS);
    check("101", BF16(PRODUCT(101, .m = 128, .n = 256, .k = 1024)), round_ps * 2 + LAUNCH_PS);
    check("1", BF16(PRODUCT(1, .m = 128, .n = 256, .k = 1024)), round_ps / 0.8 + LAUNCH_PS);
}

/* A product by a vector is bound by its bytes; the first of them fit the cache. */
static void thin_products_take_what_their_bytes_do(void **state)
{
    struct platform p = gpu();
    double bytes = 2.0 * (1 * 32768 + 32768.0 * 32768 + 1 * 32768);
    double full_ps = 2 * 12800.0 * 2560 * 1024 / (1e15 * 0.8 * 0.8) * 1e12;

    (void)state;
    check("vector", BF16(PRODUCT(1, .m = 1, .n = 32768, .k = 32768)),
          ((bytes - 18e6) / 2e12 + 18e6 / 6e12) / 0.9 * 1e12 + LAUNCH_PS);
    p.gpu.cache_bytes = 0;
    check("without a cache", BF16(PRODUCT(1, .m = 1, .n = 32768, .k = 32768)), bytes / 2e12 / 0.9 * 1e12 + LAUNCH_PS);
    bytes += 6.0 * 32768; /* fp32, read and written, for bf16 that is written */
    check("added up", BF16(PRODUCT(1, .m = 1, .n = 32768, .k = 32768, .accumulates = true)),
          bytes / 2e12 / 0.9 * 1e12 + LAUNCH_PS);
    check("added up by tiles", BF16(PRODUCT(1, .m = 12800, .n = 2560, .k = 1024, .accumulates = true)),
          full_ps + 4 * 12800.0 * 2560 / (2e12 * 0.9) * 1e12 + LAUNCH_PS);
}

static void attention_grows_towards_its_share(void **state)
{
    struct platform p = gpu();
    struct gpu_work op = { .kind = GPU_ATTENTION, .heads = 16, .positions = 4096, .flops = 1e12 };

    (void)state;
    check("half", BF16(&op), 1e12 / (1e15 * 0.6) * 1e12 + LAUNCH_PS);
    op.positions = 12288;
    check("three quarters", BF16(&op), 1e12 / (1e15 * 0.9) * 1e12 + LAUNCH_PS);
    op.kind = GPU_ATTENTION_BACK;
    op.heads = 8;
    check("backward", BF16(&op), 1e12 / (1e15 * 0.75) * 1e12 + LAUNCH_PS);
}

static void streams_move_their_bytes(void **state)
{
    struct platform p = gpu();
    struct gpu_work op = { .kind = GPU_STREAM, .bytes = 36e9 };

    (void)state;
    p.gpu.cache_bytes = 0;
    check("memory", BF16(&op), 36e9 / 1.8e12 * 1e12 + LAUNCH_PS);
    op.share = 0.45;
    check("a share of its own", BF16(&op), 36e9 / 0.9e12 * 1e12 + LAUNCH_PS);
    p.compute_scale = 2;
    check("twice as fast", BF16(&op), 36e9 / 1.8e12 * 1e12 + LAUNCH_PS);
    op = (struct gpu_work){ .kind = GPU_STREAM };
    assert_int_equal(BF16(&op), 0);
}

static void only_arithmetic_has_flops(void **state)
{
    struct platform p = gpu();

    (void)state;
    for (int kind = 0; kind <= GPU_CONTEXT; kind++) {
        struct gpu_work op = {
            (enum gpu_work_kind)kind, .batch = 3,  .m = 5, .n = 7, .k = 11, .flops = 1000, .heads = 1,
            .positions = 1,           .bytes = 1e6
        };
        bool attends = kind == GPU_ATTENTION || kind == GPU_ATTENTION_BACK;
        bool multiplies = kind == GPU_PRODUCT || kind == GPU_GROUPED;
        assert_true(gpu_work_flops(&op) == (multiplies ? 2310 : attends ? 1000 : 0));
        assert_int_equal(BF16(&op) > 0, kind <= GPU_STREAM); /* a wire's time is none of a GPU's */
    }
}

static void works_are_kept_in_order(void **state)
{
    struct gpu_works o = { 0 };

    (void)state;
    for (int64_t i = 0; i < 100; i++)
        assert_int_equal(gpu_works_add(&o, (struct gpu_work){ .m = i }), E_OK);
    assert_int_equal(o.n, 100);
    for (int64_t i = 0; i < 100; i++)
        assert_int_equal(o.list[i].m, i);
    gpu_works_free(&o);
    assert_true(!o.list && !o.n && !o.capacity);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_take_what_their_tiles_do),
        cmocka_unit_test(a_batch_fills_rounds_together),
        cmocka_unit_test(thin_products_take_what_their_bytes_do),
        cmocka_unit_test(attention_grows_towards_its_share),
        cmocka_unit_test(streams_move_their_bytes),
        cmocka_unit_test(only_arithmetic_has_flops),
        cmocka_unit_test(works_are_kept_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
