#include "harness/exec/rank/doze.h"

#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/host/clock.h"
#include "harness/status.h"
#include "model/vec.h"

struct doze {
    struct pollfd *watched; /* the first one: where others call */
    size_t n, capacity;
};

static int option(int fd, int name)
{
    int value = -1;
    socklen_t size = sizeof(value);

    return getsockopt(fd, SOL_SOCKET, name, &value, &size) ? -1 : value;
}

static bool is_connection(int fd)
{
    return option(fd, SO_PROTOCOL) == IPPROTO_TCP && !option(fd, SO_ACCEPTCONN);
}

static int watch(struct doze *d, int fd)
{
    if (!VEC_RESERVE(d->watched, d->capacity, d->n))
        return NW_ENOMEM;
    d->watched[d->n++] = (struct pollfd){ .fd = fd, .events = POLLIN };
    return NW_OK;
}

static int watch_connections(struct doze *d)
{
    DIR *open_now = opendir("/proc/self/fd");
    const struct dirent *e;
    int rc = NW_OK;

    while (open_now && !rc && (e = readdir(open_now))) {
        int fd = *e->d_name == '.' ? -1 : (int)strtol(e->d_name, NULL, 10);
        if (fd >= 0 && is_connection(fd))
            rc = watch(d, fd);
    }
    if (open_now)
        closedir(open_now);
    return rc;
}

int doze_open(struct doze **out)
{
    struct doze *d = calloc(1, sizeof(*d));
    int calls = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    int rc = d ? NW_OK : NW_ENOMEM;

    *out = NULL;
    if (calls < 0)
        rc = status_error(NW_EIO, "eventfd: %s\n", strerror(errno));
    prctl(PR_SET_TIMERSLACK, 1UL); /* the kernel would otherwise end each pause up to 50 us late */
    rc = rc ? rc : watch(d, calls);
    rc = rc ? rc : watch_connections(d);
    if (!rc) {
        *out = d;
        return NW_OK;
    }
    if (d)
        free(d->watched);
    free(d);
    if (calls >= 0)
        close(calls);
    return rc;
}

void doze_close(struct doze *d)
{
    if (!d)
        return;
    close(d->watched[0].fd);
    free(d->watched);
    free(d);
}

bool doze_until(struct doze *d, int64_t at_ns)
{
    int64_t left_ns = at_ns - clock_ns();
    struct timespec t = { .tv_sec = left_ns / 1000000000, .tv_nsec = left_ns % 1000000000 };
    uint64_t calls;

    if (left_ns <= 0)
        return false;
    int some = ppoll(d->watched, d->n, &t, NULL);
    bool called = some > 0 && d->watched[0].revents;
    if (called && read(d->watched[0].fd, &calls, sizeof(calls)) < 0)
        return false; /* taken already */
    return some > called;
}

void doze_wake(struct doze *d)
{
    uint64_t one = 1;

    if (write(d->watched[0].fd, &one, sizeof(one)) < 0)
        return; /* it is awake, and does not come to read */
}
