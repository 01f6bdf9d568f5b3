#include "tests/exec/memory_wire.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "harness/exec/rank/wire.h"
#include "harness/status.h"
#include "tests/test.h"

enum { MOST_RANKS = 64 };

struct message {
    bool notice;
    int peer;
    int32_t number, act; /* task or group */
    enum notice_of what;
    bool flag;
    const void *bytes; /* the sender's, until it is delivered */
    void *copy;
    size_t n;
    struct message *next;
};

struct wire {
    int rank;
    unsigned random;
    struct message *out; /* this thread's alone */
    size_t nout;
    struct message *in; /* under the world's lock */
};

static struct {
    pthread_mutex_t lock;
    pthread_barrier_t all;
    int ranks, failed;
    int (*work)(void *context, int rank);
    void *context;
    struct wire wires[MOST_RANKS];
    const void *shared[MOST_RANKS];
    size_t transfers, notices;
} world = { .lock = PTHREAD_MUTEX_INITIALIZER };

static _Thread_local int this_rank;

static void append(struct message **list, struct message *m)
{
    while (*list)
        list = &(*list)->next;
    m->next = NULL;
    *list = m;
}

static void *run(void *argument)
{
    this_rank = (int)(intptr_t)argument;
    int rc = world.work(world.context, this_rank);

    pthread_mutex_lock(&world.lock);
    world.failed = world.failed ? world.failed : rc;
    pthread_mutex_unlock(&world.lock);
    return NULL;
}

int memory_world(int ranks, unsigned seed, int (*work)(void *context, int rank), void *context)
{
    pthread_t threads[MOST_RANKS];

    assert_in_range(ranks, 1, MOST_RANKS);
    world.ranks = ranks;
    world.failed = 0;
    world.work = work;
    world.context = context;
    world.transfers = world.notices = 0;
    pthread_barrier_init(&world.all, NULL, (unsigned)ranks);
    for (int r = 0; r < ranks; r++)
        world.wires[r] = (struct wire){ .rank = r, .random = seed * 64 + (unsigned)r };
    for (int r = 0; r < ranks; r++)
        assert_int_equal(pthread_create(&threads[r], NULL, run, (void *)(intptr_t)r), 0);
    for (int r = 0; r < ranks; r++)
        pthread_join(threads[r], NULL);
    for (int r = 0; r < ranks; r++)
        for (int k = 0; k < 2; k++)
            for (struct message *m = k ? world.wires[r].in : world.wires[r].out, *next; m; m = next) {
                next = m->next;
                free(m->copy);
                free(m);
            }
    pthread_barrier_destroy(&world.all);
    return world.failed;
}

size_t memory_transfers(void)
{
    return world.transfers;
}

size_t memory_notices(void)
{
    return world.notices;
}

int wire_open(int ranks, struct wire **out)
{
    *out = this_rank < ranks ? &world.wires[this_rank] : NULL;
    return NW_OK;
}

void wire_close(struct wire *w)
{
    (void)w;
}

static int give(struct wire *w, struct message given)
{
    struct message *m = malloc(sizeof(*m));

    if (!m)
        return NW_ENOMEM;
    *m = given;
    append(&w->out, m);
    w->nout++;
    return NW_OK;
}

int wire_send(struct wire *w, int peer, int32_t task, const void *bytes, size_t n, int32_t act)
{
    return give(w, (struct message){ .peer = peer, .number = task, .bytes = bytes, .n = n, .act = act });
}

int wire_notify(struct wire *w, int peer, enum notice_of what, int32_t number, bool flag)
{
    return give(w, (struct message){ .notice = true, .peer = peer, .what = what, .number = number, .flag = flag });
}

/* One of what was given: a drawn one of the transfers, the first of the notices. */
static struct message *take_out(struct wire *w)
{
    struct message **at = &w->out, *m;

    for (int skip = rand_r(&w->random) % (int)w->nout; skip; skip--)
        at = &(*at)->next;
    if ((*at)->notice)
        for (at = &w->out; !(*at)->notice;)
            at = &(*at)->next;
    m = *at;
    *at = m->next;
    w->nout--;
    return m;
}

static void deliver(struct wire *w, const struct wire_events *on)
{
    struct message *m = take_out(w);
    int32_t act = m->act;
    bool notice = m->notice;

    if (!notice) {
        m->copy = aligned_alloc(64, (m->n + 64) / 64 * 64);
        assert_non_null(m->copy);
        if (m->n)
            memcpy(m->copy, m->bytes, m->n);
    }
    pthread_mutex_lock(&world.lock);
    append(&world.wires[m->peer].in, m);
    world.transfers += !notice;
    world.notices += notice;
    pthread_mutex_unlock(&world.lock);
    if (!notice)
        on->sent(on->context, act);
}

static int take_in(struct message *m, const struct wire_events *on)
{
    int rc = NW_OK;

    if (m->notice) {
        on->noticed(on->context, m->what, m->number, m->flag);
    } else if (on->most(on->context, m->number) < (int64_t)m->n) {
        free(m->copy);
        rc = status_error(NW_EIO, "task %d: more bytes than it may have: %zu\n", (int)m->number, m->n);
    } else {
        on->received(on->context, m->number, m->copy, m->n);
    }
    free(m);
    return rc;
}

int wire_poll(struct wire *w, const struct wire_events *on, bool *some)
{
    *some = w->nout > 0;
    if (w->nout)
        deliver(w, on);
    pthread_mutex_lock(&world.lock);
    struct message *in = w->in;
    int rc = world.failed;
    if (in)
        w->in = in->next;
    pthread_mutex_unlock(&world.lock);
    *some |= in != NULL;
    if (in) {
        int taken = take_in(in, on);
        rc = rc ? rc : taken;
    }
    return rc;
}

void wire_release(struct wire *w, void *bytes)
{
    (void)w;
    free(bytes);
}

bool wire_idle(const struct wire *w)
{
    return !w->nout;
}

void wire_barrier(struct wire *w)
{
    (void)w;
    pthread_barrier_wait(&world.all);
}

void wire_share(struct wire *w, void *bytes, size_t n)
{
    if (!w->rank)
        world.shared[0] = bytes;
    wire_barrier(w);
    if (w->rank)
        memcpy(bytes, world.shared[0], n);
    wire_barrier(w);
}

void wire_gather(struct wire *w, const void *mine, size_t n, void *all)
{
    world.shared[w->rank] = mine;
    wire_barrier(w);
    for (int r = 0; !w->rank && r < world.ranks; r++)
        memcpy((char *)all + (size_t)r * n, world.shared[r], n);
    wire_barrier(w);
}

void wire_most(struct wire *w, int64_t values[], size_t n)
{
    int64_t *most = malloc((n + 1) * sizeof(*most));

    assert_non_null(most);
    memcpy(most, values, n * sizeof(*most));
    world.shared[w->rank] = values;
    wire_barrier(w);
    for (int r = 0; r < world.ranks; r++)
        for (size_t i = 0; i < n; i++)
            if (((const int64_t *)world.shared[r])[i] > most[i])
                most[i] = ((const int64_t *)world.shared[r])[i];
    wire_barrier(w);
    memcpy(values, most, n * sizeof(*most));
    free(most);
}
