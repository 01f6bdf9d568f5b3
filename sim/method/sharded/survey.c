#include "sim/method/sharded/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "sim/method/method.h"
#include "sim/method/sharded/outer.h"

struct survey {
    struct engine *engine;
    struct topology *topology;
    struct plan_links links;
    bool has_links;
    /* The keys of the job whose passes were computed last, but for those that do not change them. */
    struct sharded passes;
    double passes_ps;
    bool has_passes;
};

int survey_new(const struct platform *platform, struct survey **out, char *why, size_t nwhy)
{
    struct survey *s = calloc(1, sizeof(*s));
    int rc = s ? E_OK : E_NOMEM;

    if (s && !(s->engine = engine_new()))
        rc = E_NOMEM;
    rc = rc ? rc : topology_check(platform, why, nwhy);
    rc = rc ? rc : topology_new(platform, s->engine, NULL, &s->topology, why, nwhy);
    if (rc) {
        survey_free(s);
        s = NULL;
    }
    *out = s;
    return rc;
}

void survey_free(struct survey *s)
{
    if (!s)
        return;
    topology_free(s->topology);
    engine_free(s->engine);
    free(s);
}

static bool same_layout(const struct parallel *a, const struct parallel *b)
{
    bool same = a->expert == b->expert && a->shard == b->shard && a->gpus_per_machine == b->gpus_per_machine;

    for (int i = 0; i < AXES; i++)
        same = same && a->degree[i] == b->degree[i] && a->order[i] == b->order[i];
    return same;
}

static int find_links(struct survey *s, const struct platform *platform, const struct parallel *l)
{
    int rc = E_OK;

    if (s->has_links && same_layout(&s->links.layout, l))
        return E_OK;
    s->has_links = s->has_passes = false;
    rc = plan_links_of(platform, s->topology, l, &s->links);
    s->has_links = !rc;
    return rc;
}

/* What is sharded and how it is sent changes no pass. */
static void passes_of(const struct sharded *m, struct sharded *out)
{
    memcpy(out, m, sizeof(*out)); /* with what lies between its members, so that equal ones compare equal */
    out->level = 0;
    out->secondary = out->reshard = out->reduce_each = out->two_steps = out->overlap = out->outer_overlap = false;
    out->prefetch = out->local_steps = 0;
    memset(&out->codec_weights, 0, sizeof(out->codec_weights));
    memset(&out->codec_gradients, 0, sizeof(out->codec_gradients));
}

static bool too_slow(const struct survey *s, const struct sharded *m, double most_ps)
{
    struct sharded passes;

    passes_of(m, &passes);
    return s->has_passes && s->passes_ps > most_ps && !memcmp(&passes, &s->passes, sizeof(passes));
}

static void note_passes(struct survey *s, const struct sharded *m, double compute_ps)
{
    passes_of(m, &s->passes);
    s->passes_ps = compute_ps;
    s->has_passes = true;
}

static int time_it(struct survey *s, struct sharded_plan *p, double most_ps, struct survey_view *out)
{
    int rc;

    if (too_slow(s, p->m, most_ps)) {
        out->end = SURVEY_SLOWER;
        return E_OK;
    }
    rc = plan_times(p);
    if (rc)
        return rc;
    out->closed = closed_step(p);
    out->step_ps = out->closed.step_ps + outer_step_ps(p, out->closed.step_ps);
    note_passes(s, p->m, out->closed.compute_ps);
    out->end = out->closed.compute_ps > most_ps ? SURVEY_SLOWER : SURVEY_TIMED;
    return E_OK;
}

int survey_look(struct survey *s, const struct job *j, double most_ps, bool roomy, struct survey_view *out)
{
    struct sharded_plan p = { 0 };
    char why[256];
    int rc;

    *out = (struct survey_view){ .end = SURVEY_REFUSED };
    rc = sharded_check_keys(j, &out->layout, why, sizeof(why));
    if (rc)
        return rc == E_NOMEM ? rc : E_OK;
    rc = find_links(s, j->platform, &out->layout);
    rc = rc ? rc : plan_sizes(j, &s->links, PLAN_ALIKE, &p);
    if (!rc) {
        out->memory = memory_fullest(&p);
        out->memory_limit = memory_limit(&p);
        out->end = SURVEY_FULL;
        if (roomy || out->memory.total <= out->memory_limit)
            rc = time_it(s, &p, most_ps, out);
    }
    plan_free(&p);
    return rc;
}
