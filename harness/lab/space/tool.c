#include "harness/lab/space/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/status.h"

int tool_begin(struct tool_batch *b, const char *tool)
{
    *b = (struct tool_batch){ .tool = tool };
    b->out = open_memstream(&b->text, &b->size);
    return b->out ? NW_OK : NW_ENOMEM;
}

/* A user's PATH may leave out where these are. */
static int spawn(pid_t *pid, const char *tool, int in, int err)
{
    static const char *const folders[] = { "", "/usr/sbin/", "/sbin/" };
    char name[64], batch[] = "-batch", dash[] = "-";
    char *argv[] = { name, batch, dash, NULL };
    posix_spawn_file_actions_t files;
    int error = posix_spawn_file_actions_init(&files);

    if (error)
        return error;
    posix_spawn_file_actions_adddup2(&files, in, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, err, 2);
    error = ENOENT;
    for (size_t i = 0; error == ENOENT && i < sizeof(folders) / sizeof(*folders); i++) {
        snprintf(name, sizeof(name), "%s%s", folders[i], tool);
        error = posix_spawnp(pid, name, &files, NULL, argv, environ);
    }
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/* What the tool said first, and to which command: "Command failed -:3" counts lines. */
static int refused(const struct tool_batch *b, int err)
{
    char said[512] = "", *command = b->text;
    ssize_t n = pread(err, said, sizeof(said) - 1, 0);
    const char *at;

    said[n > 0 ? n : 0] = '\0';
    at = strstr(said, "Command failed -:");
    for (long line = at ? strtol(at + 17, NULL, 10) : 1; line > 1 && strchr(command, '\n'); line--)
        command = strchr(command, '\n') + 1;
    return status_error(NW_EIO, "narrows lab: %s %.*s: %.*s\n", b->tool, (int)strcspn(command, "\n"), command,
                        (int)strcspn(said, "\n"), said);
}

static int run(const struct tool_batch *b, int quiet)
{
    int in = memfd_create("commands", MFD_CLOEXEC), err = memfd_create("messages", MFD_CLOEXEC), rc = NW_OK, status;
    pid_t pid;

    if (in < 0 || err < 0 || write(in, b->text, b->size) != (ssize_t)b->size || lseek(in, 0, SEEK_SET))
        rc = status_error(NW_EIO, "narrows lab: %s: %s\n", b->tool, strerror(errno));
    int error = rc ? 0 : spawn(&pid, b->tool, in, err);
    if (error == ENOENT)
        rc = status_error(NW_EENV, "narrows lab: the program '%s' is not here (Debian: apt-get install iproute2)\n",
                          b->tool);
    else if (error)
        rc = status_error(NW_EIO, "narrows lab: %s: %s\n", b->tool, strerror(error));
    while (!rc && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (!rc && !(WIFEXITED(status) && WEXITSTATUS(status) == 0))
        rc = quiet ? NW_EIO : refused(b, err);
    if (in >= 0)
        close(in);
    if (err >= 0)
        close(err);
    return rc;
}

int tool_end(struct tool_batch *b, int quiet)
{
    int failed = ferror(b->out), rc;

    failed |= fclose(b->out);
    rc = failed ? NW_ENOMEM : run(b, quiet);
    free(b->text);
    *b = (struct tool_batch){ 0 };
    return rc;
}
