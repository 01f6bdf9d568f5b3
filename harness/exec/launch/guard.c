#include "harness/exec/launch/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/exec/launch/folder.h"
#include "harness/lab/process.h"

enum { GRACE_MS = 1000, LOOK_MS = 20 };

/* Nothing of the process that it was forked from, but the descriptor that tells of its end. */
static void detach(int parent)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    setsid();
    for (int sig = 1; sig < NSIG; sig++)
        signal(sig, sig == SIGHUP || sig == SIGINT || sig == SIGTERM ? SIG_IGN : SIG_DFL);
    for (int fd = 0; fd < 3 && null >= 0; fd++)
        dup2(null, fd);
    if (parent > 3)
        close_range(3, (unsigned)parent - 1, 0);
    close_range(parent >= 3 ? (unsigned)parent + 1 : 3, ~0U, 0);
    (void)!chdir("/");
}

static _Noreturn void guard(int parent, struct lab_process launcher, const char *entry, const char *folder)
{
    struct pollfd until = { .fd = parent, .events = POLLIN };

    detach(parent);
    while (poll(&until, 1, -1) < 0 && errno == EINTR)
        ;
    if (process_alive(launcher)) {
        kill(launcher.pid, SIGTERM);
        kill(launcher.pid, SIGCONT);
    }
    for (int ms = 0; ms < GRACE_MS && process_alive(launcher); ms += LOOK_MS)
        poll(NULL, 0, LOOK_MS);
    process_kill_marked(entry, NULL, 0);
    launch_folder_remove(folder);
    _exit(0);
}

pid_t guard_start(pid_t launcher, const char *entry, const char *folder)
{
    int parent = pidfd_open(getpid(), 0);
    struct lab_process process = process_of(launcher);
    pid_t pid = -1;

    if (parent < 0)
        return -1;
    fflush(NULL);
    pid = fork();
    if (!pid)
        guard(parent, process, entry, folder);
    close(parent);
    return pid;
}

void guard_end(pid_t pid)
{
    if (pid <= 0)
        return;
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}
