#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "harness/exec/wire.h"
#include "harness/status.h"
#include "model/vec.h"

/* A message under way: what to say when it is over. */
struct pending {
    int32_t number; /* of the act that sends, of the task that receives; -1: a notice */
    void *bytes;    /* received ones, or the notice's own */
    int count;
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
    lane_free(&w->out);
    lane_free(&w->in);
    free(w);
}

int wire_send(struct wire *w, int peer, int32_t task, const void *bytes, size_t n, int32_t act)
{
    if (n > WIRE_MOST_BYTES)
        return status_error(NW_EINPUT, "expected messages of at most %d bytes, got one of %zu\n", WIRE_MOST_BYTES, n);
    int rc = lane_grow(&w->out);
    if (rc)
        return rc;
    w->out.pending[w->out.n] = (struct pending){ .number = act };
    MPI_Isend(bytes, (int)n, MPI_BYTE, peer, task, w->data, &w->out.requests[w->out.n++]);
    return NW_OK;
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
    w->out.pending[w->out.n] = (struct pending){ .number = -1, .bytes = note };
    MPI_Isend(note, (int)sizeof(*note), MPI_BYTE, peer, 0, w->notes, &w->out.requests[w->out.n++]);
    return NW_OK;
}

/* Calls finish() for each that is over, and forgets it. */
static bool lane_poll(struct lane *l, const struct wire_events *on,
                      void (*finish)(const struct pending *p, const struct wire_events *on))
{
    int n = 0;

    if (!l->n)
        return false;
    MPI_Testsome((int)l->n, l->requests, &n, l->over, l->statuses);
    if (n <= 0)
        return false;
    size_t kept = 0, was = l->n;
    /* What is over is taken aside first: finish() may send, and so add to the lane. */
    struct pending *over = malloc((size_t)n * sizeof(*over));
    for (int i = 0; over && i < n; i++)
        over[i] = l->pending[l->over[i]];
    for (size_t i = 0; i < was; i++)
        if (l->requests[i] != MPI_REQUEST_NULL) {
            l->requests[kept] = l->requests[i];
            l->pending[kept++] = l->pending[i];
        }
    l->n = kept;
    for (int i = 0; over && i < n; i++)
        finish(&over[i], on);
    free(over);
    return true;
}

static void finish_sent(const struct pending *p, const struct wire_events *on)
{
    free(p->bytes);
    if (p->number >= 0)
        on->sent(on->context, p->number);
}

static void finish_received(const struct pending *p, const struct wire_events *on)
{
    on->received(on->context, p->number, p->bytes, (size_t)p->count);
}

/* What has begun to arrive gets a place of its size. */
static int take_arrivals(struct wire *w, bool *some)
{
    for (;;) {
        int there = 0, n;
        MPI_Message message;
        MPI_Status status;

        MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, w->data, &there, &message, &status);
        if (!there)
            return NW_OK;
        *some = true;
        MPI_Get_count(&status, MPI_BYTE, &n);
        int rc = lane_grow(&w->in);
        void *bytes = aligned_alloc(64, ((size_t)n + 64) / 64 * 64);
        if (rc || !bytes) {
            free(bytes);
            return NW_ENOMEM;
        }
        w->in.pending[w->in.n] = (struct pending){ .number = status.MPI_TAG, .bytes = bytes, .count = n };
        MPI_Imrecv(bytes, n, MPI_BYTE, &message, &w->in.requests[w->in.n++]);
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
    int rc = take_arrivals(w, some);
    *some |= take_notes(w, on);
    *some |= lane_poll(&w->in, on, finish_received);
    *some |= lane_poll(&w->out, on, finish_sent);
    return rc;
}

void wire_release(struct wire *w, void *bytes)
{
    (void)w;
    free(bytes);
}

bool wire_idle(const struct wire *w)
{
    return !w->out.n;
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
