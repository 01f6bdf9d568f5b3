/* narrows lab - a platform's machines on this host, as network namespaces whose links are shaped. */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/command/commands.h"
#include "harness/command/lab/lab.h"
#include "harness/command/line/command_line.h"
#include "harness/lab/lab.h"
#include "harness/run/interrupt.h"
#include "harness/scenario/scenario.h"
#include "harness/scenario/schema/units.h"
#include "harness/status.h"

enum { KEY_QUEUE = 256, KEY_NO_CALIBRATE };

struct arguments {
    const char *verb, *subject;
    const char *sets[COMMAND_SETS];
    size_t nsets;
    struct lab_options how;
};

static const struct argp_option options[] = {
    { "name", 'n', "NAME", 0, "up: what to call it (default lab)", 0 },
    { "set", 's', "PATH=VALUE", 0, "up: override a key of the platform, e.g. link.eth.bandwidth='100 Mbit/s'", 0 },
    { "queue", KEY_QUEUE, "BYTES", 0,
      "up: the queue before each direction of a link (default: what 80 ms of its bandwidth are, at least 1 MB)", 0 },
    { "no-calibrate", KEY_NO_CALIBRATE, NULL, 0, "up: do not measure what the links carry", 0 },
    { 0 },
};

static int64_t queue_of(const char *text)
{
    struct quantity_error error;
    const struct unit *unit;
    double bytes;

    if (quantity_read(text, DIM_BYTES, &bytes, &unit, &error) || !(bytes >= 3028 && bytes <= 4e9))
        command_misused("--queue", "a quantity of 3028 bytes (two packets) to 4 GB, as in '128 kB'", text);
    return (int64_t)bytes;
}

static void check_arguments(const struct arguments *a, const struct argp_state *state)
{
    bool up = a->verb && !strcmp(a->verb, "up");

    if (!a->verb)
        argp_error(state, "expected up, down, status, enter, mpirun or agent");
    else if (!up && strcmp(a->verb, "down") != 0 && strcmp(a->verb, "status") != 0)
        argp_error(state, "expected up, down, status, enter, mpirun or agent, got '%s'", a->verb);
    else if (up && !a->subject)
        argp_error(state, "up: which PLATFORM? A file, or one of narrows list platforms");
    else if (!up && (a->nsets || a->how.queue_bytes || a->how.uncalibrated || a->how.name))
        argp_error(state, "%s: --name, --set, --queue and --no-calibrate go with up", a->verb);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *a = state->input;

    switch (key) {
    case 'n': a->how.name = text; return 0;
    case 's': return command_add(a->sets, &a->nsets, text, state);
    case KEY_QUEUE: a->how.queue_bytes = queue_of(text); return 0;
    case KEY_NO_CALIBRATE: a->how.uncalibrated = true; return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_usage(state);
        *(state->arg_num ? &a->subject : &a->verb) = text;
        return 0;
    case ARGP_KEY_END: check_arguments(a, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "up PLATFORM\ndown [NAME]\nstatus [NAME]\nenter NAME MACHINE COMMAND...\nmpirun NAME RANKS COMMAND...\n"
                "agent NAME [OPTION...] HOST COMMAND...",
    .doc =
        "Machines of a platform on this host: each a network namespace, joined by bridges as the platform's network "
        "says (star or tree), every link shaped to its bandwidth in both directions by the kernel's token buckets. "
        "What runs inside has that network and no other. Needs iproute2, and root or user namespaces.\v"
        "up makes the lab, measures one-way goodput on every link, and refuses a lab that is more than 1 % off what "
        "TCP's payload can be (1448 bytes of every 1514 that are shaped). It removes what labs of dead owners left. "
        "down removes the lab and every process in it, status prints numbers and owners of all of them.\n\n"
        "mpirun starts COMMAND, an MPI program, with rank r on machine r. "
        "enter runs COMMAND inside machine number MACHINE (from 0), whose host name is NAME-MACHINE and whose address "
        "is 10.77.0.(MACHINE + 1). agent does so as a remote shell, for programs that start others by ssh: mpirun "
        "--mca plm_rsh_agent 'narrows lab agent NAME'.\n\n"
        "Links with a latency above 100 us need the kernel's netem. Half-duplex links, meshes and tori cannot be "
        "shaped. message_bytes and message_time of a platform are those of software, so they are left to what runs "
        "inside. TCP's congestion control is cubic; as root it is added to what the host allows "
        "(net.ipv4.tcp_allowed_congestion_control), else reno takes its place where it is not allowed.",
};

static int up(struct arguments *a)
{
    struct platform *p = NULL;
    char path[4096];
    int rc = command_find("platforms", a->subject, path, sizeof(path));

    if (!rc)
        rc = scenario_load_platform_set(path, a->sets, a->nsets, stderr, &p);
    interrupt_catch();
    a->how.stopped = interrupted;
    if (!rc)
        rc = lab_up(p, &a->how);
    if (!rc)
        rc = lab_print(a->how.name ? a->how.name : "lab");
    scenario_free_platform(p);
    return rc;
}

/* Words of another program follow, which are not ours to read. */
static int enter(int argc, char **argv)
{
    if (argc < 5)
        return status_error(NW_EINPUT, "narrows lab enter: expected NAME MACHINE COMMAND...\n");
    return lab_enter(argv[2], command_number("MACHINE", argv[3], 0, LAB_MACHINES - 1), argv + 4);
}

static int agent(int argc, char **argv)
{
    if (argc < 5)
        return status_error(NW_EINPUT, "narrows lab agent: expected NAME [OPTION...] HOST COMMAND...\n");
    return lab_agent(argv[2], argv + 3);
}

/* Rank r on machine r, from the first one again where there are more ranks. */
static int start_ranks(const char *name, int ranks, char **command)
{
    struct lab *lab = NULL;
    int machines[LAB_MACHINES];
    char **words = NULL, **all;
    size_t nwords = 0, n = 0;
    int rc = lab_join(name, &lab);

    for (int r = 0; !rc && r < ranks; r++)
        machines[r] = r % lab_state(lab)->plan.machines;
    rc = rc ? rc : lab_mpirun(lab, NULL, machines, ranks, &words, &nwords);
    while (command[n])
        n++;
    all = rc ? NULL : calloc(nwords + n + 1, sizeof(*all));
    if (all) {
        memcpy(all, words, nwords * sizeof(*all));
        memcpy(all + nwords, command, n * sizeof(*all));
        execvp(all[0], all);
        rc = status_error(NW_EIO, "narrows lab mpirun: %s: %s\n", all[0], strerror(errno));
    }
    free(all);
    lab_words_free(words);
    lab_close(lab);
    return rc ? rc : NW_ENOMEM;
}

static int mpirun(int argc, char **argv)
{
    if (argc < 5)
        return status_error(NW_EINPUT, "narrows lab mpirun: expected NAME RANKS COMMAND...\n");
    return start_ranks(argv[2], command_number("RANKS", argv[3], 1, LAB_MACHINES), argv + 4);
}

int cmd_lab(int argc, char **argv)
{
    struct arguments a = { 0 };

    if (argc > 1 && !strcmp(argv[1], "enter"))
        return enter(argc, argv);
    if (argc > 1 && !strcmp(argv[1], "agent"))
        return agent(argc, argv);
    if (argc > 1 && !strcmp(argv[1], "mpirun"))
        return mpirun(argc, argv);
    if (command_parse(&argp, argc, argv, &a))
        return NW_EINPUT;
    if (!strcmp(a.verb, "up"))
        return up(&a);
    if (!strcmp(a.verb, "down"))
        return lab_down(a.subject ? a.subject : "lab");
    return lab_print(a.subject);
}
