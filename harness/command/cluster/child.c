#include "harness/command/cluster/child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/status.h"

bool child_there(const char *program)
{
    const char *path = getenv("PATH");
    char name[4096];

    while (path && *path) {
        size_t n = strcspn(path, ":");

        snprintf(name, sizeof(name), "%.*s/%s", (int)n, path, program);
        if (!access(name, X_OK))
            return true;
        path += n + (path[n] == ':');
    }
    return false;
}

static int spawn(const char *const *argv, bool quiet, int out, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    int error = posix_spawn_file_actions_init(&files);

    if (error)
        return error;
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, out, 1);
    if (quiet)
        posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    error = posix_spawnp(pid, argv[0], &files, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

int child_start(const char *const *argv, bool quiet, struct child *c)
{
    int ends[2], error;

    *c = (struct child){ 0 };
    if (pipe2(ends, O_CLOEXEC))
        return status_error(NW_EIO, "narrows: %s: %s\n", argv[0], strerror(errno));
    error = spawn(argv, quiet, ends[1], &c->pid);
    close(ends[1]);
    c->out = error ? NULL : fdopen(ends[0], "r");
    if (c->out)
        return NW_OK;
    close(ends[0]);
    return status_error(NW_EIO, "narrows: %s: %s\n", argv[0], strerror(error ? error : errno));
}

int child_wait(struct child *c)
{
    int status;

    while (fgetc(c->out) != EOF)
        ;
    fclose(c->out);
    while (waitpid(c->pid, &status, 0) < 0)
        if (errno != EINTR)
            return EXIT_FAILED;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
