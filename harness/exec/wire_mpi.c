#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "harness/exec/wire.h"
#include "harness/status.h"
#include "model/vec.h"

/* A message under way, and whose it is. */
struct pending {
    void *note; /* a notice's own bytes */
    struct departure *departure;
    struct arrival *arrival;
};

/* A transfer that is being sent; those to one rank stand in a ring. */
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
    size_t room, n; /* n: of the fragments that have begun to arrive */
    int under_way;
    bool complete; /* the last one has begun to arrive */
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
    struct lane out, in;
    struct outlet *outlets; /* of each rank */
    struct arrival *arrivals;
    size_t ntransfers; /* being sent */
    MPI_Request note;
    struct note noted;
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
    MPI_Irecv(&w->noted, (int)sizeof(w->noted), MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, w->notes, &w->note);
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
    if (!w->outlets)
        return NW_ENOMEM;
    expect_note(w);
    *out = w;
    return NW_OK;
}

void wire_close(struct wire *w)
{
    if (!w)
        return;
    MPI_Cancel(&w->note);
    MPI_Wait(&w->note, MPI_STATUS_IGNORE);
    MPI_Comm_free(&w->notes);
    MPI_Comm_free(&w->data);
    for (struct arrival *a = w->arrivals, *next; a; a = next) {
        next = a->next;
        free(a->bytes);
        free(a);
    }
    lane_free(&w->out);
    lane_free(&w->in);
    free(w->outlets);
    free(w);
}

/* The tag has the task, and whether this is the last of it. */
static int send_fragment(struct wire *w, struct departure *d)
{
    size_t left = d->n - d->at, n = left < WIRE_FRAGMENT ? left : WIRE_FRAGMENT;
    int rc = lane_grow(&w->out);

    if (rc)
        return rc;
    d->given = n == left;
    w->out.pending[w->out.n] = (struct pending){ .departure = d };
    MPI_Isend(d->bytes + d->at, (int)n, MPI_BYTE, d->peer, 2 * d->task + d->given, w->data,
              &w->out.requests[w->out.n++]);
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

int wire_notify(struct wire *w, int peer, enum notice_of what, int32_t number, bool flag)
{
    struct note *note = malloc(sizeof(*note));
    int rc = note ? lane_grow(&w->out) : NW_ENOMEM;

    if (rc) {
        free(note);
        return rc;
    }
    *note = (struct note){ (int32_t)what, number, flag };
    w->out.pending[w->out.n] = (struct pending){ .note = note };
    MPI_Isend(note, (int)sizeof(*note), MPI_BYTE, peer, 0, w->notes, &w->out.requests[w->out.n++]);
    return NW_OK;
}

/* Calls finish() for each that is over, and forgets it. */
static int lane_poll(struct wire *w, struct lane *l, const struct wire_events *on, bool *some,
                     int (*finish)(struct wire *w, const struct pending *p, const struct wire_events *on))
{
    int n = 0, rc = NW_OK;

    if (!l->n)
        return NW_OK;
    MPI_Testsome((int)l->n, l->requests, &n, l->over, l->statuses);
    if (n <= 0)
        return NW_OK;
    *some = true;
    /* What is over is taken aside first: finish() may send, and so add to the lane. */
    struct pending *over = malloc((size_t)n * sizeof(*over));
    size_t kept = 0;
    if (!over)
        return NW_ENOMEM;
    for (int i = 0; i < n; i++)
        over[i] = l->pending[l->over[i]];
    for (size_t i = 0; i < l->n; i++)
        if (l->requests[i] != MPI_REQUEST_NULL) {
            l->requests[kept] = l->requests[i];
            l->pending[kept++] = l->pending[i];
        }
    l->n = kept;
    for (int i = 0; !rc && i < n; i++)
        rc = finish(w, &over[i], on);
    free(over);
    return rc;
}

static int finish_sent(struct wire *w, const struct pending *p, const struct wire_events *on)
{
    struct departure *d = p->departure;

    free(p->note);
    if (!d)
        return NW_OK;
    int peer = d->peer;
    w->outlets[peer].under_way--;
    if (!--d->under_way && d->given) {
        int32_t act = d->act;
        free(d);
        w->ntransfers--;
        on->sent(on->context, act);
    }
    return pump(w, peer);
}

/* The whole transfer, when its last fragment is here. */
static int finish_received(struct wire *w, const struct pending *p, const struct wire_events *on)
{
    struct arrival *a = p->arrival;

    if (--a->under_way || !a->complete)
        return NW_OK;
    struct arrival **at = &w->arrivals;
    while (*at != a)
        at = &(*at)->next;
    *at = a->next;
    on->received(on->context, a->task, a->bytes, a->n);
    free(a);
    return NW_OK;
}

static struct arrival *arrival_of(struct wire *w, int32_t task, const struct wire_events *on)
{
    struct arrival *a = w->arrivals;

    while (a && (a->task != task || a->complete))
        a = a->next;
    if (a)
        return a;
    int64_t most = on->most(on->context, task);
    a = most < 0 ? NULL : calloc(1, sizeof(*a));
    if (!a)
        return NULL;
    a->task = task;
    a->room = (size_t)most;
    a->bytes = aligned_alloc(64, (a->room + 64) / 64 * 64);
    if (!a->bytes) {
        free(a);
        return NULL;
    }
    a->next = w->arrivals;
    w->arrivals = a;
    return a;
}

static int take_fragment(struct wire *w, const struct wire_events *on, MPI_Message *message, const MPI_Status *status)
{
    struct arrival *a = arrival_of(w, status->MPI_TAG / 2, on);
    int n, rc = lane_grow(&w->in);

    MPI_Get_count(status, MPI_BYTE, &n);
    if (rc)
        return rc;
    if (!a || (size_t)n > a->room - a->n)
        return status_error(NW_EIO, "task %d: expected %s, got %d bytes from rank %d\n", status->MPI_TAG / 2,
                            a ? "no more of its transfer" : "no transfer", n, status->MPI_SOURCE);
    w->in.pending[w->in.n] = (struct pending){ .arrival = a };
    MPI_Imrecv(a->bytes + a->n, n, MPI_BYTE, message, &w->in.requests[w->in.n++]);
    a->n += (size_t)n;
    a->under_way++;
    a->complete = status->MPI_TAG % 2;
    return NW_OK;
}

/* What has begun to arrive gets its place. */
static int take_arrivals(struct wire *w, const struct wire_events *on, bool *some)
{
    for (;;) {
        int there = 0;
        MPI_Message message;
        MPI_Status status;

        MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, w->data, &there, &message, &status);
        if (!there)
            return NW_OK;
        *some = true;
        int rc = take_fragment(w, on, &message, &status);
        if (rc)
            return rc;
    }
}

static bool take_notes(struct wire *w, const struct wire_events *on)
{
    bool some = false;

    for (;;) {
        int there = 0;

        MPI_Test(&w->note, &there, MPI_STATUS_IGNORE);
        if (!there)
            return some;
        struct note note = w->noted;
        expect_note(w);
        on->noticed(on->context, (enum notice_of)note.what, note.number, note.flag);
        some = true;
    }
}

int wire_poll(struct wire *w, const struct wire_events *on, bool *some)
{
    *some = false;
    int rc = take_arrivals(w, on, some);
    *some |= take_notes(w, on);
    rc = rc ? rc : lane_poll(w, &w->in, on, some, finish_received);
    return rc ? rc : lane_poll(w, &w->out, on, some, finish_sent);
}

void wire_release(struct wire *w, void *bytes)
{
    (void)w;
    free(bytes);
}

bool wire_idle(const struct wire *w)
{
    return !w->out.n && !w->ntransfers;
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
