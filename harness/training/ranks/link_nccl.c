#include "harness/training/ranks/link_nccl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/training/ranks/link.h"
#include "harness/training/ranks/nccl.h"

#define SAYS "narrows run --nccl: "

struct link_nccl {
    const struct world *world;
    struct nccl *nccl;
    struct trainer_message length, *lengths; /* this rank's; at rank 0 those of all */
};

/* What rank 0 has found: whether to go on, and by what to find each other. */
struct verdict {
    int64_t rc;
    struct nccl_id id;
};

/* The others would wait for ever for a rank that cannot even agree with them. */
static void *needed(void *p)
{
    if (!p) {
        status_error(NW_ENOMEM, SAYS "out of memory\n");
        world_abort(exit_code(NW_ENOMEM));
    }
    return p;
}

static struct trainer_message message_of(size_t n)
{
    return (struct trainer_message){ needed(calloc(1, TRAINER_HEAD + n)), n, n };
}

static struct trainer_message *messages_of(int ranks, size_t n)
{
    struct trainer_message *m = needed(calloc((size_t)ranks, sizeof(*m)));

    for (int r = 1; r < ranks; r++)
        m[r] = message_of(n);
    return m;
}

static void free_messages(struct trainer_message *m, int ranks)
{
    for (int r = 1; r < ranks; r++)
        free(m[r].bytes);
    free(m);
}

/* Rank 0's offers[0..ranks). */
static void gather_offers(const struct world *w, const struct nccl_offer *mine, struct nccl_offer *offers)
{
    struct trainer_message m = message_of(sizeof(*mine)), *theirs = messages_of(w->ranks, sizeof(*mine));
    uint64_t word = 0;

    memcpy(m.bytes + TRAINER_HEAD, mine, sizeof(*mine));
    if (link_gather(w, &m, theirs, &word, LINK_PIECE))
        world_abort(EXIT_FAILED);
    offers[0] = *mine;
    for (int r = 1; r < w->ranks && !w->rank; r++)
        memcpy(&offers[r], theirs[r].bytes + TRAINER_HEAD, sizeof(*offers));
    free_messages(theirs, w->ranks);
    free(m.bytes);
}

/* At rank 0, of what all offer. */
static void judge(struct nccl *n, const struct nccl_offer *offers, int ranks, struct verdict *v)
{
    char why[1024];

    if (!nccl_offers_fit(offers, ranks, why, sizeof(why)) || nccl_new_id(n, &v->id, why, sizeof(why)))
        v->rc = status_error(NW_EENV, SAYS "%s\n", why);
}

static int agree(const struct world *w, struct nccl *n, const struct nccl_offer *mine, struct nccl_id *id)
{
    struct nccl_offer *offers = needed(calloc((size_t)w->ranks, sizeof(*offers)));
    struct trainer_message m = message_of(sizeof(struct verdict));
    struct verdict v = { .rc = NW_OK };
    uint64_t word = 0;

    gather_offers(w, mine, offers);
    if (!w->rank)
        judge(n, offers, w->ranks, &v);
    memcpy(m.bytes + TRAINER_HEAD, &v, sizeof(v));
    if (link_share(w, &m, &word, LINK_PIECE))
        world_abort(EXIT_FAILED);
    memcpy(&v, m.bytes + TRAINER_HEAD, sizeof(v));
    free(offers);
    free(m.bytes);
    *id = v.id;
    return (int)v.rc;
}

static void say(const struct nccl_offer *mine, int ranks)
{
    char version[32];

    nccl_version_text(mine->version, version, sizeof(version));
    fprintf(stderr, "narrows: %d ranks exchange by NCCL %s, each from a GPU of its own; rank 0's is %s\n", ranks,
            version, mine->gpu);
}

int link_nccl_open(const struct world *w, struct link_nccl **out)
{
    struct nccl_offer mine;
    struct nccl *n = nccl_open(&mine);
    struct nccl_id id;
    char why[1024];
    int rc = agree(w, n, &mine, &id);

    *out = NULL;
    if (rc) {
        nccl_close(n);
        return rc;
    }
    if (nccl_join(n, &id, w->rank, w->ranks, why, sizeof(why))) {
        status_error(NW_EENV, SAYS "%s\n", why);
        world_abort(EXIT_ENVIRONMENT);
    }
    if (!w->rank)
        say(&mine, w->ranks);
    *out = needed(calloc(1, sizeof(**out)));
    **out = (struct link_nccl){ w, n, message_of(sizeof(uint64_t)), messages_of(w->ranks, sizeof(uint64_t)) };
    return NW_OK;
}

void link_nccl_close(struct link_nccl *l)
{
    if (!l)
        return;
    nccl_close(l->nccl);
    free_messages(l->lengths, l->world->ranks);
    free(l->length.bytes);
    free(l);
}

static int lost(int rc, char *why, size_t nwhy)
{
    snprintf(why, nwhy, "the message of another rank could not be taken");
    return rc;
}

/* The length that has arrived for this message. */
static int take_length(const struct trainer_message *from, int rank, struct trainer_message *m, char *why, size_t nwhy)
{
    uint64_t n;

    memcpy(&n, from->bytes + TRAINER_HEAD, sizeof(n));
    if (n > m->capacity) {
        snprintf(why, nwhy, "rank %d announces %llu bytes, expected at most %zu", rank, (unsigned long long)n,
                 m->capacity);
        return NW_EIO;
    }
    m->n = n;
    return NW_OK;
}

static void put_length(struct trainer_message *to, const struct trainer_message *m)
{
    uint64_t n = m->n;

    memcpy(to->bytes + TRAINER_HEAD, &n, sizeof(n));
}

int link_nccl_gather(struct link_nccl *l, const struct trainer_message *mine, struct trainer_message *theirs,
                     uint64_t *word, char *why, size_t nwhy)
{
    const struct world *w = l->world;
    int rc;

    if (w->rank)
        put_length(&l->length, mine);
    rc = link_gather(w, &l->length, l->lengths, word, LINK_PIECE);
    if (rc)
        return lost(rc, why, nwhy);
    for (int r = 1; r < w->ranks && !rc && !w->rank; r++)
        rc = take_length(&l->lengths[r], r, &theirs[r], why, nwhy);
    if (!rc && nccl_gather(l->nccl, mine, theirs, why, nwhy))
        rc = NW_EIO;
    return rc;
}

int link_nccl_share(struct link_nccl *l, struct trainer_message *message, uint64_t *word, char *why, size_t nwhy)
{
    const struct world *w = l->world;
    int rc;

    if (!w->rank)
        put_length(&l->length, message);
    rc = link_share(w, &l->length, word, LINK_PIECE);
    if (rc)
        return lost(rc, why, nwhy);
    if (w->rank)
        rc = take_length(&l->length, 0, message, why, nwhy);
    if (!rc && nccl_share(l->nccl, message, why, nwhy))
        rc = NW_EIO;
    return rc;
}
