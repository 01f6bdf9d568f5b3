#include "harness/host/identity.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "harness/host/gpu_list.h"
#include "harness/host/topology.h"
#include "narrows_build.h"

#define TEXT(x) TEXT_OF(x)
#define TEXT_OF(x) #x
#ifdef __clang__
#define COMPILER "clang " TEXT(__clang_major__) "." TEXT(__clang_minor__) "." TEXT(__clang_patchlevel__)
#else
#define COMPILER "gcc " __VERSION__
#endif

const char *identity_version(void)
{
    return NARROWS_VERSION;
}

const char *identity_commit(void)
{
    return NARROWS_COMMIT;
}

const char *identity_build(void)
{
    return COMPILER ", " NW_BUILD_FLAGS;
}

static char machine[512];

static void describe_machine(void)
{
    struct topology t = { 0 };
    char gpus[256];

    if (topology_read(&t))
        strcpy(t.cpu_model, "unknown processor");
    gpu_list(gpus, sizeof(gpus));
    snprintf(machine, sizeof(machine), "%s, %d core%s, %.1f GiB%s%s", t.cpu_model, t.cores, t.cores == 1 ? "" : "s",
             (double)t.memory_bytes / (1 << 30), *gpus ? ", " : "", gpus);
}

const char *identity_machine(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, describe_machine);
    return machine;
}
