#include "harness/training/ranks/ranks.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/status.h"
#include "harness/training/ranks/private.h"

enum { WHY = 1024 };

/* What a rank came to: rank 0 gets one of each and shares the one that counts. */
struct verdict {
    int64_t rc, rank;
    char why[WHY];
};

struct trainer_message ranks_message(size_t n)
{
    return (struct trainer_message){ calloc(1, TRAINER_HEAD + n), n, n };
}

int ranks_open(const struct world *w, struct link_nccl *nccl, struct ranks **out)
{
    struct ranks *r;

    *out = NULL;
    if (w->ranks <= 1)
        return NW_OK;
    if (!w->threads)
        return status_error(NW_EENV,
                            "%s was built without threads (MPI_THREAD_MULTIPLE), which ranks that train need\n",
                            world_library());
    r = calloc(1, sizeof(*r));
    if (!r)
        return NW_ENOMEM;
    r->world = *w;
    r->nccl = nccl;
    *out = r;
    return NW_OK;
}

void ranks_close(struct ranks *r)
{
    if (r)
        free(r->steps);
    free(r);
}

/* Rank 0 first, so that what is wrong everywhere is said once and by it. */
static int settle(struct ranks *r, struct verdict *mine)
{
    struct trainer_message m = ranks_message(sizeof(*mine));
    struct trainer_message *theirs = calloc((size_t)r->world.ranks, sizeof(*theirs));
    struct verdict v = *mine;
    uint64_t word = 0;
    int rc = m.bytes && theirs ? NW_OK : NW_ENOMEM;

    for (int i = 1; i < r->world.ranks && !rc && !r->world.rank; i++) {
        theirs[i] = ranks_message(sizeof(*mine));
        rc = theirs[i].bytes ? NW_OK : NW_ENOMEM;
    }
    if (!rc)
        memcpy(m.bytes + TRAINER_HEAD, mine, sizeof(*mine));
    rc = rc ? rc : link_gather(&r->world, &m, theirs, &word, LINK_PIECE);
    for (int i = 1; i < r->world.ranks && !rc && !r->world.rank && !v.rc; i++)
        memcpy(&v, theirs[i].bytes + TRAINER_HEAD, sizeof(v));
    if (!rc && !r->world.rank)
        memcpy(m.bytes + TRAINER_HEAD, &v, sizeof(v));
    rc = rc ? rc : link_share(&r->world, &m, &word, LINK_PIECE);
    if (!rc)
        memcpy(mine, m.bytes + TRAINER_HEAD, sizeof(*mine));
    for (int i = 1; theirs && i < r->world.ranks; i++)
        free(theirs[i].bytes);
    free(theirs);
    free(m.bytes);
    return rc;
}

/* The others would wait for ever for a rank that cannot even take part in this. */
static int settled(struct ranks *r, struct verdict *v)
{
    int rc = settle(r, v);

    if (rc)
        world_abort(exit_code(rc));
    return (int)v->rc;
}

int ranks_agree(struct ranks *r, int rc, char *why, size_t nwhy)
{
    struct verdict v = { .rc = rc };

    if (!r)
        return rc;
    v.rank = r->world.rank;
    snprintf(v.why, sizeof(v.why), "%s", why);
    rc = settled(r, &v);
    if (rc && v.rank)
        snprintf(why, nwhy, "%s (on rank %d)", v.why, (int)v.rank);
    return rc;
}

static int pass_order(struct ranks *r, struct ranks_order *order)
{
    struct trainer_message m = ranks_message(sizeof(*order));
    uint64_t word = 0;
    int rc = m.bytes ? NW_OK : NW_ENOMEM;

    if (!rc && !r->world.rank)
        memcpy(m.bytes + TRAINER_HEAD, order, sizeof(*order));
    rc = rc ? rc : link_share(&r->world, &m, &word, LINK_PIECE);
    if (!rc)
        memcpy(order, m.bytes + TRAINER_HEAD, sizeof(*order));
    free(m.bytes);
    return rc;
}

int ranks_give_order(struct ranks *r, const struct ranks_order *order)
{
    struct ranks_order copy = *order;

    return pass_order(r, &copy);
}

int ranks_take_order(struct ranks *r, struct ranks_order *order)
{
    return pass_order(r, order);
}

int ranks_dismiss(struct ranks *r, int rc)
{
    if (r->broken) {
        fflush(NULL);
        world_abort(exit_code(rc));
    }
    int sent = ranks_give_order(r, &(struct ranks_order){ .over = 1, .rc = rc });
    return rc ? rc : sent;
}

bool ranks_follow(const struct ranks *r)
{
    return r && r->world.rank;
}

int ranks_threads(int jobs)
{
    cpu_set_t mine;

    if (!sched_getaffinity(0, sizeof(mine), &mine) && CPU_COUNT(&mine) < jobs)
        jobs = CPU_COUNT(&mine);
    return jobs > 1 ? jobs : 1;
}

int ranks_fail(struct ranks *r, int rc, const char *why)
{
    if (!r)
        return rc;
    if (r->world.rank) {
        fprintf(stderr, "narrows: rank %d: %s\n", r->world.rank, *why ? why : "out of memory");
        world_abort(exit_code(rc));
    }
    r->broken = true;
    return rc;
}
