/* Figure 11 of Split-CNN from its closed form: VGG-19 with a baseline iteration of 0.639 s at batch 64, a third of it
 * forward; six times the batch at 1.5 % less throughput. */

#include <math.h>

#include "sim/method/splitcnn.h"
#include "tests/test.h"

static const double forward_s = 0.639 / 3, backward_s = 0.639 * 2 / 3, gradient_bytes = 4 * 143667240.0;

static void figure_11(void **state)
{
    static const struct {
        double Gbps, speedup;
    } cases[] = { { 32, 0.985 }, { 16, 1.436 }, { 10, 2.100 }, { 4, 4.440 }, { 1, 5.491 }, { 0.5, 5.732 } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        double rate_Bps = 0.8 * cases[i].Gbps * 1e9 / 8;
        double got = splitcnn_speedup(forward_s, backward_s, 6, 0.015, gradient_bytes, rate_Bps);
        if (fabs(got - cases[i].speedup) > 0.0005)
            fail_msg("%g Gbit/s: %.4f, not %.3f", cases[i].Gbps, got, cases[i].speedup);
    }
}

/* Where the network is no limit the loss is all that is left, and where it is the only one the batch is all that is
 * gained. */
static void limits(void **state)
{
    (void)state;
    assert_true(fabs(splitcnn_speedup(forward_s, backward_s, 6, 0.015, gradient_bytes, 1e15) - 0.985) < 1e-12);
    assert_true(fabs(splitcnn_speedup(forward_s, backward_s, 6, 0.015, gradient_bytes, 1) - 6) < 1e-6);
    assert_true(splitcnn_iteration_s(1, 2, 100, 50) == 5);
    assert_true(splitcnn_iteration_s(1, 2, 100, 200) == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_11),
        cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests_name("splitcnn", tests, NULL, NULL);
}
