#include "harness/host/home.h"

#include <stdlib.h>

const char *user_dir(void)
{
    const char *home = getenv("HOME");

    return home && *home ? home : NULL;
}

const char *home_dir(void)
{
    const char *home = getenv("NARROWS_HOME");

    return home && *home ? home : NW_SOURCE_DIR;
}
