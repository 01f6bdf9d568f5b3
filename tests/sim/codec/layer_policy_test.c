/* Which layers a codec codes: patterns by a table, and what the methods make of them. */
#include <stdbool.h>
#include <string.h>

#include "model/status.h"
#include "tests/sim/method/parameter_server_rig.h"

static const struct {
    const char *patterns, *layer;
    bool takes;
} cases[] = {
    { NULL, "fc1", 1 },
    { "", "fc1", 1 },
    { "   ", "fc1", 1 },
    { "fc1", "fc1", 1 },
    { "fc1", "fc10", 0 },
    { "fc10", "fc1", 0 },
    { "fc?", "fc1", 1 },
    { "fc?", "fc", 0 },
    { "fc?", "fc10", 0 },
    { "fc*", "fc10", 1 },
    { "fc*", "fc", 1 },
    { "*", "anything", 1 },
    { "*1", "conv11", 1 },
    { "*1", "conv12", 0 },
    { "c*v*2", "conv12", 1 },
    { "c*v*2", "conv21", 0 },
    { "conv* fc2", "fc2", 1 },
    { "conv* fc2", "fc1", 0 },
    { " conv*  fc2 ", "conv", 1 },
    { "fc2 conv*", "conv3", 1 },
    { "a*a*a", "aa", 0 },
    { "a*a*a", "aaa", 1 },
    { "**", "", 1 },
    { "?", "", 0 },
};

static void patterns_name_layers(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct codec_spec c = { .format = WIRE_8BIT, .layers = cases[i].patterns }, own;

        if (codec_spec_takes(&c, cases[i].layer) != cases[i].takes)
            fail_msg("'%s' on '%s': expected %d", cases[i].patterns, cases[i].layer, cases[i].takes);
        own = codec_spec_of_layer(&c, cases[i].layer);
        assert_int_equal(own.format, cases[i].takes ? WIRE_8BIT : WIRE_NONE);
    }
}

static double push_bytes(const char *layers)
{
    struct rig g = rig(3, 1);

    of(&g)->push.format = WIRE_8BIT;
    of(&g)->push.layers = layers;
    play(&g);
    return reading_value(&g.r, "push_bytes");
}

/* Three tensors of a million values: a coded one is a quarter of the others, and a header. */
static void only_the_named_layers_are_coded(void **state)
{
    struct codec_spec coded = { .format = WIRE_8BIT };
    double one = (double)codec_spec_wire_bytes(&coded, 1000000, 0);

    (void)state;
    assert_true(push_bytes("") == 3 * one);
    assert_true(push_bytes("fc*") == 3 * one);
    assert_true(push_bytes("fc2") == one + 2 * 4e6);
    assert_true(push_bytes("fc1 fc3") == 2 * one + 4e6);
    assert_true(push_bytes("conv*") == 3 * 4e6);
}

static void a_policy_for_no_layer_is_refused(void **state)
{
    struct rig g = rig(2, 1);
    char why[256];

    (void)state;
    g.platform.cpu.codec_speed = 1;
    of(&g)->pull.format = WIRE_8BIT;
    of(&g)->pull.layers = "conv*";
    bind(&g);
    assert_int_equal(method_check(&g.job, why, sizeof(why)), E_INVAL);
    assert_non_null(strstr(why, "method.pull.layers: expected names of layers of"));
    of(&g)->pull.layers = "fc2";
    assert_int_equal(method_check(&g.job, why, sizeof(why)), E_OK);
    model_free(&g.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_name_layers),
        cmocka_unit_test(only_the_named_layers_are_coded),
        cmocka_unit_test(a_policy_for_no_layer_is_refused),
    };
    return cmocka_run_group_tests_name("layer policy", tests, NULL, NULL);
}
