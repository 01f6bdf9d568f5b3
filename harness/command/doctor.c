/* narrows doctor: what this machine and this build offer, and what each missing thing switches off. Always exits 0
 * when asked properly: a missing GPU is a finding, not a failure. */
#include <argp.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>
#include <yaml.h>

#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/count.h"
#include "harness/host/cpu.h"
#include "harness/host/cuda.h"
#include "harness/host/home.h"
#include "harness/host/identity.h"
#include "harness/host/topology.h"
#include "harness/mpi/world.h"
#include "harness/status.h"
#include "kernels/adt/adt.h"

static error_t parse(int key, char *text, struct argp_state *state)
{
    (void)text;
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    argp_usage(state);
    return 0;
}

static const struct argp argp = {
    .parser = parse,
    .doc =
        "Print what was found on this machine and in this build, and what each missing thing switches off: compiler, "
        "CPU, topology, memory, CUDA, gnuplot, libraries, test tools.",
};

/* What another program says of itself. */
static const struct tool {
    const char *name, *command, *without;
} tools[] = {
    { "gnuplot", "gnuplot --version", "figures are not drawn; tables and the data of the figures remain" },
    { "git", "git --version", "results name their commit 'unknown'" },
    { "gcc", "gcc --version", "the test 'determinism' is skipped" },
    { "clang", "clang --version", "the test 'determinism' is skipped" },
    { "clang-format-14", "clang-format-14 --version", "the test 'format' is skipped" },
    { "sqlite3", "sqlite3 --version", "the tests of killed and resumed sweeps are skipped" },
};

static void row(const char *name, const char *text)
{
    printf("%-16s %s\n", name, text);
}

static void off(const char *what)
{
    printf("%-16s switched off: %s\n", "", what);
}

static void print_size(const char *name, int count, int64_t bytes)
{
    if (!bytes)
        return;
    if (bytes >= 1 << 20)
        printf(", %d x %s %.4g MiB", count, name, (double)bytes / (1 << 20));
    else
        printf(", %d x %s %.4g KiB", count, name, (double)bytes / (1 << 10));
}

static void print_machine(void)
{
    static const char *const cache_names[TOPOLOGY_CACHES] = { "L1d", "L2", "L3" };
    struct topology t;

    if (topology_read(&t)) {
        row("cpu", "hwloc cannot read this machine");
        return;
    }
    row("cpu", t.cpu_model);
    printf("%-16s %d package%s, %d core%s, %d thread%s, %d NUMA node%s", "topology", t.packages,
           t.packages == 1 ? "" : "s", t.cores, t.cores == 1 ? "" : "s", t.threads, t.threads == 1 ? "" : "s",
           t.numa_nodes, t.numa_nodes == 1 ? "" : "s");
    for (int i = 0; i < TOPOLOGY_CACHES; i++)
        print_size(cache_names[i], t.cache_count[i], t.cache_bytes[i]);
    printf("\n%-16s %.1f GiB\n", "memory", (double)t.memory_bytes / (1 << 30));
}

static void print_features(void)
{
    struct cpu_feature f[32];
    size_t n = cpu_features(f, COUNT(f)), missing = 0;

    printf("%-16s", "cpu features");
    for (size_t i = 0; i < n; i++) {
        if (f[i].present)
            printf(" %s", f[i].name);
        missing += !f[i].present;
    }
    puts(n ? "" : " not x86-64");
    if (!missing)
        return;
    printf("%-16s switched off: kernels that need", "");
    for (size_t i = 0; i < n; i++)
        if (!f[i].present)
            printf(" %s", f[i].name);
    putchar('\n');
}

/* Lists the implementations that are usable here, or those that are not. */
static void print_implementations(const char *name, const char *title, bool usable)
{
    bool any = false;

    for (const struct adt_impl *im = adt_impls; im->impl.name; im++) {
        if (im->impl.usable() != usable)
            continue;
        if (!any)
            printf("%-16s %s", name, title);
        printf(" %s", im->impl.name);
        any = true;
    }
    if (any)
        putchar('\n');
}

static void print_kernels(void)
{
    bool parallel = false;

    print_implementations("adt kernels", "usable:", 1);
    print_implementations("", "not usable here:", 0);
    for (const struct adt_impl *im = adt_impls; im->impl.name; im++)
        parallel |= im->impl.parallel;
    row("openmp", parallel ? "compiled in" : "not compiled in");
    if (!parallel)
        off("the kernels that use several cores");
}

static void print_cuda(void)
{
    struct cuda_device devices[16];
    const char *why;
    size_t n = cuda_devices(devices, COUNT(devices), &why);

    if (cuda_built())
        printf("%-16s toolkit %s, compiled in\n", "cuda", cuda_runtime_version());
    else
        row("cuda", "not compiled in: no nvcc was found when this was built, or NW_CUDA was OFF");
    for (size_t i = 0; i < n && i < COUNT(devices); i++)
        printf("%-16s device %zu: %s, compute capability %d.%d, %.1f GiB\n", "", i, devices[i].name, devices[i].major,
               devices[i].minor, (double)devices[i].memory_bytes / (1 << 30));
    if (n)
        return;
    if (cuda_built())
        printf("%-16s no device: %s\n", "", why);
    off("the CUDA kernels in 'narrows bench', and their tests (reported as skipped)");
}

static void print_mpi(void)
{
    if (world_built()) {
        row("mpi", world_library());
        return;
    }
    row("mpi", "not compiled in: none was found when this was built, or NW_MPI was OFF");
    off("'narrows exec', 'narrows calibrate network', and runs spread over processes (Debian: openmpi-bin "
        "libopenmpi-dev)");
}

/* The first line that a command prints; false if there is none, as when it is not installed. */
static bool first_line(const char *command, char *line, size_t size)
{
    char quiet[256];
    FILE *p;
    bool said;

    snprintf(quiet, sizeof(quiet), "%s 2>/dev/null", command);
    p = popen(quiet, "r");
    if (!p)
        return false;
    said = fgets(line, (int)size, p) != NULL;
    while (fgets(quiet, sizeof(quiet), p))
        continue; /* read to the end, or the command dies of a closed pipe */
    return pclose(p) == 0 && said;
}

static void print_tools(void)
{
    char line[160];

    for (size_t i = 0; i < COUNT(tools); i++) {
        if (first_line(tools[i].command, line, sizeof(line))) {
            line[strcspn(line, "\n")] = '\0';
            row(tools[i].name, line);
        } else {
            row(tools[i].name, "not found");
            off(tools[i].without);
        }
    }
}

static void print_libraries(void)
{
    unsigned x = XXH_versionNumber();

    printf("%-16s sqlite %s, libyaml %s, hwloc %s, xxhash %u.%u.%u\n", "libraries", sqlite3_libversion(),
           yaml_get_version_string(), topology_hwloc_version(), x / 10000, x / 100 % 100, x % 100);
}

int cmd_doctor(int argc, char **argv)
{
    if (command_parse(&argp, argc, argv, NULL))
        return NW_EINPUT;
    printf("%-16s narrows %s, commit %s\n", "program", identity_version(), identity_commit());
    row("build", identity_build());
    row("home", home_dir());
    print_machine();
    print_features();
    print_kernels();
    print_cuda();
    print_mpi();
    print_libraries();
    print_tools();
    return NW_OK;
}
