#include "harness/exec/content/learner.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "harness/status.h"
#include "model/model.h"
#include "model/status.h"
#include "train/data/images/images.h"
#include "train/draw.h"
#include "train/net/context.h"
#include "train/net/net.h"
#include "train/net/parameters.h"

enum { SEED = 1, SAMPLES = 1024 };

struct piece {
    bool backward;
    int32_t layer;
};

struct learner {
    const struct model *model;
    int64_t samples;
    int32_t worker;
    struct parameter_map map;
    struct net net;
    struct context context;
    struct data_source *data; /* NULL: the network takes no images, so its inputs are drawn */
    struct batch batch;
    float *dense, *gradients;
    uint64_t steps;
    /* piece by piece */
    struct piece *pieces;
    size_t npieces, allowed, reached; /* pieces that may be computed; that are computed */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool runs, ends;
    int rc;
};

static void *allocate(size_t bytes)
{
    return aligned_alloc(64, (bytes + 127) / 64 * 64);
}

/* Of a network with one label: what its last layer puts out. */
static int64_t classes_of(const struct model *m)
{
    return m->layers[m->nlayers - 1].activations;
}

static int refuse_net(const struct model *m, char *why, size_t nwhy)
{
    if (model_ids(m) || model_labels(m) != 1) {
        snprintf(why, nwhy, "model: expected a network that classifies images, to compute it for real: %s does not",
                 m->name);
        return NW_EINPUT;
    }
    return NW_OK;
}

static void open_data(struct learner *l)
{
    struct data_options o = data_options_of(DATA_IMAGES);
    const struct shape *in = &l->model->input;
    char reason[256];

    o.seed = SEED;
    o.train = SAMPLES;
    o.test = 1;
    o.classes = classes_of(l->model);
    o.channels = in->channels;
    o.height = in->height;
    o.width = in->width;
    if (images_open(&o, &l->data, reason, sizeof(reason)))
        l->data = NULL; /* of that shape there are none */
}

/* The best on the host: ranks share its processors, and have no GPU of their own. */
static const struct ops_backend *backend_of_host(void)
{
    const struct ops_backend *const *b = ops_backends;

    while (*b && ((*b)->on_device || !(*b)->usable()))
        b++;
    return *b;
}

static int open_net(struct learner *l, char *why, size_t nwhy)
{
    const struct ops_backend *backend = backend_of_host();
    char reason[256] = "";
    size_t values = (size_t)(l->model->input.channels * l->model->input.height * l->model->input.width);

    if (!backend || context_open(backend, &l->context))
        return status_error(NW_EENV, "narrows exec: no operations to compute layers with: %s\n", l->context.why);
    if (parameter_map_make(l->model, &l->map))
        return NW_ENOMEM;
    if (net_make(l->model, NET_TRAIN, l->samples, NULL, backend, l->context.handle, &l->net, reason, sizeof(reason))) {
        snprintf(why, nwhy, "model: %s", reason);
        return NW_EINPUT;
    }
    if (context_reserve(&l->context, &l->net))
        return status_error(NW_EIO, "narrows exec: %s\n", l->context.why);
    l->dense = allocate(4 * (size_t)l->map.ndense);
    l->gradients = allocate(4 * (size_t)l->map.ndense);
    l->batch.images = allocate(4 * values * (size_t)l->samples);
    l->batch.ids = allocate(4);
    l->batch.labels = allocate(4 * (size_t)l->samples);
    if (!l->dense || !l->gradients || !l->batch.images || !l->batch.ids || !l->batch.labels)
        return NW_ENOMEM;
    parameters_initialize(&l->map, l->model, &(struct initialization){ .scheme = INITIALIZE_HE }, SEED, l->dense, NULL);
    memset(l->gradients, 0, 4 * (size_t)l->map.ndense);
    return NW_OK;
}

int learner_open(const struct model *m, int64_t samples, int32_t worker, struct learner **out, char *why, size_t nwhy)
{
    struct learner *l;
    int rc = refuse_net(m, why, nwhy);

    *out = NULL;
    if (rc)
        return rc;
    l = calloc(1, sizeof(*l));
    if (!l)
        return NW_ENOMEM;
    l->model = m;
    l->samples = samples > 0 ? samples : 1;
    l->worker = worker;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->changed, NULL);
    open_data(l);
    rc = open_net(l, why, nwhy);
    if (rc)
        learner_close(l);
    else
        *out = l;
    return rc;
}

void learner_close(struct learner *l)
{
    if (!l)
        return;
    if (l->runs) {
        pthread_mutex_lock(&l->lock);
        l->ends = true;
        pthread_cond_broadcast(&l->changed);
        pthread_mutex_unlock(&l->lock);
        pthread_join(l->thread, NULL);
    }
    pthread_mutex_destroy(&l->lock);
    pthread_cond_destroy(&l->changed);
    net_free(&l->net);
    context_close(&l->context);
    parameter_map_free(&l->map);
    if (l->data)
        l->data->close(l->data);
    free(l->dense);
    free(l->gradients);
    free(l->batch.images);
    free(l->batch.ids);
    free(l->batch.labels);
    free(l->pieces);
    free(l);
}

/* Every step and worker has samples of its own. */
static int fetch(struct learner *l)
{
    int64_t values = l->model->input.channels * l->model->input.height * l->model->input.width;
    uint64_t first = (l->steps * 8191 + (uint64_t)l->worker * 127) * (uint64_t)l->samples;
    char reason[256] = "";

    for (int64_t i = 0; i < l->samples; i++) {
        float *image = l->batch.images + i * values;
        if (l->data) {
            if (l->data->sample(l->data, DATA_TRAIN, (int64_t)((first + (uint64_t)i) % SAMPLES), 0, image, l->batch.ids,
                                l->batch.labels + i, reason, sizeof(reason)))
                return status_error(NW_EIO, "narrows exec: %s\n", reason);
            continue;
        }
        struct draw d = draw_of(SEED, DRAW_IMAGES, (uint32_t)l->worker, first + (uint64_t)i);
        for (int64_t k = 0; k < values; k++)
            image[k] = 2 * draw_unit(&d) - 1;
        l->batch.labels[i] = (int32_t)draw_below(&d, (uint32_t)classes_of(l->model));
    }
    return context_feed(&l->context, &l->net, &l->batch) ? status_error(NW_EIO, "narrows exec: %s\n", l->context.why)
                                                         : NW_OK;
}

static int pass_with(struct learner *l, const struct pass_hook *hook)
{
#ifdef _OPENMP
    omp_set_num_threads(1); /* of this thread's calls: the other ranks compute as well */
#endif
    struct pass pass = { .net = &l->net,
                         .map = &l->map,
                         .dense = l->dense,
                         .gradients = l->gradients,
                         .seed = SEED,
                         .step = l->steps,
                         .hook = hook };
    int rc = fetch(l);

    if (rc)
        return rc;
    memset(l->gradients, 0, 4 * (size_t)l->map.ndense);
    rc = pass_run(&pass, &l->context);
    l->steps++;
    return rc ? status_error(NW_EIO, "narrows exec: %s\n", l->context.why) : NW_OK;
}

int learner_pass(struct learner *l)
{
    return pass_with(l, NULL);
}

/* --- piece by piece ----------------------------------------------------------------------------------------------- */

/* The last piece that this layer is not before, in the order of the pass. */
static size_t piece_of(const struct learner *l, bool backward, int32_t layer)
{
    size_t found = 0;

    for (size_t i = 0; i < l->npieces; i++) {
        const struct piece *p = &l->pieces[i];
        if (p->backward && !backward)
            break;
        if (p->backward != backward)
            continue;
        if (!found || !l->pieces[found].backward != !backward)
            found = i; /* the first of its direction: whatever is before all others */
        if (backward ? p->layer >= layer : p->layer <= layer)
            found = i;
    }
    return found;
}

/* Waits until the operation's piece may be computed. */
static int before(void *own, const struct operation *o, struct context *context)
{
    struct learner *l = own;
    size_t piece = piece_of(l, o->backward, o->layer);

    (void)context;
    pthread_mutex_lock(&l->lock);
    if (piece > l->reached) {
        l->reached = piece; /* those before it are done */
        pthread_cond_broadcast(&l->changed);
    }
    while (!l->ends && piece >= l->allowed)
        pthread_cond_wait(&l->changed, &l->lock);
    int rc = l->ends ? E_FAILED : 0;
    pthread_mutex_unlock(&l->lock);
    return rc;
}

static void *compute(void *own)
{
    struct learner *l = own;
    const struct pass_hook hook = { .before = before, .own = l };

    pthread_mutex_lock(&l->lock);
    while (!l->ends) {
        while (!l->ends && !l->allowed)
            pthread_cond_wait(&l->changed, &l->lock);
        if (l->ends)
            break;
        pthread_mutex_unlock(&l->lock);
        int rc = pass_with(l, &hook);
        pthread_mutex_lock(&l->lock);
        l->rc = l->ends ? l->rc : rc;
        l->reached = l->npieces;
        l->allowed = 0;
        pthread_cond_broadcast(&l->changed);
        while (!l->ends && l->reached == l->npieces) /* until the first piece of the next step is asked for */
            pthread_cond_wait(&l->changed, &l->lock);
    }
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

int learner_plan(struct learner *l, const int32_t *forward, size_t nforward, const int32_t *backward, size_t nbackward)
{
    l->pieces = malloc((nforward + nbackward + 1) * sizeof(*l->pieces));
    if (!l->pieces)
        return NW_ENOMEM;
    for (size_t i = 0; i < nforward; i++)
        l->pieces[l->npieces++] = (struct piece){ false, forward[i] };
    for (size_t i = 0; i < nbackward; i++)
        l->pieces[l->npieces++] = (struct piece){ true, backward[i] };
    l->reached = l->npieces;
    if (pthread_create(&l->thread, NULL, compute, l))
        return status_error(NW_EIO, "narrows exec: a thread to compute layers could not be started\n");
    l->runs = true;
    return NW_OK;
}

int learner_piece(struct learner *l, bool backward, int32_t layer)
{
    size_t piece = piece_of(l, backward, layer);

    pthread_mutex_lock(&l->lock);
    if (l->reached == l->npieces)
        l->reached = 0; /* a new step */
    l->allowed = piece + 1;
    pthread_cond_broadcast(&l->changed);
    while (!l->rc && l->reached <= piece)
        pthread_cond_wait(&l->changed, &l->lock);
    int rc = l->rc;
    pthread_mutex_unlock(&l->lock);
    return rc;
}

/* --- gradients ---------------------------------------------------------------------------------------------------- */

void learner_gradient(const struct learner *l, const struct graph_tensor *t, float *out)
{
    const struct layer_place *p = &l->map.layers[t->layer];
    bool weights = !*t->part;
    int64_t at = weights && p->weights != NO_PARAMETERS ? p->weights : p->biases;

    if (!strcmp(t->part, " shift")) /* behind the scales */
        at += l->model->layers[t->layer].biases - l->model->layers[t->layer].biases / 2;
    if (at < 0 || at + t->values > l->map.ndense)
        memset(out, 0, (size_t)t->values * sizeof(float));
    else
        memcpy(out, l->gradients + at, (size_t)t->values * sizeof(float));
}
