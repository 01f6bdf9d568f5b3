/* precision_test.c - number formats by name, and the bytes of their values. */
#include "model/precision.h"
#include "model/status.h"
#include "tests/test.h"

static const struct {
    const char *name;
    int precision; /* -1: none */
    int64_t bytes;
} rows[] = {
    { "fp32", COMPUTE_FP32, 4 },
    { "tf32", COMPUTE_TF32, 4 },
    { "bf16", COMPUTE_BF16, 2 },
    { "fp16", COMPUTE_FP16, 2 },
    { "fp8", COMPUTE_FP8, 1 },
    { "FP8", -1, 0 },
    { "fp", -1, 0 },
    { "fp321", -1, 0 },
    { "", -1, 0 },
    { NULL, -1, 0 },
};

static void names_and_bytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        enum compute_precision found = COMPUTE_PRECISIONS;
        int rc = compute_precision_named(rows[i].name, &found);
        if (rc != (rows[i].precision < 0 ? E_INVAL : E_OK) ||
            (int)found != (rc ? COMPUTE_PRECISIONS : rows[i].precision))
            fail_msg("row %zu: answered %d and found %d", i, rc, (int)found);
        if (!rc)
            assert_int_equal(compute_precision_bytes(found), rows[i].bytes);
    }
    assert_null(compute_precision_names[COMPUTE_PRECISIONS]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(names_and_bytes) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
