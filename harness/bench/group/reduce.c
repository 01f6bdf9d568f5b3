/* reduce.c - the group "reduce": payloads of several senders to one of their sum, as the owner of a part of a tensor
 * does it: by the codec's own reduction, and by decompressing, adding and compressing apart, which writes and reads the
 * sums in between. Both take turns with an anchor that reads the terms twice, since nothing may be written before all
 * are checked, and writes as much as one of them. */
#include <stdio.h>

#include "harness/bench/group/groups.h"
#include "harness/status.h"
#include "harness/tensor/codec_table.h"
#include "kernels/anchor/anchor.h"
#include "kernels/codec/codec.h"

enum { TERMS = 8, SPARE = 64 };

struct job {
    struct session *s;
    const struct codec_impl *row;
    struct codec_params params;
    char variant[32];
    size_t n;
    struct codec_terms terms;
    uint8_t *sent, *sum;
    void *state, *work;
    uint64_t *report; /* where the row lives: the size and the error that it reports */
    int *error;
};

static const uint8_t *term(const struct job *j, size_t k)
{
    return j->sent + k * j->terms.stride;
}

static void run_anchor(struct work *w)
{
    struct job *j = w->arg;
    const struct anchor_impl *a = j->s->anchor_row;
    size_t n = j->terms.nbytes / sizeof(float);

    for (size_t k = 1; k < 2 * TERMS; k++)
        a->read(&a->impl, j->s->anchor_result, (const float *)(const void *)term(j, k % TERMS), n);
    a->copy(&a->impl, (float *)(void *)j->sum, (const float *)(const void *)j->sent, n);
}

static void fused(struct work *w)
{
    struct job *j = w->arg;

    j->row->reduce(&j->row->impl, j->sum, j->report, &j->terms, j->n, &j->params, j->work, j->error);
}

static void apart(struct work *w)
{
    struct job *j = w->arg;

    for (size_t k = 0; k < TERMS; k++)
        j->row->decompress(&j->row->impl, j->s->result, j->n, k ? CODEC_ADD : CODEC_STORE, term(j, k), j->terms.nbytes,
                           &j->params, j->work, j->error);
    j->row->compress(&j->row->impl, j->sum, j->report, j->s->result, j->n, &j->params, j->state, j->work);
}

/* Both are counted as what the first one moves. */
static int time_row(struct job *j)
{
    const char *name = j->row->impl.name;

    for (size_t k = 0; k < TERMS; k++)
        j->row->compress(&j->row->impl, j->sent + k * j->terms.stride, j->report, j->s->change, j->n, &j->params,
                         j->state, j->work);
    if (!j->s->device)
        j->terms.nbytes = *j->report;
    double nbytes = (double)((2 * TERMS + 1) * j->terms.nbytes), bits = 8 * (double)j->terms.nbytes / (double)j->n;
    struct work anchor = { .kernel = "r8, r8 w1", .impl = j->s->anchor_row->impl.name, .run = run_anchor, .arg = j };
    struct work w[] = { { .kernel = "reduce", .impl = name, .bits = bits, .run = fused, .arg = j },
                        { .kernel = "reduce apart", .impl = name, .bits = bits, .run = apart, .arg = j } };

    anchor.nbytes = w[0].nbytes = w[1].nbytes = nbytes;
    snprintf(anchor.variant, sizeof(anchor.variant), "%s", j->variant);
    snprintf(w[0].variant, sizeof(w[0].variant), "%s", j->variant);
    snprintf(w[1].variant, sizeof(w[1].variant), "%s", j->variant);
    return session_time(j->s, &anchor, w, 2);
}

/* Work and state may be of size 0. */
static int prepare(struct job *j, const struct codec *c)
{
    size_t nbytes = c->payload_bound(j->n, &j->params), stride = (nbytes + CODEC_ALIGN - 1) / CODEC_ALIGN * CODEC_ALIGN;

    j->sent = session_alloc(j->s, TERMS * stride + SPARE);
    j->sum = j->sent ? session_alloc(j->s, nbytes + SPARE) : NULL;
    j->state = j->sum ? session_alloc(j->s, c->state_size(j->n, &j->params) + SPARE) : NULL;
    j->work = j->state ? session_alloc(j->s, c->work_size(j->n, &j->params) + SPARE) : NULL;
    j->report = j->work ? session_alloc(j->s, SPARE) : NULL;
    j->error = j->report ? session_alloc(j->s, SPARE) : NULL;
    j->terms = (struct codec_terms){ j->sent, stride, nbytes, TERMS };
    return j->error ? NW_OK : NW_ENOMEM;
}

static int time_codec(struct session *s, const struct codec *c, const struct codec_params *p, const char *variant)
{
    struct job j = { .s = s, .params = *p, .n = s->n };
    int rc;

    snprintf(j.variant, sizeof(j.variant), "%s", variant);
    rc = prepare(&j, c);
    for (j.row = c->impls; !rc && j.row->impl.name; j.row++)
        if (session_wants(s, &j.row->impl))
            rc = time_row(&j);
    session_let_go(s);
    return rc;
}

static int time_bits(struct session *s, const struct codec *c, double bits)
{
    struct codec_params p = codec_presets(c);
    char variant[32];

    p.value[0] = bits;
    snprintf(variant, sizeof(variant), "bits=%g", bits);
    return time_codec(s, c, &p, variant);
}

/* The widest and the narrowest of the codecs of the build, whose first parameter says it; a plug-in's as preset. */
static int rows(struct session *s)
{
    int rc = NW_OK;

    for (const struct codec *const *c = codec_table(); *c && !rc; c++) {
        struct codec_params p = codec_presets(*c);

        if ((*c)->class != CODEC_SCATTERED)
            continue;
        if (codec_table_digest(*c)) {
            rc = time_codec(s, *c, &p, (*c)->name);
            continue;
        }
        rc = time_bits(s, *c, (*c)->param[0].highest);
        rc = rc ? rc : time_bits(s, *c, (*c)->param[0].lowest);
    }
    return rc;
}

const struct group group_reduce = { "reduce", "payloads of eight senders to one: in one pass, and apart", rows };
