#include "harness/exec/show.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/host/identity.h"
#include "harness/status.h"
#include "harness/trace/chrome.h"

/* A codec's payload depends on the values, and the scenario states only a mean: then the error is not the network's. */
#define NOTED 0.05

static int by_time(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Of an even number the mean of the two in the middle. Sorts. */
static double median_ns(int64_t *list, size_t n)
{
    qsort(list, n, sizeof(*list), by_time);
    return 0.5 * ((double)list[(n - 1) / 2] + (double)list[n / 2]);
}

static bool depends_on_values(const struct codec_spec *c)
{
    return c->format == WIRE_3LC || c->format == WIRE_SPARSIFY || c->format == WIRE_DCT || c->format == WIRE_ASKED;
}

/* How many times the simulated bytes the payloads of the last repetition had; 1 where they cannot differ. */
static double payload_ratio(const struct point *p, const struct task_graph *g, const struct executed *x)
{
    double simulated = 0, executed = 0;
    bool may_differ = false;

    for (size_t i = 0; i < g->ntensors; i++)
        may_differ |= depends_on_values(&g->tensors[i].push) || depends_on_values(&g->tensors[i].pull);
    for (size_t i = 0; i < g->ntasks; i++)
        if (g->tasks[i].place.work == WORK_MOVE && g->tasks[i].bytes > 0)
            simulated += (double)g->tasks[i].bytes - p->scenario.platform.network.message_bytes;
    for (size_t r = 0; r < x->nranks; r++)
        executed += (double)x->ranks[(x->repetitions - 1) * x->nranks + r].sent_bytes;
    return may_differ && simulated > 0 ? executed / simulated : 1;
}

void show_executed(const struct scenario_file *file, const struct point *p, const struct task_graph *g,
                   const struct executed *x, FILE *out)
{
    int64_t *sorted = malloc(x->repetitions * sizeof(*sorted));
    double simulated_ms = task_graph_step_ps(g, NULL) / 1e9;

    if (!sorted)
        return;
    memcpy(sorted, x->step_ns, x->repetitions * sizeof(*sorted));
    double ms = median_ns(sorted, x->repetitions) / 1e6;
    fprintf(out, "%s[%zu]", scenario_name(file), p->index);
    if (*p->variant)
        fprintf(out, " %s", p->variant);
    for (size_t i = 0; i < p->nparams; i++)
        fprintf(out, " %s=%s", p->params[i].path, p->params[i].text);
    fprintf(out, ": executed %.4g ms a step (%.4g..%.4g, n = %zu), simulated %.4g ms: %+.1f %%", ms,
            (double)sorted[0] / 1e6, (double)sorted[x->repetitions - 1] / 1e6, x->repetitions, simulated_ms,
            100 * (simulated_ms / ms - 1));
    double ratio = payload_ratio(p, g, x);
    if (fabs(ratio - 1) > NOTED)
        fprintf(out, "; these gradients, encoded, had %.2f of the simulated bytes", ratio);
    if (x->wrong > 0)
        fprintf(out, "; %lld VALUES ARE WRONG", (long long)x->wrong);
    fputc('\n', out);
    free(sorted);
}

/* --- timeline ----------------------------------------------------------------------------------------------------- */

/* Tracks come in pairs: 2 i as executed, 2 i + 1 as simulated. Of each rank one pair for each of its resources, and one
 * for what it sends without one. */
static size_t pair_of(const struct task_graph *g, const struct graph_task *t)
{
    size_t own = t->resource >= 0 && t->place.work != WORK_MOVE ? (size_t)t->resource + 1 : 0;

    return (size_t)t->place.rank * (g->nresources + 1) + own;
}

static bool is_shown(const struct graph_task *t)
{
    return t->place.rank >= 0 && t->place.work != WORK_ORDER && t->place.work != WORK_NOTHING;
}

static void name_track(const struct task_graph *g, size_t pair, const char *how, struct track *out)
{
    const struct graph_rank *r = &g->ranks[pair / (g->nresources + 1)];
    size_t own = pair % (g->nresources + 1);

    snprintf(out->name, sizeof(out->name), "%s %d %s, %s 0", r->role, (int)r->number,
             own ? g->resources[own - 1].kind : "sends", how);
}

static void name_span(const struct task_graph *g, const struct graph_task *t, struct span *s)
{
    static const char *const words[] = {
        [WORK_FORWARD] = "forward", [WORK_BACKWARD] = "backward", [WORK_CLOCK] = "compute", [WORK_FILL] = "fill",
        [WORK_ENCODE] = "encode",   [WORK_DECODE] = "decode",     [WORK_SUM] = "sum",       [WORK_UPDATE] = "update",
        [WORK_REDUCE] = "reduce",   [WORK_MOVE] = "send"
    };

    if (t->place.work == WORK_MOVE)
        snprintf(s->name, sizeof(s->name), "%d to %s %d", (int)t->item, g->ranks[t->place.peer].role,
                 (int)g->ranks[t->place.peer].number);
    else
        snprintf(s->name, sizeof(s->name), "%s %d", words[t->place.work], (int)t->item);
}

static int by_start(const void *a, const void *b)
{
    const struct span *x = a, *y = b;

    if (x->start_ps != y->start_ps)
        return (x->start_ps > y->start_ps) - (x->start_ps < y->start_ps);
    return (x->id > y->id) - (x->id < y->id);
}

static int fill_timeline(const struct task_graph *g, const struct executed *x, struct timeline *t)
{
    size_t pairs = g->nranks * (g->nresources + 1);

    t->tracks = calloc(2 * pairs + 1, sizeof(*t->tracks));
    t->spans = calloc(2 * g->ntasks + 1, sizeof(*t->spans));
    if (!t->tracks || !t->spans)
        return NW_ENOMEM;
    t->ntracks = 2 * pairs;
    for (size_t i = 0; i < pairs; i++) {
        name_track(g, i, "executed", &t->tracks[2 * i]);
        name_track(g, i, "simulated", &t->tracks[2 * i + 1]);
    }
    for (size_t i = 0; i < g->ntasks; i++) {
        const struct graph_task *task = &g->tasks[i];
        struct span s = { .bytes = task->bytes, .id = (int)i };
        if (!is_shown(task))
            continue;
        name_span(g, task, &s);
        s.track = (int)(2 * pair_of(g, task));
        s.start_ps = 1000 * x->tasks[i].start_ns;
        s.end_ps = 1000 * x->tasks[i].end_ns;
        t->spans[t->nspans++] = s;
        s.track++;
        s.start_ps = task->start_ps;
        s.end_ps = task->end_ps;
        t->spans[t->nspans++] = s;
    }
    qsort(t->spans, t->nspans, sizeof(*t->spans), by_start);
    return timeline_spread(t) ? NW_ENOMEM : NW_OK;
}

int show_timeline(const char *path, const struct task_graph *g, const struct executed *x)
{
    struct timeline t = { 0 };
    struct chrome_note note = { "program", identity_version() };
    struct chrome_options o = { .notes = &note, .nnotes = 1 };
    int rc = fill_timeline(g, x, &t);
    FILE *f = rc ? NULL : fopen(path, "w");

    if (!rc && !f)
        rc = status_error(NW_EIO, "narrows exec: %s: %s\n", path, strerror(errno));
    if (f) {
        rc = chrome_write(&t, &o, f);
        if (ferror(f) | fclose(f))
            rc = status_error(NW_EIO, "narrows exec: %s: %s\n", path, strerror(errno));
    }
    timeline_free(&t);
    return rc;
}
