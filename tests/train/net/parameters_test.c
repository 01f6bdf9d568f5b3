/* parameters_test.c - first parameters have the deviation that their scheme says, and follow from the seed. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/train/net/small_model.h"
#include "train/net/parameters.h"

struct moments {
    double mean, deviation, most;
};

static struct moments moments_of(const float *x, int64_t n)
{
    struct moments m = { 0 };

    for (int64_t i = 0; i < n; i++) {
        m.mean += x[i] / (double)n;
        m.deviation += (double)x[i] * x[i] / (double)n;
        m.most = fmax(m.most, fabs((double)x[i]));
    }
    m.deviation = sqrt(m.deviation - m.mean * m.mean);
    return m;
}

/* 18432 and 40960 weights: their deviation is known to some 1 %. */
static void first_parameters_have_their_deviation(void **state)
{
    const struct {
        struct initialization how;
        double conv, fc, bias;
    } cases[] = {
        { { .scheme = INITIALIZE_HE }, sqrt(2.0 / 288), sqrt(2.0 / 1024), 0 },
        { { .scheme = INITIALIZE_LECUN }, sqrt(1.0 / 288), sqrt(1.0 / 1024), 0 },
        { { .scheme = INITIALIZE_GLOROT }, sqrt(2.0 / (288 + 576)), sqrt(2.0 / 1064), 0 },
        { { .scheme = INITIALIZE_NORMAL, .deviation = 0.1, .biases = 0.1 }, 0.1, 0.1, 0.1 },
    };
    struct model m = small_model();
    struct parameter_map map;

    (void)state;
    assert_int_equal(parameter_map_make(&m, &map), 0);
    assert_int_equal(map.ntensors, 5);
    assert_int_equal(map.ndense, m.weights + m.biases);
    float *dense = calloc((size_t)map.ndense, sizeof(*dense)), *other = calloc((size_t)map.ndense, sizeof(*other));
    for (size_t i = 0; i < COUNT(cases); i++) {
        parameters_initialize(&map, &m, &cases[i].how, 3, dense, NULL);
        struct moments conv = moments_of(dense + map.tensors[0].at, map.tensors[0].n);
        struct moments fc = moments_of(dense + map.tensors[3].at, map.tensors[3].n);

        assert_true(fabs(conv.mean) < 0.03 * conv.deviation && fabs(fc.mean) < 0.03 * fc.deviation);
        assert_true(fabs(conv.deviation / cases[i].conv - 1) < 0.03 && fabs(fc.deviation / cases[i].fc - 1) < 0.03);
        assert_true(fabs(dense[map.tensors[1].at] - cases[i].bias) < 1e-7);
        assert_true(dense[map.tensors[2].at] == 1 && dense[map.tensors[2].at + 63] == 1 &&
                    dense[map.tensors[2].at + 64] == 0); /* scales, then shifts */
    }
    parameters_initialize(&map, &m, &cases[0].how, 4, other, NULL);
    parameters_initialize(&map, &m, &cases[0].how, 3, dense, NULL);
    assert_true(memcmp(dense, other, 4 * (size_t)map.tensors[0].n) != 0);
    free(dense);
    free(other);
    parameter_map_free(&map);
    model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_parameters_have_their_deviation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
