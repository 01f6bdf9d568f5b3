#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "harness/exec/rank/wire.h"
#include "harness/status.h"
#include "model/vec.h"

/* A message that is being sent, and whose it is. */
struct pending {
    void *note; /* a notice's own bytes */
    struct departure *departure;
};

/* The first requests of all are the two receipts that always wait; what is sent follows. All are asked for in one call:
 * each makes the library look at all its connections, and ranks share processors. */
enum { REQUEST_NOTE, REQUEST_DATA, REQUESTS_KEPT };

enum { NOBODY = -1 };

/* A transfer that is being sent (peer NOBODY: an exchange of all); those to one rank stand in a ring. */
struct departure {
    int peer;
    int32_t task, act;
    const uint8_t *bytes;
    size_t n, at; /* at: what has been given away */
    int under_way;
    bool given; /* all of it */
    struct departure *next;
};

/* Those to one rank: the last one's next is the first, which has the next turn. */
struct outlet {
    struct departure *last;
    int under_way;
};

/* A transfer whose fragments are arriving. */
struct arrival {
    int32_t task;
    uint8_t *bytes;
    size_t most, n;
    struct arrival *next;
};

struct lane {
    MPI_Request *requests;
    struct pending *pending;
    int *over;
    MPI_Status *statuses;
    size_t n, capacity;
};

struct note {
    int32_t what, number, flag;
};

struct wire {
    MPI_Comm data, notes;
    struct lane lane;
    struct outlet *outlets; /* of each rank */
    struct arrival *arrivals;
    size_t ntransfers; /* being sent */
    struct note noted;
    uint8_t *fragment; /* the next one is received here */
};

static int lane_grow(struct lane *l)
{
    if (l->n < l->capacity)
        return NW_OK;
    size_t capacity = l->capacity ? 2 * l->capacity : 64;
    MPI_Request *requests = realloc(l->requests, capacity * sizeof(MPI_Request));
    if (requests)
        l->requests = requests;
    struct pending *pending = realloc(l->pending, capacity * sizeof(*pending));
    if (pending)
        l->pending = pending;
    int *over = realloc(l->over, capacity * sizeof(*over));
    if (over)
        l->over = over;
    MPI_Status *statuses = realloc(l->statuses, capacity * sizeof(MPI_Status));
    if (statuses)
        l->statuses = statuses;
    if (!requests || !pending || !over || !statuses)
        return NW_ENOMEM;
    l->capacity = capacity;
    return NW_OK;
}

static void lane_free(struct lane *l)
{
    free(l->requests);
    free(l->pending);
    free(l->over);
    free(l->statuses);
}

static void expect_note(struct wire *w)
{
    MPI_Irecv(&w->noted, (int)sizeof(w->noted), MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, w->notes,
              &w->lane.requests[REQUEST_NOTE]);
}

static void expect_fragment(struct wire *w)
{
    MPI_Irecv(w->fragment, WIRE_FRAGMENT, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, w->data,
              &w->lane.requests[REQUEST_DATA]);
}

int wire_open(int ranks, struct wire **out)
{
    struct wire *w = calloc(1, sizeof(*w));
    MPI_Comm mine;
    int rank;

    *out = NULL;
    if (!w)
        return NW_ENOMEM;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < ranks ? 0 : MPI_UNDEFINED, rank, &mine);
    if (mine == MPI_COMM_NULL) {
        free(w);
        return NW_OK;
    }
    w->data = mine;
    MPI_Comm_dup(mine, &w->notes);
    w->outlets = calloc((size_t)ranks, sizeof(*w->outlets));
    w->fragment = aligned_alloc(64, WIRE_FRAGMENT);
    if (!w->outlets || !w->fragment || lane_grow(&w->lane))
        return NW_ENOMEM;
    w->lane.n = REQUESTS_KEPT;
    expect_note(w);
    expect_fragment(w);
    *out = w;
    return NW_OK;
}

void wire_close(struct wire *w)
{
    if (!w)
        return;
    for (int i = 0; i < REQUESTS_KEPT; i++) {
        MPI_Cancel(&w->lane.requests[i]);
        MPI_Wait(&w->lane.requests[i], MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&w->notes);
    MPI_Comm_free(&w->data);
    for (struct arrival *a = w->arrivals, *next; a; a = next) {
        next = a->next;
        free(a->bytes);
        free(a);
    }
    lane_free(&w->lane);
    free(w->fragment);
    free(w->outlets);
    free(w);
}

/* The tag has the task, and whether this is the last of it. */
static int send_fragment(struct wire *w, struct departure *d)
{
    size_t left = d->n - d->at, n = left < WIRE_FRAGMENT ? left : WIRE_FRAGMENT;
    int rc = lane_grow(&w->lane);

    if (rc)
        return rc;
    d->given = n == left;
    w->lane.pending[w->lane.n] = (struct pending){ .departure = d };
    MPI_Isend(d->bytes + d->at, (int)n, MPI_BYTE, d->peer, 2 * d->task + d->given, w->data,
              &w->lane.requests[w->lane.n++]);
    d->at += n;
    d->under_way++;
    w->outlets[d->peer].under_way++;
    return NW_OK;
}

/* As many pieces as may be under way, in turn. */
static int pump(struct wire *w, int peer)
{
    struct outlet *o = &w->outlets[peer];
    int rc = NW_OK;

    while (!rc && o->last && o->under_way < WIRE_FRAGMENTS) {
        struct departure *first = o->last->next;
        rc = send_fragment(w, first);
        if (!first->given)
            o->last = first; /* the next one's turn */
        else if (first == o->last)
            o->last = NULL;
        else
            o->last->next = first->next;
    }
    return rc;
}

int wire_send(struct wire *w, int peer, int32_t task, const void *bytes, size_t n, int32_t act)
{
    struct departure *d = malloc(sizeof(*d));
    struct outlet *o = &w->outlets[peer];

    if (!d)
        return NW_ENOMEM;
    *d = (struct departure){ .peer = peer, .task = task, .act = act, .bytes = bytes, .n = n };
    d->next = o->last ? o->last->next : d;
    if (o->last)
        o->last->next = d;
    o->last = d;
    w->ntransfers++;
    return pump(w, peer);
}

int wire_reduce(struct wire *w, float *values, size_t n, int32_t act)
{
    struct departure *d = malloc(sizeof(*d));
    int rc = d ? lane_grow(&w->lane) : NW_ENOMEM;

    if (rc || n > INT_MAX) {
        free(d);
        return rc ? rc : status_error(NW_EINPUT, "expected at most %d values in a bucket, got %zu\n", INT_MAX, n);
    }
    *d = (struct departure){ .peer = NOBODY, .act = act, .under_way = 1, .given = true };
    w->lane.pending[w->lane.n] = (struct pending){ .departure = d };
    MPI_Iallreduce(MPI_IN_PLACE, values, (int)n, MPI_FLOAT, MPI_SUM, w->data, &w->lane.requests[w->lane.n++]);
    w->ntransfers++;
    return NW_OK;
}

int wire_notify(struct wire *w, int peer, enum notice_of what, int32_t number, bool flag)
{
    struct note *note = malloc(sizeof(*note));
    int rc = note ? lane_grow(&w->lane) : NW_ENOMEM;

    if (rc) {
        free(note);
        return rc;
    }
    *note = (struct note){ (int32_t)what, number, flag };
    w->lane.pending[w->lane.n] = (struct pending){ .note = note };
    MPI_Isend(note, (int)sizeof(*note), MPI_BYTE, peer, 0, w->notes, &w->lane.requests[w->lane.n++]);
    return NW_OK;
}

static int finish_sent(struct wire *w, const struct pending *p, const struct wire_events *on)
{
    struct departure *d = p->departure;

    free(p->note);
    if (!d)
        return NW_OK;
    int peer = d->peer;
    if (peer != NOBODY)
        w->outlets[peer].under_way--;
    if (!--d->under_way && d->given) {
        int32_t act = d->act;
        free(d);
        w->ntransfers--;
        on->sent(on->context, act);
    }
    return peer == NOBODY ? NW_OK : pump(w, peer);
}

static struct arrival *arrival_of(struct wire *w, int32_t task, const struct wire_events *on)
{
    struct arrival *a = w->arrivals;

    while (a && a->task != task)
        a = a->next;
    if (a)
        return a;
    int64_t most = on->most(on->context, task);
    a = most < 0 ? NULL : calloc(1, sizeof(*a));
    if (!a)
        return NULL;
    a->task = task;
    a->most = (size_t)most;
    a->bytes = aligned_alloc(64, (a->most + 64) / 64 * 64);
    if (!a->bytes) {
        free(a);
        return NULL;
    }
    a->next = w->arrivals;
    w->arrivals = a;
    return a;
}

/* Fragments of one transfer come in their order. */
static int take_fragment(struct wire *w, const struct wire_events *on, const MPI_Status *status)
{
    int32_t task = status->MPI_TAG / 2;
    struct arrival *a = arrival_of(w, task, on);
    int n;

    MPI_Get_count(status, MPI_BYTE, &n);
    if (!a || (size_t)n > a->most - a->n)
        return status_error(NW_EIO, "task %d: expected %s, got %d bytes from rank %d\n", (int)task,
                            a ? "no more of its transfer" : "no transfer", n, status->MPI_SOURCE);
    memcpy(a->bytes + a->n, w->fragment, (size_t)n);
    a->n += (size_t)n;
    expect_fragment(w);
    if (status->MPI_TAG % 2 == 0)
        return NW_OK;
    struct arrival **at = &w->arrivals;
    while (*at != a)
        at = &(*at)->next;
    *at = a->next;
    on->received(on->context, task, a->bytes, a->n);
    free(a);
    return NW_OK;
}

static void take_note(struct wire *w, const struct wire_events *on)
{
    struct note note = w->noted;

    expect_note(w);
    on->noticed(on->context, (enum notice_of)note.what, note.number, note.flag);
}

/* What was sent is taken aside first: who hears of it may send, and so add to the lane. */
static int take_sent(struct wire *w, const struct wire_events *on, int n)
{
    struct lane *l = &w->lane;
    struct pending *over = malloc((size_t)n * sizeof(*over));
    size_t kept = REQUESTS_KEPT, nover = 0;
    int rc = NW_OK;

    if (!over)
        return NW_ENOMEM;
    for (int i = 0; i < n; i++)
        if (l->over[i] >= REQUESTS_KEPT)
            over[nover++] = l->pending[l->over[i]];
    for (size_t i = REQUESTS_KEPT; nover && i < l->n; i++)
        if (l->requests[i] != MPI_REQUEST_NULL) {
            l->requests[kept] = l->requests[i];
            l->pending[kept++] = l->pending[i];
        }
    l->n = nover ? kept : l->n;
    for (size_t i = 0; !rc && i < nover; i++)
        rc = finish_sent(w, &over[i], on);
    free(over);
    return rc;
}

int wire_poll(struct wire *w, const struct wire_events *on, bool *some)
{
    struct lane *l = &w->lane;
    bool noted = false;
    MPI_Status data;
    int n = 0, rc;

    MPI_Testsome((int)l->n, l->requests, &n, l->over, l->statuses);
    *some = n > 0;
    if (!*some)
        return NW_OK;
    data.MPI_TAG = -1;
    for (int i = 0; i < n; i++) {
        noted |= l->over[i] == REQUEST_NOTE;
        if (l->over[i] == REQUEST_DATA)
            data = l->statuses[i];
    }
    rc = take_sent(w, on, n);
    if (!rc && data.MPI_TAG >= 0)
        rc = take_fragment(w, on, &data);
    if (noted)
        take_note(w, on);
    return rc;
}

void wire_release(struct wire *w, void *bytes)
{
    (void)w;
    free(bytes);
}

bool wire_idle(const struct wire *w)
{
    return w->lane.n == REQUESTS_KEPT && !w->ntransfers;
}

void wire_barrier(struct wire *w)
{
    MPI_Barrier(w->data);
}

void wire_share(struct wire *w, void *bytes, size_t n)
{
    MPI_Bcast(bytes, (int)n, MPI_BYTE, 0, w->data);
}

void wire_gather(struct wire *w, const void *mine, size_t n, void *all)
{
    MPI_Gather(mine, (int)n, MPI_BYTE, all, (int)n, MPI_BYTE, 0, w->data);
}

void wire_most(struct wire *w, int64_t values[], size_t n)
{
    MPI_Allreduce(MPI_IN_PLACE, values, (int)n, MPI_INT64_T, MPI_MAX, w->data);
}
