#include "harness/exec/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/count.h"
#include "harness/mpi/world.h"
#include "harness/status.h"

enum { LOOK_MS = 50, GRACE_MS = 1200, MOST_WORDS = 512 };

struct launched {
    const struct launch *launch;
    struct launch_end *out;
    pid_t pid;
    int messages; /* what the launcher and the ranks write to stderr */
    char line[1024];
    size_t nline;
};

/* Open MPI and MPICH say which rank it was:
 *   mpirun noticed that process rank 2 with PID 0 on node n exited on signal 9 (Killed).
 *   =   EXIT CODE: 9 ... RANK 2 PID 1234 RUNNING AT n */
static void look_for_rank(struct launch_end *out, const char *line)
{
    static const char *const before[] = { "process rank ", "RANK " };

    for (size_t i = 0; i < COUNT(before) && out->rank < 0; i++) {
        const char *at = strstr(line, before[i]);
        if (at && sscanf(at + strlen(before[i]), "%d", &out->rank) == 1)
            snprintf(out->reason, sizeof(out->reason), "%.250s", line);
    }
}

static void take_line(struct launched *l)
{
    l->line[l->nline] = '\0';
    fprintf(stderr, "%s\n", l->line);
    look_for_rank(l->out, l->line);
    l->nline = 0;
}

static bool take_messages(struct launched *l)
{
    char text[4096];
    ssize_t n = read(l->messages, text, sizeof(text));

    for (ssize_t i = 0; i < n; i++) {
        if (text[i] == '\n' || l->nline + 1 == sizeof(l->line))
            take_line(l);
        if (text[i] != '\n')
            l->line[l->nline++] = text[i];
    }
    return n > 0;
}

static bool is_open_mpi(void)
{
    return !strncmp(world_library(), "Open MPI", 8);
}

/* mpirun's words, then this program and its arguments. */
static size_t all_words(const struct launch *l, char *words[], char number[16])
{
    static char mpirun[] =
#ifdef NW_MPIRUN
        NW_MPIRUN;
#else
        "mpirun";
#endif
    static char np[] = "-np", root[] = "--allow-run-as-root", over[] = "--oversubscribe", bind[] = "--bind-to",
                none[] = "none", mca[] = "--mca", idle[] = "mpi_yield_when_idle", one[] = "1",
                self[] = "/proc/self/exe", command[] = "exec";
    size_t n = 0;

    snprintf(number, 16, "%d", l->ranks);
    for (char *const *w = l->words; w && *w && n < MOST_WORDS / 2; w++)
        words[n++] = *w;
    if (!l->words) {
        words[n++] = mpirun;
        words[n++] = np;
        words[n++] = number;
        char *open_mpi[] = { over, bind, none, mca, idle, one };
        for (size_t i = 0; is_open_mpi() && i < COUNT(open_mpi); i++)
            words[n++] = open_mpi[i];
        if (is_open_mpi() && !geteuid())
            words[n++] = root;
    }
    static char program[4096];
    ssize_t length = readlink(self, program, sizeof(program) - 1);
    program[length > 0 ? length : 0] = '\0';
    words[n++] = program;
    words[n++] = command;
    for (char *const *a = l->arguments; *a && n < MOST_WORDS - 1; a++)
        words[n++] = *a;
    words[n] = NULL;
    return n;
}

static int start(struct launched *l)
{
    char *words[MOST_WORDS], number[16];
    int ends[2];

    all_words(l->launch, words, number);
    if (pipe2(ends, O_CLOEXEC))
        return status_error(NW_EIO, "narrows exec: pipe: %s\n", strerror(errno));
    pid_t parent = getpid();
    l->pid = fork();
    if (!l->pid) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent)
            _exit(1);
        dup2(ends[1], STDERR_FILENO);
        execvp(words[0], words);
        dprintf(STDERR_FILENO, "%s: %s (Debian: openmpi-bin)\n", words[0], strerror(errno));
        _exit(EXIT_ENVIRONMENT);
    }
    close(ends[1]);
    l->messages = ends[0];
    if (l->pid < 0) {
        close(ends[0]);
        return status_error(NW_EIO, "narrows exec: %s could not be started: %s\n", words[0], strerror(errno));
    }
    setpgid(l->pid, l->pid);
    return NW_OK;
}

static bool ended(struct launched *l, int *status)
{
    return waitpid(l->pid, status, WNOHANG) == l->pid;
}

/* Asks the launcher to end its ranks, then ends all that is left. */
static void end_all(struct launched *l)
{
    int status;

    kill(l->pid, SIGTERM);
    for (int waited_ms = 0; waited_ms < GRACE_MS; waited_ms += LOOK_MS) {
        if (ended(l, &status)) {
            kill(-l->pid, SIGKILL);
            return;
        }
        poll(NULL, 0, LOOK_MS);
    }
    kill(-l->pid, SIGKILL);
    waitpid(l->pid, &status, 0);
}

static int follow(struct launched *l)
{
    int status = 0;

    for (;;) {
        struct pollfd p = { .fd = l->messages, .events = POLLIN };
        if (poll(&p, 1, LOOK_MS) > 0 && !take_messages(l))
            poll(NULL, 0, LOOK_MS); /* closed, but not ended yet */
        if (ended(l, &status))
            break;
        if (l->launch->stop && l->launch->stop()) {
            end_all(l);
            return NW_EINTR;
        }
    }
    fcntl(l->messages, F_SETFL, O_NONBLOCK);
    while (take_messages(l))
        continue;
    kill(-l->pid, SIGKILL); /* what it may have left */
    l->out->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return NW_OK;
}

int launch_ranks(const struct launch *l, struct launch_end *out)
{
    struct launched running = { .launch = l, .out = out };

    *out = (struct launch_end){ .rank = -1 };
    if (!world_built())
        return status_error(NW_EENV, "narrows exec: this program was built without MPI (Debian: openmpi-bin "
                                     "libopenmpi-dev, then build again)\n");
    int rc = start(&running);
    if (rc)
        return rc;
    rc = follow(&running);
    close(running.messages);
    if (running.nline)
        take_line(&running);
    return rc;
}
