/* narrows calibrate - measure what is here, and write it down for scenarios. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/command/calibrate/network.h"
#include "harness/command/commands.h"
#include "harness/command/line/command_line.h"
#include "harness/exec/launch/launch.h"
#include "harness/mpi/world.h"
#include "harness/run/interrupt.h"
#include "harness/scenario/schema/units.h"
#include "harness/status.h"

enum {
    KEY_SIZES = 256,
    KEY_MESSAGE,
    KEY_CSV,
    KEY_JSON,
    DEFAULT_SECONDS = 30,
    DEFAULT_REPETITIONS = 200,
    MOST_SECONDS = 86400,
    MOST_REPETITIONS = 100000,
    LAUNCHED_RANKS = 2
};

static const double most_bytes = 1 << 30;

struct arguments {
    struct calibrate_network network;
    const char *from;
    char path[4096];
    bool asked;
};

static const struct argp_option options[] = {
    { "output", 'o', "FILE", 0, "write a platform file, called as the file is", 0 },
    { "from", 'f', "PLATFORM", 0,
      "take processors, memory and GPUs from this platform, and its link's bandwidth as what the link should reach: a "
      "file or a shipped one (default: this host's processors, no GPUs)",
      0 },
    { "sizes", KEY_SIZES, "BYTES,...", 0,
      "of messages alone and of collectives, ascending, as in 0,1KiB,64KiB (default: powers of two up to 16 MiB, and "
      "around 4 KiB and 64 KiB; collectives 4 KiB to 16 MiB)",
      0 },
    { "message", KEY_MESSAGE, "BYTES", 0, "of each message of a stream (default 1MiB)", 0 },
    { "repetitions", 'r', "N", 0, "at most so many of each size (default 200)", 0 },
    { "seconds", 't', "S", 0,
      "for everything, about (default 30): large sizes are left out where they do not fit, unless --sizes names them",
      0 },
    { "csv", KEY_CSV, NULL, 0, "print the rows as comma-separated values", 0 },
    { "json", KEY_JSON, NULL, 0, "print them as JSON", 0 },
    { "db", 'd', "FILE", 0, "results database, where every repetition is stored (default " DEFAULT_DB ")", 0 },
    { 0 }
};

/* "64KiB", or "65536". */
static int64_t bytes_of(const char *option, const char *text, double lowest)
{
    struct quantity_error error;
    const struct unit *unit;
    double value;
    char *end;

    value = strtod(text, &end);
    if ((end != text && !*end) || !quantity_read(text, DIM_BYTES, &value, &unit, &error))
        if (value >= lowest && value <= most_bytes && value == (double)(int64_t)value)
            return (int64_t)value;
    command_misused(option, "whole bytes up to 1 GiB, as in 64KiB", text);
}

static void read_sizes(struct calibrate_network *a, const char *list)
{
    char *copy = strdup(list), *rest = copy;

    a->options.nsizes = 0;
    for (char *text; rest && (text = strsep(&rest, ","));) {
        size_t n = a->options.nsizes;

        if (n == NETWORK_SIZES)
            command_misused("--sizes", "64 sizes at most", list);
        a->sizes[n] = bytes_of("--sizes", text, 0);
        if (n && a->sizes[n] <= a->sizes[n - 1])
            command_misused("--sizes", "ascending sizes", list);
        a->options.nsizes = n + 1;
    }
    a->options.sizes = a->sizes;
    free(copy);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;
    struct calibrate_network *n = &a->network;

    switch (key) {
    case 'o': n->output = text; return 0;
    case 'f': a->from = text; return 0;
    case KEY_SIZES: read_sizes(n, text); return 0;
    case KEY_MESSAGE: n->options.message_bytes = bytes_of("--message", text, 1); return 0;
    case 'r': n->options.repetitions = command_number("--repetitions", text, 3, MOST_REPETITIONS); return 0;
    case 't': n->options.seconds = command_number("--seconds", text, 1, MOST_SECONDS); return 0;
    case KEY_CSV: n->csv = true; return 0;
    case KEY_JSON: n->json = true; return 0;
    case 'd': n->db = text; return 0;
    case ARGP_KEY_ARG:
        if (a->asked || strcmp(text, "network") != 0)
            argp_error(state, "expected 'network', got '%s'", text);
        a->asked = true;
        return 0;
    case ARGP_KEY_END:
        if (!a->asked)
            argp_error(state, "calibrate what? 'network'");
        if (n->csv && n->json)
            argp_error(state, "--csv and --json exclude each other");
        if (n->output && !*n->output)
            argp_error(state, "--output: expected a path, got none");
        if (a->from && !n->output)
            argp_error(state, "--from goes with --output");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "network",
    .doc =
        "Measure what is under MPI here, one machine or a cluster, and write a platform file of it: the time of a "
        "message by its size, rates one way, both ways, around a ring, many to one and one to many, MPI's collectives, "
        "and how far apart ranks leave a barrier. Ranks are launched as those of any MPI program; without a launcher "
        "two are started on this machine. Streams run between machines, the first rank of each, or between all ranks "
        "if there is one machine.\v"
        "A rate is that of what a stream adds when its bytes are doubled, once that stays within 0.5 % and the stream "
        "takes half a second: latency, and the burst that a shaped link lets pass, cancel out. alpha is the time of a "
        "message beyond its bytes at the one-way rate; it is negative where a burst passes faster.\n"
        "Collectives have the columns of nccl-tests: algbw is size over time, busbw what the busiest link then carries "
        "if the algorithm is the best one, so that it compares with the link: algbw times 2(n-1)/n for allreduce, "
        "(n-1)/n for all-gather, reduce-scatter and all-to-all, 1 for broadcast. #wrong counts elements that are not "
        "what they should be; any makes the exit code 1.\n"
        "A link whose bandwidth nobody stated has the measured rate of payload, and efficiency 1. Examples:\n"
        "  mpirun -np 4 --hostfile hosts narrows calibrate network --output my-cluster.yaml\n"
        "  srun --mpi=pmix -N 4 narrows calibrate network --from my-machine.yaml --output my-cluster.yaml",
};

/* Without a launcher: the same arguments again, for two ranks here. */
static int launch(char **argv)
{
    static char command[] = "calibrate";
    const struct launch l = { .command = command, .arguments = argv + 1, .ranks = LAUNCHED_RANKS, .stop = interrupted };
    struct launch_end end;

    if (world_scattered())
        return status_error(NW_EINPUT, SCATTERED, command, world_scattered());
    if (world_built())
        fprintf(stderr, "narrows calibrate: two ranks on this machine; for others: mpirun -np N --host A,B,... narrows "
                        "calibrate network, or srun --mpi=pmix\n");
    interrupt_catch();
    int rc = launch_ranks(&l, &end);
    return rc ? rc : end.code;
}

int cmd_calibrate(int argc, char **argv)
{
    struct arguments a = { .network = { .db = DEFAULT_DB,
                                        .options = { .seconds = DEFAULT_SECONDS,
                                                     .repetitions = DEFAULT_REPETITIONS,
                                                     .message_bytes = NETWORK_MESSAGE } } };

    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    if (a.from && command_find("platforms", a.from, a.path, sizeof(a.path)))
        return NW_EINPUT;
    a.network.from = a.from ? a.path : NULL;
    if (!world_launched())
        return launch(argv);
    return calibrate_network(&a.network);
}
