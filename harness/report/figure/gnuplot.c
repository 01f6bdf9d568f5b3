#include "harness/report/figure/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/status.h"

enum { MAX_ARGS = 16 };

/* The caller's environment less what changes a drawing: its locale and gnuplot's own variables. NULL if memory is
 * short; only the array is allocated. */
static char **clean_environment(void)
{
    static char locale[] = "LC_ALL=C.UTF-8";
    size_t n = 0, kept = 0;
    char **env;

    while (environ[n])
        n++;
    env = calloc(n + 2, sizeof(*env));
    if (!env)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "LC_", 3) != 0 && strncmp(environ[i], "LANG", 4) != 0 &&
            strncmp(environ[i], "GNUPLOT_", 8) != 0 && strncmp(environ[i], "GNUTERM=", 8) != 0)
            env[kept++] = environ[i];
    env[kept] = locale;
    return env;
}

/* Start gnuplot with stdin and stdout on /dev/null and stderr on 'fd'; 0 or errno. */
static int start(char *const *argv, int fd, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    char **env = clean_environment();
    int error = env ? posix_spawn_file_actions_init(&files) : ENOMEM;

    if (!error) {
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_adddup2(&files, fd, 2);
        error = posix_spawnp(pid, argv[0], &files, NULL, argv, env);
        posix_spawn_file_actions_destroy(&files);
    }
    free(env);
    return error;
}

/* What the child says, up to the buffer's end; the rest is read and dropped so that the child never blocks. */
static void read_all(int fd, char *buffer, size_t size)
{
    char rest[512];
    size_t n = 0;
    ssize_t got;

    for (;;) {
        got = n + 1 < size ? read(fd, buffer + n, size - 1 - n) : read(fd, rest, sizeof(rest));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        if (n + 1 < size)
            n += (size_t)got;
    }
    buffer[n] = '\0';
}

static int judge(const char *template, int status, const char *said)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127 && !*said)
        return NW_EENV;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        if (*said)
            fprintf(stderr, "narrows report: gnuplot on %s: %s\n", template, said);
        return NW_OK;
    }
    if (WIFSIGNALED(status))
        fprintf(stderr, "narrows report: gnuplot on %s: killed by signal %d\n%s", template, WTERMSIG(status), said);
    else
        fprintf(stderr, "narrows report: gnuplot on %s: failed\n%s", template, said);
    return NW_EIO;
}

int gnuplot_run(const char *template, const char *const *args)
{
    const char *argv[MAX_ARGS] = { "gnuplot", "-d", "-c", template };
    char said[4096];
    int n = 4, ends[2], error, status;
    pid_t pid;

    while (*args && n < MAX_ARGS - 1)
        argv[n++] = *args++;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        perror("narrows report: pipe");
        return NW_EIO;
    }
    error = start((char *const *)argv, ends[1], &pid);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        if (error == ENOENT || error == EACCES)
            return NW_EENV;
        fprintf(stderr, "narrows report: gnuplot: %s\n", strerror(error));
        return NW_EIO;
    }
    read_all(ends[0], said, sizeof(said));
    close(ends[0]);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) {
            perror("narrows report: gnuplot");
            return NW_EIO;
        }
    return judge(template, status, said);
}
