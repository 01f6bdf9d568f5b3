/* shim.c - faults inside a program, by LD_PRELOAD: which, the environment says.
 *   NARROWS_FAULT_MALLOC=N    the N-th allocation fails, once
 *   NARROWS_FAULT_SHORT=1     write() and pwrite() take half of what they are given
 *   NARROWS_FAULT_CLOCK=N     from the N-th look at a clock of the day on it is an hour earlier, from the 2N-th two
 *                             later, and so on by turns
 *   NARROWS_FAULT_COUNT=FILE  how many allocations and looks there were, written when the program ends
 * Only in a program called narrows, from main() on: the programs that it starts are left alone, and what libraries do
 * before (CUDA's runtime does not survive a lack of memory there). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { JUMP_S = 3600 };

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_long allocations, looks;
static atomic_bool begun;
static long failing, stepping;
static int halves;
static char counted[4096];

static long number(const char *name)
{
    const char *text = getenv(name);

    return text ? atol(text) : 0;
}

static __attribute__((constructor)) void begin(void)
{
    const char *file = getenv("NARROWS_FAULT_COUNT");

    if (strcmp(program_invocation_short_name, "narrows") != 0)
        return;
    failing = number("NARROWS_FAULT_MALLOC");
    stepping = number("NARROWS_FAULT_CLOCK");
    halves = number("NARROWS_FAULT_SHORT") != 0;
    if (file)
        snprintf(counted, sizeof(counted), "%s", file);
}

int __libc_start_main(int (*start)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader)(void), void *stack); /* has no header */

static int (*program)(int, char **, char **);

static int begin_program(int argc, char **argv, char **environment)
{
    atomic_store(&begun, true);
    return program(argc, argv, environment);
}

int __libc_start_main(int (*start)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader)(void), void *stack)
{
    int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

    *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
    program = start;
    return real(begin_program, argc, argv, init, fini, loader, stack);
}

static __attribute__((destructor)) void end(void)
{
    char text[64];
    int n = snprintf(text, sizeof(text), "%ld %ld\n", atomic_load(&allocations), atomic_load(&looks)), fd;

    if (*counted && (fd = open(counted, O_WRONLY | O_CREAT | O_TRUNC, 0600)) >= 0) {
        halves = 0;
        if (write(fd, text, (size_t)n) != n)
            _exit(99);
        close(fd);
    }
}

static int fails(void)
{
    if (!atomic_load(&begun) || atomic_fetch_add(&allocations, 1) + 1 != failing)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t n)
{
    return fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t each)
{
    return fails() ? NULL : __libc_calloc(n, each);
}

void *realloc(void *old, size_t n)
{
    return fails() ? NULL : __libc_realloc(old, n);
}

void *aligned_alloc(size_t alignment, size_t n)
{
    return fails() ? NULL : __libc_memalign(alignment, n);
}

int posix_memalign(void **out, size_t alignment, size_t n)
{
    void *got = fails() ? NULL : __libc_memalign(alignment, n);

    if (!got)
        return ENOMEM;
    *out = got;
    return 0;
}

static size_t taken(size_t n)
{
    return halves && n > 1 ? n / 2 : n;
}

ssize_t write(int fd, const void *data, size_t n)
{
    static ssize_t (*real)(int, const void *, size_t);

    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "write");
    return real(fd, data, taken(n));
}

ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at)
{
    static ssize_t (*real)(int, const void *, size_t, off64_t);

    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pwrite64");
    return real(fd, data, taken(n), at);
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t at)
{
    return pwrite64(fd, data, n, at);
}

static time_t jumped(void)
{
    long at = stepping ? (atomic_fetch_add(&looks, 1) + 1) / stepping : (atomic_fetch_add(&looks, 1), 0);

    return at % 2 ? -JUMP_S : at ? 2 * JUMP_S : 0;
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    static int (*real)(clockid_t, struct timespec *);
    int rc;

    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    rc = real(clock, out);
    if (!rc && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        out->tv_sec += jumped();
    return rc;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    struct timespec now;

    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now))
        return -1;
    *out = (struct timeval){ now.tv_sec, now.tv_nsec / 1000 };
    return 0;
}

time_t time(time_t *out)
{
    struct timespec now;
    time_t s = clock_gettime(CLOCK_REALTIME, &now) ? -1 : now.tv_sec;

    if (out)
        *out = s;
    return s;
}
