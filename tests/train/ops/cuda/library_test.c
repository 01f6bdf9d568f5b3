/* Libraries that are looked for while the program runs. */
#include <string.h>

#include "tests/test.h"
#include "train/ops/cuda/library.h"

static void finds_functions(void **state)
{
    double (*root)(double) = NULL, (*power)(double, double) = NULL;
    const struct library_function functions[] = { { "sqrt", &root }, { "pow", &power } };
    char why[200] = "";
    void *library = library_open("libm.so.6", functions, 2, why, sizeof(why));

    (void)state;
    if (!library)
        fail_msg("%s", why);
    assert_true(root(9) == 3 && power(2, 5) == 32);
    library_close(library);
    assert_true(root(16) == 4); /* it stays */
    library_close(NULL);
}

static void says_what_is_missing(void **state)
{
    void *function = NULL;
    const struct library_function functions[] = { { "sqrt", &function }, { "no_such_function", &function } };
    char why[200] = "";

    (void)state;
    assert_null(library_open("libm.so.6", functions, 2, why, sizeof(why)));
    assert_string_equal(why, "libm.so.6: lacks no_such_function");
    assert_null(library_open("libno_such_library.so.1", functions, 1, why, sizeof(why)));
    assert_non_null(strstr(why, "libno_such_library.so.1"));
    assert_null(library_open("libno_such_library.so.1", functions, 1, why, 8));
    assert_int_equal(strlen(why), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_functions),
        cmocka_unit_test(says_what_is_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
