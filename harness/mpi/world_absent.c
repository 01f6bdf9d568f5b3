/* world_absent.c - a build without MPI. */
#include <stdlib.h>

#include "harness/mpi/clock.h"
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

static int absent(void)
{
    return status_error(NW_EENV,
                        "this program was built without MPI; it is built with it where CMake finds one (Debian: "
                        "openmpi-bin libopenmpi-dev)\n");
}

int world_open(struct world *out)
{
    *out = (struct world){ 0 };
    return absent();
}

int world_clocks(int rounds, struct clock_offset *out)
{
    (void)rounds;
    (void)out;
    return NW_EENV;
}

void world_close(void)
{
}

void world_share(void *bytes, size_t n)
{
    (void)bytes;
    (void)n;
}

void world_abort(int code)
{
    _Exit(code);
}
