/* What holds for every kind of method before its own part is asked: the CPU's speed in coding. */
#include <string.h>

#include "model/status.h"
#include "tests/sim/method/parameter_server_rig.h"

/* encode_ms of a step whose pushes are coded at 1 GB/s, by a CPU of this speed or on the GPU. */
static double encode_ms(double speed, enum codec_place place)
{
    struct rig g = rig(2, 1);
    char why[256];

    g.platform.cpu.codec_speed = speed;
    of(&g)->push.format = WIRE_8BIT;
    of(&g)->push.place = place;
    of(&g)->push.encode.rate_Bps = 1e9;
    bind(&g);
    if (method_play(&g.job, &g.r, NULL, why, sizeof(why)))
        fail_msg("%s", why);
    model_free(&g.model);
    return reading(&g, "encode_ms");
}

static void codecs_on_a_slower_cpu_take_longer(void **state)
{
    (void)state;
    assert_true(encode_ms(1, CODEC_ON_CPU) > 0);
    near("half as fast", encode_ms(0.5, CODEC_ON_CPU), 2 * encode_ms(1, CODEC_ON_CPU), 1e-9);
    near("four times as fast", encode_ms(4, CODEC_ON_CPU), encode_ms(1, CODEC_ON_CPU) / 4, 1e-9);
    near("on the GPU", encode_ms(0.5, CODEC_ON_GPU), encode_ms(1, CODEC_ON_GPU), 1e-12);
}

static void a_speed_that_is_none_is_refused(void **state)
{
    static const double speeds[] = { 0, -1, NAN, INFINITY };

    (void)state;
    for (size_t i = 0; i < COUNT(speeds); i++) {
        struct rig g = rig(1, 1);
        char why[256];

        g.platform.cpu.codec_speed = speeds[i];
        bind(&g);
        assert_int_equal(method_check(&g.job, why, sizeof(why)), E_INVAL);
        assert_non_null(strstr(why, "platform.cpu.codec_speed: expected a number above 0"));
        assert_int_equal(method_play(&g.job, &g.r, NULL, why, sizeof(why)), E_INVAL);
        model_free(&g.model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codecs_on_a_slower_cpu_take_longer),
        cmocka_unit_test(a_speed_that_is_none_is_refused),
    };
    return cmocka_run_group_tests_name("method", tests, NULL, NULL);
}
