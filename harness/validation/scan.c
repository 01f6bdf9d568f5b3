#include "harness/validation/scan.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "harness/status.h"

enum { DOUBLINGS = 14, HALVINGS = 40 };

struct tried {
    double x, first, squares; /* squares: infinite where it cannot be simulated */
};

static int try_at(const struct scan *s, double x, double r[], struct tried *out)
{
    int rc = s->residuals(s->context, &x, r);

    *out = (struct tried){ .x = x, .first = r[0] };
    for (size_t i = 0; i < s->m; i++)
        out->squares += isfinite(r[i]) ? r[i] * r[i] : INFINITY;
    return rc;
}

/* The place between two tries of different sign. */
static int halve(const struct scan *s, struct tried a, struct tried b, double r[], double *x)
{
    int rc = NW_OK;

    for (int i = 0; !rc && i < HALVINGS && fabs(a.x - b.x) > s->enough; i++) {
        struct tried c;
        rc = try_at(s, (a.x + b.x) / 2, r, &c);
        if (fabs(c.first) <= s->enough || !isfinite(c.first)) {
            *x = c.x;
            return rc;
        }
        *((c.first > 0) == (a.first > 0) ? &a : &b) = c;
    }
    *x = a.squares < b.squares ? a.x : b.x;
    return rc;
}

static bool differ(const struct tried *a, const struct tried *b)
{
    return isfinite(a->squares) && isfinite(b->squares) && (a->first > 0) != (b->first > 0);
}

int scan_constant(const struct scan *s, double *x)
{
    struct tried all[2 * DOUBLINGS + 1];
    double *r = calloc(s->m, sizeof(*r)), start = *x;
    size_t best = 0, n = 2 * DOUBLINGS + 1;
    int rc = r ? NW_OK : NW_ENOMEM;

    for (size_t i = 0; !rc && i < n; i++) {
        rc = try_at(s, start + ((double)i - DOUBLINGS) * log(2), r, &all[i]);
        if (all[i].squares < all[best].squares)
            best = i;
    }
    if (!rc)
        *x = all[best].x;
    if (!rc && s->m == 1 && best + 1 < n && differ(&all[best], &all[best + 1]))
        rc = halve(s, all[best], all[best + 1], r, x);
    else if (!rc && s->m == 1 && best > 0 && differ(&all[best - 1], &all[best]))
        rc = halve(s, all[best - 1], all[best], r, x);
    free(r);
    return rc;
}
