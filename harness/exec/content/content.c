#include "harness/exec/content/content.h"

#include <stdlib.h>
#include <string.h>

#include "harness/exec/content/private.h"
#include "harness/status.h"

float content_pattern(int32_t rank, int64_t place)
{
    return (float)((place * 7 + rank * 13) % 31 - 15);
}

static void fill_pattern(struct content *c)
{
    for (int64_t i = 0; i < c->nvalues; i++)
        c->gradients[i] = content_pattern(c->rank, i);
}

static int place_tensors(struct content *c)
{
    const struct task_graph *g = c->graph;

    for (size_t i = 0; i < g->ntensors; i++) {
        c->at[i] = c->nvalues;
        c->nvalues += g->tensors[i].values;
        if (g->tensors[i].item >= c->nitems)
            c->nitems = g->tensors[i].item + 1;
    }
    c->items = calloc((size_t)c->nitems + 1, sizeof(*c->items));
    c->gradients = malloc(((size_t)c->nvalues + 1) * sizeof(float));
    if (!c->items || !c->gradients)
        return NW_ENOMEM;
    for (size_t i = g->ntensors; i-- > 0;) {
        struct item *item = &c->items[g->tensors[i].item];
        item->first = i;
        item->n++;
    }
    return NW_OK;
}

bool content_codes(const struct task_graph *g)
{
    for (size_t i = 0; i < g->ntensors; i++)
        if ((codec_spec_codes(&g->tensors[i].push, g->tensors[i].values) && g->tensors[i].push.format != WIRE_LOCAL) ||
            (codec_spec_codes(&g->tensors[i].pull, g->tensors[i].values) && g->tensors[i].pull.format != WIRE_LOCAL))
            return true;
    return false;
}

/* Traffic without tensors: whatever is in memory. As much as the largest message, from the start: those under way are
 * sent from there. */
static int make_plain(struct content *c)
{
    int64_t most = 1;

    for (size_t i = 0; i < c->graph->ntasks; i++)
        most = c->graph->tasks[i].place.bytes > most ? c->graph->tasks[i].place.bytes : most;
    c->plain = malloc((size_t)most);
    if (c->plain)
        memset(c->plain, 0x5a, (size_t)most);
    return c->plain ? NW_OK : NW_ENOMEM;
}

int content_open(const struct task_graph *g, int32_t rank, struct content **out)
{
    struct content *c = calloc(1, sizeof(*c));
    int rc = c ? NW_OK : NW_ENOMEM;

    *out = NULL;
    if (rc)
        return rc;
    c->graph = g;
    c->rank = rank;
    c->at = malloc((g->ntensors + 1) * sizeof(*c->at));
    rc = c->at ? place_tensors(c) : NW_ENOMEM;
    rc = rc ? rc : turns_open(c);
    if (!rc)
        fill_pattern(c);
    if (!rc && !g->ntensors)
        rc = make_plain(c);
    /* one worker by itself has nothing to sum, and sums nothing */
    c->known = g->every_push && !content_codes(g) && !(g->summed && g->nranks == 1);
    if (!rc && g->ntensors)
        rc = g->summed ? vectors_open(c) : parameters_open(c);
    if (rc)
        content_close(c);
    else
        *out = c;
    return rc;
}

void content_close(struct content *c)
{
    if (!c)
        return;
    vectors_close(c);
    parameters_close(c);
    turns_close(c);
    free(c->items);
    free(c->gradients);
    free(c->at);
    free(c->plain);
    free(c);
}

float *content_vector(struct content *c, int32_t item, size_t *n)
{
    return vectors_floats(c, item, n);
}

int content_message(struct content *c, int32_t task, const void **bytes, size_t *n)
{
    const struct task_place *p = &c->graph->tasks[task].place;
    int rc;

    if (!c->graph->ntensors) {
        *n = (size_t)p->bytes;
        *bytes = c->plain;
        rc = NW_OK;
    } else {
        rc = c->graph->summed ? vectors_message(c, task, bytes, n) : parameters_message(c, task, bytes, n);
    }
    if (!rc)
        c->sent_bytes += (int64_t)*n;
    return rc;
}

int content_coder(const struct content *c, size_t tensor, struct coder *out)
{
    const struct graph_tensor *t = &c->graph->tensors[tensor];
    struct codec_spec spec = t->push;

    spec.density *= c->graph->ranks[c->rank].density_ratio;
    return coder_open(&spec, t->values, tensor * 1009 + (uint64_t)c->rank, out);
}

static double densest(const struct task_graph *g)
{
    double most = 1;

    for (size_t r = 0; r < g->nranks; r++)
        most = g->ranks[r].density_ratio > most ? g->ranks[r].density_ratio : most;
    return most;
}

/* Of all tensors of an item: streams as long as their codecs may make them. */
static int64_t most_of_item(const struct content *c, const struct item *item)
{
    double ratio = densest(c->graph);
    int64_t sum = 0;

    for (size_t i = item->first; i < item->first + item->n; i++) {
        struct graph_tensor t = c->graph->tensors[i];
        t.push.density *= ratio;
        int64_t push = coder_most(&t.push, t.values), pull = coder_most(&t.pull, t.values);
        sum += push > pull ? push : pull;
    }
    return sum;
}

int64_t content_most(const struct content *c, int32_t task)
{
    const struct graph_task *t = &c->graph->tasks[task];

    return c->graph->ntensors ? most_of_item(c, &c->items[t->item]) : t->place.bytes;
}

int content_arrived(struct content *c, int32_t task, void *bytes, size_t n)
{
    if (!c->graph->ntensors) {
        int64_t want = c->graph->tasks[task].place.bytes;
        free(bytes);
        return (int64_t)n == want
                   ? NW_OK
                   : status_error(NW_EIO, "expected a message of %lld bytes, got %zu\n", (long long)want, n);
    }
    return c->graph->summed ? vectors_arrived(c, task, bytes, n) : parameters_arrived(c, task, bytes, n);
}

int content_work(struct content *c, int32_t task)
{
    if (!c->graph->ntensors)
        return NW_OK;
    return c->graph->summed ? vectors_work(c, task) : parameters_work(c, task);
}

void content_restart(struct content *c)
{
    c->sent_bytes = 0;
    if (c->graph->ntensors && !c->graph->summed)
        parameters_restart(c);
}

int64_t content_wrong(const struct content *c)
{
    if (!c->known || !c->graph->ntensors)
        return -1;
    return c->graph->summed ? vectors_wrong(c) : parameters_wrong(c);
}

int64_t content_sent_bytes(const struct content *c)
{
    return c->sent_bytes;
}
