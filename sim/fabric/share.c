/* share.c - the fair share of one channel. */

#include "sim/fabric/private.h"

/* Flows that a limit below the level keeps slower, and what they leave of an equal share each. Summing what they leave,
 * not what they take, avoids rounding errors where thousands of flows have nearly their equal share. */
static size_t slower(const struct fabric *f, size_t n, double level_Bps, double equal_Bps, double *left_over_Bps)
{
    const double *limits = f->limits_Bps, *weights = f->weights;
    double left_over = 0, count = 0;

    for (size_t i = 0; i < n; i++) {
        left_over += limits[i] < level_Bps ? weights[i] * (equal_Bps - limits[i]) : 0;
        count += limits[i] < level_Bps ? weights[i] : 0;
    }
    *left_over_Bps = left_over;
    return (size_t)count;
}

/* The sum is concave in the level, so from any first guess Newton's method lands at or below the solution and then
 * climbs to it exactly, in as many steps as it finds further slower flows. The first guess is the previous solution, or
 * an equal share where that is beyond the point from which the sum no longer grows. */
void fabric_solve(struct fabric *f, struct channel *c)
{
    double left_over, equal = c->capacity_Bps / (double)c->live;
    size_t n = c->listed;
    bool single = c->live == n; /* one flow on each route, as mostly */

    for (size_t i = 0; i < n; i++) {
        f->limits_Bps[i] = limit_Bps(f, &c->routes[i]);
        f->weights[i] = single ? 1 : (double)f->width[c->routes[i].route];
    }
    size_t frozen = slower(f, n, larger(share_Bps(c), equal), equal, &left_over);
    if (frozen == c->live && left_over < 0)
        frozen = slower(f, n, equal, equal, &left_over);
    for (bool first = 1;; first = 0) {
        size_t before = frozen;
        c->rising = c->live - frozen;
        c->left_Bps = (double)c->rising * equal + left_over;
        if (!c->rising)
            break;
        frozen = slower(f, n, share_Bps(c), equal, &left_over);
        if (first ? frozen == before : frozen <= before)
            break;
    }
    c->stale = 0;
}
