/* host_sgd: a step small enough to add up by hand, and what must hold for any step. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "sim/method/host_sgd.h"
#include "tests/test.h"

/* One FC layer of 1000 x 1000: 1 M weights, 1000 biases, on two GPUs behind one 1 GB/s link. */
static struct layer_spec fc[] = { { .kind = LAYER_FC, .units = 1000, .bias = 1 } };
static const struct model_spec small = {
    .name = "small", .channels = 1000, .height = 1, .width = 1, .classes = 1, .layers = fc, .nlayers = 1
};

static struct link_spec link_ = {
    .name = "wire", .bandwidth_Bps = 1e9, .shared_by = 2, .efficiency_to_device = 1, .efficiency_to_host = 1
};

static struct platform two_gpus(void)
{
    return (struct platform){ .name = "two",
                              .peak_flops = 1e12,
                              .compute_scale = 1,
                              .machines = 1,
                              .cpu = { .memory_Bps = 100e9, .memory_efficiency = 0.5 },
                              .gpu = { .count = 2,
                                       .peak_flops = 1e12,
                                       .memory_Bps = 100e9,
                                       .efficiency_convolution = 1,
                                       .efficiency_fully_connected = 0.5,
                                       .efficiency_memory = 0.8,
                                       .link = "wire" },
                              .links = &link_,
                              .nlinks = 1 };
}

static struct host_sgd plain(void)
{
    return (struct host_sgd){ .bytes_per_weight = 2, .gpus_per_board = 2, .reduce = REDUCE_LINK };
}

static struct sgd_result play_of(const struct model_spec *spec, const struct platform *p, const struct host_sgd *method,
                                 int64_t batch)
{
    struct sgd_result r;
    struct model m;
    char why[256] = "";

    assert_int_equal(model_infer(spec, &m, why, sizeof(why)), E_OK);
    if (host_sgd_run(p, &m, method, batch, &r, why, sizeof(why)))
        fail_msg("%s", why);
    model_free(&m);
    return r;
}

static struct sgd_result play(const struct platform *p, const struct host_sgd *method, int64_t batch)
{
    return play_of(&small, p, method, batch);
}

static void near_ms(double got_ps, double want_ms)
{
    if (fabs(got_ps / 1e9 - want_ms) > 1e-6)
        fail_msg("got %.9f ms, want %.9f ms", got_ps / 1e9, want_ms);
}

static void serial_step_by_hand(void **state)
{
    struct platform p = two_gpus();
    struct host_sgd method = plain();

    (void)state;
    struct sgd_result r = play(&p, &method, 2);
    const double parameters = 1e6 + 1e3;
    near_ms((double)r.row_ps[ROW_TO_DEVICE], 2 * 4 * parameters / 1e9 * 1e3); /* two copies share the wire */
    near_ms((double)r.row_ps[ROW_TO_HOST], 4 * parameters / 1e9 * 1e3);       /* one copy leaves, in two halves */
    /* Memory-bound: forward moves 1000 in + 1000 out + parameters values, backward (no input gradient) the same. */
    near_ms((double)r.row_ps[ROW_FULLY_CONNECTED], 2 * 4 * (parameters + 2000) / 100e9 / 0.5 * 1e3);
    near_ms((double)r.row_ps[ROW_UPDATE], 20 * parameters / 50e9 * 1e3);
    assert_int_equal(r.row_ps[ROW_PACK], 0);
    assert_int_equal(r.row_ps[ROW_UNPACK], 0);
    assert_int_equal(r.row_ps[ROW_L2NORM], 0);
    int64_t sum_ps = 0;
    for (int row = 0; row < SGD_ROWS; row++)
        sum_ps += r.row_ps[row];
    assert_int_equal(r.step_ps, sum_ps);
    assert_int_equal(r.to_device_bytes, 8008000);
    assert_int_equal(r.to_host_bytes, 4004000);
}

static void packed_step_by_hand(void **state)
{
    struct platform p = two_gpus();
    struct host_sgd method = plain();

    (void)state;
    method.codec = WEIGHT_CODEC_ADT;
    method.awp = 1;
    method.send_samples = 1;
    struct sgd_result r = play(&p, &method, 4);
    near_ms((double)r.row_ps[ROW_PACK], (4e6 + 2 * 2e6) / 50e9 * 1e3); /* its stores read first */
    near_ms((double)r.row_ps[ROW_UNPACK], 6e6 / 80e9 * 1e3);
    near_ms((double)r.row_ps[ROW_L2NORM], 4e6 / 80e9 * 1e3);
    near_ms((double)r.row_ps[ROW_TO_DEVICE], (2 * (2e6 + 4e3) + 4 * 4000) / 1e9 * 1e3);
    assert_int_equal(r.weight_bytes, 2000000);

    p.cpu.codec = CODEC_RATE_GIVEN;
    p.cpu.codec_Bps = 10e9;
    r = play(&p, &method, 4);
    near_ms((double)r.row_ps[ROW_PACK], 6e6 / 10e9 * 1e3); /* only what must move */

    method.norms = NORMS_CPU;
    struct sgd_result on_cpu = play(&p, &method, 4);
    near_ms((double)on_cpu.row_ps[ROW_L2NORM], 4e6 / 50e9 * 1e3);
    assert_int_equal(on_cpu.step_ps - on_cpu.row_ps[ROW_L2NORM], r.step_ps - r.row_ps[ROW_L2NORM]);
}

/* All four bytes: the codec has nothing to do, and AWP nothing left to widen. */
static void whole_weights_cost_what_no_codec_does(void **state)
{
    struct platform p = two_gpus();

    (void)state;
    for (int overlapped = 0; overlapped < 2; overlapped++) {
        struct host_sgd method = plain();
        method.schedule = overlapped ? SCHEDULE_OVERLAPPED : SCHEDULE_SERIAL;
        struct sgd_result none = play(&p, &method, 4);
        method.codec = WEIGHT_CODEC_ADT;
        method.bytes_per_weight = 4;
        method.awp = 1;
        for (int place = NORMS_GPU; place <= NORMS_CPU; place++) {
            method.norms = place;
            struct sgd_result r = play(&p, &method, 4);
            assert_int_equal(r.digest, none.digest);
            assert_int_equal(r.to_device_bytes, none.to_device_bytes);
        }
        method.bytes_per_weight = 3.999;
        assert_true(play(&p, &method, 4).step_ps > none.step_ps);
    }
}

static void links_and_memory_limit(void **state)
{
    static const struct {
        const char *why;
        int64_t shared_by;
        double dma_read;
        double want_ms;
    } cases[] = {
        { "a link each", 1, 0, 4.004 },
        { "a shared link", 2, 0, 8.008 },
        { "links of their own, host memory the limit", 1, 1.5e9, 8.008 / 1.5 },
        { "host memory wider than the links", 1, 9e9, 4.004 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct platform p = two_gpus();
        struct link_spec link = link_;
        struct host_sgd method = plain();
        link.shared_by = cases[i].shared_by;
        p.links = &link;
        p.cpu.dma_read_Bps = cases[i].dma_read;
        struct sgd_result r = play(&p, &method, 2);
        if (fabs((double)r.row_ps[ROW_TO_DEVICE] / 1e9 - cases[i].want_ms) > 1e-6)
            fail_msg("%s: %.6f ms, want %.6f", cases[i].why, (double)r.row_ps[ROW_TO_DEVICE] / 1e9, cases[i].want_ms);
    }
}

static void reductions(void **state)
{
    static const struct {
        enum gradient_reduce reduce;
        int64_t bytes;
        double update_bytes;
    } cases[] = {
        { REDUCE_NONE, 2 * 4004000, 24 },
        { REDUCE_LINK, 4004000, 20 },
        { REDUCE_ALL, 4004000, 20 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct platform p = two_gpus();
        struct host_sgd method = plain();
        method.reduce = cases[i].reduce;
        struct sgd_result r = play(&p, &method, 2);
        assert_int_equal(r.to_host_bytes, cases[i].bytes);
        near_ms((double)r.row_ps[ROW_UPDATE], cases[i].update_bytes * 1.001e6 / 50e9 * 1e3);
    }
}

/* What each knob must move, and by how much, on two FC layers of 1000 x 1000 (no bias) without a codec. */
static struct layer_spec two_fc[] = { { .kind = LAYER_FC, .units = 1000 }, { .kind = LAYER_FC, .units = 1000 } };

static struct sgd_result play_two(const struct platform *p, const struct host_sgd *method, int64_t batch)
{
    struct model_spec spec = small;
    struct sgd_result r;
    struct model m;
    char why[256] = "";

    spec.layers = two_fc;
    spec.nlayers = COUNT(two_fc);
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
    if (host_sgd_run(p, &m, method, batch, &r, why, sizeof(why)))
        fail_msg("%s", why);
    model_free(&m);
    return r;
}

static void latencies_and_scale(void **state)
{
    struct platform p = two_gpus();
    struct link_spec link = link_;
    struct host_sgd method = plain();

    (void)state;
    method.codec = WEIGHT_CODEC_ADT;
    method.awp = 1;
    p.links = &link;
    struct sgd_result r = play_two(&p, &method, 2);
    /* Forward 1 pass, backward 1 for the first layer and 2 for the second: 5 passes of 1e6 weights + 2000 values. */
    near_ms((double)r.row_ps[ROW_FULLY_CONNECTED], 5 * 4 * (1e6 + 2000) / 100e9 / 0.5 * 1e3);
    p.gpu.launch_latency_s = 1e-3;
    struct sgd_result launched = play_two(&p, &method, 2);
    near_ms((double)(launched.row_ps[ROW_FULLY_CONNECTED] - r.row_ps[ROW_FULLY_CONNECTED]), 4);
    near_ms((double)(launched.row_ps[ROW_UNPACK] - r.row_ps[ROW_UNPACK]), 2);
    near_ms((double)(launched.row_ps[ROW_L2NORM] - r.row_ps[ROW_L2NORM]), 2);
    p.gpu.launch_latency_s = 0;
    link.latency_s = 1e-3;
    struct sgd_result late = play_two(&p, &method, 2);
    near_ms((double)(late.row_ps[ROW_TO_DEVICE] - r.row_ps[ROW_TO_DEVICE]), 2);
    near_ms((double)(late.row_ps[ROW_TO_HOST] - r.row_ps[ROW_TO_HOST]), 2);
    link.latency_s = 0;
    p.compute_scale = 4;
    struct sgd_result fast = play_two(&p, &method, 2);
    near_ms((double)fast.row_ps[ROW_FULLY_CONNECTED] * 4, (double)r.row_ps[ROW_FULLY_CONNECTED] / 1e9);
    assert_int_equal(fast.row_ps[ROW_UNPACK], r.row_ps[ROW_UNPACK]);
}

static void every_gpu_has_its_tasks_and_its_bytes(void **state)
{
    struct platform p = two_gpus();
    struct link_spec link = link_;
    struct host_sgd method = plain();

    (void)state;
    p.links = &link;
    p.gpu.count = 3;
    link.shared_by = method.gpus_per_board = 3;
    struct sgd_result r = play(&p, &method, 3);
    assert_int_equal(r.to_host_bytes, 4004000); /* no multiple of three: nothing of the remainder is lost */
    method.awp = 1;
    assert_int_equal(play(&p, &method, 3).ntasks - r.ntasks, 3 + 1); /* a norm on each GPU, and a phase for them */
    method.awp = 0;
    method.send_samples = 1;
    assert_int_equal(play(&p, &method, 4).to_device_bytes - r.to_device_bytes, 4 * 4000); /* 2 + 1 + 1 samples */

    /* Two boards of two: summing over a board leaves two copies, summing over all leaves one. */
    p.gpu.count = 4;
    link.shared_by = method.gpus_per_board = 2;
    method.send_samples = 0;
    r = play(&p, &method, 4);
    assert_int_equal(r.to_host_bytes, 2 * 4004000);
    near_ms((double)r.row_ps[ROW_UPDATE], 24 * 1.001e6 / 50e9 * 1e3);
    method.reduce = REDUCE_ALL;
    r = play(&p, &method, 4);
    assert_int_equal(r.to_host_bytes, 4004000);
    near_ms((double)r.row_ps[ROW_UPDATE], 20 * 1.001e6 / 50e9 * 1e3);
    /* Each link carries two of the four copies in. */
    assert_true(fabs(r.link_utilisation - 2 * 4004000 / (1e9 * (double)r.step_ps / 1e12)) < 1e-9);
}

static void one_layer_cannot_overlap_with_itself(void **state)
{
    struct platform p = two_gpus();
    struct host_sgd method = plain();

    (void)state;
    method.codec = WEIGHT_CODEC_ADT;
    struct sgd_result serial = play(&p, &method, 2);
    method.schedule = SCHEDULE_OVERLAPPED;
    struct sgd_result overlapped = play(&p, &method, 2);
    assert_int_equal(overlapped.step_ps, serial.step_ps); /* pack waits for the update, and so on round */
}

/* Samples that fill the link: each step must wait for its own, however far ahead they are fetched. */
/* Of a network that reads tokens alone, the samples are integers of 4 bytes. */
static void samples_may_be_integers(void **state)
{
    struct layer_spec words[] = { { .kind = LAYER_TOKENS, .rows = 10, .dim = 4, .positions = 6 },
                                  { .kind = LAYER_TOKENS, .rows = 10, .dim = 4, .positions = 5 },
                                  { .kind = LAYER_ATTENTION, .bias = 1, .heads = 1, .memory = "tokens1" } };
    struct model_spec spec = { .name = "words", .layers = words, .nlayers = 3 };
    struct platform p = two_gpus();
    struct host_sgd method = plain();
    int64_t without;

    (void)state;
    without = play_of(&spec, &p, &method, 2).to_device_bytes;
    method.send_samples = 1;
    assert_int_equal(play_of(&spec, &p, &method, 2).to_device_bytes - without, 2 * 4 * 11);
}

static void overlapped_steps_pay_for_their_samples(void **state)
{
    struct platform p = two_gpus();
    struct host_sgd method = plain();
    struct layer_spec list[] = { { .kind = LAYER_AVGPOOL }, { .kind = LAYER_FC, .units = 10 } };
    struct model_spec spec = { .name = "wide",
                               .channels = 3,
                               .height = 1000,
                               .width = 1000,
                               .classes = 1,
                               .layers = list,
                               .nlayers = COUNT(list) };
    struct sgd_result r;
    struct model m;
    char why[256] = "";

    (void)state;
    method.schedule = SCHEDULE_OVERLAPPED;
    method.send_samples = 1;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
    assert_int_equal(host_sgd_run(&p, &m, &method, 8, &r, why, sizeof(why)), E_OK);
    assert_int_equal(r.to_device_bytes, 8 * 12000000 + 2 * 4 * 30);
    assert_true((double)r.step_ps >= (double)r.to_device_bytes * 1000); /* 1 GB/s: 1000 ps a byte */
    assert_true((double)r.step_ps < (double)r.to_device_bytes * 1000 * 1.001);
    assert_true(r.link_utilisation > 0.999 && r.link_utilisation <= 1);
    model_free(&m);
}

static void overlap_never_loses_and_half_duplex_never_wins(void **state)
{
    struct layer_spec list[] = { { .kind = LAYER_FC, .units = 2000 },
                                 { .kind = LAYER_RELU },
                                 { .kind = LAYER_FC, .units = 3000 },
                                 { .kind = LAYER_FC, .units = 500 },
                                 { .kind = LAYER_CLASSIFIER } };
    struct model_spec spec = { .name = "deep",
                               .channels = 1500,
                               .height = 1,
                               .width = 1,
                               .classes = 100,
                               .layers = list,
                               .nlayers = COUNT(list) };
    struct model m;
    char why[256];
    int64_t step_ps[2][2];

    (void)state;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
    for (int half = 0; half < 2; half++)
        for (int overlap = 0; overlap < 2; overlap++) {
            struct platform p = two_gpus();
            struct link_spec link = link_;
            struct host_sgd method = plain();
            struct sgd_result r, again;
            link.duplex = half ? DUPLEX_HALF : DUPLEX_FULL;
            p.links = &link;
            p.cpu.memory_Bps = 1e13; /* so that the link is what limits */
            method.schedule = overlap ? SCHEDULE_OVERLAPPED : SCHEDULE_SERIAL;
            assert_int_equal(host_sgd_run(&p, &m, &method, 8, &r, why, sizeof(why)), E_OK);
            assert_int_equal(host_sgd_run(&p, &m, &method, 8, &again, why, sizeof(why)), E_OK);
            assert_true(r.digest == again.digest && r.step_ps == again.step_ps);
            int64_t sum_ps = 0;
            for (int row = 0; row < SGD_ROWS; row++)
                sum_ps += r.row_ps[row];
            assert_true(overlap ? r.step_ps < sum_ps : r.step_ps == sum_ps);
            step_ps[half][overlap] = r.step_ps;
        }
    assert_true(step_ps[0][1] < step_ps[0][0]);
    assert_true(step_ps[1][1] < step_ps[1][0]);
    assert_int_equal(step_ps[0][0], step_ps[1][0]); /* a serial chain never uses both directions at once */
    assert_true(step_ps[1][1] > step_ps[0][1]);     /* gradients return while weights are sent */
    /* In the steady state the one wire carries two copies in and one out, 126.6 MB at 1 GB/s, and rests hardly ever. */
    assert_true(step_ps[1][1] > 126600000000 && step_ps[1][1] < 128945176000);
    model_free(&m);
}

/* A wire at half its bandwidth and one that reaches half of it are the same wire, in either duplex. */
static void efficiency_is_a_slower_link(void **state)
{
    (void)state;
    for (int half = 0; half < 2; half++) {
        struct platform p = two_gpus();
        struct link_spec slow = link_, lossy = link_;
        struct host_sgd method = plain();
        method.schedule = SCHEDULE_OVERLAPPED;
        p.cpu.memory_Bps = 1e13;
        slow.duplex = lossy.duplex = half ? DUPLEX_HALF : DUPLEX_FULL;
        slow.bandwidth_Bps /= 2;
        lossy.efficiency_to_device = lossy.efficiency_to_host = 0.5;
        p.links = &slow;
        struct sgd_result a = play_two(&p, &method, 2);
        p.links = &lossy;
        struct sgd_result b = play_two(&p, &method, 2);
        assert_true(a.step_ps == b.step_ps && a.digest == b.digest);
        assert_true(fabs(a.link_utilisation - b.link_utilisation) < 1e-12);
    }
}

/* Something wrong in what is otherwise right. */
struct wrong {
    struct platform p;
    struct link_spec link;
    struct host_sgd method;
    int64_t batch;
};

#define WRONG(change)             \
    ({                            \
        struct wrong w = right(); \
        w.change;                 \
        w;                        \
    })

static struct wrong right(void)
{
    return (struct wrong){ two_gpus(), link_, plain(), 2 };
}

static void nonsense_is_refused_by_key(void **state)
{
    const struct {
        const char *want;
        struct wrong w;
    } cases[] = {
        { "batch: 1 samples are fewer than the 2 GPUs", WRONG(batch = 1) },
        { "batch: one step would move ", WRONG(batch = INT64_MAX / 8) },
        { "platform.machines: expected 1", WRONG(p.machines = 4) },
        { "platform.gpu.count: expected 1 to", WRONG(p.gpu.count = 0) },
        { "platform.gpu.link: expected a link of the platform, got 'string'", WRONG(p.gpu.link = "string") },
        { "platform.gpu.efficiency.convolution: ", WRONG(p.gpu.efficiency_convolution = NAN) },
        { "platform.gpu.launch_latency: ", WRONG(p.gpu.launch_latency_s = -1) },
        { "platform.cpu.dma_read: ", WRONG(p.cpu.dma_read_Bps = NAN) },
        { "platform.cpu.dma_write: ", WRONG(p.cpu.dma_write_Bps = -1) },
        { "platform.cpu.memory_efficiency: ", WRONG(p.cpu.memory_efficiency = 0) },
        { "platform.link.wire.shared_by: ", WRONG(link.shared_by = 0) },
        { "platform.link.wire.latency: ", WRONG(link.latency_s = NAN) },
        { "platform.link.wire.efficiency.to_host: ", WRONG(link.efficiency_to_host = 0) },
        { "platform.link.wire.bandwidth: ", WRONG(link.bandwidth_Bps = INFINITY) },
        { "platform.link.wire.above: host-sgd knows of one link", WRONG(link.above = "wire") },
        { "platform.network.uplink: ", WRONG(p.network.uplink = "string") },
        { "method.gpus_per_board: ", WRONG(method.gpus_per_board = 0) },
        { "method.bytes_per_weight: expected 1 to 4",
          WRONG(method.codec = WEIGHT_CODEC_ADT; w.method.bytes_per_weight = 5) },
    };
    struct model m;
    char why[256];

    (void)state;
    assert_int_equal(model_infer(&small, &m, why, sizeof(why)), E_OK);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct wrong w = cases[i].w;
        struct sgd_result r = { .step_ps = 42 };
        w.p.links = &w.link;
        why[0] = 0;
        assert_int_equal(host_sgd_run(&w.p, &m, &w.method, w.batch, &r, why, sizeof(why)), E_INVAL);
        if (strncmp(why, cases[i].want, strlen(cases[i].want)) != 0)
            fail_msg("'%s' does not begin with '%s'", why, cases[i].want);
        assert_int_equal(r.step_ps, 42);
    }
    model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serial_step_by_hand),
        cmocka_unit_test(packed_step_by_hand),
        cmocka_unit_test(whole_weights_cost_what_no_codec_does),
        cmocka_unit_test(links_and_memory_limit),
        cmocka_unit_test(reductions),
        cmocka_unit_test(latencies_and_scale),
        cmocka_unit_test(every_gpu_has_its_tasks_and_its_bytes),
        cmocka_unit_test(one_layer_cannot_overlap_with_itself),
        cmocka_unit_test(samples_may_be_integers),
        cmocka_unit_test(overlapped_steps_pay_for_their_samples),
        cmocka_unit_test(overlap_never_loses_and_half_duplex_never_wins),
        cmocka_unit_test(efficiency_is_a_slower_link),
        cmocka_unit_test(nonsense_is_refused_by_key),
    };
    return cmocka_run_group_tests_name("host_sgd", tests, NULL, NULL);
}
