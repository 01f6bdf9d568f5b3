#include "tests/training/disk_calls.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct disk_calls disk = { .space = -1 };

ssize_t __real_write(int file, const void *data, size_t bytes);
ssize_t __wrap_write(int file, const void *data, size_t bytes);
int __wrap_fsync(int file);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);

void disk_reset(void)
{
    disk = (struct disk_calls){ .space = -1 };
}

static void note(char call)
{
    size_t n = strlen(disk.order);

    if ((n == 0 || call != 'w' || disk.order[n - 1] != 'w') && n + 1 < sizeof(disk.order))
        disk.order[n] = call;
}

static int fail(int error)
{
    errno = error;
    return -1;
}

/* A disk takes what there is space for, and then nothing. */
ssize_t __wrap_write(int file, const void *data, size_t bytes)
{
    ssize_t n;

    if (disk.interruptions > 0) {
        disk.interruptions--;
        return fail(EINTR);
    }
    if (disk.most && bytes > disk.most)
        bytes = disk.most;
    if (disk.space == 0 && bytes > 0)
        return fail(ENOSPC);
    if (disk.space > 0 && bytes > (size_t)disk.space)
        bytes = (size_t)disk.space;
    n = __real_write(file, data, bytes);
    if (disk.space > 0 && n > 0)
        disk.space -= n;
    note('w');
    return n;
}

/* Notes it and is done: a test loses no power, and has many to wait for. */
int __wrap_fsync(int file)
{
    struct stat st;
    char call = fstat(file, &st) == 0 && S_ISDIR(st.st_mode) ? 'f' : 's';

    if (disk.fails == call)
        return fail(EIO);
    note(call);
    return 0;
}

int __wrap_rename(const char *from, const char *to)
{
    if (disk.fails == 'r')
        return fail(EIO);
    note('r');
    return __real_rename(from, to);
}
