#include "harness/exec/launch/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/exec/launch/folder.h"
#include "harness/exec/launch/guard.h"
#include "harness/exec/launch/stopped.h"
#include "harness/exec/launch/words.h"
#include "harness/host/clock.h"
#include "harness/lab/process.h"
#include "harness/mpi/world.h"
#include "harness/status.h"

enum { LOOK_MS = 50, GRACE_MS = 500, SECOND_NS = 1000000000 };

struct launched {
    const struct launch *launch;
    struct launch_end *out;
    pid_t pid, guard;
    char mark[64], folder[256];
    int messages; /* what the launcher and the ranks write to stderr */
    char line[1024];
    size_t nline;
    int64_t touched_ns, lived_ns; /* when a rank last lived: by its file's clock, by ours */
};

static void take_line(struct launched *l)
{
    l->line[l->nline] = '\0';
    fprintf(stderr, "%s\n", l->line);
    last_words_hear(&l->out->words, l->line);
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

static _Noreturn void become(char *const words[], char *const environment[], pid_t parent, int messages)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* until there is a guard */
    if (getppid() != parent)
        _exit(1);
    dup2(messages, STDERR_FILENO);
    execvpe(words[0], words, environment);
    dprintf(STDERR_FILENO, "%s: %s (Debian: openmpi-bin)\n", words[0], strerror(errno));
    _exit(EXIT_ENVIRONMENT);
}

static int start(struct launched *l)
{
    char *words[LAUNCH_WORDS], **environment;
    int ends[2];

    snprintf(l->mark, sizeof(l->mark), LAUNCH_MARK "=%d.%llu", getpid(), process_of(getpid()).start);
    launch_words(l->launch, words);
    environment = launch_environment(l->launch->environment, l->mark, l->folder);
    if (!environment)
        return NW_ENOMEM;
    if (pipe2(ends, O_CLOEXEC)) {
        launch_environment_free(environment);
        return status_error(NW_EIO, "narrows %s: pipe: %s\n", l->launch->command, strerror(errno));
    }
    pid_t parent = getpid();
    fflush(NULL);
    l->pid = fork();
    if (!l->pid)
        become(words, environment, parent, ends[1]);
    launch_environment_free(environment);
    close(ends[1]);
    l->messages = ends[0];
    if (l->pid < 0) {
        close(ends[0]);
        return status_error(NW_EIO, "narrows %s: %s could not be started: %s\n", l->launch->command, words[0],
                            strerror(errno));
    }
    setpgid(l->pid, l->pid);
    l->guard = guard_start(l->pid, l->mark, l->folder);
    return NW_OK;
}

static bool ended(struct launched *l, int *status)
{
    return waitpid(l->pid, status, WNOHANG) == l->pid;
}

/* Asks the launcher to end its ranks, which takes it a moment; what is left after that gets no say. */
static void end_all(struct launched *l)
{
    int status;

    kill(l->pid, SIGTERM);
    kill(l->pid, SIGCONT);
    for (int waited_ms = 0; waited_ms < GRACE_MS; waited_ms += LOOK_MS) {
        if (ended(l, &status))
            return;
        poll(NULL, 0, LOOK_MS);
    }
    kill(-l->pid, SIGKILL);
    kill(l->pid, SIGKILL);
    waitpid(l->pid, &status, 0);
}

/* Has nothing been heard for too long? Before that, which rank is to blame. */
static bool too_long(struct launched *l)
{
    int64_t touched_ns = launch_folder_touched_ns(l->folder), now_ns = clock_ns();
    const struct launch *asked = l->launch;
    struct last_words *w = &l->out->words;
    char why[sizeof(w->reason)];

    if (touched_ns != l->touched_ns) {
        l->touched_ns = touched_ns;
        l->lived_ns = now_ns;
        return false;
    }
    double silent_s = 1e-9 * (double)(now_ns - l->lived_ns);
    if (asked->patience_s <= 0 || silent_s < asked->hint_s)
        return false;
    int rank = stopped_rank(l->mark, why, sizeof(why));
    if (rank >= 0)
        *w = last_words_of(rank, why);
    if (silent_s < asked->patience_s)
        return false;
    snprintf(why, sizeof(why), "nothing was heard of the ranks for %g s", asked->patience_s);
    if (!w->weight)
        *w = last_words_of(-1, why);
    return true;
}

static int follow(struct launched *l)
{
    int64_t looked_ns = l->lived_ns = clock_ns();
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
        if (clock_ns() - looked_ns < SECOND_NS / 2)
            continue;
        looked_ns = clock_ns();
        if (too_long(l)) {
            end_all(l);
            l->out->code = EXIT_FAILED;
            return NW_OK;
        }
    }
    l->out->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (WIFSIGNALED(status) && !l->out->words.weight)
        l->out->words = last_words_of(-1, "the launcher was killed");
    return NW_OK;
}

/* Everything that has the mark, then what it wrote last, then its files. */
static void clear_away(struct launched *l)
{
    process_kill_marked(l->mark, NULL, 0);
    fcntl(l->messages, F_SETFL, O_NONBLOCK);
    while (take_messages(l))
        continue;
    if (l->nline)
        take_line(l);
    close(l->messages);
    launch_folder_remove(l->folder);
    guard_end(l->guard);
}

int launch_ranks(const struct launch *l, struct launch_end *out)
{
    struct launched running = { .launch = l, .out = out };

    *out = (struct launch_end){ 0 };
    last_words_begin(&out->words);
    if (!world_built())
        return status_error(NW_EENV,
                            "narrows %s: this program was built without MPI (Debian: openmpi-bin libopenmpi-dev, then "
                            "build again)\n",
                            l->command);
    int rc = launch_folder_make(running.folder, sizeof(running.folder));
    if (rc)
        return rc;
    rc = start(&running);
    if (rc) {
        launch_folder_remove(running.folder);
        return rc;
    }
    rc = follow(&running);
    clear_away(&running);
    return rc;
}
