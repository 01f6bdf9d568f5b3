/* peers.c - how the trainers of several ranks reach each other, and what it took. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/host/clock.h"
#include "harness/status.h"
#include "harness/training/ranks/private.h"
#include "model/vec.h"

enum { STOP = 1 }; /* of a message's word */

static int failed(char *why, size_t nwhy)
{
    snprintf(why, nwhy, "the message of another rank could not be taken");
    return -1;
}

static int gather_by_any(struct ranks *r, const struct trainer_message *mine, struct trainer_message *theirs,
                         uint64_t *word, char *why, size_t nwhy)
{
    if (r->nccl)
        return link_nccl_gather(r->nccl, mine, theirs, word, why, nwhy) ? -1 : 0;
    return link_gather(&r->world, mine, theirs, word, LINK_PIECE) ? failed(why, nwhy) : 0;
}

static int share_by_any(struct ranks *r, struct trainer_message *message, uint64_t *word, char *why, size_t nwhy)
{
    if (r->nccl)
        return link_nccl_share(r->nccl, message, word, why, nwhy) ? -1 : 0;
    return link_share(&r->world, message, word, LINK_PIECE) ? failed(why, nwhy) : 0;
}

/* Bytes of a message on its way. */
static int64_t length(const struct ranks *r, const struct trainer_message *m)
{
    return (int64_t)m->n + (r->nccl ? LINK_NCCL_HEAD : TRAINER_HEAD);
}

static int gather(void *context, const struct trainer_message *mine, struct trainer_message *theirs, char *why,
                  size_t nwhy)
{
    struct ranks *r = context;
    uint64_t word = r->stop && r->stop() ? STOP : 0;

    if (gather_by_any(r, mine, theirs, &word, why, nwhy))
        return -1;
    r->asked |= word & STOP;
    if (r->world.rank)
        r->now.sent_bytes += length(r, mine);
    for (int i = 1; i < r->world.ranks && !r->world.rank; i++)
        r->now.received_bytes += length(r, &theirs[i]);
    return 0;
}

static int share(void *context, struct trainer_message *message, char *why, size_t nwhy)
{
    struct ranks *r = context;
    uint64_t word = r->asked || (r->stop && r->stop()) ? STOP : 0;

    if (share_by_any(r, message, &word, why, nwhy))
        return -1;
    r->stopping = word & STOP;
    if (r->world.rank)
        r->now.received_bytes += length(r, message);
    else
        r->now.sent_bytes += (r->world.ranks - 1) * length(r, message);
    return 0;
}

static void keep_step(struct ranks *r)
{
    if (VEC_RESERVE(r->steps, r->steps_capacity, r->nsteps))
        r->steps[r->nsteps++] = r->now;
    else
        r->lost = true;
}

static void begins(void *context, enum trainer_part part)
{
    struct ranks *r = context;
    int64_t now_ns = clock_ns();

    if (r->part < TRAINER_PARTS)
        r->now.ns[r->part] += now_ns - r->since_ns;
    else
        r->now = (struct rank_step){ 0 }; /* what went through the link between steps belongs to none */
    if (r->part < TRAINER_PARTS && part == TRAINER_PARTS)
        keep_step(r);
    r->part = part;
    r->since_ns = now_ns;
}

const struct trainer_peers *ranks_begin(struct ranks *r, bool (*stop)(void))
{
    if (!r)
        return NULL;
    r->stop = stop;
    r->asked = r->stopping = r->lost = false;
    r->part = TRAINER_PARTS;
    r->nsteps = 0;
    r->peers = (struct trainer_peers){
        .peer = r->world.rank,
        .peers = r->world.ranks,
        .context = r,
        .gather = gather,
        .share = share,
        .begins = begins,
    };
    return &r->peers;
}

bool ranks_stopping(const struct ranks *r)
{
    return r->stopping;
}

static struct trace_rank_fact fact_of(int64_t rank, int64_t step, const struct rank_step *s)
{
    return (struct trace_rank_fact){
        .rank = rank,
        .step = step,
        .compute_ns = s->ns[TRAINER_COMPUTE],
        .encode_ns = s->ns[TRAINER_ENCODE],
        .push_ns = s->ns[TRAINER_PUSH],
        .update_ns = s->ns[TRAINER_UPDATE],
        .pull_ns = s->ns[TRAINER_PULL],
        .decode_ns = s->ns[TRAINER_DECODE],
        .sent_bytes = s->sent_bytes,
        .received_bytes = s->received_bytes,
    };
}

/* A rank that has lost some sends none, and then none are kept of it. */
static void list(int rank, const struct trainer_message *m, int64_t first, struct trace_rank_fact *facts, size_t *n)
{
    struct rank_step s;

    for (size_t i = 0; i < m->n / sizeof(s); i++) {
        memcpy(&s, m->bytes + TRAINER_HEAD + i * sizeof(s), sizeof(s));
        facts[(*n)++] = fact_of(rank, first + (int64_t)i, &s);
    }
}

int ranks_times(struct ranks *r, int64_t first, struct trace_rank_fact **facts, size_t *n)
{
    size_t ranks = (size_t)r->world.ranks, nbytes = r->nsteps * sizeof(*r->steps);
    struct trainer_message mine = ranks_message(nbytes), *theirs = calloc(ranks, sizeof(*theirs));
    uint64_t word = 0;
    int rc = mine.bytes && theirs ? NW_OK : NW_ENOMEM;

    *n = 0;
    *facts = NULL;
    for (size_t i = 1; i < ranks && !rc && !r->world.rank; i++) {
        theirs[i] = ranks_message(nbytes);
        rc = theirs[i].bytes ? NW_OK : NW_ENOMEM;
    }
    if (!rc && !r->world.rank)
        *facts = calloc(ranks * r->nsteps + 1, sizeof(**facts));
    rc = rc || r->world.rank || *facts ? rc : NW_ENOMEM;
    mine.n = r->lost ? 0 : nbytes;
    if (!rc && nbytes)
        memcpy(mine.bytes + TRAINER_HEAD, r->steps, nbytes);
    rc = rc ? rc : link_gather(&r->world, &mine, theirs, &word, LINK_PIECE);
    for (size_t i = 0; i < ranks && !rc && !r->world.rank; i++)
        list((int)i, i ? &theirs[i] : &mine, first, *facts, n);
    for (size_t i = 1; theirs && i < ranks; i++)
        free(theirs[i].bytes);
    free(theirs);
    free(mine.bytes);
    return rc;
}
