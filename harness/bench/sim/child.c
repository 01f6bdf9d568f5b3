/* child.c - a repetition in a process of its own: what it takes of memory is then its own, and so is a failure. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/bench/sim/case.h"
#include "harness/status.h"

/* What the kernel calls VmHWM: the most that was resident at once; 0 where it does not say. */
static int64_t peak_bytes(void)
{
    char line[256];
    long long kB = 0;
    FILE *f = fopen("/proc/self/status", "r");

    while (f && fgets(line, sizeof(line), f))
        if (!strncmp(line, "VmHWM:", 6))
            kB = strtoll(line + 6, NULL, 10);
    if (f)
        fclose(f);
    return 1024 * kB;
}

/* A child begins with its parent's peak: count from what it has now. */
static void forget_peak(void)
{
    int fd = open("/proc/self/clear_refs", O_WRONLY);

    if (fd < 0)
        return;
    if (write(fd, "5", 1) < 0)
        perror("narrows bench: /proc/self/clear_refs");
    close(fd);
}

static _Noreturn void child(const struct sim_case *c, int fd)
{
    struct sim_result r = { 0 };

    forget_peak();
    r.idle_bytes = peak_bytes();
    r.rc = c->run(c, &r);
    r.peak_bytes = peak_bytes();
    _exit(write(fd, &r, sizeof(r)) == (ssize_t)sizeof(r) ? 0 : 1);
}

int child_run(const struct sim_case *c, struct sim_result *r)
{
    int ends[2], status;
    ssize_t got;
    pid_t pid;

    fflush(NULL); /* or the child would write it once more */
    if (pipe(ends)) {
        perror("narrows bench: pipe");
        return NW_EIO;
    }
    pid = fork();
    if (!pid) {
        close(ends[0]);
        child(c, ends[1]);
    }
    close(ends[1]);
    if (pid < 0) {
        perror("narrows bench: fork");
        close(ends[0]);
        return NW_EIO;
    }
    while ((got = read(ends[0], r, sizeof(*r))) < 0 && errno == EINTR)
        ;
    close(ends[0]);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (got != (ssize_t)sizeof(*r))
        return status_error(NW_ESIM, "narrows bench: sim: %s of %lld %s ended without a result\n", c->kind,
                            (long long)c->size, c->size_unit);
    return r->rc;
}
