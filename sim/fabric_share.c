/* One channel's fair share. */
#include "sim/fabric_private.h"

/* Flows that a limit below the level keeps slower, and what they leave of an equal share each. Summing that instead of
 * what they take loses nothing to rounding where thousands of flows have nearly their equal share. */
static size_t slower(const double *limits, size_t n, double level_Bps, double equal_Bps, double *left_over_Bps)
{
    double left_over = 0;
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        left_over += limits[i] < level_Bps ? equal_Bps - limits[i] : 0;
        count += limits[i] < level_Bps;
    }
    *left_over_Bps = left_over;
    return count;
}

/* The sum grows ever more slowly with the level, so from any first guess Newton's method lands at or below the answer and
 * then climbs to it, exactly, in as many steps as it finds further slower flows. The first guess is the last answer, or
 * an equal share where that is past the point from which the sum grows no more. */
void fabric_solve(struct fabric *f, struct channel *c)
{
    double *limits = f->limits_Bps, left_over;
    size_t n = c->listed;
    double equal = c->capacity_Bps / (double)n;

    for (size_t i = 0; i < n; i++)
        limits[i] = limit_Bps(f, &c->flows[i]);
    size_t frozen = slower(limits, n, larger(share_Bps(c), equal), equal, &left_over);
    if (frozen == n && left_over < 0)
        frozen = slower(limits, n, equal, equal, &left_over);
    for (_Bool first = 1;; first = 0) {
        size_t before = frozen;
        c->rising = n - frozen;
        c->left_Bps = (double)c->rising * equal + left_over;
        if (!c->rising)
            break;
        frozen = slower(limits, n, share_Bps(c), equal, &left_over);
        if (first ? frozen == before : frozen <= before)
            break;
    }
    c->stale = 0;
}
