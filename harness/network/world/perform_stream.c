/* perform_stream.c - flows that begin together. Each keeps a window of messages under way, and is over when the
 * receiver, which has everything, has said so: bytes that only lie in a buffer do not count. */
#include <mpi.h>
#include <stdlib.h>

#include "harness/host/clock.h"
#include "harness/network/world/perform.h"
#include "harness/status.h"

enum { TAG_DATA = 7301, TAG_DONE, TAG_TIME };

/* This rank's end of a flow. Its requests: a window of messages, and the acknowledgement. */
struct lane {
    int flow, peer; /* a rank */
    bool sends;
    int64_t begun, done; /* bytes of messages begun, and through */
    int64_t ns;
    char *bytes; /* one message if it sends, else a window of them */
};

struct stream {
    const struct trial *t;
    struct lane *lanes;
    MPI_Request *requests; /* [lane][window + 1] */
    int *ready;
    int nlanes, width;
};

static int64_t next_bytes(const struct stream *s, const struct lane *l)
{
    int64_t left = s->t->bytes - l->begun;

    return left < s->t->message_bytes ? left : s->t->message_bytes;
}

static void begin_message(struct stream *s, int lane, int slot)
{
    struct lane *l = &s->lanes[lane];
    int64_t n = next_bytes(s, l);
    MPI_Request *request = &s->requests[lane * s->width + slot];

    if (n <= 0)
        return;
    l->begun += n;
    if (l->sends)
        MPI_Isend(l->bytes, (int)n, MPI_BYTE, l->peer, TAG_DATA, MPI_COMM_WORLD, request);
    else
        MPI_Irecv(l->bytes + slot * s->t->message_bytes, (int)n, MPI_BYTE, l->peer, TAG_DATA, MPI_COMM_WORLD, request);
}

static void begin(struct stream *s)
{
    for (int i = 0; i < s->nlanes; i++) {
        if (s->lanes[i].sends)
            MPI_Irecv(NULL, 0, MPI_BYTE, s->lanes[i].peer, TAG_DONE, MPI_COMM_WORLD,
                      &s->requests[i * s->width + s->t->window]);
        for (int k = 0; k < s->t->window; k++)
            begin_message(s, i, k);
    }
}

/* A request has ended: of a message, or the word that the flow has arrived. 'moved' is what a receive brought. */
static void go_on(struct stream *s, int request, int64_t moved, int64_t since_ns)
{
    int lane = request / s->width, slot = request % s->width;
    struct lane *l = &s->lanes[lane];

    if (slot == s->t->window) {
        l->ns = clock_ns() - since_ns;
        return;
    }
    begin_message(s, lane, slot);
    l->done += moved;
    if (!l->sends && l->done >= s->t->bytes)
        MPI_Isend(NULL, 0, MPI_BYTE, l->peer, TAG_DONE, MPI_COMM_WORLD, &s->requests[lane * s->width + s->t->window]);
}

static int run(struct stream *s)
{
    int n = s->nlanes * s->width, ended = 0;
    MPI_Status *states = calloc((size_t)n + 1, sizeof(*states));
    int rc = perform_agreed(states);

    if (!rc) {
        MPI_Barrier(MPI_COMM_WORLD);
        int64_t since_ns = clock_ns();
        begin(s);
        while (MPI_Waitsome(n, s->requests, &ended, s->ready, states), ended != MPI_UNDEFINED)
            for (int i = 0; i < ended; i++) {
                int moved = 0;

                if (!s->lanes[s->ready[i] / s->width].sends)
                    MPI_Get_count(&states[i], MPI_BYTE, &moved);
                go_on(s, s->ready[i], moved, since_ns);
            }
    }
    free(states);
    return rc;
}

/* The lanes of this rank, and memory for their messages. */
static bool make_lanes(const struct network_world *w, struct stream *s)
{
    int flows = pattern_flows(s->t->pattern, w->members);
    size_t message = (size_t)s->t->message_bytes, requests;

    s->width = s->t->window + 1;
    s->lanes = calloc(2 * (size_t)flows + 1, sizeof(*s->lanes));
    for (int i = 0; s->lanes && i < flows; i++) {
        struct flow f = pattern_flow(s->t->pattern, i, w->members);
        int from = w->member[f.from], to = w->member[f.to];

        if (from == w->rank)
            s->lanes[s->nlanes++] = (struct lane){ .flow = i, .peer = to, .sends = true, .bytes = calloc(message, 1) };
        if (to == w->rank)
            s->lanes[s->nlanes++] =
                (struct lane){ .flow = i, .peer = from, .bytes = calloc((size_t)s->t->window, message) };
    }
    requests = (size_t)s->nlanes * (size_t)s->width + 1;
    s->requests = malloc(requests * sizeof(*s->requests));
    s->ready = calloc(requests, sizeof(*s->ready));
    for (size_t i = 0; s->requests && i < requests; i++)
        s->requests[i] = MPI_REQUEST_NULL;
    bool all = s->lanes && s->requests && s->ready;
    for (int i = 0; i < s->nlanes; i++)
        all = all && s->lanes[i].bytes;
    return all;
}

/* Each flow's time, from the rank that sent it. */
static void gather(const struct network_world *w, const struct stream *s, int64_t *ns)
{
    for (int i = 0; i < s->nlanes; i++)
        if (s->lanes[i].sends && w->rank)
            MPI_Send(&s->lanes[i].ns, 1, MPI_INT64_T, 0, TAG_TIME + s->lanes[i].flow, MPI_COMM_WORLD);
        else if (s->lanes[i].sends)
            ns[s->lanes[i].flow] = s->lanes[i].ns;
    for (int i = 0; i < pattern_flows(s->t->pattern, w->members) && !w->rank; i++) {
        int from = w->member[pattern_flow(s->t->pattern, i, w->members).from];

        if (from)
            MPI_Recv(&ns[i], 1, MPI_INT64_T, from, TAG_TIME + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int perform_stream(const struct network_world *w, const struct trial *t, int64_t *ns)
{
    struct stream s = { .t = t };
    int rc = perform_agreed(make_lanes(w, &s) ? w : NULL);

    if (!rc)
        rc = run(&s);
    if (!rc)
        gather(w, &s, ns);
    for (int i = 0; i < s.nlanes; i++)
        free(s.lanes[i].bytes);
    free(s.ready);
    free(s.requests);
    free(s.lanes);
    return rc;
}
