/* codec_asked_test.c - a codec that the simulator has no formula for is timed with the parameters that it has; every
 * choice of them has a name of its own in the database. */
#include <string.h>

#include "harness/run/codec/curve.h"
#include "harness/scenario/codec_asked.h"
#include "tests/test.h"

static void an_asked_codec_is_timed_as_it_is(void **state)
{
    static const struct {
        const char *codec;
        struct codec_params p;
        const char *option;
    } cases[] = {
        { "8bit", { { 0 } }, "" },
        { "blockwise", { { 8, 256 } }, "" },
        { "blockwise", { { 4, 64 } }, "bits=4,block=64" },
        { "blockwise", { { 8, 64 } }, "block=64" },
        { "dct", { { 0.125, 7, 11, 13 } }, "#" }, /* too long: a hash */
        { "dct", { { 0.125, 7, 11, 14 } }, "#" },
    };
    struct codec_curve curves[COUNT(cases)];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct codec *codec = codec_find(cases[i].codec);
        struct codec_spec c = { .format = WIRE_ASKED, .place = CODEC_ON_CPU, .timing = CODEC_COST_MEASURED };
        const char *option = curves[i].setting.option;

        c.asked = codec_asked_of(codec, &cases[i].p, "a name");
        assert_true(codec_curve_of(&c, &curves[i]));
        assert_ptr_equal(curves[i].codec, codec);
        assert_memory_equal(&curves[i].setting.params, &cases[i].p, sizeof(cases[i].p));
        if (*cases[i].option == '#')
            assert_int_equal(*option, '#');
        else
            assert_string_equal(option, cases[i].option);
    }
    assert_string_not_equal(curves[4].setting.option, curves[5].setting.option);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_asked_codec_is_timed_as_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
