/* trial.c - a plug-in at work on small tensors before anything depends on it: what it writes, and where. A codec that
 * breaks its contract here would break it in the middle of a training run. */
#include <stdlib.h>
#include <string.h>

#include "harness/count.h"
#include "harness/tensor/plugin/private.h"

enum { GUARD = 256, GUARD_BYTE = 0xa5, MOST = 1000, STEPS = 3, COUNT_OF_TERMS = 3 };

/* A buffer between guard bytes. */
struct guarded {
    uint8_t *memory, *at;
    size_t nbytes, whole;
};

static bool guarded_make(struct guarded *g, size_t nbytes)
{
    g->nbytes = nbytes;
    g->whole = (2 * GUARD + nbytes + CODEC_ALIGN - 1) / CODEC_ALIGN * CODEC_ALIGN;
    g->memory = aligned_alloc(CODEC_ALIGN, g->whole);
    if (!g->memory)
        return false;
    memset(g->memory, GUARD_BYTE, g->whole);
    g->at = g->memory + GUARD;
    memset(g->at, 0, nbytes);
    return true;
}

static bool guarded_whole(const struct guarded *g)
{
    for (size_t i = 0; i < g->whole; i++)
        if ((i < GUARD || i >= GUARD + g->nbytes) && g->memory[i] != GUARD_BYTE)
            return false;
    return true;
}

enum { PAYLOAD, AGAIN, STATE, STATE_AGAIN, WORK, VALUES, SUM, TERMS, REDUCED, BUFFERS };

struct trial {
    const struct plugin *plugin;
    struct codec_params params;
    size_t n;
    float change[MOST + 1];
    struct guarded buffers[BUFFERS];
    size_t nbytes;
    const char *wrong; /* NULL: nothing so far */
};

static size_t stride_of(const struct trial *t)
{
    return (t->plugin->codec.payload_bound(t->n, &t->params) / CODEC_ALIGN + 1) * CODEC_ALIGN;
}

static bool trial_make(struct trial *t)
{
    const struct codec *c = &t->plugin->codec;
    const size_t sizes[BUFFERS] = { [PAYLOAD] = c->payload_bound(t->n, &t->params),
                                    [AGAIN] = c->payload_bound(t->n, &t->params),
                                    [STATE] = c->state_size(t->n, &t->params),
                                    [STATE_AGAIN] = c->state_size(t->n, &t->params),
                                    [WORK] = c->work_size(t->n, &t->params),
                                    [VALUES] = 4 * t->n,
                                    [SUM] = 4 * t->n,
                                    [TERMS] = COUNT_OF_TERMS * stride_of(t),
                                    [REDUCED] = c->payload_bound(t->n, &t->params) };

    for (int i = 0; i < BUFFERS; i++)
        if (!guarded_make(&t->buffers[i], sizes[i]))
            return false;
    return true;
}

static void trial_free(struct trial *t)
{
    for (int i = 0; i < BUFFERS; i++)
        free(t->buffers[i].memory);
}

static void look_at_guards(struct trial *t, const char *wrong)
{
    for (int i = 0; i < BUFFERS; i++)
        if (!t->wrong && !guarded_whole(&t->buffers[i]))
            t->wrong = wrong;
}

/* Gradients, roughly: of both signs, and small. */
static void draw_change(struct trial *t, uint64_t seed)
{
    for (size_t i = 0; i < t->n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        t->change[i] = (float)((double)(seed >> 11) * 0x1p-53 - 0.5) * 0.01f;
    }
}

static size_t encode(struct trial *t, int payload, int state)
{
    const struct narrows_plugin *p = t->plugin->of;
    size_t nbytes = 0;

    memset(t->buffers[WORK].at, payload, t->buffers[WORK].nbytes); /* whatever is in it makes no difference */
    p->encode(t->buffers[payload].at, &nbytes, t->change, t->n, t->params.value, t->buffers[state].at,
              t->buffers[WORK].at);
    if (nbytes > t->buffers[payload].nbytes && !t->wrong)
        t->wrong = "encode reports more bytes than payload_bound";
    look_at_guards(t, "encode writes outside of payload, state and work");
    return nbytes;
}

static void encode_twice(struct trial *t)
{
    size_t again;

    t->nbytes = encode(t, PAYLOAD, STATE);
    again = encode(t, AGAIN, STATE_AGAIN);
    if (t->wrong)
        return;
    if (again != t->nbytes || memcmp(t->buffers[PAYLOAD].at, t->buffers[AGAIN].at, t->nbytes) != 0)
        t->wrong = "encode gives another payload when it is called again with the same values and state";
    else if (memcmp(t->buffers[STATE].at, t->buffers[STATE_AGAIN].at, t->buffers[STATE].nbytes) != 0)
        t->wrong = "encode leaves another state when it is called again with the same values and state";
}

static void decode(struct trial *t, bool add, int values)
{
    if (t->wrong)
        return;
    if (t->plugin->of->decode((float *)(void *)t->buffers[values].at, t->n, add, t->buffers[PAYLOAD].at, t->nbytes,
                              t->params.value, t->buffers[WORK].at))
        t->wrong = "decode refuses what encode wrote";
    look_at_guards(t, "decode writes outside of values and work");
}

/* A sum starts from the changes. */
static void decode_both(struct trial *t)
{
    const float *values = (const float *)(const void *)t->buffers[VALUES].at;
    const float *sum = (const float *)(const void *)t->buffers[SUM].at;

    memset(t->buffers[VALUES].at, 0xff, 4 * t->n); /* NaN */
    memcpy(t->buffers[SUM].at, t->change, 4 * t->n);
    decode(t, false, VALUES);
    decode(t, true, SUM);
    for (size_t i = 0; i < t->n && !t->wrong; i++) {
        float expected = t->change[i] + values[i];

        if (values[i] != values[i])
            t->wrong = "decode leaves a NaN where none was encoded";
        else if (memcmp(&expected, &sum[i], sizeof(expected)) != 0)
            t->wrong = "decode with 'add' gives something else than the values plus the decoded ones";
    }
}

/* What reduce() should give, by decoding, adding and encoding, in AGAIN: its size. */
static size_t sum_apart(struct trial *t)
{
    const struct narrows_plugin *p = t->plugin->of;
    size_t nbytes = 0;

    for (int i = 0; i < COUNT_OF_TERMS; i++)
        decode(t, i > 0, SUM);
    memset(t->buffers[STATE_AGAIN].at, 0, t->buffers[STATE_AGAIN].nbytes);
    p->encode(t->buffers[AGAIN].at, &nbytes, (const float *)(const void *)t->buffers[SUM].at, t->n, t->params.value,
              t->buffers[STATE_AGAIN].at, t->buffers[WORK].at);
    return nbytes;
}

/* Of as many workers that sent the same. */
static void reduce(struct trial *t)
{
    const struct narrows_plugin *p = t->plugin->of;
    uint8_t *terms = t->buffers[TERMS].at;
    size_t nsum = 0, expected;

    if (!p->reduce || t->wrong)
        return;
    for (size_t i = 0; i < COUNT_OF_TERMS; i++)
        memcpy(terms + i * stride_of(t), t->buffers[PAYLOAD].at, t->nbytes);
    expected = sum_apart(t);
    if (p->reduce(t->buffers[REDUCED].at, &nsum, terms, stride_of(t), t->nbytes, COUNT_OF_TERMS, t->n, t->params.value,
                  t->buffers[WORK].at))
        t->wrong = "reduce refuses what encode wrote";
    look_at_guards(t, "reduce writes outside of payload and work");
    if (!t->wrong && (nsum != expected || memcmp(t->buffers[REDUCED].at, t->buffers[AGAIN].at, nsum) != 0))
        t->wrong = "reduce gives another payload than decoding, adding and encoding without a state";
}

bool plugin_works(const struct plugin *p, struct plugin_report *r)
{
    static const size_t lengths[] = { 0, 1, 2, 7, 64, 255, MOST };
    bool right = true;

    for (size_t i = 0; i < COUNT(lengths) && right; i++) {
        struct trial t = { .plugin = p, .params = codec_presets(&p->codec), .n = lengths[i] };

        snprintf(r->doing, sizeof(r->doing), "encode and decode of %zu values", t.n);
        if (!trial_make(&t))
            t.wrong = "no memory";
        for (uint64_t step = 0; step < STEPS && !t.wrong; step++) {
            draw_change(&t, step);
            encode_twice(&t);
            decode_both(&t);
            if (step + 1 == STEPS)
                reduce(&t); /* at the end: it leaves other states */
        }
        right = !t.wrong;
        if (t.wrong)
            snprintf(r->why, sizeof(r->why), "%s: %s: %s", p->codec.name, r->doing, t.wrong);
        trial_free(&t);
    }
    return right;
}
