#include "harness/report/sweep/axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/query.h"
#include "harness/status.h"

/* "platform.link.eth.bandwidth" is "eth bandwidth", "method.workers" is "workers". */
static void say_path(const char *path, char *label, size_t size)
{
    static const char *const sections[] = { "platform.", "model.", "method.", "link." };

    for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
        if (!strncmp(path, sections[i], strlen(sections[i])))
            path += strlen(sections[i]);
    snprintf(label, size, "%s", path);
    for (char *c = label; *c; c++)
        *c = *c == '.' || *c == '_' ? ' ' : *c;
}

/* The prefix under which the axis' middle, in logarithms, is a number of one to three digits. */
static const char *prefix_of(double least, double largest, double *scale)
{
    static const char *const names[] = { "n", "u", "m", "", "k", "M", "G", "T", "P" };
    enum { NONE = 3, LAST = 8 };
    double middle = sqrt(fabs(least > 0 ? least : largest) * fabs(largest));
    int power = middle > 0 ? (int)floor(log10(middle) / 3) : 0;

    power = power < -NONE ? -NONE : power > LAST - NONE ? LAST - NONE : power;
    *scale = pow(1000, -power);
    return names[power + NONE];
}

static void describe(struct axis *a, double least, double largest, const char *unit, bool in_bits)
{
    const char *base = unit;
    double bits = 1;
    size_t n;

    say_path(a->path, a->name, sizeof(a->name));
    memcpy(a->label, a->name, sizeof(a->label));
    a->scale = 1;
    if (!a->numbers || !*unit)
        return;
    if (!strncmp(unit, "bytes", 5)) {
        bits = in_bits ? 8 : 1;
        base = !strcmp(unit, "bytes/s") ? (in_bits ? "bit/s" : "B/s") : in_bits ? "bit" : "B";
    }
    const char *prefix = prefix_of(bits * least, bits * largest, &a->scale);
    a->scale *= bits;
    n = strlen(a->label);
    snprintf(a->label + n, sizeof(a->label) - n, " (%s%s)", prefix, base);
}

static bool means(const char *given, const char *path)
{
    size_t n = strlen(path), m = strlen(given);

    return m <= n && !strcmp(path + n - m, given) && (m == n || path[n - m - 1] == '.');
}

static int refuse(const struct axes *a, const char *given)
{
    fprintf(stderr, "narrows report: no key '%s' of numbers is swept; there is", given);
    for (size_t i = 0; i < a->n; i++)
        if (a->list[i].numbers)
            fprintf(stderr, " %s", a->list[i].path);
    fputc('\n', stderr);
    return NW_EINPUT;
}

/* The axis that is meant, or the first one of another stride than 'taken'. */
static int choose(const struct axes *a, const char *given, int taken)
{
    for (size_t i = 0; i < a->n; i++) {
        bool free = taken < 0 || (a->list[i].stride != a->list[taken].stride);
        if (a->list[i].numbers && free && (!given || means(given, a->list[i].path)))
            return (int)i;
    }
    return -1;
}

static int choose_two(struct axes *a, const char *x, const char *y)
{
    a->x = x ? choose(a, x, -1) : -1;
    if (x && a->x < 0)
        return refuse(a, x);
    a->y = y ? choose(a, y, a->x) : -1;
    if (y && a->y < 0)
        return refuse(a, y);
    if (a->x < 0)
        a->x = choose(a, NULL, a->y);
    if (a->x < 0 && a->y >= 0) { /* the one axis, called y */
        a->x = a->y;
        a->y = -1;
    }
    if (a->x >= 0 && a->y < 0)
        a->y = choose(a, NULL, a->x);
    if (a->x >= 0)
        return NW_OK;
    fputs("narrows report: the run sweeps no key of numbers: there is nothing to draw\n", stderr);
    return NW_EDB;
}

int axes_list(struct sqlite3 *db, const char *run, struct axes *out)
{
    /* Of keys that advance together the batch comes last: it follows what it is zipped with. */
    struct query q = query_open(db,
                                "SELECT path, stride, numbers, least, largest, unit, in_bits FROM run_axis"
                                " WHERE run_id = ?1 ORDER BY stride DESC, path = 'batch', path",
                                run, NULL);
    int rc = NW_OK;

    *out = (struct axes){ .x = -1, .y = -1 };
    while (!rc && query_next(&q) && out->n < AXIS_MOST) {
        struct axis *a = &out->list[out->n++];
        a->path = strdup(query_text(&q, 0));
        a->stride = (long)query_real(&q, 1);
        a->numbers = query_real(&q, 2) != 0;
        rc = a->path ? NW_OK : NW_ENOMEM;
        if (!rc)
            describe(a, query_real(&q, 3), query_real(&q, 4), query_text(&q, 5), query_real(&q, 6) != 0);
    }
    int closed = query_close(&q);
    return rc ? rc : closed;
}

int axes_read(struct sqlite3 *db, const char *run, const char *x, const char *y, struct axes *out)
{
    int rc = axes_list(db, run, out);

    return rc ? rc : choose_two(out, x, y);
}

int axes_choose_x(struct axes *a, const char *x)
{
    int rc = choose_two(a, x, NULL);

    a->y = -1;
    return rc;
}

void axes_free(struct axes *a)
{
    for (size_t i = 0; i < a->n; i++)
        free(a->list[i].path);
}

bool axes_other(const struct axes *a, size_t i)
{
    bool with_x = a->list[i].stride == a->list[a->x].stride;

    return !with_x && (a->y < 0 || a->list[i].stride != a->list[a->y].stride);
}
