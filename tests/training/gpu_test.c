/* gpu_test.c - which GPU each rank of a machine takes. */
#include <string.h>

#include "harness/training/ranks/gpu.h"
#include "tests/test.h"

static const struct {
    const char *why, *list;
    int files, local, locals;
    const char *want; /* NULL: nothing changes */
} choices[] = {
    { "device files are numbered from 0 on", NULL, 4, 0, 4, "0" },
    { "each rank has its own", NULL, 4, 3, 4, "3" },
    { "more ranks than GPUs share them in turn", NULL, 4, 5, 8, "1" },
    { "fewer ranks than GPUs", NULL, 8, 1, 2, "1" },
    { "one rank keeps all", NULL, 4, 0, 1, NULL },
    { "one GPU is everybody's", NULL, 1, 1, 2, NULL },
    { "no GPU", NULL, 0, 1, 2, NULL },
    { "a list wins over the files", "2,5", 8, 1, 2, "5" },
    { "and is gone through in turn", "2,5", 8, 2, 4, "2" },
    { "a launcher has given each rank its own", "3", 8, 1, 2, NULL },
    { "none are to be seen", "", 8, 1, 2, NULL },
    { "by name", "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6,MIG-1", 8, 0, 2,
      "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6" },
    { "spaces", " 2 , 5 ", 8, 1, 2, "5" },
    { "CUDA stops at a negative entry", "0,1,-1,2", 8, 2, 3, "0" },
    { "and at an empty one", "0,1,,2", 8, 3, 4, "1" },
    { "nothing is before it", "-1,0,1", 8, 1, 2, NULL },
    { "longer than there is space for", "0123456789012345678901234567890123456789012345678901234567890123,1", 8, 0, 2,
      NULL },
};

static void chooses(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(choices); i++) {
        char got[64] = "";
        bool changes =
            gpu_choose(choices[i].list, choices[i].files, choices[i].local, choices[i].locals, got, sizeof(got));

        if (changes != (choices[i].want != NULL) || (changes && strcmp(got, choices[i].want)))
            fail_msg("%s: expected '%s', got '%s'", choices[i].why, choices[i].want ? choices[i].want : "no change",
                     changes ? got : "no change");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chooses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
