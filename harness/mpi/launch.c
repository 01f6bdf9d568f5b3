#include "harness/mpi/launch.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/mpi/world.h"
#include "harness/status.h"

enum { OWN_ARGUMENTS = 10 }; /* of mpirun, with the program and the end */

static volatile sig_atomic_t asked, child;

/* A terminal sends SIGINT to mpirun as well; SIGTERM goes to this process alone. */
static void on_signal(int number)
{
    asked = number;
    if (child > 0)
        kill((pid_t)child, SIGTERM);
}

static int wait_for(pid_t pid)
{
    int state = 0;

    while (waitpid(pid, &state, 0) < 0)
        if (errno != EINTR)
            return status_error(NW_EIO, "%s: %s\n", NW_MPIRUN, strerror(errno));
    if (asked)
        return NW_EINTR;
    return WIFEXITED(state) ? WEXITSTATUS(state) : EXIT_FAILED;
}

static int spawn(char **argv)
{
    struct sigaction action = { .sa_handler = on_signal }, before[2];
    pid_t pid;
    int failed, rc;

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &before[0]);
    sigaction(SIGTERM, &action, &before[1]);
    failed = posix_spawn(&pid, NW_MPIRUN, NULL, NULL, argv, environ);
    if (failed) {
        rc = status_error(NW_EENV, "%s: %s (Debian: openmpi-bin)\n", NW_MPIRUN, strerror(failed));
    } else {
        child = (sig_atomic_t)pid;
        if (asked) /* before there was a child to pass it on to */
            kill(pid, SIGTERM);
        rc = wait_for(pid);
        child = 0;
    }
    sigaction(SIGINT, &before[0], NULL);
    sigaction(SIGTERM, &before[1], NULL);
    return rc;
}

int world_launch(int ranks, char *const *arguments)
{
    bool open_mpi = !strncmp(world_library(), "Open MPI", 8);
    static char mpirun[] = NW_MPIRUN, np[] = "-np", more[] = "--oversubscribe", root[] = "--allow-run-as-root";
    static char bind_to[] = "--bind-to", none[] = "none";
    char number[16], self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    size_t n = 0, given = 0;

    while (arguments[given])
        given++;
    char **argv = calloc(given + OWN_ARGUMENTS, sizeof(*argv));
    if (!argv || length < 0) {
        free(argv);
        return argv ? status_error(NW_EIO, "/proc/self/exe: %s\n", strerror(errno)) : NW_ENOMEM;
    }
    self[length] = '\0';
    snprintf(number, sizeof(number), "%d", ranks);
    argv[n++] = mpirun;
    argv[n++] = np;
    argv[n++] = number;
    if (open_mpi) {
        argv[n++] = more;
        argv[n++] = bind_to;
        argv[n++] = none;
    }
    if (open_mpi && !getuid())
        argv[n++] = root;
    argv[n++] = self;
    memcpy(argv + n, arguments, given * sizeof(*argv));
    fflush(NULL);
    int rc = spawn(argv);
    free(argv);
    return rc;
}
