/* enter.c - a process that becomes another one inside a machine of a lab. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/lab/holder.h"
#include "harness/lab/lab.h"
#include "harness/lab/space/space.h"
#include "harness/status.h"

/* Open MPI takes machines of one host name for one. */
static int take_host_name(const char *lab, int machine)
{
    char name[LAB_NAME_MAX + 16];

    snprintf(name, sizeof(name), "%s-%d", lab, machine);
    if (unshare(CLONE_NEWUTS) || sethostname(name, strlen(name)))
        return status_error(NW_EIO, "narrows lab: host name %s: %s\n", name, strerror(errno));
    return NW_OK;
}

static int move_into(const struct lab_state *s, int machine)
{
    char root[64];

    holder_root(s, root, sizeof(root));
    int fd = space_open(root, s->name, machine), rc = fd < 0 ? fd : holder_join_user(s);
    if (!rc)
        rc = space_set(fd);
    if (fd >= 0)
        close(fd);
    return rc ? rc : take_host_name(s->name, machine);
}

int lab_enter(const char *name, int machine, char *const argv[])
{
    struct lab_state *s = malloc(sizeof(*s));
    char dir[4096];
    int rc = s ? lab_find(name, false, dir, sizeof(dir)) : NW_ENOMEM;

    if (!rc)
        rc = lab_state_read(dir, name, s);
    if (!rc && !lab_state_alive(s))
        rc = status_error(NW_EINPUT, "narrows lab: the owner of '%s' is dead: narrows lab down %s\n", name, name);
    if (!rc && (machine < 0 || machine >= s->plan.machines))
        rc = status_error(NW_EINPUT, "narrows lab: expected a machine of '%s', 0 to %d, got %d\n", name,
                          s->plan.machines - 1, machine);
    if (!rc)
        rc = move_into(s, machine);
    if (!rc && (setenv("NARROWS_LAB", s->mark, 1) || setenv("NARROWS_LAB_DIR", dir, 1)))
        rc = NW_ENOMEM;
    free(s);
    if (rc)
        return rc;
    execvp(argv[0], argv);
    return status_error(errno == ENOENT ? NW_EENV : NW_EIO, "narrows lab: %s: %s\n", argv[0], strerror(errno));
}

/* "10.77.0.3" or "user@10.77.0.3" is machine 2; -1: it is none. */
static int machine_of(const char *host)
{
    const char *at = strrchr(host, '@');
    int last, used = 0;

    host = at ? at + 1 : host;
    if (sscanf(host, "10.77.0.%d%n", &last, &used) != 1 || host[used] || last < 1 || last > LAB_MACHINES)
        return -1;
    return last - 1;
}

static char *joined(char *const words[])
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    for (int i = 0; out && words[i]; i++)
        fprintf(out, "%s%s", i ? " " : "", words[i]);
    if (!out || fclose(out))
        return NULL;
    return text;
}

int lab_agent(const char *name, char *const argv[])
{
    char shell[] = "sh", option[] = "-c";

    while (*argv && **argv == '-')
        argv++;
    int machine = *argv ? machine_of(*argv) : -1;
    if (machine < 0)
        return status_error(NW_EINPUT, "narrows lab agent: expected a host, 10.77.0.1 to .%d, got '%s'\n", LAB_MACHINES,
                            *argv ? *argv : "");
    if (!argv[1])
        return status_error(NW_EINPUT, "narrows lab agent: expected a command after %s, got none\n", *argv);
    char *command = joined(argv + 1);
    int rc = command ? lab_enter(name, machine, (char *[]){ shell, option, command, NULL }) : NW_ENOMEM;
    free(command);
    return rc;
}
