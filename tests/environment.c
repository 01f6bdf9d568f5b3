/* environment.c - gives a test that is started without ctest what ctest would have given it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Before main(). TEST_SOURCES and TEST_BUILD are the build's; what the environment has already is left as it is. */
__attribute__((constructor)) static void set_what_is_missing(void)
{
    char tmp[4096];

    snprintf(tmp, sizeof(tmp), "%s/tests/tmp/%s", TEST_BUILD, program_invocation_short_name);
    if (!getenv("NARROWS_TEST_TMP"))
        mkdir(tmp, 0777);
    if (!getenv("NARROWS_HOME") && chdir(TEST_SOURCES))
        perror(TEST_SOURCES);
    setenv("NARROWS_TEST_TMP", tmp, 0);
    setenv("NARROWS_HOME", TEST_SOURCES, 0);
    setenv("NARROWS", TEST_BUILD "/narrows", 0);
    setenv("NARROWS_PYTORCH", TEST_SOURCES "/tests/train/trainer/pytorch", 0);
}
