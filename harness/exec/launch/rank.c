/* rank.c - what a rank knows of its launch. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/exec/launch/launch.h"
#include "harness/exec/launch/words.h"
#include "harness/lab/process.h"
#include "harness/status.h"

int launch_ours(void)
{
    const char *mark = getenv(LAUNCH_MARK);
    struct lab_process starter;

    if (!mark)
        return 0;
    if (sscanf(mark, "%d.%llu", &starter.pid, &starter.start) == 2 && process_alive(starter))
        return 1;
    return status_error(NW_EIO,
                        "narrows exec: expected the process that started this rank to live, got " LAUNCH_MARK
                        "=%s of one that has ended (unset it to start ranks by hand)\n",
                        mark);
}

void launch_lives(void)
{
    const char *path = getenv(LAUNCH_MARK "_ALIVE");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;

    if (fd < 0)
        return;
    futimens(fd, NULL);
    close(fd);
}
