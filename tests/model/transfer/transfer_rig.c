#include "tests/model/transfer/transfer_rig.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/draw.h"
#include "tests/test.h"

static const struct operation nothing = {
    .patch = NO_PATCH,
    .twin = NO_OPERATION,
    .x = NO_TENSOR,
    .x2 = NO_TENSOR,
    .y = NO_TENSOR,
    .dy = NO_TENSOR,
    .dx = NO_TENSOR,
    .dx2 = NO_TENSOR,
};

static void begin(struct rig *r, int n)
{
    memset(r, 0, sizeof(*r));
    r->g = (struct graph){ .operations = r->operations,
                           .noperations = 2 * (size_t)n,
                           .nforward = (size_t)n,
                           .tensors = r->tensors,
                           .ntensors = (size_t)n + 1 };
    r->s = (struct storage_list){ .items = r->storages, .n = (size_t)n + 1 };
    for (int i = 0; i < n; i++) {
        int twin = 2 * n - 1 - i;
        r->operations[i] = r->operations[twin] = nothing;
        r->operations[i].x = i, r->operations[i].y = i + 1;
        r->operations[i].twin = twin, r->operations[i].group = i;
        r->operations[twin].twin = i, r->operations[twin].group = i;
        r->operations[twin].backward = 1;
    }
    for (int i = 0; i <= n; i++)
        r->tensors[i].storage = i;
}

/* One operation's use of one tensor. */
static void use(struct rig *r, int32_t tensor, int32_t op, bool writes)
{
    if (tensor == NO_TENSOR)
        return;
    struct storage *s = &r->storages[r->tensors[tensor].storage];
    bool forward = op < (int32_t)r->g.nforward;
    s->last = op;
    if (forward)
        s->last_forward = op;
    else if (s->first_backward == NO_OPERATION)
        s->first_backward = op;
    if (!writes || !forward)
        return;
    s->last_write = op;
    if (s->first == NO_OPERATION)
        s->first = op;
}

void rig_settle(struct rig *r)
{
    for (size_t i = 0; i < r->s.n; i++) {
        struct storage *s = &r->storages[i];
        *s = (struct storage){ .bytes = s->bytes, .tensor = (int32_t)i };
        s->first = s->last_write = s->last_forward = s->first_backward = s->last = NO_OPERATION;
    }
    for (int32_t i = 0; i < (int32_t)r->g.noperations; i++) {
        const struct operation *o = &r->operations[i];
        use(r, o->x, i, false);
        use(r, o->x2, i, false);
        use(r, o->y, i, !o->backward);
    }
    r->s.generated_bytes = 0;
    for (size_t i = 0; i < r->s.n; i++) {
        struct storage *s = &r->storages[i];
        s->generated = s->first != NO_OPERATION && s->first_backward != NO_OPERATION;
        if (s->generated)
            r->s.generated_bytes += s->bytes;
        if (s->first == NO_OPERATION)
            s->first = 0;
    }
}

void rig_chain(struct rig *r, int n, const int64_t *bytes, const int64_t *ps)
{
    begin(r, n);
    memcpy(r->ps, ps, 2 * (size_t)n * sizeof(*ps));
    for (int i = 0; i < n; i++) {
        r->storages[i].bytes = bytes[i];
        r->operations[2 * n - 1 - i].x = i;
    }
    rig_settle(r);
}

static int64_t below(uint64_t *state, uint64_t n)
{
    return (int64_t)(draw(state) % n);
}

void rig_random(struct rig *r, uint64_t seed)
{
    uint64_t state = seed;
    int n = 2 + (int)below(&state, seed % 4 ? 30 : 150);
    int64_t scale = 1 + below(&state, 60); /* how the link's times compare with the operations' */

    begin(r, n);
    for (int i = 0; i < 2 * n; i++)
        r->ps[i] = below(&state, 8) ? below(&state, 100) * 100 : 0;
    for (int i = 0; i <= n; i++)
        r->storages[i].bytes = below(&state, 12) ? below(&state, 100) * scale * 4 : 0;
    for (int i = 1; i < n; i++) {
        struct operation *o = &r->operations[i], *twin = &r->operations[o->twin];
        bool in_place = !below(&state, 5);
        if (!in_place && !below(&state, 4))
            o->x2 = (int32_t)below(&state, (uint64_t)i + 1);
        if (in_place && i + 1 < n)
            r->tensors[i + 1].storage = r->tensors[i].storage;
        o->group = twin->group = r->operations[i - 1].group + !below(&state, 3);
        twin->x = below(&state, 5) && !in_place ? o->x : NO_TENSOR;
        twin->x2 = below(&state, 2) ? o->x2 : NO_TENSOR;
        twin->y = below(&state, 3) ? NO_TENSOR : o->y;
    }
    rig_settle(r);
}

struct transfer_options rig_options(enum schedule schedule)
{
    return (struct transfer_options){
        .schedule = schedule, .limit = 1, .keep_last = -1, .to_host_Bps = 1e12, .to_device_Bps = 1e12
    };
}

static int64_t copy_ps(int64_t bytes, double Bps, int64_t latency_ps)
{
    return (int64_t)ceil((double)bytes * (1e12 / Bps)) + latency_ps;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The next copy back that begins with operation 'op': of those the first by 'need', then as listed. */
static size_t next_back(const struct transfer_list *t, int32_t op, const bool *fetched)
{
    size_t next = t->n;

    for (size_t i = 0; i < t->n; i++)
        if (t->items[i].back == op && !fetched[i] && (next == t->n || t->items[i].need < t->items[next].need))
            next = i;
    return next;
}

struct replayed rig_replay(const struct graph *g, const struct storage_list *s, const int64_t *ps,
                           const struct transfer_options *o, const struct transfer_list *t)
{
    struct replayed r = { 0 };
    int64_t *gone = calloc(t->n + 1, sizeof(*gone)), *here = calloc(t->n + 1, sizeof(*here));
    bool *fetched = calloc(t->n + 1, sizeof(*fetched));
    int64_t now = 0, to_host = 0, to_device = 0;
    int32_t last = (int32_t)g->nforward - 1;
    size_t k;

    assert_true(gone && here && fetched);
    for (int32_t op = 0; op < (int32_t)g->noperations; op++) {
        int64_t began = now, wait = now;
        for (size_t i = 0; i < t->n; i++)
            if (t->items[i].start == op) {
                to_host =
                    later(to_host, now) + copy_ps(s->items[t->items[i].storage].bytes, o->to_host_Bps, o->latency_ps);
                gone[i] = to_host;
            }
        while ((k = next_back(t, op, fetched)) < t->n) {
            to_device =
                later(to_device, now) + copy_ps(s->items[t->items[k].storage].bytes, o->to_device_Bps, o->latency_ps);
            here[k] = to_device;
            fetched[k] = true;
        }
        for (size_t i = 0; i < t->n; i++)
            if (t->items[i].need == op) {
                assert_true(fetched[i]);
                now = later(now, here[i]);
            }
        r.backward_ps += now - began;
        now += ps[op];
        wait = now;
        for (size_t i = 0; i < t->n; i++)
            if (t->items[i].free_after == op)
                wait = later(wait, gone[i]);
        *(op < last ? &r.forward_ps : &r.turn_ps) += wait - now;
        now = wait;
    }
    r.end_ps = now, r.copied_ps = to_host;
    free(gone);
    free(here);
    free(fetched);
    return r;
}

void rig_live(const struct graph *g, const struct storage_list *s, const struct transfer_list *t, int64_t *live)
{
    for (int32_t op = 0; op < (int32_t)g->noperations; op++) {
        live[op] = 0;
        for (size_t i = 0; i < s->n; i++)
            if (s->items[i].first <= op && op <= s->items[i].last)
                live[op] += s->items[i].bytes;
        for (size_t i = 0; i < t->n; i++)
            if (t->items[i].free_after < op && op < t->items[i].back)
                live[op] -= s->items[t->items[i].storage].bytes;
    }
}
