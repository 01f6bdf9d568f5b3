#include "harness/lab/space/congestion.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/lab/space/space.h"
#include "harness/lab/state.h"
#include "harness/status.h"

static const char CONTROL[] = "/proc/sys/net/ipv4/tcp_congestion_control";
static const char ALLOWED[] = "/proc/sys/net/ipv4/tcp_allowed_congestion_control";

static bool read_line(const char *path, char *text, size_t size)
{
    FILE *f = fopen(path, "r");
    bool ok = f && fgets(text, (int)size, f);

    if (f)
        fclose(f);
    if (ok)
        text[strcspn(text, "\n")] = '\0';
    return ok;
}

static int set_control(void *name)
{
    return space_sysctl(CONTROL, name) ? NW_OK : NW_EENV;
}

static int get_control(void *state)
{
    struct lab_state *s = state;

    return read_line(CONTROL, s->congestion, sizeof(s->congestion)) ? NW_OK : NW_EENV;
}

/* Namespaces other than the host's may use only what is allowed to everybody. */
static void allow(const char *name)
{
    char allowed[256], more[300];

    if (!read_line(ALLOWED, allowed, sizeof(allowed)))
        return;
    snprintf(more, sizeof(more), "%s %s", allowed, name);
    space_sysctl(ALLOWED, more);
}

int congestion_choose(struct lab_state *s)
{
    char cubic[] = "cubic", reno[] = "reno", *name = cubic;
    int rc = space_inside(s->name, 0, set_control, cubic);

    if (rc == NW_EENV) {
        allow(cubic);
        rc = space_inside(s->name, 0, set_control, cubic);
    }
    if (rc == NW_EENV) {
        name = reno;
        rc = space_inside(s->name, 0, set_control, reno);
    }
    for (int i = 1; i < s->plan.machines && !rc; i++)
        rc = space_inside(s->name, i, set_control, name);
    if (rc && rc != NW_EENV)
        return rc;
    rc = space_inside(s->name, 0, get_control, s);
    return rc ? status_error(NW_EENV, "narrows lab: %s cannot be read\n", CONTROL) : NW_OK;
}
