/* What Megatron does and a step shows: reductions behind the passes, a host that runs ahead of its GPU, messages that
 * are scattered and gathered, kernels over gradients, and a clock. */
#include <math.h>

#include "sim/method/method.h"
#include "tests/sim/method/sharded/sharded_platform.h"
#include "tests/test.h"

static const struct gpt_spec gpt = { .style = GPT_LLAMA,
                                     .hidden = 1024,
                                     .layers = 4,
                                     .heads = 16,
                                     .sequence = 512,
                                     .vocabulary = 32000,
                                     .kv_heads = 16,
                                     .feed_forward = 4096 };

static void set_up(struct sharded_rig *r)
{
    sharded_rig_make(r, 1, 8, 0, 1);
    sharded_rig_decoder(r, gpt);
    r->method.sharded.level = 0;
    r->method.sharded.data = 1;
    r->method.sharded.unit_layers = 8;
    r->method.sharded.overlap = false;
    r->method.sharded.recompute = RECOMPUTE_NONE;
}

static struct readings play(const struct sharded_rig *r)
{
    struct readings out = { .n = 0 };
    char why[300] = "";

    if (sharded_play(&r->job, &out, NULL, why, sizeof(why)))
        fail_msg("%s", why);
    return out;
}

static double value(const struct sharded_rig *r, const char *name)
{
    struct readings out = play(r);

    return reading_value(&out, name);
}

static void near(double got, double want, double relative, const char *what)
{
    if (!(fabs(got - want) <= relative * fabs(want)))
        fail_msg("%s is %.12g, expected %.12g", what, got, want);
}

/* Stages reduce at the same time: a step waits for one reduction, however many stages there are. */
static void reductions_come_behind_the_passes_of_all_stages(void **state)
{
    static const int64_t stages[] = { 1, 2, 4 };

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct sharded_rig r;
        set_up(&r);
        r.method.sharded.pipeline = stages[i];
        r.job.batch = 8;
        double alone = value(&r, "step_ms");
        r.method.sharded.data = 2;
        r.job.batch = 16;
        struct readings two = play(&r);
        r.method.sharded.play = PLAY_CLOSED;
        double added = reading_value(&two, "step_ms") - alone;
        near(reading_value(&two, "step_ms"), value(&r, "step_ms"), 0.03, "a step of two replicas");
        assert_true(reading_value(&two, "wire.shard_ms") > 0.1);
        if (added > 1.3 * reading_value(&two, "wire.shard_ms"))
            fail_msg("%lld stages: %g ms more for a reduction of %g", (long long)stages[i], added,
                     reading_value(&two, "wire.shard_ms"));
        sharded_rig_free(&r);
    }
}

/* The fourth root of the sum of both fourth powers, of all that one micro-batch needs: the output's product, too, for
 * which the host has little to do. */
static void the_host_runs_ahead_within_a_micro_batch(void **state)
{
    static const struct {
        enum recompute recompute;
        double share; /* of the host's time of a layer forward and backward */
    } cases[] = { { RECOMPUTE_NONE, 1 }, { RECOMPUTE_SELECTIVE, 1.1 }, { RECOMPUTE_FULL, 1.4 } };
    static const double dispatch_ms[] = { 0.05, 0.5, 5, 500 };

    (void)state;
    for (size_t i = 0; i < COUNT(cases) * COUNT(dispatch_ms); i++) {
        struct sharded_rig r;
        double host_ms = dispatch_ms[i % COUNT(dispatch_ms)];
        set_up(&r);
        r.method.sharded.recompute = cases[i / COUNT(dispatch_ms)].recompute;
        r.job.batch = 3;
        struct readings none = play(&r);
        double update_ms = reading_value(&none, "update_ms"),
               gpu_ms = (reading_value(&none, "step_ms") - update_ms) / 3;
        r.method.sharded.dispatch_s = host_ms / 1e3;
        host_ms *= 4 * cases[i / COUNT(dispatch_ms)].share;
        double both_ms = pow(pow(gpu_ms, 4) + pow(host_ms, 4), 0.25);
        near(value(&r, "step_ms"), 3 * both_ms + update_ms, 1e-6, "a step");
        sharded_rig_free(&r);
    }
}

/* Whoever has all of a stage's output sends a part of it; with sequence parallelism it has no more. */
static void a_tensor_group_sends_what_it_has_once(void **state)
{
    static const bool sequence[] = { true, false };
    double gathered[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct sharded_rig r;
        set_up(&r);
        r.method.sharded.tensor = 4;
        r.method.sharded.pipeline = 2;
        r.method.sharded.sequence = sequence[i];
        r.job.batch = 3;
        struct readings out = play(&r);
        near(reading_value(&out, "sent.forward"), 3.0 * 512 * 1024 * 2, 0, "what is sent forward");
        near(reading_value(&out, "sent.backward"), 3.0 * 512 * 1024 * 2, 0, "what is sent back");
        gathered[i] = reading_value(&out, "sent.tensor");
        sharded_rig_free(&r);
    }
    /* Four sums a layer and one of the output's gradient, in two halves each; both ends of what is sent. */
    double half = 3.0 * 512 * 1024 * 2 * 3;
    near(gathered[1], half * (4 * 4 * 2 + 2 + 2), 1e-3, "what sums and the stages' ends move");
}

static void gradients_are_read_and_updates_have_their_share(void **state)
{
    struct sharded_rig r;

    (void)state;
    set_up(&r);
    struct readings plain = play(&r);
    double values = reading_value(&plain, "memory.gradients") / 4, update_ms = reading_value(&plain, "update_ms");
    double launches_ms = 3 * 2e-3; /* of three units */
    near(update_ms - launches_ms, values * 50 / (2e12 * 0.8) * 1e3, 1e-6, "an update");
    r.method.sharded.update_share = 0.4;
    near(value(&r, "update_ms") - launches_ms, values * 50 / (2e12 * 0.4) * 1e3, 1e-6, "a slow update");
    r.method.sharded.gradient_bytes = 12;
    near(value(&r, "update_ms") - 2 * launches_ms, values * 62 / (2e12 * 0.4) * 1e3, 1e-6,
         "an update with further kernels");
    sharded_rig_free(&r);
}

/* Products and attention at half the clock take twice as long, streams do not. */
static void a_clock_is_of_what_computes(void **state)
{
    struct sharded_rig r;
    double with[3];
    static const double clocks[] = { 0, 1, 0.5 };

    (void)state;
    set_up(&r);
    r.platform.gpu.launch_latency_s = 0;
    r.platform.gpu.memory_Bps = 1e18;
    for (int i = 0; i < 3; i++) {
        r.platform.gpu.clock = clocks[i];
        with[i] = value(&r, "forward_ms");
    }
    near(with[0], with[1], 0, "without a clock");
    near(with[2], 2 * with[1], 1e-3, "at half the clock");
    sharded_rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reductions_come_behind_the_passes_of_all_stages),
        cmocka_unit_test(the_host_runs_ahead_within_a_micro_batch),
        cmocka_unit_test(a_tensor_group_sends_what_it_has_once),
        cmocka_unit_test(gradients_are_read_and_updates_have_their_share),
        cmocka_unit_test(a_clock_is_of_what_computes),
    };
    return cmocka_run_group_tests_name("sharded_megatron", tests, NULL, NULL);
}
