/* world_absent.c - a build without MPI. */
#include <stdlib.h>

#include "harness/mpi/world.h"
#include "harness/status.h"

bool world_built(void)
{
    return false;
}

const char *world_library(void)
{
    return "";
}

int world_open(struct world *out)
{
    *out = (struct world){ 0 };
    return status_error(NW_EENV,
                        "this program was built without MPI; it is built with it where CMake finds one (Debian: "
                        "openmpi-bin libopenmpi-dev)\n");
}

void world_close(void)
{
}

void world_abort(int code)
{
    _Exit(code);
}
