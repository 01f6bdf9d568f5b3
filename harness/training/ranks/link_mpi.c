/* link_mpi.c - messages by non-blocking sends and receives. */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/status.h"
#include "harness/training/ranks/link.h"

enum { TAG = 20, LOOKS = 2000, SLEEP_NS = 50000 };

/* A message on its way from or to one rank. */
struct leg {
    int rank;
    bool sends;
    uint8_t *bytes;
    size_t done, all; /* with the head; all: as far as it is known, the space at first */
    size_t posted;    /* bytes of the piece under way */
};

struct head {
    uint64_t nbytes, word;
};

_Static_assert(sizeof(struct head) == TRAINER_HEAD, "it lies in front of each message");

static void post(struct leg *l, size_t most, MPI_Request *request)
{
    size_t left = l->all - l->done;
    int n = (int)(left < most ? left : most);

    l->posted = (size_t)n;
    if (l->sends)
        MPI_Isend(l->bytes + l->done, n, MPI_BYTE, l->rank, TAG, MPI_COMM_WORLD, request);
    else
        MPI_Irecv(l->bytes + l->done, n, MPI_BYTE, l->rank, TAG, MPI_COMM_WORLD, request);
}

/* The first piece says how long the message is. */
static int arrived(struct leg *l, const MPI_Status *status)
{
    struct head head;
    int n = 0;

    if (l->sends) {
        l->done += l->posted;
        return NW_OK;
    }
    MPI_Get_count(status, MPI_BYTE, &n);
    if (!l->done) {
        memcpy(&head, l->bytes, sizeof(head));
        if (n < (int)sizeof(head) || head.nbytes > l->all - sizeof(head))
            return status_error(NW_EIO, "narrows: rank %d announces %llu bytes, expected at most %zu\n", l->rank,
                                (unsigned long long)head.nbytes, l->all - sizeof(head));
        l->all = sizeof(head) + head.nbytes;
    }
    l->done += (size_t)n;
    return NW_OK;
}

static int wait_for_any(MPI_Request *requests, int n, MPI_Status *status)
{
    for (int looks = 0;; looks++) {
        int which = MPI_UNDEFINED, flag = 0;

        MPI_Testany(n, requests, &which, &flag, status);
        if (flag)
            return which;
        if (looks > LOOKS)
            nanosleep(&(struct timespec){ .tv_nsec = SLEEP_NS }, NULL);
    }
}

/* All legs side by side, each piece after piece. */
static int travel(struct leg *legs, int n, size_t piece)
{
    MPI_Request *requests = malloc((size_t)(n + 1) * sizeof(MPI_Request));
    MPI_Status status;
    int rc = NW_OK, which;

    assert(piece >= sizeof(struct head));
    if (!requests)
        return NW_ENOMEM;
    for (int i = 0; i < n; i++)
        post(&legs[i], piece, &requests[i]);
    while (n && !rc && (which = wait_for_any(requests, n, &status)) != MPI_UNDEFINED) {
        rc = arrived(&legs[which], &status);
        if (!rc && legs[which].done < legs[which].all)
            post(&legs[which], piece, &requests[which]);
    }
    free(requests);
    return rc;
}

static void put_head(const struct trainer_message *m, uint64_t word)
{
    struct head head = { m->n, word };

    memcpy(m->bytes, &head, sizeof(head));
}

static uint64_t take_head(struct trainer_message *m)
{
    struct head head;

    memcpy(&head, m->bytes, sizeof(head));
    m->n = head.nbytes;
    return head.word;
}

static struct leg leg_of(int rank, bool sends, const struct trainer_message *m)
{
    return (struct leg){ rank, sends, m->bytes, 0, TRAINER_HEAD + (sends ? m->n : m->capacity), 0 };
}

int link_gather(const struct world *w, const struct trainer_message *mine, struct trainer_message *theirs,
                uint64_t *word, size_t piece)
{
    struct leg one, *legs = &one;
    int rc;

    if (w->rank) {
        put_head(mine, *word);
        one = leg_of(0, true, mine);
        return travel(&one, 1, piece);
    }
    legs = calloc((size_t)w->ranks, sizeof(*legs));
    if (!legs)
        return NW_ENOMEM;
    for (int r = 1; r < w->ranks; r++)
        legs[r - 1] = leg_of(r, false, &theirs[r]);
    rc = travel(legs, w->ranks - 1, piece);
    for (int r = 1; r < w->ranks && !rc; r++)
        *word |= take_head(&theirs[r]);
    free(legs);
    return rc;
}

int link_share(const struct world *w, struct trainer_message *message, uint64_t *word, size_t piece)
{
    struct leg one, *legs = &one;
    int rc;

    if (w->rank) {
        one = leg_of(0, false, message);
        rc = travel(&one, 1, piece);
        if (!rc)
            *word = take_head(message);
        return rc;
    }
    legs = calloc((size_t)w->ranks, sizeof(*legs));
    if (!legs)
        return NW_ENOMEM;
    put_head(message, *word);
    for (int r = 1; r < w->ranks; r++)
        legs[r - 1] = leg_of(r, true, message);
    rc = travel(legs, w->ranks - 1, piece);
    free(legs);
    return rc;
}
