/* join.c - the way into the namespaces that a holder has. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/lab/holder.h"
#include "harness/lab/state.h"
#include "harness/status.h"

void holder_root(const struct lab_state *s, char *path, unsigned long size)
{
    if (s->holder.pid)
        snprintf(path, size, "/proc/%d/root", s->holder.pid);
    else
        snprintf(path, size, "%s", "");
}

/* Descriptor of a namespace of the holder; -1 if this process is in it; NW_EIO. */
static int open_other(const struct lab_state *s, const char *kind)
{
    char theirs[64], own[64];
    struct stat a, b;

    snprintf(theirs, sizeof(theirs), "/proc/%d/ns/%s", s->holder.pid, kind);
    snprintf(own, sizeof(own), "/proc/self/ns/%s", kind);
    int fd = open(theirs, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &a) || stat(own, &b)) {
        int rc = status_error(NW_EIO, "narrows lab: %s: %s\n", theirs, strerror(errno));
        if (fd >= 0)
            close(fd);
        return rc;
    }
    if (a.st_ino != b.st_ino || a.st_dev != b.st_dev)
        return fd;
    close(fd);
    return -1;
}

static int join(const struct lab_state *s, const char *kind, int flag)
{
    int fd = open_other(s, kind), rc = NW_OK;

    if (fd == -1)
        return NW_OK;
    if (fd < 0)
        return fd;
    if (setns(fd, flag))
        rc = status_error(NW_EIO, "narrows lab: joining the %s namespace of process %d: %s\n", kind, s->holder.pid,
                          strerror(errno));
    close(fd);
    return rc;
}

int holder_join_user(const struct lab_state *s)
{
    return s->holder.pid ? join(s, "user", CLONE_NEWUSER) : NW_OK;
}

int holder_inside(struct lab_state *s, int (*work)(struct lab_state *s, void *argument), void *argument)
{
    int status = 0;
    pid_t pid;

    if (!s->holder.pid)
        return work(s, argument);
    fflush(NULL);
    pid = fork();
    if (!pid) {
        int rc = join(s, "user", CLONE_NEWUSER);
        rc = rc ? rc : join(s, "mnt", CLONE_NEWNS);
        rc = rc ? rc : join(s, "net", CLONE_NEWNET);
        rc = rc ? rc : work(s, argument);
        fflush(stderr);
        _exit(rc ? -rc : 0); /* harness status is -1 to -130 */
    }
    if (pid < 0)
        return status_error(NW_EIO, "narrows lab: fork: %s\n", strerror(errno));
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? -WEXITSTATUS(status) : NW_EIO;
}
