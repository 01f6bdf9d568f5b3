#include "harness/run/selection.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"

enum { MOST_NAMES = 24 };

/* The variants of the first place stand for those of all. */
static int check_variants(const struct scenario_file *f, const struct selection *s)
{
    bool found[MOST_NAMES] = { false };
    char names[1024] = "";
    size_t first = 0;

    for (size_t i = 0; i < scenario_npoints(f) && !first; i++) {
        struct point p;
        size_t used = strlen(names);
        int rc = scenario_point(f, i, &p);

        if (rc)
            return rc;
        first = p.combination;
        if (!first && *p.variant)
            snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "", p.variant);
        for (size_t k = 0; k < s->nvariants && k < MOST_NAMES; k++)
            found[k] |= !strcmp(s->variants[k], p.variant);
        point_free(&p);
    }
    for (size_t k = 0; k < s->nvariants && k < MOST_NAMES; k++)
        if (!found[k])
            return status_error(NW_EINPUT, "%s: --variant: expected one of %s, got '%s'\n", scenario_path(f),
                                *names ? names : "none, as it has no variants", s->variants[k]);
    return NW_OK;
}

static int check_points(const struct scenario_file *f, const struct selection *s)
{
    for (size_t i = 0; i < s->npoints; i++)
        if (s->points[i] >= scenario_npoints(f))
            return status_error(NW_EINPUT, "%s: --point: expected 0..%zu, got %zu\n", scenario_path(f),
                                scenario_npoints(f) - 1, s->points[i]);
    return NW_OK;
}

static bool named(const struct selection *s, const char *variant)
{
    for (size_t i = 0; i < s->nvariants; i++)
        if (!strcmp(s->variants[i], variant))
            return true;
    return !s->nvariants;
}

/* Does one of the points asked for lie at its place? combinations[] are theirs. */
static bool placed(const struct selection *s, const size_t *combinations, const struct point *p, bool itself)
{
    for (size_t i = 0; i < s->npoints; i++)
        if (combinations[i] == p->combination && (!itself || s->points[i] == p->index))
            return true;
    return !s->npoints;
}

static bool wanted(const struct scenario_file *f, const struct selection *s, const size_t *combinations,
                   const struct point *p)
{
    if (*scenario_baseline(f) && !strcmp(p->variant, scenario_baseline(f)))
        return placed(s, combinations, p, false);
    return named(s, p->variant) && placed(s, combinations, p, !s->nvariants);
}

static int list_points(const struct scenario_file *f, const struct selection *s, size_t *combinations, size_t *list,
                       size_t *n)
{
    struct point p;
    int rc = NW_OK;

    for (size_t i = 0; i < s->npoints && !rc; i++)
        if (!(rc = scenario_point(f, s->points[i], &p))) {
            combinations[i] = p.combination;
            point_free(&p);
        }
    for (size_t i = 0; i < scenario_npoints(f) && !rc; i++)
        if (!(rc = scenario_point(f, i, &p))) {
            if (wanted(f, s, combinations, &p))
                list[(*n)++] = i;
            point_free(&p);
        }
    return rc;
}

/* Those of the list that are of the part. */
static void keep_part(const struct selection *s, size_t *list, size_t *n)
{
    size_t kept = 0;

    for (size_t i = 0; i < *n; i++)
        if (list[i] % s->nparts == s->part)
            list[kept++] = list[i];
    *n = kept;
}

/* Those that the file has, too: both ascend. */
static int keep_only(const struct scenario_file *scenario, const char *path, size_t *list, size_t *n)
{
    FILE *f = fopen(path, "r");
    size_t kept = 0, i = 0, line = 0, point, before = 0;
    int got;

    if (!f)
        return status_error(NW_EINPUT, "narrows: --only: %s: %s\n", path, strerror(errno));
    for (; (got = fscanf(f, "%zu", &point)) == 1 && (!line || point > before) && point < scenario_npoints(scenario);
         line++, before = point) {
        while (i < *n && list[i] < point)
            i++;
        if (i < *n && list[i] == point)
            list[kept++] = point;
    }
    fclose(f);
    if (got != EOF)
        return status_error(NW_EINPUT, "%s:%zu: expected ascending numbers in 0..%zu, one a line\n", path, line + 1,
                            scenario_npoints(scenario) - 1);
    *n = kept;
    return NW_OK;
}

/* list[0..*n) where points are chosen by variants or indices, else all points. */
static int make_list(const struct scenario_file *f, const struct selection *s, size_t *combinations, size_t *list,
                     size_t *n)
{
    if (s->nvariants || s->npoints)
        return list_points(f, s, combinations, list, n);
    for (*n = 0; *n < scenario_npoints(f); ++*n)
        list[*n] = *n;
    return NW_OK;
}

static int leave_out(const struct scenario_file *f, const struct selection *s, size_t *list, size_t *n)
{
    size_t kept = 0;

    for (size_t i = 0, k = 0; i < *n; i++) {
        while (k < s->nwithout && s->without[k] < list[i])
            k++;
        if (k == s->nwithout || s->without[k] != list[i])
            list[kept++] = list[i];
    }
    if (*n && !kept)
        return status_error(NW_EINPUT, "%s: none of the points asked for can be computed\n", scenario_path(f));
    *n = kept;
    return NW_OK;
}

int selection_points(const struct scenario_file *f, const struct selection *s, size_t **list, size_t *n)
{
    size_t *combinations = calloc(s->npoints + 1, sizeof(*combinations));
    int rc = combinations ? NW_OK : NW_ENOMEM;

    *list = NULL;
    *n = 0;
    if (!rc && s->nvariants)
        rc = check_variants(f, s);
    rc = rc ? rc : check_points(f, s);
    if (!rc && (s->nvariants || s->npoints || s->nparts || s->only || s->nwithout)) {
        *list = calloc(scenario_npoints(f) + 1, sizeof(**list));
        rc = *list ? make_list(f, s, combinations, *list, n) : NW_ENOMEM;
    }
    if (!rc && s->nparts)
        keep_part(s, *list, n);
    if (!rc && s->only)
        rc = keep_only(f, s->only, *list, n);
    if (!rc && s->nwithout)
        rc = leave_out(f, s, *list, n);
    free(combinations);
    if (rc) {
        free(*list);
        *list = NULL;
        *n = 0;
    }
    return rc;
}
