/* vectors.c - the content of an allreduce: each bucket's vector, summed in parts on its way, and payloads that are
 * gathered, or (parts.h) scattered. The vector has what the bucket's tensors are on the wire, one after another: fp32
 * as it is; a reducible codec's stream, of which all but the header are numbers of 16 or 32 bits, and what all ranks
 * have alike. */
#include <stdlib.h>
#include <string.h>

#include "harness/exec/content/numbers.h"
#include "harness/exec/content/parts.h"
#include "harness/exec/content/private.h"
#include "harness/status.h"
#include "kernels/codec/stream.h"

/* Bytes of a vector that are numbers of one kind; NUMBERS_NONE: a header or the like, which is the same everywhere. */
struct region {
    int64_t at, bytes;
    enum numbers numbers;
};

struct vector {
    uint8_t *bytes;
    int64_t nbytes;
    struct region *regions;
    size_t nregions;
    /* gathered: of each rank, the streams of the bucket's tensors one after another; or of the sum of its part */
    uint8_t **payloads;
    size_t *npayloads;
    float *sums;         /* of the decoded values of the bucket; NULL: nothing is decoded */
    struct parts *parts; /* NULL: nothing is scattered */
};

struct vectors {
    struct vector *of_item;
    struct coder *coders; /* of each tensor: what leaves this rank */
    size_t *in_payload;   /* of each tensor: bytes of this rank's stream */
};

static bool is_gathered(const struct content *c, size_t tensor)
{
    const struct codec *codec = c->vectors->coders[tensor].codec;

    return codec && content_gathers(codec);
}

/* Bytes behind the numbers of a payload: of the step that all ranks are at. */
static int64_t behind_numbers(const struct codec *codec)
{
    return codec && codec->id == CODEC_ID_RANDOMK ? 8 : 0;
}

static void add_region(struct vector *v, int64_t bytes, enum numbers numbers)
{
    v->regions[v->nregions++] = (struct region){ v->nbytes, bytes, numbers };
    v->nbytes += bytes;
}

static int add_tensor(struct content *c, struct vector *v, size_t tensor)
{
    const struct coder *k = &c->vectors->coders[tensor];
    int64_t values = c->graph->tensors[tensor].values, behind = behind_numbers(k->codec);
    enum numbers numbers = numbers_of(k->codec);

    if (is_gathered(c, tensor))
        return NW_OK;
    if (numbers == NUMBERS_NONE)
        return status_error(NW_EINPUT, "codec %s: its payloads cannot be added on their way\n", k->codec->name);
    if (!k->codec) {
        add_region(v, 4 * values, numbers);
        return NW_OK;
    }
    add_region(v, STREAM_HEADER, NUMBERS_NONE);
    add_region(v, (int64_t)k->codec->payload_bound((size_t)values, &k->params) - behind, numbers);
    if (behind)
        add_region(v, behind, NUMBERS_NONE);
    return NW_OK;
}

static int open_item(struct content *c, const struct item *item, struct vector *v)
{
    size_t nranks = c->graph->nranks;
    int64_t values = 0;
    bool coded = false;
    int rc = NW_OK;

    v->regions = malloc((3 * item->n + 1) * sizeof(*v->regions));
    v->payloads = calloc(nranks, sizeof(*v->payloads));
    v->npayloads = calloc(nranks, sizeof(*v->npayloads));
    if (!v->regions || !v->payloads || !v->npayloads)
        return NW_ENOMEM;
    for (size_t i = item->first; !rc && i < item->first + item->n; i++) {
        rc = add_tensor(c, v, i);
        values += c->graph->tensors[i].values;
        coded |= c->vectors->coders[i].codec != NULL;
    }
    rc = rc ? rc : parts_open(c, item, &v->parts);
    v->bytes = malloc((size_t)v->nbytes + 1);
    if (coded)
        v->sums = malloc((size_t)values * sizeof(float));
    return rc ? rc : v->bytes && (v->sums || !coded) ? NW_OK : NW_ENOMEM;
}

int vectors_open(struct content *c)
{
    const struct task_graph *g = c->graph;
    int rc = NW_OK;

    c->vectors = calloc(1, sizeof(*c->vectors));
    if (!c->vectors)
        return NW_ENOMEM;
    c->vectors->of_item = calloc((size_t)c->nitems + 1, sizeof(struct vector));
    c->vectors->coders = calloc(g->ntensors + 1, sizeof(struct coder));
    c->vectors->in_payload = calloc(g->ntensors + 1, sizeof(size_t));
    if (!c->vectors->of_item || !c->vectors->coders || !c->vectors->in_payload)
        return NW_ENOMEM;
    for (size_t i = 0; !rc && i < g->ntensors; i++)
        rc = content_coder(c, i, &c->vectors->coders[i]);
    for (int32_t k = 0; !rc && k < c->nitems; k++)
        if (c->items[k].n)
            rc = open_item(c, &c->items[k], &c->vectors->of_item[k]);
    return rc;
}

void vectors_close(struct content *c)
{
    struct vectors *v = c->vectors;

    if (!v)
        return;
    for (int32_t k = 0; v->of_item && k < c->nitems; k++) {
        for (size_t r = 0; v->of_item[k].payloads && r < c->graph->nranks; r++)
            free(v->of_item[k].payloads[r]);
        free(v->of_item[k].payloads);
        free(v->of_item[k].npayloads);
        free(v->of_item[k].regions);
        free(v->of_item[k].bytes);
        free(v->of_item[k].sums);
        parts_close(v->of_item[k].parts);
    }
    for (size_t i = 0; v->coders && i < c->graph->ntensors; i++)
        coder_close(&v->coders[i]);
    free(v->of_item);
    free(v->coders);
    free(v->in_payload);
    free(v);
    c->vectors = NULL;
}

/* --- parts -------------------------------------------------------------------------------------------------------- */

/* A byte offset, moved down to the beginning of the value that it is in. */
static int64_t aligned(const struct vector *v, int64_t offset)
{
    for (size_t i = 0; i < v->nregions; i++) {
        const struct region *r = &v->regions[i];
        int64_t size = r->numbers == NUMBERS_FP32 ? 4 : r->numbers == NUMBERS_NONE ? r->bytes : 2;
        if (offset >= r->at && offset < r->at + r->bytes)
            return r->at + (offset - r->at) / size * size;
    }
    return v->nbytes; /* the end */
}

static void part_of(const struct vector *v, const struct task_place *p, int64_t *from, int64_t *to)
{
    *from = aligned(v, p->offset);
    *to = aligned(v, p->offset + p->bytes);
}

static void add_part(struct vector *v, int64_t from, int64_t to, const uint8_t *more)
{
    for (size_t i = 0; i < v->nregions; i++) {
        const struct region *r = &v->regions[i];
        int64_t low = from > r->at ? from : r->at, high = to < r->at + r->bytes ? to : r->at + r->bytes;
        if (low >= high || r->numbers == NUMBERS_NONE)
            continue;
        numbers_add(r->numbers, v->bytes + low, more + (low - from), high - low);
    }
}

int vectors_message(struct content *c, int32_t task, const void **bytes, size_t *n)
{
    const struct graph_task *t = &c->graph->tasks[task];
    struct vector *v = &c->vectors->of_item[t->item];
    int64_t from, to;

    if (t->place.shares) { /* a part of this rank's payload */
        *bytes = parts_leaving(v->parts, t->place.share, n);
        return NW_OK;
    }
    if (t->place.bytes < 0) { /* a payload: of the rank that 'offset' names */
        *bytes = v->payloads[t->place.offset];
        *n = v->npayloads[t->place.offset];
        return NW_OK;
    }
    part_of(v, &t->place, &from, &to);
    *bytes = v->bytes + from;
    *n = (size_t)(to - from);
    return NW_OK;
}

float *vectors_floats(struct content *c, int32_t item, size_t *n)
{
    *n = (size_t)c->vectors->of_item[item].nbytes / sizeof(float);
    return (float *)c->vectors->of_item[item].bytes;
}

int vectors_arrived(struct content *c, int32_t task, void *bytes, size_t n)
{
    const struct graph_task *t = &c->graph->tasks[task];
    struct vector *v = &c->vectors->of_item[t->item];
    int64_t from, to;

    if (t->place.shares) {
        parts_came(v->parts, (int32_t)t->place.offset, bytes, n);
        return NW_OK;
    }
    if (t->place.bytes < 0) {
        free(v->payloads[t->place.offset]);
        v->payloads[t->place.offset] = bytes;
        v->npayloads[t->place.offset] = n;
        return NW_OK;
    }
    part_of(v, &t->place, &from, &to);
    if ((int64_t)n != to - from) {
        free(bytes);
        return status_error(NW_EIO, "expected a part of %lld bytes, got %zu\n", (long long)(to - from), n);
    }
    if (t->place.add)
        add_part(v, from, to, bytes);
    else
        memcpy(v->bytes + from, bytes, n);
    free(bytes);
    return NW_OK;
}

/* --- work --------------------------------------------------------------------------------------------------------- */

static int encode_tensor(struct content *c, size_t tensor)
{
    struct coder *k = &c->vectors->coders[tensor];

    return k->codec ? coder_encode(k, content_next(c, tensor)) : NW_OK;
}

static int encode(struct content *c, const struct graph_task *t)
{
    const struct item *item = &c->items[t->item];
    struct vector *v = &c->vectors->of_item[t->item];
    int rc = NW_OK;

    if (v->parts && t->place.add)
        return parts_encode_sum(c, item, v->parts, &v->payloads[c->rank], &v->npayloads[c->rank], v->sums);
    if (v->parts)
        return parts_encode(c, item, v->parts, t->place.share, t->place.shares);
    if (t->place.tensor >= 0)
        return encode_tensor(c, item->first + (size_t)t->place.tensor);
    for (size_t i = item->first; !rc && i < item->first + item->n; i++)
        rc = encode_tensor(c, i);
    return rc;
}

/* Everything is encoded: into the vector what is added, into this rank's payload what is gathered. */
static int fill(struct content *c, int32_t number)
{
    const struct item *item = &c->items[number];
    struct vector *v = &c->vectors->of_item[number];
    size_t gathered = 0;
    int64_t at = 0;

    if (v->parts)
        parts_begin_sum(c, item, v->parts);
    for (size_t i = item->first; !v->parts && i < item->first + item->n; i++)
        gathered += is_gathered(c, i) ? c->vectors->coders[i].nstream : 0;
    free(v->payloads[c->rank]);
    v->payloads[c->rank] = malloc(gathered + 1);
    if (!v->payloads[c->rank])
        return NW_ENOMEM;
    v->npayloads[c->rank] = 0;
    for (size_t i = item->first; i < item->first + item->n; i++) {
        const struct coder *k = &c->vectors->coders[i];
        size_t n = k->codec ? k->nstream : (size_t)c->graph->tensors[i].values * sizeof(float);
        const void *from = k->codec ? (const void *)k->stream : c->gradients + c->at[i];
        if (is_gathered(c, i) && v->parts)
            continue;
        if (is_gathered(c, i)) {
            memcpy(v->payloads[c->rank] + v->npayloads[c->rank], from, n);
            v->npayloads[c->rank] += n;
        } else {
            memcpy(v->bytes + at, from, n);
            at += (int64_t)n;
        }
    }
    return NW_OK;
}

/* The streams of a payload follow each other; each says how long it is. */
static int decode_gathered(struct content *c, int32_t number, size_t origin, int32_t only)
{
    const struct item *item = &c->items[number];
    struct vector *v = &c->vectors->of_item[number];
    const uint8_t *at = v->payloads[origin], *end = at + v->npayloads[origin];
    int rc = NW_OK;

    for (size_t i = item->first; !rc && i < item->first + item->n; i++) {
        if (!is_gathered(c, i))
            continue;
        uint64_t payload = 0;
        if (end - at >= STREAM_HEADER)
            memcpy(&payload, at + 48, sizeof(payload));
        if (end - at < STREAM_HEADER || payload > (uint64_t)(end - at - STREAM_HEADER))
            return status_error(NW_EIO, "the payload of rank %zu ends in the middle of a tensor\n", origin);
        if (only < 0 || (size_t)only == i - item->first)
            rc = coder_decode(&c->vectors->coders[i], at, STREAM_HEADER + payload, origin ? CODEC_ADD : CODEC_STORE,
                              v->sums + (c->at[i] - c->at[item->first]));
        at += STREAM_HEADER + payload;
    }
    return rc;
}

/* What was added on its way is one array of numbers now: only the first of the calls widens it. The header of a stream
 * is still that of the rank's own, with its checksum. */
static int decode_added(struct content *c, int32_t number)
{
    const struct item *item = &c->items[number];
    struct vector *v = &c->vectors->of_item[number];
    size_t region = 0;
    int rc = NW_OK;

    for (size_t i = item->first; !rc && i < item->first + item->n; i++) {
        if (is_gathered(c, i))
            continue;
        region += c->vectors->coders[i].codec != NULL; /* past its header */
        const struct region *r = &v->regions[region++];
        struct coder *k = &c->vectors->coders[i];
        int64_t behind = behind_numbers(k->codec);
        float *to = v->sums + (c->at[i] - c->at[item->first]);
        region += behind > 0;
        if (behind)
            rc = coder_decode_payload(k, v->bytes + r->at, (size_t)(r->bytes + behind), to);
        else
            numbers_widen(r->numbers, to, v->bytes + r->at, r->bytes);
    }
    return rc;
}

static int decode(struct content *c, const struct graph_task *t)
{
    struct vector *v = &c->vectors->of_item[t->item];
    int rc = NW_OK;

    if (v->parts && t->place.add)
        return parts_add(c, v->parts, t->place.share, t->place.shares);
    if (t->place.share == 0 && t->place.tensor <= 0)
        rc = decode_added(c, t->item);
    for (size_t r = 0; !rc && r < c->graph->nranks; r++)
        if (v->payloads[r] && (int32_t)(r % (size_t)t->place.shares) == t->place.share)
            rc = v->parts ? parts_decode_sum(c, &c->items[t->item], v->parts, (int32_t)r, v->payloads[r],
                                             v->npayloads[r], v->sums)
                          : decode_gathered(c, t->item, r, t->place.tensor);
    return rc;
}

int vectors_work(struct content *c, int32_t task)
{
    const struct graph_task *t = &c->graph->tasks[task];

    switch (t->place.work) {
    case WORK_ENCODE: return encode(c, t);
    case WORK_FILL: return fill(c, t->item);
    case WORK_DECODE: return decode(c, t);
    default: return NW_OK;
    }
}

const float *content_sums(const struct content *c, int32_t item)
{
    return c->vectors->of_item[item].sums;
}

int64_t vectors_wrong(const struct content *c)
{
    int64_t wrong = 0;

    for (int32_t k = 0; k < c->nitems; k++) {
        const float *sums = (const float *)c->vectors->of_item[k].bytes;
        for (size_t i = c->items[k].first; i < c->items[k].first + c->items[k].n; i++)
            for (int64_t j = 0; j < c->graph->tensors[i].values; j++) {
                float want = 0;
                for (size_t r = 0; r < c->graph->nranks; r++)
                    want += content_pattern((int32_t)r, c->at[i] + j);
                wrong += sums[c->at[i] - c->at[c->items[k].first] + j] != want;
            }
    }
    return wrong;
}
