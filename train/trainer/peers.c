#include "train/trainer/peers.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "train/exchange/carry.h"
#include "train/trainer/private.h"

/* A place in a message that is written, or read: one function for both, so that they agree. */
struct cursor {
    uint8_t *at, *end;
    bool reads;
};

bool peers_serve(const struct trainer *t)
{
    return !t->options.peers || t->options.peers->peer == 0;
}

void peers_begin(const struct trainer *t, enum trainer_part part)
{
    const struct trainer_peers *p = t->options.peers;

    if (p && p->begins)
        p->begins(p->context, part);
}

/* The first worker of a peer; of the one behind the last: the number of workers. */
static int64_t first_worker(const struct trainer *t, int peer)
{
    int64_t workers = t->options.workers, peers = t->options.peers->peers;

    return peers > workers ? (peer ? peer - 1 : 0) : peer * workers / peers;
}

int peers_open(struct trainer *t)
{
    const struct trainer_peers *p = t->options.peers;

    t->nworkers = t->options.workers;
    if (!p)
        return 0;
    if (p->peers > t->options.workers + 1)
        return trainer_fail(t, E_INVAL,
                            "workers: %lld of them are spread over at most %lld processes (the first of which is then "
                            "the server alone), got %d",
                            (long long)t->options.workers, (long long)t->options.workers + 1, p->peers);
    t->first = first_worker(t, p->peer);
    t->nworkers = first_worker(t, p->peer + 1) - t->first;
    t->arrived = calloc((size_t)p->peers, sizeof(*t->arrived));
    return t->arrived ? 0 : trainer_fail(t, E_NOMEM, "out of memory");
}

void peers_close(struct trainer *t)
{
    for (int p = 0; t->arrived && p < t->options.peers->peers; p++)
        free(t->arrived[p].bytes);
    free(t->arrived);
    free(t->message.bytes);
}

static int reserve(struct trainer *t, struct trainer_message *m, size_t nbytes)
{
    m->n = 0;
    if (m->bytes && m->capacity >= nbytes)
        return 0;
    free(m->bytes);
    m->bytes = trainer_alloc(TRAINER_HEAD + nbytes);
    m->capacity = m->bytes ? nbytes : 0;
    return m->bytes ? 0 : trainer_fail(t, E_NOMEM, "out of memory");
}

static struct cursor begin(struct trainer_message *m, bool reads)
{
    uint8_t *first = m->bytes + TRAINER_HEAD;

    return (struct cursor){ first, first + (reads ? m->n : m->capacity), reads };
}

/* A message of another length than expected is of another program, or of other options. */
static int end(struct trainer *t, struct trainer_message *m, const struct cursor *c)
{
    assert(c->reads || c->at); /* it was reserved for the most there can be */
    if (!c->at || (c->reads && c->at != c->end))
        return trainer_fail(t, E_FAILED, "a message of %zu bytes from another process is not what this step expects",
                            m->n);
    if (!c->reads)
        m->n = (size_t)(c->at - m->bytes) - TRAINER_HEAD;
    return 0;
}

static bool has_space(struct cursor *c, size_t n)
{
    if (c->at && (size_t)(c->end - c->at) < n)
        c->at = NULL;
    return c->at;
}

static void move(struct cursor *c, void *what, size_t n)
{
    if (!has_space(c, n))
        return;
    if (c->reads)
        memcpy(what, c->at, n);
    else
        memcpy(c->at, what, n);
    c->at += n;
}

/* What lies in the backend's memory. */
static int move_in_backend(struct trainer *t, struct cursor *c, void *what, size_t n)
{
    struct context *context = &t->contexts[0];

    if (!has_space(c, n))
        return 0;
    if (c->reads ? context_upload(context, what, c->at, n) || context->backend->finish(context->handle, NULL)
                 : context_download(context, c->at, what, n))
        return trainer_context_failed(t, context);
    c->at += n;
    return 0;
}

static size_t ids_bytes(const struct trainer *t)
{
    return 4 * (size_t)(t->options.batch * t->data->shape.ids);
}

static size_t row_bytes(const struct trainer *t)
{
    return 4 * (size_t)(t->options.batch * t->row_error_values);
}

/* What a worker looked up in tables, and the errors of it. */
static int move_rows(struct trainer *t, struct cursor *c, struct worker *k)
{
    if (!t->row_error_values)
        return 0;
    move(c, k->batch.ids, ids_bytes(t));
    return move_in_backend(t, c, k->row_errors, row_bytes(t));
}

static size_t most_of_worker(const struct trainer *t)
{
    size_t rows = t->row_error_values ? ids_bytes(t) + row_bytes(t) : 0;

    return sizeof(double) * (1 + mask_thresholds(&t->mask)) + sizeof(struct mask_traffic) + rows +
           exchange_most_pushed(&t->exchange);
}

static int move_worker(struct trainer *t, struct cursor *c, int64_t w)
{
    struct worker *k = &t->workers[w];

    move(c, &k->loss, sizeof(k->loss));
    if (t->mask.options.nlayers)
        move(c, &k->masked, sizeof(k->masked));
    if (t->watches)
        move(c, k->thresholds, mask_thresholds(&t->mask) * sizeof(*k->thresholds));
    if (c->at && c->reads)
        c->at = (uint8_t *)(uintptr_t)exchange_unpack_push(&t->exchange, w, k->gradient, c->at, c->end);
    else if (c->at)
        c->at = exchange_pack_push(&t->exchange, w, k->gradient, c->at);
    return move_rows(t, c, k);
}

static size_t most_of_peer(const struct trainer *t, int peer)
{
    size_t workers = (size_t)(first_worker(t, peer + 1) - first_worker(t, peer));

    return sizeof(t->theirs) + workers * most_of_worker(t) + 4 * (size_t)t->training.nstatistics;
}

/* One peer's workers, and what their computations cost; from the first worker also its norms' statistics. */
static int move_peer(struct trainer *t, int peer, struct trainer_message *m, bool reads)
{
    int64_t from = first_worker(t, peer), to = first_worker(t, peer + 1);
    uint64_t products[FMA_NMODES][OPS_NPASSES] = { 0 };
    struct cursor c = begin(m, reads);
    int rc = 0;

    if (!reads)
        trainer_count_products(t, products);
    move(&c, products, sizeof(products));
    for (int mode = 0; mode < FMA_NMODES && reads; mode++)
        for (int pass = 0; pass < OPS_NPASSES; pass++)
            t->theirs[mode][pass] += products[mode][pass];
    if (t->nrunning && from == 0 && to > 0)
        move(&c, t->fresh, 4 * (size_t)t->training.nstatistics);
    for (int64_t w = from; w < to && !rc; w++)
        rc = move_worker(t, &c, w);
    return rc ? rc : end(t, m, &c);
}

static int gather(struct trainer *t)
{
    const struct trainer_peers *p = t->options.peers;

    return p->gather(p->context, &t->message, t->arrived, t->why, sizeof(t->why)) ? E_FAILED : 0;
}

static int share(struct trainer *t)
{
    const struct trainer_peers *p = t->options.peers;

    return p->share(p->context, &t->message, t->why, sizeof(t->why)) ? E_FAILED : 0;
}

static int gather_pushes(struct trainer *t)
{
    int rc = 0;

    memset(t->theirs, 0, sizeof(t->theirs));
    for (int p = 1; p < t->options.peers->peers && !rc; p++)
        rc = reserve(t, &t->arrived[p], most_of_peer(t, p));
    rc = rc ? rc : gather(t);
    for (int p = 1; p < t->options.peers->peers && !rc; p++)
        rc = move_peer(t, p, &t->arrived[p], true);
    return rc;
}

int peers_push(struct trainer *t)
{
    int rc = 0;

    if (!t->options.peers)
        return 0;
    if (peers_serve(t)) {
        peers_begin(t, TRAINER_PUSH);
        return gather_pushes(t);
    }
    peers_begin(t, TRAINER_ENCODE);
    rc = reserve(t, &t->message, most_of_peer(t, t->options.peers->peer));
    rc = rc ? rc : move_peer(t, t->options.peers->peer, &t->message, false);
    peers_begin(t, TRAINER_PUSH);
    return rc ? rc : gather(t);
}

static size_t policy_bytes(const struct trainer *t)
{
    return t->options.awp.interval > 0 ? t->map.ntensors * sizeof(*t->exchange.bytes_per_weight) : 0;
}

static int move_pull(struct trainer *t, double *loss, bool reads)
{
    struct cursor c = begin(&t->message, reads);
    int rc = 0;

    move(&c, loss, sizeof(*loss));
    move(&c, t->exchange.bytes_per_weight, policy_bytes(t)); /* before what is decoded by it */
    for (int64_t w = 0; w < t->options.workers && !rc; w++)
        rc = move_rows(t, &c, &t->workers[w]);
    if (c.at && reads)
        c.at = (uint8_t *)(uintptr_t)exchange_unpack_pull(&t->exchange, t->copies.host_model, c.at, c.end);
    else if (c.at)
        c.at = exchange_pack_pull(&t->exchange, t->copies.host_model, c.at);
    return rc ? rc : end(t, &t->message, &c);
}

int peers_pull(struct trainer *t, double *loss)
{
    size_t rows = t->row_error_values ? ids_bytes(t) + row_bytes(t) : 0;
    bool serves = peers_serve(t);
    int rc;

    if (!t->options.peers)
        return 0;
    if (!serves)
        peers_begin(t, TRAINER_PULL);
    rc = reserve(t, &t->message,
                 sizeof(*loss) + policy_bytes(t) + (size_t)t->options.workers * rows +
                     exchange_most_pulled(&t->exchange));
    if (!rc && serves)
        rc = move_pull(t, loss, false);
    if (serves)
        peers_begin(t, TRAINER_PULL);
    rc = rc ? rc : share(t);
    if (!rc && !serves) {
        peers_begin(t, TRAINER_DECODE);
        rc = move_pull(t, loss, true);
    }
    return rc;
}

/* All that a worker's next step depends on, but for the states of its codecs. */
static int move_start(struct trainer *t, bool reads)
{
    struct cursor c = begin(&t->message, reads);
    int rc;

    move(&c, &t->so_far, sizeof(t->so_far));
    move(&c, t->exchange.bytes_per_weight, t->map.ntensors * sizeof(*t->exchange.bytes_per_weight));
    move(&c, t->copies.host_model, 4 * (size_t)t->map.ndense);
    rc = move_in_backend(t, &c, t->copies.tables, 4 * (size_t)t->map.ntable);
    return rc ? rc : end(t, &t->message, &c);
}

static bool has_worker(const struct trainer *t, int64_t w)
{
    return w >= t->first && w < t->first + t->nworkers;
}

/* One worker's at a time, since all of them together take as many times the memory. */
static int share_states(struct trainer *t, int64_t w)
{
    size_t nbytes = exchange_states_of(&t->exchange, w);
    int rc = reserve(t, &t->message, nbytes);

    t->message.n = nbytes;
    if (!rc && peers_serve(t))
        exchange_pack_states(&t->exchange, w, t->message.bytes + TRAINER_HEAD);
    rc = rc ? rc : share(t);
    if (!rc && !peers_serve(t) && has_worker(t, w))
        exchange_unpack_states(&t->exchange, w, t->message.bytes + TRAINER_HEAD);
    return rc;
}

int trainer_share(struct trainer *t)
{
    bool serves = peers_serve(t);
    int rc;

    if (!t->options.peers)
        return 0;
    rc = reserve(t, &t->message,
                 sizeof(t->so_far) + t->map.ntensors * sizeof(*t->exchange.bytes_per_weight) +
                     4 * (size_t)(t->map.ndense + t->map.ntable));
    if (!rc && serves)
        rc = move_start(t, false);
    rc = rc ? rc : share(t);
    if (!rc && !serves)
        rc = move_start(t, true);
    for (int64_t w = 0; w < t->options.workers && t->so_far.steps && exchange_states_of(&t->exchange, w) && !rc; w++)
        rc = share_states(t, w);
    return rc || serves ? rc : server_send(t);
}

static int collect_from(struct trainer *t, int peer, struct trainer_message *m, bool reads)
{
    struct cursor c = begin(m, reads);

    for (int64_t w = first_worker(t, peer); w < first_worker(t, peer + 1); w++) {
        size_t nbytes = exchange_states_of(&t->exchange, w);

        if (!has_space(&c, nbytes))
            break;
        if (reads)
            exchange_unpack_states(&t->exchange, w, c.at);
        else
            exchange_pack_states(&t->exchange, w, c.at);
        c.at += nbytes;
    }
    return end(t, m, &c);
}

static size_t collected_bytes(const struct trainer *t, int peer)
{
    return (size_t)(first_worker(t, peer + 1) - first_worker(t, peer)) * exchange_states_of(&t->exchange, 0);
}

int trainer_collect(struct trainer *t)
{
    const struct trainer_peers *p = t->options.peers;
    int rc = 0;

    if (!p || !exchange_states_of(&t->exchange, 0))
        return 0;
    if (!peers_serve(t)) {
        rc = reserve(t, &t->message, collected_bytes(t, p->peer));
        rc = rc ? rc : collect_from(t, p->peer, &t->message, false);
        return rc ? rc : gather(t);
    }
    for (int peer = 1; peer < p->peers && !rc; peer++)
        rc = reserve(t, &t->arrived[peer], collected_bytes(t, peer));
    rc = rc ? rc : gather(t);
    for (int peer = 1; peer < p->peers && !rc; peer++)
        rc = collect_from(t, peer, &t->arrived[peer], true);
    return rc;
}
