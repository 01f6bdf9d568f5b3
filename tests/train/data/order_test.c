/* order_test.c - every sample once an epoch, in an order of the epoch's own or the data's. */
#include <stddef.h>

#include "tests/test.h"
#include "train/data/order.h"

enum { SAMPLES = 103, WORKERS = 3, BATCH = 5, STEPS_OF_EPOCH = SAMPLES / (WORKERS * BATCH) };

static void each_sample_comes_once_an_epoch(void **state)
{
    struct order o, again;
    int64_t index[BATCH], other[BATCH];
    int differ = 0;

    (void)state;
    assert_int_equal(order_open(1, 7, SAMPLES, WORKERS, BATCH, &o), 0);
    assert_int_equal(order_open(1, 7, SAMPLES, WORKERS, BATCH, &again), 0);
    assert_int_equal(order_steps(&o), STEPS_OF_EPOCH);
    for (int64_t epoch = 0; epoch < 3; epoch++) {
        int seen[SAMPLES] = { 0 }, all = 0;

        for (int64_t step = 0; step < STEPS_OF_EPOCH; step++)
            for (int64_t w = 0; w < WORKERS; w++) {
                assert_int_equal(order_batch(&o, epoch * STEPS_OF_EPOCH + step, w, index), epoch);
                for (int i = 0; i < BATCH; i++)
                    assert_true(index[i] >= 0 && index[i] < SAMPLES && !seen[index[i]]++), all++;
            }
        assert_int_equal(all, STEPS_OF_EPOCH * WORKERS * BATCH);
    }
    /* Whoever begins in the middle gets the same; another epoch has another order. */
    order_batch(&o, STEPS_OF_EPOCH + 2, 1, index);
    order_batch(&again, STEPS_OF_EPOCH + 2, 1, other);
    assert_memory_equal(index, other, sizeof(index));
    order_batch(&o, 2, 1, other);
    for (int i = 0; i < BATCH; i++)
        differ += index[i] != other[i];
    assert_true(differ > 0);
    order_close(&o);
    order_close(&again);
}

static void in_the_order_of_the_data(void **state)
{
    struct order o;
    int64_t index[BATCH];

    (void)state;
    assert_int_equal(order_open(0, 7, SAMPLES, WORKERS, BATCH, &o), 0);
    order_batch(&o, 1, 2, index);
    for (int i = 0; i < BATCH; i++)
        assert_int_equal(index[i], WORKERS * BATCH + i * WORKERS + 2);
    order_close(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sample_comes_once_an_epoch),
        cmocka_unit_test(in_the_order_of_the_data),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
