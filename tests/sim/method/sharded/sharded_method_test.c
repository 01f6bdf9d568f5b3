/* What a sharded step sends, keeps and refuses, against arithmetic. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/method/method.h"
#include "tests/sim/method/sharded/sharded_platform.h"
#include "tests/test.h"

enum { LAYERS = 4, HIDDEN = 1024, HEADS = 16, FEED = 4096, SEQUENCE = 512, WORDS = 32000 };

static const struct gpt_spec gpt = { .style = GPT_LLAMA,
                                     .hidden = HIDDEN,
                                     .layers = LAYERS,
                                     .heads = HEADS,
                                     .feed_forward = FEED,
                                     .sequence = SEQUENCE,
                                     .vocabulary = WORDS };

/* Of a layer, the words and the head: all divide by 8. */
static const double layer = 4. * HIDDEN * HIDDEN + 3. * HIDDEN * FEED + 2. * HIDDEN;
static const double words = (double)WORDS * HIDDEN;

static double parameters(void)
{
    return LAYERS * layer + 2 * words + HIDDEN;
}

static void rig(struct sharded_rig *r, int64_t machines, int64_t level)
{
    sharded_rig_make(r, machines, 8, 0, 1);
    sharded_rig_decoder(r, gpt);
    r->method.sharded.level = level;
    r->job.batch = 8 * machines;
}

static struct readings play(struct sharded_rig *r)
{
    struct readings out;
    char why[512] = "";

    if (method_play(&r->job, &out, NULL, why, sizeof(why)))
        fail_msg("%s", why);
    sharded_rig_free(r);
    return out;
}

static void near(const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * want))
        fail_msg("%s: %.17g, expected %.17g", what, got, want);
}

/* Gradients of 4 bytes, parameters of 2; 7/8 of them leave each of 8 ranks in a round. */
static void bytes_by_level(void **state)
{
    const double round = 8. * 7 / 8, p = parameters();
    const double want[] = { 2 * round * 4 * p, round * (4 + 2) * p, round * (4 + 2) * p, round * (4 + 2 * 2) * p };

    (void)state;
    for (int64_t level = 0; level < 4; level++) {
        struct sharded_rig r;
        struct readings out;
        rig(&r, 1, level);
        r.method.sharded.prefetch = 1;
        out = play(&r);
        /* The last unit of the forward pass is the first of the backward pass: it is still there. */
        double less = level == 3 ? round * 2 * (words + HIDDEN) : 0;
        near("sent.shard", reading_value(&out, "sent.shard"), want[level] - less);
    }
}

static void bytes_that_stay(void **state)
{
    struct sharded_rig r;
    struct readings out;

    (void)state;
    rig(&r, 1, 3);
    r.method.sharded.reshard = false; /* gathered once */
    out = play(&r);
    near("without resharding", reading_value(&out, "sent.shard"), 7. * (4 + 2) * parameters());
    rig(&r, 2, 3);
    r.method.sharded.shard = 8; /* a copy on each machine: the sums of both are added up */
    out = play(&r);
    near("copies", reading_value(&out, "sent.shard-copy"), 16. * 2 * 4 * parameters() / 8 / 2);
}

/* Codes of a byte and a scale of 4 bytes for each 256; a header of 64 bytes for each payload: 4 in place of 32 bits. */
static void codecs_send_less(void **state)
{
    struct sharded_rig r;
    struct readings plain, coded;
    struct codec_spec c = { .format = WIRE_BLOCKWISE,
                            .code_bits = 8,
                            .block = 256,
                            .place = CODEC_ON_GPU,
                            .threads = 1,
                            .scale = 1,
                            .life = 1 };

    (void)state;
    rig(&r, 1, 3);
    plain = play(&r);
    rig(&r, 1, 3);
    r.method.sharded.codec_gradients = c;
    r.method.sharded.codec_gradients.aggregation = AGGREGATE_SCATTER;
    coded = play(&r);
    assert_true(isnan(reading_value(&plain, "sent.shard-spread")));
    double spread = reading_value(&coded, "sent.shard-spread");
    double want = 8. * 7 / 8 * parameters() * (1 + 4. / 256) + 8. * 7 * 64 * (LAYERS + 2);
    assert_true(fabs(spread - want) < 8. * 7 * 8 * (LAYERS + 2)); /* padding to 4 bytes, and blocks begun */
    near("gathers stay", reading_value(&plain, "sent.shard") - reading_value(&coded, "sent.shard"),
         7. * 4 * parameters());
}

/* 2 bytes of weights, 4 of gradients, 12 of states; sharded by 8 from the level on that says so. */
static void memory_by_level(void **state)
{
    const double p = parameters(), largest = words + HIDDEN, second = words;
    const struct {
        double weights, gradients, states;
    } want[] = { { 2 * p, 4 * p, 12 * p },
                 { 2 * p, 4 * p, 12 * p / 8 },
                 { 2 * p, 4 * (p / 8 + largest + second), 12 * p / 8 },
                 { 2 * p / 8, 4 * (p / 8 + largest + second), 12 * p / 8 } };

    (void)state;
    for (int64_t level = 0; level < 4; level++) {
        struct sharded_rig r;
        struct readings out;
        double sum = 0;
        rig(&r, 1, level);
        out = play(&r);
        near("weights", reading_value(&out, "memory.weights"), want[level].weights);
        near("gradients", reading_value(&out, "memory.gradients"), want[level].gradients);
        near("states", reading_value(&out, "memory.states"), want[level].states);
        for (size_t i = 0; i < out.n; i++)
            sum += strncmp(out.list[i].name, "memory.", 7) ? 0 : out.list[i].value;
        near("all classes", reading_value(&out, "memory_bytes"), sum);
    }
}

/* Moments in the format that 'states' names; the parameters in fp32 stay. Each is read and written by the update. */
static void memory_of_moments(void **state)
{
    const struct {
        enum optimizer optimizer;
        enum compute_precision states;
        double bytes;
    } want[] = {
        { OPTIMIZER_ADAM, COMPUTE_FP32, 8 },     { OPTIMIZER_ADAM, COMPUTE_BF16, 4 },
        { OPTIMIZER_ADAM, COMPUTE_FP8, 2 },      { OPTIMIZER_MOMENTUM, COMPUTE_FP32, 4 },
        { OPTIMIZER_MOMENTUM, COMPUTE_FP16, 2 }, { OPTIMIZER_SGD, COMPUTE_FP32, 0 },
        { OPTIMIZER_SGD, COMPUTE_FP8, 0 },
    };
    double first_ms = 0, own = parameters() / 8;

    (void)state;
    for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
        struct sharded_rig r;
        rig(&r, 1, 1);
        r.method.sharded.optimizer = want[i].optimizer;
        r.method.sharded.states = want[i].states;
        double bandwidth = r.platform.gpu.memory_Bps * r.platform.gpu.efficiency_memory;
        struct readings out = play(&r);
        double ms = reading_value(&out, "update_ms");
        near("states", reading_value(&out, "memory.states"), (want[i].bytes + 4) * own);
        if (i)
            assert_true(fabs(first_ms - ms - 1e3 * 2 * (8 - want[i].bytes) * own / bandwidth) < 1e-8);
        else
            first_ms = ms;
    }
}

/* A step that does not fit names what it needs, and a change that lets it fit, which does. */
static void too_large_is_refused(void **state)
{
    struct sharded_rig r;
    struct readings out;
    char why[512] = "";

    (void)state;
    rig(&r, 1, 0);
    r.platform.gpu.memory_bytes = (int64_t)(16 * parameters());
    assert_int_not_equal(method_play(&r.job, &out, NULL, why, sizeof(why)), 0);
    assert_non_null(strstr(why, "platform.gpu.memory: a GPU of stage 0 needs "));
    assert_non_null(strstr(why, "what fits: method.level=1"));
    r.method.sharded.level = 1;
    out = play(&r);
}

static void refuses(struct sharded_rig *r, const char *words_of_it)
{
    struct readings out;
    char why[512] = "";

    assert_int_not_equal(method_play(&r->job, &out, NULL, why, sizeof(why)), 0);
    if (!strstr(why, words_of_it))
        fail_msg("'%s' says nothing of '%s'", why, words_of_it);
    sharded_rig_free(r);
}

static void layouts_that_are_none(void **state)
{
    struct sharded_rig r;

    (void)state;
    rig(&r, 1, 3);
    r.method.sharded.tensor = 3;
    refuses(&r, "method.data: 8 GPUs cannot be divided");
    rig(&r, 1, 3);
    r.method.sharded.order = "tensor, data, pipeline";
    refuses(&r, "method.order: expected tensor, context, data and pipeline, each once");
    rig(&r, 1, 3);
    r.job.batch = 12;
    refuses(&r, "batch: expected a multiple of 8");
    rig(&r, 1, 3);
    r.method.sharded.pipeline = 8;
    refuses(&r, "method.pipeline: expected at most 4 stages");
    rig(&r, 1, 3);
    r.method.sharded.pipeline = 2;
    r.method.sharded.chunks = 2;
    r.job.batch = 12;
    refuses(&r, "must be a multiple of the 2 stages");
    rig(&r, 1, 0);
    r.method.sharded.offload = OFFLOAD_PARAMETERS;
    refuses(&r, "method.offload: parameters are fetched unit by unit");
    rig(&r, 1, 1);
    r.method.sharded.reduce_each = true;
    refuses(&r, "method.reduce_each: below level 2 gradients are added up where they are: expected false");
    rig(&r, 1, 2);
    r.method.sharded.secondary = true;
    refuses(&r, "method.secondary: expected false below level 3");
    rig(&r, 1, 0);
    r.method.sharded.activations = COMPUTE_FP8;
    refuses(&r, "platform.gpu.peaks.fp8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_by_level),        cmocka_unit_test(bytes_that_stay),
        cmocka_unit_test(codecs_send_less),      cmocka_unit_test(memory_by_level),
        cmocka_unit_test(memory_of_moments),     cmocka_unit_test(too_large_is_refused),
        cmocka_unit_test(layouts_that_are_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
