/* peer.c - SimGrid, timed in turn with ours: a separate program, asked through a pipe. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/bench/sim/case.h"
#include "harness/status.h"

#ifdef NW_HAVE_SIMGRID

/* "DIRECTORY OF THIS PROGRAM/narrows-simgrid ARGUMENTS", with the shell's quotation marks around the path. */
static int command(const char *arguments, char *text, size_t size)
{
    char self[3072];
    ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

    if (n <= 0)
        return NW_EIO;
    self[n] = 0;
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = 0;
    if (strchr(self, '\'')) /* it would end the quotation */
        return NW_EIO;
    return snprintf(text, size, "'%s/narrows-simgrid' %s", self, arguments) < (int)size ? NW_OK : NW_EIO;
}

bool peer_name(char *name, size_t size)
{
    char text[4096], version[32];
    int n = 0;
    FILE *f;

    if (!command("version 2>/dev/null", text, sizeof(text)) && (f = popen(text, "r"))) {
        n = fscanf(f, "%31s", version);
        pclose(f);
    }
    if (n == 1)
        snprintf(name, size, "SimGrid %s", version);
    return n == 1;
}

/* The flows go through a file: it reads them before it answers, and popen() has one direction only. */
static FILE *flows_file(const struct sim_case *c)
{
    struct star_flow *flows = star_flows(c->size);
    FILE *f = tmpfile();

    if (f && (!flows || fwrite(flows, sizeof(*flows), (size_t)c->size, f) != (size_t)c->size || fflush(f))) {
        fclose(f);
        f = NULL;
    }
    free(flows);
    return f;
}

int peer_run(const struct sim_case *c, struct sim_result *r)
{
    char arguments[256], text[4096];
    FILE *flows = NULL, *f;
    long long ns, peak;
    int n = 0;

    *r = (struct sim_result){ .events = c->size };
    if (!strncmp(c->peer, "ring", 4)) {
        r->events = 2 * c->size * (c->size - 1);
        snprintf(arguments, sizeof(arguments), "ring %lld %d %.17g %.17g", (long long)c->size, RING_BYTES,
                 star_rate_Bps, star_latency_s);
    } else {
        char pattern[16];

        flows = flows_file(c);
        if (!flows)
            return NW_EIO;
        snprintf(pattern, sizeof(pattern), "%.*s", (int)strcspn(c->peer, " "), c->peer);
        snprintf(arguments, sizeof(arguments), "%s %d %lld %.17g %.17g%s </dev/fd/%d", pattern, STAR_HOSTS,
                 (long long)c->size, star_rate_Bps, star_latency_s, c->peer + strlen(pattern), fileno(flows));
    }
    if (flows)
        rewind(flows);
    if (!command(arguments, text, sizeof(text)) && (fflush(NULL), f = popen(text, "r"))) {
        n = fscanf(f, "%lld %lf %lld", &ns, &r->end_s, &peak);
        pclose(f);
    }
    if (flows)
        fclose(flows);
    if (n != 3)
        return status_error(NW_EIO, "narrows bench: sim: the peer gives no answer to %s of %lld %s\n", c->kind,
                            (long long)c->size, c->size_unit);
    r->elapsed_ns = ns;
    r->peak_bytes = peak;
    return NW_OK;
}

#else

bool peer_name(char *name, size_t size)
{
    (void)name;
    (void)size;
    return false;
}

int peer_run(const struct sim_case *c, struct sim_result *r)
{
    (void)c;
    (void)r;
    return NW_EENV;
}

#endif
