/* narrows - what would moving fewer bytes buy me, on this hardware? Each subcommand is a row; the help is this
 * table. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/command/commands.h"
#include "harness/count.h"
#include "harness/host/home.h"
#include "harness/host/identity.h"
#include "harness/host/openmp_spin.h"
#include "harness/status.h"
#include "harness/tensor/plugin/load.h"
#include "harness/text/suggest.h"

static const struct command {
    const char *name, *arguments, *help;
    int (*run)(int argc, char **argv);
} commands[] = {
    { "reproduce", "[PAPER...] [--train[=SIZE]]", "run the papers' scenarios, print their tables, draw their figures",
      cmd_reproduce },
    { "run", "SCENARIO... [--set P=V] [--sweep P=RANGE]", "simulate every point of a scenario, store the results",
      cmd_run },
    { "exec", "SCENARIO [--lab]", "run a point for real: its ranks over MPI, next to the simulation", cmd_exec },
    { "break-even", "SCENARIO --vary PATH", "the value of a number at which a variant starts to pay", cmd_break_even },
    { "tune", "SCENARIO [--top N] [--write FILE]", "the best layout of a training on many GPUs, under memory",
      cmd_tune },
    { "trace", "SCENARIO [--output FILE]", "the timeline of one point, for ui.perfetto.dev", cmd_trace },
    { "validate", "shaped", "predictions held against measurements: here against their execution", cmd_validate },
    { "report", "[PAPER] [--scenario NAME] [--bench]", "published values next to ours, and the figures", cmd_report },
    { "bench", "[GROUP...]", "time the kernels against what memory allows, the simulator, or the trainer", cmd_bench },
    { "calibrate", "network [--output FILE]", "what the network under MPI reaches, as a platform file", cmd_calibrate },
    { "compress", "[CODEC...] FILES | IN OUT", "your gradients through codecs: what arrives, in how many bits?",
      cmd_compress },
    { "decompress", "IN OUT", "and back", cmd_decompress },
    { "plan", "SCENARIO [--draw DIR] [--run]", "the memory plan of one point: offload, prefetch, every tensor's place",
      cmd_plan },
    { "place", "FILE... [--method NAME] [--time SECONDS]",
      "place buffers with lifetimes in a pool: how high must it be?", cmd_place },
    { "show", "model|platform|scenario FILE", "what a file means: layers, rates, every resolved key", cmd_show },
    { "list", "[models|platforms|timings|scenarios|codecs]", "what there is to choose from", cmd_list },
    { "check", "FILE...", "validate scenario files, run nothing", cmd_check },
    { "schema", "[platform|model|method|timing|scenario]", "every key of a scenario file: unit, range, default",
      cmd_schema },
    { "import", "KIND FILE", "what other programs write, as files that narrows reads", cmd_import },
    { "record", "export|import|list|check", "training runs of other machines and days, as files", cmd_record },
    { "data", "[DIR]", "which public data sets are here to train on, and where the others come from", cmd_data },
    { "lab", "up|down|status [PLATFORM]", "a platform's machines as namespaces here, on links shaped to its bandwidths",
      cmd_lab },
    { "merge", "INTO.db FROM.db...", "add the results of several databases to one", cmd_merge },
    { "doctor", "", "what this machine has, and what is missing", cmd_doctor },
    { "help", "[COMMAND|TOPIC]", "a page of docs/: metrics, papers, simulator, training, ...", cmd_help },
};

enum { NCOMMANDS = COUNT(commands) };

static void usage(FILE *to)
{
    fputs("narrows - what would moving fewer bytes buy me, on this hardware?\n\n", to);
    fputs("usage: narrows COMMAND [ARGUMENT...]      narrows COMMAND --help\n\n", to);
    for (int i = 0; i < NCOMMANDS; i++)
        fprintf(to, "  %-10s %-43s %s\n", commands[i].name, commands[i].arguments, commands[i].help);
    fputs("\nResults go to stdout and the database (out/narrows.db), messages to stderr.\n"
          "NARROWS_PLUGINS=FILE.so[:FILE.so...] adds codecs of your own (docs/CODECS.md).\n"
          "Exit: 0 done, 1 failed, 2 misused, 3 something is missing on this machine, 130 interrupted.\n",
          to);
}

static int unknown(const char *name)
{
    struct suggest near = { .given = name };

    for (int i = 0; i < NCOMMANDS; i++)
        suggest_offer(&near, commands[i].name);
    fprintf(stderr, "narrows: unknown command '%s'", name);
    if (suggest_result(&near))
        fprintf(stderr, "; did you mean '%s'?", suggest_result(&near));
    fputs("\nTry 'narrows --help'.\n", stderr);
    return EXIT_MISUSED;
}

/* "~/" at the beginning of an argument or behind an option's "=", where a shell leaves it: --db=~/x.db, or in
 * quotes. The values of --set and --sweep are read as those of a file are. */
static char *without_tilde(char *argument)
{
    const char *equals = *argument == '-' ? strchr(argument, '=') : NULL, *user = user_dir();
    size_t before = equals ? (size_t)(equals + 1 - argument) : 0;
    const char *rest = argument + before;
    char *out;

    if (!user || *rest != '~' || (rest[1] && rest[1] != '/'))
        return argument;
    return asprintf(&out, "%.*s%s%s", (int)before, argument, user, rest + 1) < 0 ? argument : out;
}

static bool is_command(const char *name)
{
    for (int i = 0; i < NCOMMANDS; i++)
        if (!strcmp(commands[i].name, name))
            return true;
    return false;
}

/* What was printed has not arrived: on a full disk nothing has succeeded. */
static bool stdout_failed(void)
{
    static bool said;

    if (said)
        return false;
    if (!fflush(stdout) && !ferror(stdout))
        return false;
    perror("narrows: standard output");
    said = true;
    return true;
}

/* Where a parser of arguments ends the program after its help. */
static void check_stdout(void)
{
    if (stdout_failed())
        _exit(EXIT_FAILED);
}

/* The exit code; what lacked memory may have lacked it to say so. */
static int ended(int status)
{
    int code = exit_code(status);

    if (status == NW_ENOMEM)
        fputs("narrows: out of memory\n", stderr);
    return stdout_failed() && !code ? EXIT_FAILED : code;
}

int main(int argc, char **argv)
{
    char help[] = "--help";

    atexit(check_stdout);

    if (argc < 2) {
        usage(stderr);
        return EXIT_MISUSED;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || (!strcmp(argv[1], "help") && argc == 2)) {
        usage(stdout);
        return EXIT_DONE;
    }
    if (!strcmp(argv[1], "help") && argc == 3 && is_command(argv[2])) {
        argv[1] = argv[2]; /* narrows run --help */
        argv[2] = help;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("narrows %s (%s), %s\n", identity_version(), identity_commit(), identity_build());
        return EXIT_DONE;
    }
    for (int i = 0; i < NCOMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name) != 0)
            continue;
        char name[32];
        openmp_limit_spinning(argv);
        for (int k = 2; k < argc; k++)
            argv[k] = without_tilde(argv[k]); /* for the life of the process */
        snprintf(name, sizeof(name), "narrows %s", commands[i].name);
        argv[1] = name; /* so that a usage line reads "narrows run ..." */
        int status = plugins_load(getenv("NARROWS_PLUGINS"), stderr);
        return ended(status ? status : commands[i].run(argc - 1, argv + 1));
    }
    return unknown(argv[1]);
}
