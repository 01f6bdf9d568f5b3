/* tensors.c - what is exchanged, what it costs, and on which server it lives. */
#include <stdlib.h>

#include "model/status.h"
#include "sim/cost.h"
#include "sim/method/parameter_server/play.h"

static const double sum_bytes = 12; /* per value and push: read the sum and the gradient, write the sum */

static int64_t sum_of(int64_t a, int64_t b)
{
    return a > INT64_MAX - b ? INT64_MAX : a + b; /* too long to be played: E_RANGE, then */
}

/* A layer's weights first, then its biases, or scales and shifts. */
static size_t tensors_of(const struct layer *l, size_t index, struct ps_tensor out[3])
{
    size_t n = 0;

    if (l->weights)
        out[n++] = (struct ps_tensor){ .layer = index, .part = "", .values = l->weights, .row = layer_weight_row(l) };
    if (l->biases && layer_is_norm(l)) {
        out[n++] = (struct ps_tensor){ .layer = index, .part = " scale", .values = l->biases - l->biases / 2 };
        out[n++] = (struct ps_tensor){ .layer = index, .part = " shift", .values = l->biases / 2 };
    } else if (l->biases) {
        out[n++] = (struct ps_tensor){ .layer = index, .part = " bias", .values = l->biases };
    }
    return n;
}

/* WIRE_LOCAL is an average over its steps: so are its framing and its sender's time. */
static struct ps_message message(const struct ps_play *s, const struct codec_spec *c, const struct ps_tensor *t)
{
    int64_t payload = codec_spec_wire_bytes(c, t->values, t->row);
    int64_t framing = topology_message_bytes(s->topology, payload) - payload;
    int64_t send_ps = topology_message_ps(s->topology);
    int64_t every = codec_spec_codes(c, t->values) && c->format == WIRE_LOCAL ? c->steps : 1;

    return (struct ps_message){ .bytes = payload + framing / every + (framing % every != 0),
                                .encode_ps = codec_spec_encode_ps(c, t->values),
                                .decode_ps = codec_spec_decode_ps(c, t->values),
                                .send_ps = send_ps / every };
}

static void cost_tensor(const struct ps_play *s, struct ps_tensor *t)
{
    const struct platform *p = s->job->platform;

    const char *layer = s->job->model->layers[t->layer].name;
    struct codec_spec push = codec_spec_of_layer(&s->method->push, layer);
    struct codec_spec pull = codec_spec_of_layer(&s->method->pull, layer);

    t->push = message(s, &push, t);
    t->pull = message(s, &pull, t);
    double update_bytes = s->method->update_bytes * (double)t->values;
    t->sum_ps = cost_cpu_stream_ps(p, sum_bytes * (double)t->values);
    t->update_ps = s->method->updates_on_workers ? 0 : cost_cpu_stream_ps(p, update_bytes);
    if (s->alone)
        t->push.bytes = t->pull.bytes = t->sum_ps = t->push.send_ps = t->pull.send_ps = 0;
}

static void add_times(const struct ps_play *s, struct ps_unit *u, size_t layer)
{
    const struct parameter_server *m = s->method;
    const struct platform *p = s->job->platform;

    for (int more = 0; more < 2; more++) {
        int64_t samples = s->job->batch / m->workers + more;
        int64_t forward_ps = profile_forward_ps(&m->profile, p, s->job->model, layer, samples, m->device);
        int64_t backward_ps = profile_backward_ps(&m->profile, p, s->job->model, layer, samples, m->device);
        u->forward_ps[more] = sum_of(u->forward_ps[more], forward_ps);
        u->backward_ps[more] = sum_of(u->backward_ps[more], backward_ps);
    }
}

static bool takes_time(const struct ps_unit *u)
{
    return u->forward_ps[0] || u->forward_ps[1] || u->backward_ps[0] || u->backward_ps[1];
}

/* Parts of a tensor that are full, and one of what is left. How many. */
static size_t add_parts(struct ps_play *s, struct ps_tensor whole)
{
    int64_t most = s->method->partition_bytes / 4 > 0 ? s->method->partition_bytes / 4 : whole.values;
    size_t n = 0;

    for (int64_t left = whole.values; left > 0; left -= most, n++) {
        s->tensors[s->ntensors] = whole;
        s->tensors[s->ntensors++].values = left < most ? left : most;
    }
    return n;
}

/* All tensors as one, which belongs to the first unit: everything waits for the whole of it. */
static void add_merged(struct ps_play *s)
{
    const struct model *m = s->job->model;

    if (s->nunits && m->weights + m->biases)
        s->units[0].ntensors = add_parts(
            s, (struct ps_tensor){ .layer = s->units[0].layer, .part = "", .values = m->weights + m->biases });
}

/* A layer with tensors begins a unit, unless nothing has been computed in the one under way: to wait for both at once,
 * and to have both gradients at once, is then the same. */
static void add_layer(struct ps_play *s, size_t index)
{
    const struct layer *l = &s->job->model->layers[index];
    struct ps_tensor mine[3];
    size_t n = tensors_of(l, index, mine);

    if (!s->nunits || (n && takes_time(&s->units[s->nunits - 1])))
        s->units[s->nunits++] = (struct ps_unit){ .layer = index, .first_tensor = s->ntensors };
    struct ps_unit *u = &s->units[s->nunits - 1];
    if (l->weights && !s->job->model->layers[u->layer].weights)
        u->layer = index;
    add_times(s, u, index);
    for (size_t i = 0; i < n && !s->method->merged; i++)
        u->ntensors += add_parts(s, mine[i]);
}

static int by_size(const void *a, const void *b)
{
    const struct ps_tensor *const *x = a, *const *y = b;

    if ((*x)->values != (*y)->values)
        return ((*x)->values < (*y)->values) - ((*x)->values > (*y)->values);
    return (*x > *y) - (*x < *y);
}

/* The largest first, each onto the server that has the fewest values so far. */
static int place(struct ps_play *s)
{
    struct ps_tensor **largest = calloc(s->ntensors + 1, sizeof(struct ps_tensor *));
    int64_t *held = calloc(s->nservers, sizeof(*held));
    int rc = largest && held ? E_OK : E_NOMEM;

    for (size_t i = 0; !rc && i < s->ntensors; i++)
        largest[i] = &s->tensors[i];
    if (!rc)
        qsort(largest, s->ntensors, sizeof(struct ps_tensor *), by_size);
    for (size_t i = 0; !rc && i < s->ntensors; i++) {
        size_t least = 0;
        for (size_t k = 1; k < s->nservers; k++)
            if (held[k] < held[least])
                least = k;
        largest[i]->server = least;
        held[least] += largest[i]->values;
    }
    free(largest);
    free(held);
    return rc;
}

double ps_most_tensors(const struct job *j)
{
    double bytes = 4 * ((double)j->model->weights + (double)j->model->biases);
    int64_t partition = j->method->parameter_server.partition_bytes / 4 * 4;

    return 3 * (double)j->model->nlayers + (partition ? bytes / (double)partition : 0) + 1;
}

static int64_t worker_update_ps(const struct ps_play *s)
{
    const struct model *m = s->job->model;
    double bytes = s->method->update_bytes * ((double)m->weights + (double)m->biases);

    return s->method->device == COMPUTE_ON_GPU ? cost_gpu_stream_ps(s->job->platform, bytes)
                                               : cost_cpu_stream_ps(s->job->platform, bytes);
}

int ps_tensors(struct ps_play *s)
{
    size_t nlayers = s->job->model->nlayers;

    s->tensors = calloc((size_t)ps_most_tensors(s->job) + 1, sizeof(*s->tensors));
    s->units = calloc(nlayers + 1, sizeof(*s->units));
    if (!s->tensors || !s->units)
        return E_NOMEM;
    for (size_t i = 0; i < nlayers; i++)
        add_layer(s, i);
    if (s->method->merged)
        add_merged(s);
    for (size_t i = 0; i < s->ntensors; i++)
        cost_tensor(s, &s->tensors[i]);
    s->worker_update_ps = worker_update_ps(s);
    return place(s);
}
