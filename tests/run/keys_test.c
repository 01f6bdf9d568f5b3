/* keys_test.c - no key is ignored in silence: for each kind of method, every key of its own and of the platform
 * changes some result, or is refused, when it is given another value in one of a few scenarios. Those that cannot
 * are listed, each with the reason. */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/run/point/measures.h"
#include "harness/scenario/scenario.h"
#include "harness/scenario/schema/walk.h"
#include "harness/status.h"
#include "tests/sanitized.h"
#include "tests/test.h"

enum { MOST_KEYS = 400 };

static const struct {
    const char *method, *files[3];
} bases[] = {
    { "host-sgd", { "host-sgd" } },
    { "parameter-server", { "parameter-server" } },
    { "allreduce", { "allreduce" } },
    { "model-parallel", { "model-parallel" } },
    { "flows", { "flows" } },
    { "memory-plan", { "memory-plan", "memory-plan-workers" } },
    { "collective", { "collective", "collective-nccl" } },
    { "sharded", { "sharded", "sharded-network", "sharded-experts" } },
};

/* What has no effect, and why. */
static const struct {
    const char *method, *key, *why; /* method "": any */
} without[] = {
#include "tests/run/keys_without.inc"
};

struct key {
    char path[WALK_PATH];
    bool works;
};

struct keys {
    const char *method;
    struct key list[MOST_KEYS];
    size_t n;
    struct scenario *scenario;
    struct measures base;
    int plays;
};

/* Links by any name are one key. */
static void name_key(const char *path, char out[WALK_PATH])
{
    static const char links[] = "platform.link.";
    const char *rest = path + sizeof(links) - 1, *dot;

    if (!strncmp(path, links, sizeof(links) - 1) && (dot = strchr(rest, '.')))
        snprintf(out, WALK_PATH, "%s*%s", links, dot);
    else
        snprintf(out, WALK_PATH, "%s", path);
}

static struct key *key_of(struct keys *k, const char *path)
{
    char name[WALK_PATH];

    name_key(path, name);
    for (size_t i = 0; i < k->n; i++)
        if (!strcmp(k->list[i].path, name))
            return &k->list[i];
    assert_true(k->n < MOST_KEYS);
    struct key *new = &k->list[k->n++];
    memcpy(new->path, name, sizeof(name));
    new->works = 0;
    return new;
}

/* Refused, or another result? */
static bool differs(struct keys *k)
{
    struct measures m;
    char why[1024] = "";
    bool same = !measures_of(k->scenario, &m, why, sizeof(why)) && m.count == k->base.count;

    k->plays++;
    for (size_t i = 0; same && i < m.count; i++)
        same = !strcmp(m.list[i].name, k->base.list[i].name) &&
               !memcmp(&m.list[i].value, &k->base.list[i].value, sizeof(double));
    return !same;
}

static bool in_range(const struct field *f, double v)
{
    if (f->flags & FIELD_ABOVE ? v <= f->min : v < f->min)
        return 0;
    return !(f->max > 0 && v > f->max);
}

static bool try_integer(struct keys *k, const struct field *f, int64_t *at)
{
    const int64_t was = *at, tries[] = { was + 1, was - 1, 2 * was, was / 2, was + 7, was + (1 << 20), 0 };
    bool works = 0;

    for (size_t i = 0; !works && i < sizeof(tries) / sizeof(*tries); i++) {
        *at = tries[i];
        works = tries[i] != was && in_range(f, (double)tries[i]) && differs(k);
    }
    *at = was;
    return works;
}

static bool try_number(struct keys *k, const struct field *f, double *at)
{
    const double was = *at, tries[] = { was * 2, was / 2, 1, 1e-3, 1e9 };
    bool works = 0;

    for (size_t i = 0; !works && i < sizeof(tries) / sizeof(*tries); i++) {
        *at = tries[i];
        works = tries[i] != was && in_range(f, tries[i]) && differs(k);
    }
    *at = was;
    return works;
}

static bool try_name(struct keys *k, int *at, int n)
{
    const int was = *at;
    bool works = 0;

    for (int i = 0; !works && i < n; i++) {
        *at = i;
        works = i != was && differs(k);
    }
    *at = was;
    return works;
}

static bool try_text(struct keys *k, const char **at, bool link)
{
    const char *was = *at;
    const struct platform *p = &k->scenario->platform;
    bool works = 0;

    *at = link ? "" : "another";
    works = differs(k);
    for (size_t i = 0; link && !works && i < p->nlinks; i++) {
        *at = p->links[i].name;
        works = differs(k);
    }
    *at = was;
    return works;
}

static int count_names(const struct field *f)
{
    int n = 0;

    while (f->names[n])
        n++;
    return n;
}

static bool works(struct keys *k, const struct field *f, void *at)
{
    switch (f->type) {
    case FIELD_STRING:
    case FIELD_FILE: return try_text(k, at, f->flags & FIELD_LINK);
    case FIELD_BOOL: {
        bool *flag = at;
        *flag = !*flag;
        bool w = differs(k);
        *flag = !*flag;
        return w;
    }
    case FIELD_INTEGER: return try_integer(k, f, at);
    case FIELD_NUMBER: return try_number(k, f, at);
    case FIELD_ENUM: return try_name(k, at, count_names(f));
    case FIELD_CODEC: {
        enum codec_rate *rate = at, was = *rate;
        double *given = (double *)(void *)((char *)at - f->offset + f->second), before = *given;
        *rate = CODEC_RATE_GIVEN;
        *given = 1.7e9;
        bool w = differs(k);
        *rate = was;
        *given = before;
        return w;
    }
    default: return 0;
    }
}

static const char *reason(const char *method, const char *path)
{
    for (size_t i = 0; i < sizeof(without) / sizeof(*without); i++) {
        const char *key = without[i].key;
        size_t n = strlen(key);
        if ((!*without[i].method || !strcmp(without[i].method, method)) &&
            (n && key[n - 1] == '.' ? !strncmp(key, path, n) : !strcmp(key, path)))
            return without[i].why;
    }
    return NULL;
}

/* Sampled, one key of four is tried. */
static bool is_left_out(const struct keys *k, const struct key *key)
{
    return sampled() && (key - k->list) % 4;
}

static void visit(void *context, const char *path, const struct field *f, void *at, const struct place *place)
{
    struct keys *k = context;

    (void)place;
    if (strncmp(path, "platform.", 9) && strncmp(path, "method.", 7))
        return;
    if (f->flags & (FIELD_SILENT | FIELD_FIXED))
        return;
    if (strlen(path) > 7 && !strcmp(path + strlen(path) - 7, ".timing"))
        return; /* "measured" is given its rates before a point is played (codec_rate_test.c) */
    struct key *key = key_of(k, path);
    if (SANITIZED && reason(k->method, key->path))
        return; /* which take most of the plays */
    if (is_left_out(k, key))
        return;
    if (!key->works)
        key->works = works(k, f, at);
}

static void play_file(struct keys *k, const char *name)
{
    struct scenario_file *f;
    char path[128];

    snprintf(path, sizeof(path), "tests/run/data/keys/%s.yaml", name);

    if (scenario_open(path, NULL, 0, NULL, 0, stderr, &f))
        fail_msg("%s is refused", path);
    for (size_t i = 0; i < scenario_npoints(f); i++) {
        struct point p;
        char why[1024] = "";
        assert_int_equal(scenario_point(f, i, &p), NW_OK);
        k->scenario = &p.scenario;
        if (measures_of(&p.scenario, &k->base, why, sizeof(why)))
            fail_msg("%s, point %zu: %s", path, i, why);
        schema_walk(&schema_point, &p.scenario, "", visit, k);
        point_free(&p);
    }
    scenario_close(f);
}

static void every_key_counts(void **state)
{
    int silent = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(bases) / sizeof(*bases); i++) {
        struct keys *k = calloc(1, sizeof(*k));
        assert_non_null(k);
        k->method = bases[i].method;
        for (size_t n = 0; n < 3 && bases[i].files[n]; n++)
            play_file(k, bases[i].files[n]);
        for (size_t n = 0; n < k->n; n++)
            if (!is_left_out(k, &k->list[n]) &&
                k->list[n].works == (reason(bases[i].method, k->list[n].path) != NULL)) {
                fprintf(stderr, "%s: %s %s\n", bases[i].method, k->list[n].path,
                        k->list[n].works ? "counts, but is listed as one that does not" : "is ignored in silence");
                silent++;
            }
        print_message("%s: %zu keys, %d plays\n", bases[i].method, k->n, k->plays);
        free(k);
    }
    assert_int_equal(silent, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_key_counts) };

    return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
