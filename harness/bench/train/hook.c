#include "harness/bench/train/hook.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/count.h"
#include "harness/host/home.h"
#include "harness/status.h"

enum { PATH = 4096, NUMBER = 16 };

/* Its exit status; 127 if it could not be started. quiet: what it says is dropped. */
static int ended(const char *const argv[], bool quiet)
{
    int status = 0, null;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child < 0)
        return 127;
    if (!child) {
        null = quiet ? open("/dev/null", O_WRONLY) : -1;
        if (null >= 0 && (dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0))
            _exit(127);
        execvp(argv[0], (char *const *)argv);
        _exit(127);
    }
    if (waitpid(child, &status, 0) != child)
        return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

/* Put 'first' in front of what the environment's variable has. */
static int in_front(const char *variable, const char *first)
{
    const char *had = getenv(variable);
    char *all;

    if (asprintf(&all, "%s%s%s", first, had && *had ? ":" : "", had ? had : "") < 0)
        return NW_ENOMEM;
    setenv(variable, all, 1);
    free(all);
    return NW_OK;
}

/* The package of the source tree and the library that was built with this program, or installed next to it; else
 * those that Python and the system find. */
static int say_where(void)
{
    static const char *const places[] = { "lib/libnarrows.so", "../lib/libnarrows.so.0" };
    char path[PATH], own[PATH];
    ssize_t n = readlink("/proc/self/exe", own, sizeof(own) - 1);

    own[n > 0 ? n : 0] = '\0';
    if (strrchr(own, '/'))
        strrchr(own, '/')[1] = '\0';
    for (size_t i = 0; i < COUNT(places) && !getenv("NARROWS_LIBRARY"); i++)
        if (snprintf(path, sizeof(path), "%s%s", own, places[i]) < (int)sizeof(path) && !access(path, R_OK))
            setenv("NARROWS_LIBRARY", path, 1);
    if (snprintf(path, sizeof(path), "%s/python", home_dir()) >= (int)sizeof(path) || access(path, R_OK))
        return NW_OK;
    return in_front("PYTHONPATH", path);
}

static const char *find(const char *python)
{
    static const char *const usual[] = { "python3", "/usr/bin/python3" };
    const char *const *tried = python ? &python : usual;

    for (size_t i = 0; i < (python ? 1 : COUNT(usual)); i++) {
        const char *const argv[] = { tried[i], "-c", "import torch, numpy, narrows", NULL };

        if (!ended(argv, true))
            return tried[i];
    }
    return NULL;
}

int hook_bench_run(const char *python, int reps, int threads)
{
    char reps_text[NUMBER], threads_text[NUMBER];
    int rc = say_where(), status;

    if (rc)
        return rc;
    python = find(python);
    if (!python)
        return status_error(NW_EENV, "narrows bench: hook: no Python here imports torch, numpy and narrows (Debian: "
                                     "python3-torch, python3-numpy; narrows is python/ of the source tree, or "
                                     "its wheel)\n");
    const char *const argv[] = { python,    "-m",        "narrows.bench_hook", "time", "--reps",
                                 reps_text, "--threads", threads_text,         NULL };

    snprintf(reps_text, sizeof(reps_text), "%d", reps);
    snprintf(threads_text, sizeof(threads_text), "%d", threads ? threads : 1);
    status = ended(argv, false);
    return status ? status_error(NW_EIO, "narrows bench: hook: %s ended with status %d\n", python, status) : NW_OK;
}
