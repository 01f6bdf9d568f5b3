#include "harness/host/openmp_spin.h"

#include <stdlib.h>
#include <unistd.h>

/* 0.3 ms on processors whose pause instruction takes 140 cycles, a tenth of that on others. */
#define ROUNDS "4000"

void openmp_limit_spinning(char **argv)
{
#if defined(NW_HAVE_OPENMP) && defined(__linux__)
    if (!getenv("OMP_WAIT_POLICY") && !getenv("GOMP_SPINCOUNT") && !setenv("GOMP_SPINCOUNT", ROUNDS, 0))
        execv("/proc/self/exe", argv);
#else
    (void)argv;
#endif
}
