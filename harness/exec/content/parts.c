#include "harness/exec/content/parts.h"

#include <stdlib.h>
#include <string.h>

#include "harness/status.h"

struct parts {
    int32_t ranks;
    size_t n; /* values of a part */
    struct coder *leaving, sum;
    uint8_t **came; /* of this rank's part, from each other one */
    size_t *ncame;
    float *one, *sums; /* a part; the sum of this rank's */
};

static bool is_coded(const struct content *c, size_t tensor)
{
    const struct graph_tensor *t = &c->graph->tensors[tensor];

    return codec_spec_codes(&t->push, t->values);
}

static int open_coders(const struct content *c, const struct item *item, struct codec_spec spec, struct parts *p)
{
    uint64_t seed = (item->first * 1009 + (uint64_t)c->rank) * (uint64_t)(p->ranks + 1);
    int rc = NW_OK;

    spec.min_values = 0; /* a tensor is coded or not as a whole */
    for (int32_t r = 0; !rc && r < p->ranks; r++)
        rc = coder_open(&spec, (int64_t)p->n, seed + (uint64_t)r, &p->leaving[r]);
    return rc ? rc : coder_open(&spec, (int64_t)p->n, seed + (uint64_t)p->ranks, &p->sum);
}

int parts_open(const struct content *c, const struct item *item, struct parts **out)
{
    size_t ranks = c->graph->nranks, values = 0;
    const struct codec_spec *spec = NULL;

    *out = NULL;
    for (size_t i = item->first; i < item->first + item->n; i++)
        if (is_coded(c, i) && codec_spec_scatters(&c->graph->tensors[i].push)) {
            spec = &c->graph->tensors[i].push;
            values += (size_t)c->graph->tensors[i].values;
        }
    if (!spec || ranks < 2)
        return NW_OK;
    struct parts *p = *out = calloc(1, sizeof(*p));
    if (!p)
        return NW_ENOMEM;
    p->ranks = (int32_t)ranks;
    p->n = (values + ranks - 1) / ranks;
    p->leaving = calloc(ranks, sizeof(*p->leaving));
    p->came = calloc(ranks, sizeof(*p->came));
    p->ncame = calloc(ranks, sizeof(*p->ncame));
    p->one = malloc(p->n * sizeof(float));
    p->sums = malloc(p->n * sizeof(float));
    if (!p->leaving || !p->came || !p->ncame || !p->one || !p->sums)
        return NW_ENOMEM;
    return open_coders(c, item, *spec, p);
}

void parts_close(struct parts *p)
{
    if (!p)
        return;
    for (int32_t r = 0; r < p->ranks; r++) {
        if (p->leaving)
            coder_close(&p->leaving[r]);
        if (p->came)
            free(p->came[r]);
    }
    coder_close(&p->sum);
    free(p->leaving);
    free(p->came);
    free(p->ncame);
    free(p->one);
    free(p->sums);
    free(p);
}

/* Between a part and the values of the item's tensors, whichever of them it reaches into. */
static void copy_part(const struct content *c, const struct item *item, const struct parts *p, int32_t number,
                      float *part, float *values, bool to_part)
{
    size_t first = (size_t)number * p->n, end = first + p->n, at = 0;

    for (size_t i = item->first; i < item->first + item->n; i++) {
        size_t n = (size_t)c->graph->tensors[i].values, low, high;
        if (!is_coded(c, i))
            continue;
        low = first > at ? first : at;
        high = end < at + n ? end : at + n;
        float *tensor = values + (c->at[i] - c->at[item->first]);
        if (low < high && to_part)
            memcpy(part + (low - first), tensor + (low - at), (high - low) * sizeof(float));
        else if (low < high)
            memcpy(tensor + (low - at), part + (low - first), (high - low) * sizeof(float));
        at += n;
    }
}

static void take_part(struct content *c, const struct item *item, const struct parts *p, int32_t number, float *part)
{
    memset(part, 0, p->n * sizeof(float));
    copy_part(c, item, p, number, part, c->gradients + c->at[item->first], true);
}

int parts_encode(struct content *c, const struct item *item, struct parts *p, int32_t share, int32_t shares)
{
    int rc = NW_OK;

    for (int32_t r = share; !rc && r < p->ranks; r += shares) {
        take_part(c, item, p, r, p->one);
        rc = coder_encode(&p->leaving[r], p->one);
    }
    return rc;
}

const uint8_t *parts_leaving(const struct parts *p, int32_t to, size_t *n)
{
    *n = p->leaving[to].nstream;
    return p->leaving[to].stream;
}

void parts_came(struct parts *p, int32_t from, uint8_t *stream, size_t n)
{
    free(p->came[from]);
    p->came[from] = stream;
    p->ncame[from] = n;
}

void parts_begin_sum(struct content *c, const struct item *item, struct parts *p)
{
    take_part(c, item, p, c->rank, p->sums);
}

int parts_add(struct content *c, struct parts *p, int32_t share, int32_t shares)
{
    int rc = NW_OK;

    for (int32_t r = share; !rc && r < p->ranks; r += shares)
        if (r != c->rank)
            rc = coder_decode(&p->sum, p->came[r], p->ncame[r], CODEC_ADD, p->sums);
    return rc;
}

/* Of any rank. */
static int decode_sum(struct content *c, const struct item *item, struct parts *p, int32_t rank, const uint8_t *stream,
                      size_t n, float *values)
{
    int rc = coder_decode(&p->sum, stream, n, CODEC_STORE, p->one);

    if (!rc)
        copy_part(c, item, p, rank, p->one, values, false);
    return rc;
}

int parts_encode_sum(struct content *c, const struct item *item, struct parts *p, uint8_t **stream, size_t *n,
                     float *values)
{
    int rc = coder_encode(&p->sum, p->sums);

    if (rc)
        return rc;
    free(*stream);
    *n = p->sum.nstream;
    *stream = malloc(*n);
    if (!*stream)
        return NW_ENOMEM;
    memcpy(*stream, p->sum.stream, *n);
    return decode_sum(c, item, p, c->rank, *stream, *n, values);
}

int parts_decode_sum(struct content *c, const struct item *item, struct parts *p, int32_t rank, const uint8_t *stream,
                     size_t n, float *values)
{
    return rank == c->rank ? NW_OK : decode_sum(c, item, p, rank, stream, n, values);
}
