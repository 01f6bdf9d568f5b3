#include "harness/lab/holder.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/lab/space/space.h"
#include "harness/lab/state.h"
#include "harness/status.h"

/* Can a process here have these namespaces? Asked of a child, which then ends. 0, or why not. */
static int ask(int namespaces, bool runs)
{
    int status = 0;
    pid_t pid = fork();

    if (!pid)
        _exit(unshare(namespaces) ? errno : runs && access("/run", W_OK) ? errno : 0);
    if (pid < 0)
        return errno;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
}

int holder_way(bool *privileged)
{
    int error;

    *privileged = geteuid() == 0 && !ask(CLONE_NEWNET | CLONE_NEWNS, true);
    if (*privileged)
        return NW_OK;
    error = ask(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS, false);
    if (!error)
        return NW_OK;
    return status_error(
        NW_EENV,
        "narrows lab: no network namespaces for this user (%s): run it as root, or allow user namespaces "
        "(sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, "
        "kernel.apparmor_restrict_unprivileged_userns)\n",
        strerror(error));
}

static bool put(const char *path, const char *format, unsigned id)
{
    char text[64];

    snprintf(text, sizeof(text), format, id);
    return space_sysctl(path, text);
}

/* A user namespace whose root is this user, with a /run of its own for names of namespaces. */
static int become_root(void)
{
    unsigned uid = geteuid(), gid = getegid();

    if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS))
        return status_error(NW_EENV, "narrows lab: unshare: %s\n", strerror(errno));
    if (!put("/proc/self/setgroups", "deny", 0) || !put("/proc/self/uid_map", "0 %u 1", uid) ||
        !put("/proc/self/gid_map", "0 %u 1", gid))
        return status_error(NW_EENV, "narrows lab: /proc/self/uid_map: %s\n", strerror(errno));
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) || mount("tmpfs", "/run", "tmpfs", 0, "mode=0755") ||
        mkdir("/run/netns", 0755))
        return status_error(NW_EENV, "narrows lab: /run in a mount namespace: %s\n", strerror(errno));
    return NW_OK;
}

static _Noreturn void stay(const struct lab_state *s, int owner)
{
    struct pollfd until = { .fd = owner, .events = POLLIN };
    char entry[LAB_ENTRY_MAX];

    while (poll(&until, 1, -1) < 0 && errno == EINTR)
        ;
    process_kill_marked(lab_entry(s, entry), NULL, 0);
    _exit(0);
}

/* Keep nothing of the process that it was forked from but the descriptor of its owner. */
static void detach(int owner)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int fd = 0; fd < 3 && null >= 0; fd++)
        dup2(null, fd);
    if (owner > 3)
        close_range(3, (unsigned)owner - 1, 0);
    close_range(owner >= 3 ? (unsigned)owner + 1 : 3, ~0U, 0);
    (void)!chdir("/");
}

struct holding {
    int owner; /* descriptor of the process that it ends with, or -1 */
    int go[2]; /* the holder begins when it reads a byte */
    int done[2];
};

static _Noreturn void hold(struct lab_state *s, const struct holding *h,
                           int (*work)(struct lab_state *s, void *argument), void *argument)
{
    char byte;
    int rc;

    close(h->go[1]);
    close(h->done[0]);
    setsid();
    for (int sig = 1; sig < NSIG; sig++)
        signal(sig, SIG_DFL); /* SIGPIPE, too: whoever waits for the answer may be gone */
    if (read(h->go[0], &byte, 1) != 1)
        _exit(1);
    rc = become_root();
    rc = rc ? rc : work(s, argument);
    fflush(stderr);
    if (write(h->done[1], &rc, sizeof(rc)) != sizeof(rc) || rc)
        _exit(1);
    detach(h->owner);
    stay(s, h->owner);
}

static int wait_for(struct lab_state *s, const struct holding *h, bool (*stopped)(void))
{
    struct pollfd answer = { .fd = h->done[0], .events = POLLIN };
    int rc = NW_OK;

    while (poll(&answer, 1, 50) <= 0 && !rc)
        rc = stopped && stopped() ? NW_EINTR : NW_OK;
    if (!rc && read(h->done[0], &rc, sizeof(rc)) != sizeof(rc))
        rc = status_error(NW_EIO, "narrows lab: the process that holds the lab died\n");
    if (rc)
        process_kill(s->holder);
    return rc;
}

static void close_pair(const int fds[2])
{
    for (int i = 0; i < 2; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

int holder_start(struct lab_state *s, bool owned, bool (*stopped)(void),
                 int (*work)(struct lab_state *s, void *argument), void *argument,
                 int (*claim)(struct lab_state *s, void *argument), void *claim_argument)
{
    struct holding h = { owned ? pidfd_open(getpid(), 0) : -1, { -1, -1 }, { -1, -1 } };
    int rc = NW_OK;
    pid_t pid = -1;

    fflush(NULL);
    if ((owned && h.owner < 0) || pipe2(h.go, O_CLOEXEC) || pipe2(h.done, O_CLOEXEC) || (pid = fork()) < 0)
        rc = status_error(NW_EIO, "narrows lab: %s\n", strerror(errno));
    if (!rc && !pid)
        hold(s, &h, work, argument);
    if (!rc) {
        s->holder = process_of(pid);
        rc = claim(s, claim_argument);
        close(h.go[0]);
        close(h.done[1]);
        h.go[0] = h.done[1] = -1;
        if (!rc && write(h.go[1], "", 1) != 1)
            rc = NW_EIO;
        int answer = rc ? rc : wait_for(s, &h, stopped);
        rc = rc ? rc : answer;
    }
    close_pair(h.go);
    close_pair(h.done);
    if (h.owner >= 0)
        close(h.owner);
    return rc;
}
