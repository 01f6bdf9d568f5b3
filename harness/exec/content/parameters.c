/* parameters.c - the content of a parameter server: workers push gradients, the server sums and updates, workers pull.
 * A server's update adds the sum to the weights with a momentum of 0: it reads and writes what any momentum SGD does,
 * and leaves whole numbers whole. A pull without a codec carries the weights, one with a codec the change. */
#include <stdlib.h>
#include <string.h>

#include "harness/exec/content/private.h"
#include "harness/status.h"

/* What a rank has of one tensor. At a worker 'box' has one entry; at the tensor's server one for each worker. */
struct box {
    uint8_t *bytes; /* as it arrived; NULL: nothing did, or it was taken */
    size_t n;
    float *decoded;
    struct coder coder; /* server: what goes back to this worker, where each has its own */
};

struct held {
    float *weights, *momentum, *sum; /* the last two of a server alone */
    int64_t summed;                  /* pushes in 'sum' */
    struct coder push, pull;         /* worker: push encodes; server: pull encodes for all */
    struct box *boxes;
    size_t nboxes;
};

struct parameters {
    struct held *of_tensor;
    int64_t *updates; /* of each tensor, that a worker knows of: pulls received */
    bool is_server;
};

static size_t tensor_of(const struct content *c, const struct graph_task *t)
{
    return c->items[t->item].first;
}

static bool pulls_weights(const struct held *h)
{
    return !h->pull.codec;
}

static size_t workers(const struct content *c)
{
    size_t n = 0;

    while (n < c->graph->nranks && !strcmp(c->graph->ranks[n].role, "worker"))
        n++;
    return n;
}

static int open_tensor(struct content *c, size_t i)
{
    const struct graph_tensor *t = &c->graph->tensors[i];
    struct held *h = &c->parameters->of_tensor[i];
    size_t bytes = ((size_t)t->values + 1) * sizeof(float);
    uint64_t seed = i * 1009 + (uint64_t)c->rank;
    int rc;

    h->nboxes = c->parameters->is_server ? workers(c) : 1;
    h->boxes = calloc(h->nboxes, sizeof(*h->boxes));
    h->weights = calloc(1, bytes);
    if (c->parameters->is_server) {
        h->momentum = calloc(1, bytes);
        h->sum = calloc(1, bytes);
    }
    if (!h->boxes || !h->weights || (c->parameters->is_server && (!h->momentum || !h->sum)))
        return NW_ENOMEM;
    rc = coder_open(&t->push, t->values, seed, &h->push);
    rc = rc ? rc : coder_open(&t->pull, t->values, seed, &h->pull);
    for (size_t w = 0; !rc && w < h->nboxes; w++)
        rc = coder_open(&t->pull, t->values, seed + w + 1, &h->boxes[w].coder);
    return rc;
}

int parameters_open(struct content *c)
{
    int rc = NW_OK;

    c->parameters = calloc(1, sizeof(*c->parameters));
    if (!c->parameters)
        return NW_ENOMEM;
    c->parameters->is_server = !strcmp(c->graph->ranks[c->rank].role, "server");
    c->parameters->of_tensor = calloc(c->graph->ntensors, sizeof(struct held));
    c->parameters->updates = calloc(c->graph->ntensors, sizeof(int64_t));
    if (!c->parameters->of_tensor || !c->parameters->updates)
        return NW_ENOMEM;
    for (size_t i = 0; !rc && i < c->graph->ntensors; i++)
        rc = open_tensor(c, i);
    return rc;
}

void parameters_close(struct content *c)
{
    struct parameters *p = c->parameters;

    if (!p)
        return;
    for (size_t i = 0; p->of_tensor && i < c->graph->ntensors; i++) {
        struct held *h = &p->of_tensor[i];
        for (size_t w = 0; h->boxes && w < h->nboxes; w++) {
            free(h->boxes[w].bytes);
            free(h->boxes[w].decoded);
            coder_close(&h->boxes[w].coder);
        }
        free(h->boxes);
        free(h->weights);
        free(h->momentum);
        free(h->sum);
        coder_close(&h->push);
        coder_close(&h->pull);
    }
    free(p->of_tensor);
    free(p->updates);
    free(p);
    c->parameters = NULL;
}

void parameters_restart(struct content *c)
{
    for (size_t i = 0; i < c->graph->ntensors; i++) {
        struct held *h = &c->parameters->of_tensor[i];
        size_t bytes = (size_t)c->graph->tensors[i].values * sizeof(float);
        memset(h->weights, 0, bytes);
        if (h->sum)
            memset(h->sum, 0, bytes);
        if (h->momentum)
            memset(h->momentum, 0, bytes);
        h->summed = 0;
        c->parameters->updates[i] = 0;
        for (size_t w = 0; w < h->nboxes; w++) {
            free(h->boxes[w].bytes);
            h->boxes[w].bytes = NULL;
        }
    }
}

/* The box of whoever is at the other end. */
static struct box *box_for(struct content *c, struct held *h, int32_t peer)
{
    return &h->boxes[c->parameters->is_server ? (size_t)peer : 0];
}

int parameters_message(struct content *c, int32_t task, const void **bytes, size_t *n)
{
    const struct graph_task *t = &c->graph->tasks[task];
    size_t i = tensor_of(c, t);
    struct held *h = &c->parameters->of_tensor[i];
    bool server = c->parameters->is_server;
    const struct coder *mine = server ? &box_for(c, h, t->place.peer)->coder : &h->push;

    /* Of a pull that is encoded once for all, the workers' own coders have encoded nothing. */
    if (server && mine->codec && !mine->stream)
        mine = &h->pull;
    if (mine->codec) {
        *bytes = mine->stream;
        *n = mine->nstream;
    } else {
        *bytes = server ? h->weights : content_next(c, i);
        *n = (size_t)c->graph->tensors[i].values * sizeof(float);
    }
    return NW_OK;
}

static int expect_values(struct content *c, size_t tensor, size_t n)
{
    size_t want = (size_t)c->graph->tensors[tensor].values * sizeof(float);

    return n == want ? NW_OK : status_error(NW_EIO, "expected a tensor of %zu bytes, got %zu\n", want, n);
}

int parameters_arrived(struct content *c, int32_t task, void *bytes, size_t n)
{
    const struct graph_task *t = &c->graph->tasks[task];
    size_t i = tensor_of(c, t);
    struct held *h = &c->parameters->of_tensor[i];
    int rc = NW_OK;

    if (!c->parameters->is_server && pulls_weights(h)) {
        rc = expect_values(c, i, n);
        if (!rc)
            memcpy(h->weights, bytes, n);
        free(bytes);
        c->parameters->updates[i]++;
        return rc;
    }
    if (c->parameters->is_server && !h->push.codec)
        rc = expect_values(c, i, n);
    struct box *box = box_for(c, h, c->parameters->is_server ? t->place.rank : 0);
    free(box->bytes);
    box->bytes = bytes;
    box->n = n;
    return rc;
}

static int decode(struct content *c, size_t i, struct held *h, struct box *box)
{
    int rc = NW_OK;

    if (!box->bytes)
        return NW_OK; /* it was given up on its way */
    if (!c->parameters->is_server) {
        rc = coder_decode(&h->pull, box->bytes, box->n, CODEC_ADD, h->weights);
        c->parameters->updates[i]++;
    } else {
        if (!box->decoded)
            box->decoded = malloc(((size_t)c->graph->tensors[i].values + 1) * sizeof(float));
        rc = box->decoded ? coder_decode(&h->push, box->bytes, box->n, CODEC_STORE, box->decoded) : NW_ENOMEM;
    }
    free(box->bytes);
    box->bytes = NULL;
    return rc;
}

/* What a worker pushed, as values: decoded, or as it came. NULL: nothing is there. */
static const float *pushed(const struct held *h, const struct box *box)
{
    return h->push.codec ? box->decoded : (const float *)box->bytes;
}

static void add(struct content *c, size_t i, struct held *h, struct box *box)
{
    const float *more = pushed(h, box);

    for (int64_t k = 0; more && k < c->graph->tensors[i].values; k++)
        h->sum[k] += more[k];
    h->summed += more != NULL;
    if (!h->push.codec) {
        free(box->bytes);
        box->bytes = NULL;
    }
}

/* 'change' is left as what the pull's codec sends. */
static void update(struct content *c, size_t i, struct held *h, const float *change)
{
    for (int64_t k = 0; k < c->graph->tensors[i].values; k++) {
        h->momentum[k] = 0 * h->momentum[k] + change[k];
        h->weights[k] += h->momentum[k];
    }
}

static void update_from_sum(struct content *c, size_t i, struct held *h)
{
    update(c, i, h, h->sum);
    memset(h->sum, 0, (size_t)c->graph->tensors[i].values * sizeof(float));
    h->summed = 0;
}

static int work_at_server(struct content *c, const struct graph_task *t, size_t i, struct held *h)
{
    struct box *box = t->place.peer >= 0 ? box_for(c, h, t->place.peer) : NULL;

    switch (t->place.work) {
    case WORK_DECODE: return decode(c, i, h, box);
    case WORK_SUM: add(c, i, h, box); return NW_OK;
    case WORK_UPDATE:
        if (!box)
            update_from_sum(c, i, h);
        else if (pushed(h, box))
            update(c, i, h, pushed(h, box));
        return NW_OK;
    case WORK_ENCODE:
        if (!h->pull.codec)
            return NW_OK;
        return coder_encode(box ? &box->coder : &h->pull, h->momentum);
    default: return NW_OK;
    }
}

int parameters_work(struct content *c, int32_t task)
{
    const struct graph_task *t = &c->graph->tasks[task];
    size_t i = tensor_of(c, t);
    struct held *h = &c->parameters->of_tensor[i];

    if (c->parameters->is_server)
        return work_at_server(c, t, i, h);
    if (t->place.work == WORK_DECODE)
        return decode(c, i, h, &h->boxes[0]);
    return t->place.work == WORK_ENCODE && h->push.codec ? coder_encode(&h->push, content_next(c, i)) : NW_OK;
}

/* A worker's weights are so many times the sum of all gradients, if every update used every push. */
int64_t parameters_wrong(const struct content *c)
{
    int64_t wrong = 0;
    size_t n = workers(c);

    if (c->parameters->is_server)
        return 0;
    for (size_t i = 0; i < c->graph->ntensors; i++)
        for (int64_t k = 0; k < c->graph->tensors[i].values; k++) {
            float sum = 0;
            for (size_t w = 0; w < n; w++)
                sum += content_pattern((int32_t)w, c->at[i] + k);
            wrong += c->parameters->of_tensor[i].weights[k] != sum * (float)c->parameters->updates[i];
        }
    return wrong;
}
