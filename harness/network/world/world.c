/* world.c - ranks that wait for what rank 0 wants to try. They wait asleep: on a machine with fewer cores than ranks a
 * rank that spins would take its core from those that are timed. */
#include "harness/network/world/world.h"

#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "harness/host/clock.h"
#include "harness/network/world/perform.h"
#include "harness/status.h"

enum { TAG = 7101, ORDER = 6, STOP = -1 };

static const struct timespec nap = { .tv_nsec = 200000 };

int perform_agreed(const void *memory)
{
    int rc = memory ? NW_OK : NW_ENOMEM;

    MPI_Allreduce(MPI_IN_PLACE, &rc, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return rc;
}

int network_world_open(struct network_world *out)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length, rc;

    *out = (struct network_world){ 0 };
    MPI_Comm_rank(MPI_COMM_WORLD, &out->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &out->ranks);
    out->member = calloc((size_t)out->ranks, sizeof(*out->member));
    out->host = calloc((size_t)out->ranks, sizeof(*out->host));
    rc = perform_agreed(out->member && out->host ? out : NULL);
    if (rc) {
        free(out->member);
        free(out->host);
        *out = (struct network_world){ 0 };
        return rc;
    }
    MPI_Get_processor_name(name, &length);
    name[NETWORK_HOST - 1] = '\0';
    MPI_Allgather(name, NETWORK_HOST, MPI_CHAR, out->host, NETWORK_HOST, MPI_CHAR, MPI_COMM_WORLD);
    out->members = network_members(out->host, out->ranks, out->member, &out->hosts);
    return NW_OK;
}

static int take_part(const struct network_world *w, const struct trial *t, int64_t *ns, int64_t *wrong)
{
    if (pattern_is_stream(t->pattern))
        return perform_stream(w, t, ns);
    if (pattern_is_collective(t->pattern))
        return perform_collective(w, t, ns, wrong);
    return t->pattern == PATTERN_BARRIER ? perform_barrier(w, t, ns) : perform_ping_pong(w, t, ns);
}

int network_world_serve(const struct network_world *w)
{
    for (;;) {
        int64_t order[ORDER];
        int64_t wrong = 0;
        int there = 0, rc;

        while (!there) {
            MPI_Iprobe(0, TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
            if (!there)
                nanosleep(&nap, NULL);
        }
        MPI_Recv(order, ORDER, MPI_INT64_T, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (order[0] == STOP)
            return NW_OK;
        struct trial t = { .pattern = (enum pattern)order[0],
                           .peer = (int)order[1],
                           .repetitions = (int)order[2],
                           .window = (int)order[3],
                           .bytes = order[4],
                           .message_bytes = order[5] };
        rc = take_part(w, &t, NULL, &wrong);
        if (rc)
            return rc;
    }
}

static void send_order(const struct network_world *w, const int64_t *order)
{
    for (int r = 1; r < w->ranks; r++)
        MPI_Send(order, ORDER, MPI_INT64_T, r, TAG, MPI_COMM_WORLD);
}

static int perform(void *context, const struct trial *t, int64_t *ns, int64_t *wrong)
{
    const struct network_world *w = context;
    const int64_t order[ORDER] = { t->pattern, t->peer, t->repetitions, t->window, t->bytes, t->message_bytes };

    send_order(w, order);
    return take_part(w, t, ns, wrong);
}

static int64_t now_ns(void *context)
{
    (void)context;
    return clock_ns();
}

struct transport network_transport(struct network_world *w)
{
    return (struct transport){
        .ranks = w->ranks, .members = w->members, .perform = perform, .now_ns = now_ns, .context = w
    };
}

void network_world_stop(const struct network_world *w)
{
    static const int64_t stop[ORDER] = { STOP };

    send_order(w, stop);
}

void network_world_close(struct network_world *w)
{
    free(w->member);
    free(w->host);
    *w = (struct network_world){ 0 };
}
