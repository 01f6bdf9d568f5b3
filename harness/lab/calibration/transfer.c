#include "harness/lab/calibration/transfer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "harness/lab/space/space.h"
#include "harness/lab/state.h"
#include "harness/status.h"

/* Buffers last while other processes have the processors; what is on its way is limited by the receiver's window. */
enum { CHUNK = 1 << 18, BUFFER = 1 << 22 };
static const double CONNECT_s = 5;

/* What is counted: from one arrival to another. */
struct arrivals {
    double begin_s, end_s;
    int64_t begin_bytes, bytes;
};

struct flow {
    struct transfer *transfer;
    int listener, sender, receiver;
    struct sockaddr_in address;
    struct arrivals arrivals, *sum;
};

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int failed(const struct flow *f, const char *what)
{
    return status_error(NW_EIO, "narrows lab: calibration, %s from machine %d to %d: %s\n", what, f->transfer->from,
                        f->transfer->to, strerror(errno));
}

static int set_number(int fd, int level, int option, int number)
{
    return setsockopt(fd, level, option, &number, sizeof(number));
}

static int listen_there(void *argument)
{
    struct flow *f = argument;
    socklen_t size = sizeof(f->address);

    f->address = (struct sockaddr_in){ .sin_family = AF_INET,
                                       .sin_addr.s_addr = htonl(0x0a4d0001U + (uint32_t)f->transfer->to) };
    f->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (f->listener < 0 || set_number(f->listener, SOL_SOCKET, SO_RCVBUF, BUFFER) ||
        set_number(f->listener, IPPROTO_TCP, TCP_WINDOW_CLAMP, (int)f->transfer->inflight_bytes) ||
        bind(f->listener, (struct sockaddr *)&f->address, size) || listen(f->listener, 1) ||
        getsockname(f->listener, (struct sockaddr *)&f->address, &size))
        return failed(f, "listening");
    return NW_OK;
}

static int connect_there(void *argument)
{
    struct flow *f = argument;
    const struct linger at_once = { .l_onoff = 1 };

    f->sender = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (f->sender < 0 || set_number(f->sender, SOL_SOCKET, SO_SNDBUF, BUFFER) ||
        setsockopt(f->sender, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)) ||
        (connect(f->sender, (struct sockaddr *)&f->address, sizeof(f->address)) && errno != EINPROGRESS))
        return failed(f, "a connection");
    return NW_OK;
}

static int open_flow(const struct lab_state *s, struct flow *f)
{
    struct pollfd come = { .events = POLLIN };
    int rc = space_inside(s->name, f->transfer->to, listen_there, f);

    if (!rc)
        rc = space_inside(s->name, f->transfer->from, connect_there, f);
    come.fd = f->listener;
    if (!rc && poll(&come, 1, (int)(CONNECT_s * 1e3)) != 1) {
        errno = errno == EINTR ? EINTR : ETIMEDOUT;
        rc = failed(f, "a connection");
    }
    if (!rc) {
        f->receiver = accept4(f->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        rc = f->receiver < 0 ? failed(f, "accepting") : NW_OK;
        int size = (int)f->transfer->inflight_bytes;
        if (!rc && set_number(f->receiver, IPPROTO_TCP, TCP_WINDOW_CLAMP, size))
            rc = failed(f, "a window");
    }
    return rc;
}

static void close_flow(const struct flow *f)
{
    const int fds[] = { f->sender, f->receiver, f->listener };

    for (int i = 0; i < 3; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

/* As much as fits. What is sent does not matter. */
static int send_some(const struct flow *f)
{
    static const char zeros[CHUNK];

    while (send(f->sender, zeros, sizeof(zeros), MSG_NOSIGNAL) > 0)
        ;
    return errno == EAGAIN ? NW_OK : failed(f, "sending");
}

static void count(struct arrivals *a, int64_t bytes, double at, double from_s)
{
    a->bytes += bytes;
    a->end_s = at;
    if (at >= from_s && a->begin_s == 0) {
        a->begin_s = at;
        a->begin_bytes = a->bytes;
    }
}

static double rate(const struct arrivals *a)
{
    bool any = a->begin_s > 0 && a->end_s > a->begin_s;

    return any ? (double)(a->bytes - a->begin_bytes) / (a->end_s - a->begin_s) : 0;
}

/* All that is there, without a copy. */
static int receive_some(struct flow *f, double from_s)
{
    ssize_t n, before = 0;

    while ((n = recv(f->receiver, NULL, BUFFER, MSG_TRUNC)) > 0)
        before += n;
    if (n == 0 || errno != EAGAIN)
        return failed(f, "receiving");
    if (!before)
        return NW_OK;
    double at = now_s();
    count(&f->arrivals, before, at, from_s);
    count(f->sum, before, at, from_s);
    return NW_OK;
}

static int serve(struct flow *flows, int n, struct transfer_time how_long, bool (*stopped)(void))
{
    struct pollfd on[2 * TRANSFERS_MAX];
    double from_s = now_s() + how_long.before_s, until_s = from_s + how_long.measured_s;
    int rc = NW_OK;

    for (int i = 0; i < n; i++) {
        on[2 * i] = (struct pollfd){ .fd = flows[i].sender, .events = POLLOUT };
        on[2 * i + 1] = (struct pollfd){ .fd = flows[i].receiver, .events = POLLIN };
    }
    while (!rc && now_s() < until_s) {
        if (poll(on, 2 * (nfds_t)n, 100) < 0 && errno != EINTR)
            rc = failed(flows, "waiting");
        for (int i = 0; i < n && !rc; i++) {
            if (on[2 * i + 1].revents)
                rc = receive_some(&flows[i], from_s);
            if (!rc && on[2 * i].revents)
                rc = send_some(&flows[i]);
        }
        if (!rc && stopped && stopped())
            rc = NW_EINTR;
    }
    return rc;
}

/* What is still in queues would meet what comes next. */
static void drain(const struct transfer *list, int n)
{
    double most_s = 0;

    for (int i = 0; i < n; i++)
        if (list[i].Bps > 0 && (double)list[i].inflight_bytes / list[i].Bps > most_s)
            most_s = (double)list[i].inflight_bytes / list[i].Bps;
    most_s = most_s < CONNECT_s ? most_s : CONNECT_s;
    nanosleep(&(struct timespec){ (time_t)most_s, (long)(fmod(most_s, 1) * 1e9) }, NULL);
}

int transfer_all(const struct lab_state *s, struct transfer *list, int n, struct transfer_time how_long,
                 double *sum_Bps, bool (*stopped)(void))
{
    struct arrivals sum = { 0 };
    struct flow *flows = calloc((size_t)n, sizeof(*flows));
    int rc = flows ? NW_OK : NW_ENOMEM;

    for (int i = 0; flows && i < n; i++)
        flows[i] = (struct flow){ .transfer = &list[i], .listener = -1, .sender = -1, .receiver = -1, .sum = &sum };
    for (int i = 0; i < n && !rc; i++)
        rc = open_flow(s, &flows[i]);
    if (!rc)
        rc = serve(flows, n, how_long, stopped);
    for (int i = 0; flows && i < n; i++) {
        list[i].Bps = rate(&flows[i].arrivals);
        close_flow(&flows[i]);
    }
    *sum_Bps = rate(&sum);
    if (!rc)
        drain(list, n);
    free(flows);
    return rc;
}
