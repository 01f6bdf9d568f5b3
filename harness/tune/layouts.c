#include "harness/tune/layouts.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "harness/run/point/key.h"
#include "harness/run/point/measures.h"
#include "harness/status.h"
#include "harness/tune/axes.h"

/* Does it change where ranks are? */
static bool is_outer(const struct sharded *a, const struct sharded *b)
{
    return a->tensor != b->tensor || a->context != b->context || a->expert != b->expert || a->data != b->data ||
           a->pipeline != b->pipeline || a->shard != b->shard || strcmp(a->order, b->order) != 0;
}

/* Does it change nothing but what is sharded, and how that is sent? */
static bool is_late(const struct sharded *base, const struct sharded *m)
{
    struct sharded same;

    memcpy(&same, m, sizeof(same));
    same.level = base->level;
    same.secondary = base->secondary;
    same.reshard = base->reshard;
    same.reduce_each = base->reduce_each;
    same.two_steps = base->two_steps;
    same.prefetch = base->prefetch;
    memcpy(&same.codec_weights, &base->codec_weights, sizeof(same.codec_weights));
    memcpy(&same.codec_gradients, &base->codec_gradients, sizeof(same.codec_gradients));
    return !memcmp(&same, base, sizeof(same));
}

static int patch_make(const struct sharded *base, const struct sharded *m, struct patch *out)
{
    const unsigned char *from = (const unsigned char *)base, *to = (const unsigned char *)m;
    size_t n = 0;

    _Static_assert(sizeof(struct sharded) <= UINT16_MAX, "offsets are short");
    for (size_t i = 0; i < sizeof(*m); i++)
        n += from[i] != to[i];
    out->at = malloc((n + 1) * sizeof(*out->at));
    out->bytes = malloc(n + 1);
    if (!out->at || !out->bytes)
        return NW_ENOMEM;
    for (size_t i = 0; i < sizeof(*m); i++)
        if (from[i] != to[i]) {
            out->at[out->n] = (unsigned short)i;
            out->bytes[out->n++] = to[i];
        }
    return NW_OK;
}

static void patch(const struct patch *p, struct sharded *m)
{
    for (size_t i = 0; i < p->n; i++)
        ((unsigned char *)m)[p->at[i]] = p->bytes[i];
}

/* What a point has besides the keys of its method, as its canonical text has it. */
static char *others(const struct scenario *sc)
{
    char *text = scenario_canonical(sc), *out = text;

    for (const char *line = text, *end; line && *line; line = end) {
        end = strchr(line, '\n');
        end = end ? end + 1 : line + strlen(line);
        if (!strncmp(line, "method.", strlen("method.")))
            continue;
        memmove(out, line, (size_t)(end - line));
        out += end - line;
    }
    if (out)
        *out = '\0';
    return text;
}

static int check_value(const struct layouts *s, const struct point *p)
{
    char *base = others(&s->points[0].scenario), *here = others(&p->scenario);
    int rc = base && here ? NW_OK : NW_ENOMEM;

    if (!rc && strcmp(base, here) != 0)
        rc = status_error(NW_EINPUT,
                          "%s: expected axes and variants that change keys of the method alone, point %zu differs in "
                          "another one\n",
                          scenario_path(s->file), p->index);
    free(base);
    free(here);
    return rc;
}

static int add_axis(struct layouts *s, size_t n, size_t stride, struct layouts_axis *out, bool *outer, bool *late)
{
    const struct sharded *base = &s->job.method->sharded;
    int rc = NW_OK;

    *out = (struct layouts_axis){ n, stride, calloc(n, sizeof(*out->patches)) };
    *outer = false;
    *late = true;
    if (!out->patches)
        return NW_ENOMEM;
    for (size_t v = 0; !rc && v < n; v++) {
        struct point *p = &s->points[v ? s->npoints : 0];
        rc = v ? layouts_point(s, v * stride, p) : NW_OK;
        s->npoints += !rc && v;
        rc = rc ? rc : check_value(s, p);
        if (rc)
            break;
        *outer |= is_outer(base, &p->scenario.method.sharded);
        *late &= is_late(base, &p->scenario.method.sharded);
        rc = patch_make(base, &p->scenario.method.sharded, &out->patches[v]);
    }
    return rc;
}

/* The axes in the order in which layouts are visited. */
static int order_axes(struct layouts *s)
{
    size_t lengths[LAYOUTS_AXES], n = scenario_axes(s->file, lengths, LAYOUTS_AXES), stride = 1, values = 1;
    struct layouts_axis axes[LAYOUTS_AXES] = { { 0 } };
    bool outer[LAYOUTS_AXES] = { false }, late[LAYOUTS_AXES] = { false };
    int rc = NW_OK;

    if (n > LAYOUTS_AXES)
        return status_error(NW_EINPUT, "%s: expected at most %d axes, got %zu\n", scenario_path(s->file), LAYOUTS_AXES,
                            n);
    for (size_t i = 0; i < n; i++)
        values += lengths[i];
    s->points = calloc(values, sizeof(*s->points));
    rc = s->points ? layouts_point(s, 0, &s->points[0]) : NW_ENOMEM;
    if (rc)
        return rc;
    s->npoints = 1;
    s->job.method = &s->points[0].scenario.method;
    for (size_t i = n; i-- > 0; stride *= lengths[i])
        rc = rc ? rc : add_axis(s, lengths[i], stride, &axes[i], &outer[i], &late[i]);
    for (int turn = 0; turn < 3; turn++) {
        for (size_t i = 0; i < n; i++)
            if (turn == (outer[i] ? 0 : late[i] ? 2 : 1))
                s->axes[s->naxes++] = axes[i];
        s->nouter = turn ? s->nouter : s->naxes;
    }
    s->nblocks = s->block_size = 1;
    for (size_t i = 0; i < s->naxes; i++)
        *(i < s->nouter ? &s->nblocks : &s->block_size) *= s->axes[i].n;
    return rc;
}

static int check_base(const struct scenario_file *f, struct point *p)
{
    int rc = scenario_point(f, 0, p);

    if (rc)
        return rc;
    if (!p->scenario.simulated || p->scenario.method.kind != METHOD_SHARDED)
        return status_error(NW_EINPUT, "%s: expected a scenario of the method sharded, got another one\n",
                            scenario_path(f));
    return NW_OK;
}

/* The axes that are searched, as the texts of --sweep: those that the user varies first. */
static int find_axes(const struct tune_question *q, struct tuned_axes *a)
{
    struct scenario_file *file = NULL;
    struct point p = { .nparams = 0 };
    int rc;

    for (size_t i = 0; i < q->nvaried; i++)
        tuned_axes_add(a, "%s", q->varied[i]);
    rc = scenario_open(q->path, q->sets, q->nsets, (const char *const *)a->list, a->n, stderr, &file);
    if (rc)
        return rc;
    rc = check_base(file, &p);
    if (!rc)
        tuned_axes_of_layouts(a, &p, q->sets, q->nsets);
    rc = rc ? rc : tuned_axes_of_codecs(a, &p, q->codecs, q->ncodecs);
    point_free(&p);
    scenario_close(file);
    return !rc && a->failed ? NW_ENOMEM : rc;
}

int layouts_open(const struct tune_question *q, struct layouts *out)
{
    struct tuned_axes axes = { .n = 0 };
    char why[256] = "";
    int rc = find_axes(q, &axes);

    *out = (struct layouts){ .idle = q->idle };
    rc =
        rc ? rc : scenario_open(q->path, q->sets, q->nsets, (const char *const *)axes.list, axes.n, stderr, &out->file);
    for (size_t i = 0; i < axes.n; i++)
        out->own_shards |= !strncmp(axes.list[i], "method.shard=0,", strlen("method.shard=0,")) && i >= q->nvaried;
    tuned_axes_free(&axes);
    rc = rc ? rc : supply_open(&out->supply, out->file, q->db, "tune", "", q->command);
    rc = rc ? rc : order_axes(out);
    if (rc)
        return rc;
    const struct scenario *sc = &out->points[0].scenario;
    rc = measures_model(sc, &out->model, why, sizeof(why));
    if (rc)
        scenario_refuse(out->file, &out->points[0], why, stderr);
    out->job = (struct job){ &sc->platform, &out->model, &sc->method, sc->batch };
    return rc ? NW_EINPUT : NW_OK;
}

void layouts_close(struct layouts *s, int rc)
{
    for (size_t i = 0; i < s->naxes; i++)
        for (size_t v = 0; s->axes[i].patches && v < s->axes[i].n; v++) {
            free(s->axes[i].patches[v].at);
            free(s->axes[i].patches[v].bytes);
        }
    for (size_t i = 0; i < s->naxes; i++)
        free(s->axes[i].patches);
    for (size_t i = 0; i < s->npoints; i++)
        point_free(&s->points[i]);
    free(s->points);
    model_free(&s->model);
    if (s->supply.file)
        supply_close(&s->supply, rc);
    scenario_close(s->file);
}

/* Groups that share a copy, other than all replicas, are those of a machine alone, where there are several. */
static bool shards_right(const struct layouts *s, const struct sharded *m, int64_t replicas)
{
    return !m->shard || (m->level && m->shard < replicas && m->shard * m->tensor == s->job.platform->gpu.count);
}

static bool same_codec(const struct codec_spec *a, const struct codec_spec *b)
{
    return a->format == b->format;
}

/* What does nothing in a layout is as in the base. */
static bool no_twin(const struct layouts *s, const struct sharded *m)
{
    const struct sharded *base = &s->job.method->sharded;
    int64_t gpus = s->job.platform->gpu.count * s->job.platform->machines, others = m->tensor * m->pipeline;
    int64_t replicas = m->data ? m->data * m->context : gpus / others;
    bool gathers = m->level && replicas > 1;

    if (!s->idle && m->data && m->data * m->context * others != gpus)
        return false;
    if (s->own_shards && !shards_right(s, m, replicas))
        return false;
    if (m->chunks > 1 && s->model.gpt.hidden && s->model.gpt.layers % (m->pipeline * m->chunks))
        return false;
    return (m->tensor > 1 || m->sequence == base->sequence) && (replicas > 1 || m->level == base->level) &&
           (gathers || same_codec(&m->codec_weights, &base->codec_weights)) &&
           (replicas > 1 || same_codec(&m->codec_gradients, &base->codec_gradients)) &&
           (m->pipeline > 1 || same_codec(&m->codec_activations, &base->codec_activations));
}

bool layouts_at(const struct layouts *s, size_t block, size_t inside, struct sharded *out, size_t *point)
{
    memcpy(out, &s->job.method->sharded, sizeof(*out));
    *point = 0;
    for (size_t i = s->naxes; i-- > 0;) {
        size_t *number = i < s->nouter ? &block : &inside, v = *number % s->axes[i].n;
        *number /= s->axes[i].n;
        *point += v * s->axes[i].stride;
        patch(&s->axes[i].patches[v], out);
    }
    return no_twin(s, out);
}

void layouts_method(const struct layouts *s, size_t point, struct sharded *out)
{
    memcpy(out, &s->job.method->sharded, sizeof(*out));
    for (size_t i = 0; i < s->naxes; i++)
        patch(&s->axes[i].patches[point / s->axes[i].stride % s->axes[i].n], out);
}

int layouts_point(struct layouts *s, size_t number, struct point *out)
{
    int rc = scenario_point(s->file, number, out);

    return rc ? rc : supply_point(&s->supply, out);
}

int layouts_key(const struct layouts *s, char key[LAYOUTS_KEY + 1])
{
    XXH3_state_t *state = XXH3_createState();
    char one[POINT_KEY_LENGTH + 1];
    int rc = state ? NW_OK : NW_ENOMEM;

    if (!rc)
        XXH3_128bits_reset(state);
    for (size_t i = 0; !rc && i < s->npoints; i++) {
        rc = point_key(&s->points[i], one);
        if (!rc)
            XXH3_128bits_update(state, one, sizeof(one));
    }
    if (!rc) {
        XXH128_hash_t hash = XXH3_128bits_digest(state);
        snprintf(key, LAYOUTS_KEY + 1, "%016llx%016llx", (unsigned long long)hash.high64,
                 (unsigned long long)hash.low64);
    }
    XXH3_freeState(state);
    return rc;
}
