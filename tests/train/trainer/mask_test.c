/* mask_test.c - which activations and errors DCT-MP lets pass, how many bytes they take, and the thresholds that are
 * watched. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/train/trainer/help.h"

/* DCT-MP keeps of 16 values floor(16 * 0.75) = 12 less, 1 more: 5, and 4 bytes each go back. */
static void bytes_of_masks(void **state)
{
    struct model m = model_of("dlrm");
    struct data_source data = fixture_source(&m);
    struct trainer_options o = options(2);
    int32_t masked[] = { 1 }; /* the first ReLU: 16 values */
    struct trainer *t;
    struct step_report r;

    (void)state;
    o.mask = (struct mask_options){ .layers = masked, .nlayers = 1, .dropped = 0.75, .evaluates = 1 };
    t = open_trainer(&o, &m, &data);
    r = step(t);
    assert_int_equal(r.mask_bytes[1], 2 * 4 * 5 * 4);
    assert_int_equal(r.mask_bytes[0], 2 * 4 * 5 * 4 + 2 * 4 * 8);
    trainer_close(t);
    model_free(&m);
}

/* Where nothing of a row but one value passes, no error comes back for the others: the layer before learns from that
 * one alone. */
static void errors_are_masked(void **state)
{
    static struct layer_spec layers[] = { { .kind = LAYER_FC, .name = "first", .units = 32 },
                                          { .kind = LAYER_FC, .name = "second", .units = 10 },
                                          { .kind = LAYER_SOFTMAX } };
    struct model_spec spec = { .name = "m", .channels = 6, .height = 1, .width = 1, .layers = layers, .nlayers = 3 };
    struct trainer_options o = options(1);
    int32_t masked[] = { 0 };
    struct step_report r;
    struct model m;
    char why[256];
    size_t n = 0, changed = 0;

    (void)state;
    assert_int_equal(model_infer(&spec, &m, why, sizeof(why)), 0);
    struct data_source data = fixture_source(&m);
    o.batch = 1;
    o.weight_decay = 0;
    o.mask = (struct mask_options){
        .layers = masked, .nlayers = 1, .dropped = 1 - 1.0 / 64, .evaluates = 1
    }; /* floor(31.5) = 31 below: 2 stay */
    struct trainer *t = open_trainer(&o, &m, &data);
    float before[32 * 6];
    memcpy(before, section(t, "weights", &n), sizeof(before));
    r = step(t);
    const float *after = section(t, "weights", &n);
    for (size_t unit = 0; unit < 32; unit++)
        changed += memcmp(before + 6 * unit, after + 6 * unit, 6 * sizeof(float)) != 0;
    assert_int_equal(r.mask_bytes[1], 2 * 4);
    assert_int_equal(changed, 2);
    trainer_close(t);
    model_free(&m);
}

static int by_value(const void *left, const void *right)
{
    const float *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

/* Of the 16 values of a sample behind the first ReLU those from the floor(16 s)-th on, of all samples' in rising order;
 * s = 0.01 is all. */
static void add_thresholds(const float *dense, const struct layer_place *at, const float *x, double sums[3])
{
    static const int place[] = { 1, 8, 15 };
    float y[16];

    for (int u = 0; u < 16; u++) {
        double sum = (double)dense[at->biases + u];

        for (int i = 0; i < 5; i++)
            sum += (double)dense[at->weights + 5 * u + i] * (double)x[i];
        y[u] = sum > 0 ? (float)sum : 0;
    }
    qsort(y, 16, sizeof(*y), by_value);
    for (int k = 0; k < 3; k++)
        sums[k] += (double)y[place[k] - 1];
}

static void thresholds_by_hand(void **state)
{
    static const double watched[] = { 0.01, 0.5, 0.95 };
    struct model m = model_of("dlrm");
    struct data_source data = fixture_source(&m);
    struct trainer_options o = options(2);
    int32_t masked[] = { 1 };

    (void)state;
    for (int masks = 0; masks < 2; masks++) {
        double sums[3] = { 0 };
        struct trainer *t;

        o.in_order = 1;
        o.mask = (struct mask_options){ masked, 1, masks ? 0.75 : 0, 1, watched, 3 };
        t = open_trainer(&o, &m, &data);
        for (int64_t i = 0; i < 8; i++) {
            float x[5];
            int32_t ids[6], label;

            assert_int_equal(data.sample(&data, DATA_TRAIN, i, 0, x, ids, &label, NULL, 0), 0);
            add_thresholds(trainer_weights(t), &trainer_map(t)->layers[0], x, sums);
        }
        trainer_watch(t, 1);
        struct step_report r = step(t);
        for (int k = 0; k < 3; k++)
            if (!(fabs(r.thresholds[k] - sums[k] / 8) < 1e-6))
                fail_msg("%g dropped: the threshold is %.9g, by hand %.9g", watched[k], r.thresholds[k], sums[k] / 8);
        trainer_watch(t, 0);
        assert_null(step(t).thresholds);
        trainer_close(t);
    }
    model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_of_masks),
        cmocka_unit_test(errors_are_masked),
        cmocka_unit_test(thresholds_by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
