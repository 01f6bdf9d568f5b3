#include "harness/run/break_even/crossing.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/status.h"

/* To twelve digits, so that it is the same number with every libm. */
static double rounded(double x)
{
    char text[40];

    snprintf(text, sizeof(text), "%.12g", x);
    return strtod(text, NULL);
}

static double scan_point(const struct crossing_search *s, size_t i)
{
    double share = (double)i / (double)(s->points - 1), x;

    if (i == 0 || i == s->points - 1)
        return i ? s->high : s->low;
    x = s->logarithmic ? exp(log(s->low) + (log(s->high) - log(s->low)) * share) : s->low + (s->high - s->low) * share;
    return s->whole ? round(x) : fmin(fmax(rounded(x), s->low), s->high);
}

static double middle(const struct crossing_search *s, double low, double high)
{
    double x = s->logarithmic ? sqrt(low) * sqrt(high) : low + (high - low) / 2;

    return s->whole ? fmin(fmax(round(x), low + 1), high - 1) : x;
}

static bool narrow_enough(const struct crossing_search *s, double low, double high)
{
    double mid = middle(s, low, high);

    if (s->whole)
        return high - low <= 1;
    return (s->logarithmic ? high / low - 1 : (high - low) / (s->high - s->low)) <= s->tolerance || mid <= low ||
           mid >= high;
}

/* 1 where there is no value. */
static int value(const struct crossing_search *s, double x, double *y)
{
    int rc = s->function(s->context, x, y);

    return rc ? rc : isnan(*y);
}

/* Halve a bracket whose ends are on different sides. */
static int narrow(const struct crossing_search *s, struct crossing *c)
{
    c->narrowed = true;
    while (!narrow_enough(s, c->low, c->high)) {
        double x = middle(s, c->low, c->high), y;
        int rc = value(s, x, &y);

        if (rc < 0)
            return rc;
        if (rc) {
            c->narrowed = false;
            break;
        }
        if ((y >= s->target) == c->upwards) {
            c->high = x;
            c->y_high = y;
        } else {
            c->low = x;
            c->y_low = y;
        }
    }
    c->x = s->whole ? (c->upwards ? c->high : c->low)
                    : (s->logarithmic ? sqrt(c->low) * sqrt(c->high) : c->low + (c->high - c->low) / 2);
    return NW_OK;
}

static int scan(const struct crossing_search *s, struct crossings *out)
{
    for (size_t i = 0; i < s->points; i++) {
        struct crossing_point *p = &out->scan[out->nscan];
        int rc;

        p->x = scan_point(s, i);
        if (i && p->x <= out->scan[out->nscan - 1].x)
            continue; /* a whole value again */
        rc = value(s, p->x, &p->y);
        if (rc < 0)
            return rc;
        if (rc)
            p->y = NAN;
        out->nvalued += !rc;
        out->nscan++;
    }
    return NW_OK;
}

int crossings_find(const struct crossing_search *s, struct crossings *out)
{
    int rc;

    assert(s->low < s->high && s->points >= 2 && (!s->logarithmic || s->low > 0));
    *out = (struct crossings){ .scan = calloc(s->points, sizeof(*out->scan)),
                               .list = calloc(s->points, sizeof(*out->list)) };
    if (!out->scan || !out->list)
        return NW_ENOMEM;
    rc = scan(s, out);
    for (size_t i = 1; i < out->nscan && !rc; i++) {
        const struct crossing_point *a = &out->scan[i - 1], *b = &out->scan[i];
        bool low = a->y >= s->target, high = b->y >= s->target;

        if (isnan(a->y) || isnan(b->y) || low == high)
            continue;
        out->list[out->n] =
            (struct crossing){ .low = a->x, .high = b->x, .y_low = a->y, .y_high = b->y, .upwards = high };
        rc = narrow(s, &out->list[out->n]);
        out->n += !rc;
    }
    return rc;
}

void crossings_free(struct crossings *c)
{
    free(c->list);
    free(c->scan);
    *c = (struct crossings){ 0 };
}
