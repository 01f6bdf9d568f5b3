/* model_parallel: how a network is divided, and what is refused. */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "sim/method/model_parallel/stages.h"
#include "tests/draw.h"
#include "tests/sim/method/model_parallel_rig.h"
#include "tests/test.h"

/* The largest stage of the best division, by trying all. */
static int64_t best_by_trying(const int64_t flops[], int n, int stages)
{
    int64_t best = INT64_MAX;

    for (unsigned set = 0; set < 1u << (n - 1); set++) {
        int64_t largest = 0, sum = 0;
        if (__builtin_popcount(set) != stages - 1)
            continue;
        for (int i = 0; i < n; i++) {
            sum += flops[i];
            if (i == n - 1 || set >> i & 1) {
                largest = sum > largest ? sum : largest;
                sum = 0;
            }
        }
        best = largest < best ? largest : best;
    }
    return best;
}

static void divides_most_evenly(void **state)
{
    uint64_t seed = 3;

    (void)state;
    for (int round = 0; round < 300; round++) {
        struct layer layers[12];
        struct model m = { .layers = layers };
        struct mp_stage stage[9];
        int64_t flops[12], got = 0;
        int n = 1 + (int)(draw(&seed) % 9), stages = 1 + (int)(draw(&seed) % (uint64_t)n);
        struct model_parallel mp = { .stages = stages };
        char why[200] = "";
        memset(layers, 0, sizeof(layers));
        for (int i = 0; i < n; i++) {
            layers[i] = (struct layer){ .block = -1, .input = i - 1, .second = LAYER_NO_LAYER, .weights = 1 };
            layers[i].flops_forward = (int64_t)(draw(&seed) % 50);
            flops[i] = layers[i].flops_forward;
        }
        m.nlayers = (size_t)n;
        assert_int_equal(mp_divide(&mp, &m, stage, why, sizeof(why)), E_OK);
        assert_int_equal(stage[0].first, 0);
        assert_int_equal(stage[stages - 1].end, n);
        for (int s = 0; s < stages; s++) {
            int64_t sum = 0;
            assert_true(stage[s].end > stage[s].first);
            if (s)
                assert_int_equal(stage[s].first, stage[s - 1].end);
            for (size_t i = stage[s].first; i < stage[s].end; i++)
                sum += flops[i];
            got = sum > got ? sum : got;
        }
        if (got != best_by_trying(flops, n, stages))
            fail_msg("round %d: the largest of %d stages has %d", round, stages, (int)got);
    }
}

/* conv, three blocks of two (the first with a nested plain repetition), fc: cuts leave shortcuts whole. */
static void cuts_respect_shortcuts(void **state)
{
    struct layer_spec conv[] = { { .kind = LAYER_RELU }, { .kind = LAYER_CONV, .channels = 4, .kernel = 3, .pad = 1 } };
    struct layer_spec plain[] = {
        { .kind = LAYER_BLOCK, .repeat = 2, .shortcut = SHORTCUT_NONE, .layers = conv, .nlayers = 2 }
    };
    struct layer_spec list[] = {
        { .kind = LAYER_CONV, .channels = 4, .kernel = 3, .pad = 1 },
        { .kind = LAYER_BLOCK, .repeat = 2, .shortcut = SHORTCUT_IDENTITY, .layers = plain, .nlayers = 1 },
        { .kind = LAYER_BLOCK, .repeat = 2, .shortcut = SHORTCUT_NONE, .layers = conv, .nlayers = 2 },
        { .kind = LAYER_FC, .units = 1000 },
        { .kind = LAYER_SOFTMAX },
    };
    struct model_spec spec = { .name = "m", .channels = 3, .height = 8, .width = 8, .layers = list, .nlayers = 5 };
    struct model m;
    struct mp_stage stage[8];
    struct model_parallel mp = { .stages = 6 };
    char why[300];

    (void)state;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
    /* 0 conv; 1 relu 2 conv 3 relu 4 conv 5 add; 6..10 the same; 11 relu 12 conv; 13 relu 14 conv; 15 fc; 16 softmax.
     * What has no weights goes with what stands before it. */
    assert_int_equal(m.nlayers, 17);
    static const size_t ends[] = { 1, 6, 12, 14, 15, 17 };
    assert_int_equal(mp_divide(&mp, &m, stage, why, sizeof(why)), E_OK);
    for (int s = 0; s < 6; s++)
        assert_int_equal(stage[s].end, ends[s]);
    mp.stages = 7;
    assert_int_equal(mp_divide(&mp, &m, stage, why, sizeof(why)), E_INVAL);
    assert_non_null(strstr(why, "method.stages: expected at most 6"));

    for (size_t i = 0; i + 1 < m.nlayers; i++) {
        struct cut cut = { .after = m.layers[i].name };
        bool clean = i == 0 || i == 5 || i >= 10;
        mp = (struct model_parallel){ .stages = 2, .cuts = &cut, .ncuts = 1 };
        int rc = mp_divide(&mp, &m, stage, why, sizeof(why));
        if (rc != (clean ? E_OK : E_INVAL))
            fail_msg("a cut after %s: %d", cut.after, rc);
        if (!rc)
            assert_int_equal(stage[1].first, i + 1);
    }
    model_free(&m);
}

/* Past a branch, and between an encoder and what attends to it, more than one tensor would cross. */
static void cuts_respect_other_readers(void **state)
{
    struct layer_spec pair[] = { { .kind = LAYER_LINEAR, .units = 4 }, { .kind = LAYER_LINEAR, .units = 4 } };
    struct layer_spec list[] = {
        { .kind = LAYER_TOKENS, .rows = 5, .dim = 4, .positions = 3 },                       /* 0 */
        { .kind = LAYER_CONCAT, .layers = pair, .nlayers = 2 },                              /* 1 2, joined by 3 */
        { .kind = LAYER_LAYERNORM, .name = "memory" },                                       /* 4 */
        { .kind = LAYER_TOKENS, .rows = 5, .dim = 4, .positions = 2 },                       /* 5 */
        { .kind = LAYER_ATTENTION, .bias = 1, .name = "a", .heads = 1, .memory = "memory" }, /* 6 */
        { .kind = LAYER_ATTENTION, .bias = 1, .heads = 1, .memory = "memory" },              /* 7 */
        { .kind = LAYER_LINEAR, .units = 5 },                                                /* 8 */
        { .kind = LAYER_SOFTMAX },                                                           /* 9 */
    };
    static const bool clean[] = { 1, 0, 0, 1, 1, 0, 0, 1, 1 };
    struct model_spec spec = { .name = "m", .layers = list, .nlayers = COUNT(list) };
    struct model m;
    char why[300];

    (void)state;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), E_OK);
    assert_int_equal(m.nlayers, COUNT(clean) + 1);
    for (size_t i = 0; i < COUNT(clean); i++) {
        struct cut cut = { .after = m.layers[i].name };
        struct model_parallel mp = { .stages = 2, .cuts = &cut, .ncuts = 1 };
        struct mp_stage stage[2];
        int rc = mp_divide(&mp, &m, stage, why, sizeof(why));
        if (rc != (clean[i] ? E_OK : E_INVAL))
            fail_msg("a cut after %s: %d", cut.after, rc);
        if (rc)
            assert_non_null(strstr(why, "reads an earlier layer, too"));
    }
    model_free(&m);
}

/* Each refusal names the wrong key. */
static void refusals(void **state)
{
    struct rig r;
    char why[300], on[24];

    (void)state;
#define REFUSED(change, text)                                     \
    do {                                                          \
        set_up(&r, 3, 10);                                        \
        r.mp->stages = 3;                                         \
        change;                                                   \
        why[0] = 0;                                               \
        int rc_ = model_parallel_check(&r.job, why, sizeof(why)); \
        if (rc_ != E_INVAL || strncmp(why, text, strlen(text)))   \
            fail_msg("%s: %d, '%s'", #change, rc_, why);          \
        model_free(&r.model);                                     \
    } while (0)
    REFUSED(r.mp->trainers = 0, "method.trainers: expected 1 to ");
    REFUSED(r.mp->stages = 0, "method.stages: expected 1 to ");
    REFUSED(r.mp->stages = 66, "method.stages: expected 1 to 65");
    REFUSED(r.mp->stages = 4, "method.stages: expected at most 3,");
    REFUSED(r.mp->servers = -1, "method.servers: expected 0 to ");
    REFUSED((r.mp->servers = 0, r.mp->trainers = 2), "method.servers: 2 trainers");
    REFUSED(r.mp->threads = 0, "method.threads: expected 1 to ");
    REFUSED((r.mp->schedule = MP_GPIPE, r.mp->micro_batches = 0), "method.micro_batches: expected 1 to ");
    REFUSED((r.mp->schedule = MP_GPIPE, r.mp->micro_batches = 11), "batch: expected a sample for each of 11");
    REFUSED(r.job.batch = 0, "batch: ");
    REFUSED(r.mp->steps = 0, "method.steps: expected 1 to ");
    REFUSED((r.mp->steps = 1 << 20, r.mp->threads = 1 << 10),
            "method.steps: 1048576 steps of 1 trainers with 1024 threads");
    REFUSED((r.mp->steps = 1, r.mp->threads = 1 << 20), "method.threads: 1 steps of 1 trainers with 1048576 threads");
    REFUSED((r.mp->trainers = 1 << 20, r.mp->threads = 8), "method.trainers: ");
    REFUSED(r.mp->ncuts = 1, "method.cuts: 3 stages need 2 cuts, or none, got 1");
#define CUTS(a, b) (r.mp->ncuts = 2, r.cuts[0].after = (a), r.cuts[1].after = (b))
    REFUSED(CUTS("fc1", "fc9"), "method.cuts[1].after: the model 'chain' has no layer 'fc9'");
    REFUSED(CUTS("fc2", "fc1"), "method.cuts[1].after: expected a layer after 'fc2', got 'fc1'");
    REFUSED(CUTS("fc2", "fc2"), "method.cuts[1].after: expected a layer after 'fc2', got 'fc2'");
    REFUSED(CUTS("fc2", "fc3"), "method.cuts[1].after: nothing follows 'fc3'");
    REFUSED(r.platform.machines = 3, "platform.machines: 1 trainers x 3 stages + 1 servers need 4, got 3");
    REFUSED(r.mp->device = COMPUTE_ON_GPU, "method.device: expected cpu");
    REFUSED(r.mp->profile.samples = 0, "method.profile.samples: ");
    REFUSED((r.mp->profile = (struct compute_profile){ .scale = 1 }), "platform.cpu.peak: the roofline needs");
    REFUSED(r.platform.cpu.cores_per_socket = 0, "platform.cpu.cores_per_socket: ");
    REFUSED(r.platform.cpu.memory_efficiency = NAN, "platform.cpu.memory_efficiency: ");
    REFUSED(r.platform.cpu.memory_Bps = NAN, "platform.cpu.memory_bandwidth: ");
    REFUSED(r.mp->sample_in_bytes = -1, "method.sample_in: expected 0 or more");
    REFUSED((r.mp->servers = 0, r.mp->sample_out_bytes = 1), "method.sample_out: needs servers");
    REFUSED(r.mp->parameter_scale = NAN, "method.parameter_scale: ");
    REFUSED(r.mp->activation_scale = 1e300, "batch: an iteration would move");
    REFUSED(r.mp->parameter_scale = 1e300, "model: an iteration would move");
    REFUSED(r.mp->push = sparse(WIRE_DCT, 2), "method.push.density: ");
    REFUSED((r.mp->pull = sparse(WIRE_DCT, 1), r.mp->pull.place = CODEC_ON_GPU), "method.pull.place: expected cpu");
    REFUSED((r.mp->push = sparse(WIRE_POWERSGD, 1), r.mp->push.rank = 2), "method.push.format: a stage's layers");
    REFUSED((r.mp->activations = sparse(WIRE_LOCAL, 0), r.mp->activations.steps = 2), "method.activations.format: ");
    REFUSED((snprintf(on, sizeof(on), "myrinet"), r.platform.network.link = on), "platform.network.link: ");
#undef CUTS
#undef REFUSED
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divides_most_evenly),
        cmocka_unit_test(cuts_respect_shortcuts),
        cmocka_unit_test(cuts_respect_other_readers),
        cmocka_unit_test(refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
