/* fold_share.c - how much of a link's capacity its folded channel has. */
#include <math.h>
#include <stdlib.h>

#include "model/status.h"
#include "sim/parallel/fold_parts.h"

/* That a flow of this colour crosses this channel. */
struct crossing {
    uint64_t colour;
    int32_t channel;
};

static int by_channel(const void *a, const void *b)
{
    const struct crossing *x = a, *y = b;

    return x->channel != y->channel ? (x->channel > y->channel) - (x->channel < y->channel)
                                    : (x->colour > y->colour) - (x->colour < y->colour);
}

/* Crossings of the first channel of each class by all flows (whole), or of the folded channels by those that are
 * shown. */
static size_t cross(const struct fold_make *m, bool whole, const int32_t folded[], struct crossing *out)
{
    size_t n = 0;

    for (size_t i = 0; i < m->wiring.nflows; i++)
        for (size_t k = 0; (whole || fold_shown(m, i)) && k < m->ways.of[i].n; k++) {
            uint32_t channel = m->ways.hops[m->ways.of[i].first + k];
            int32_t class = folded[channel];
            if (class >= 0 && (!whole || m->channel_first[class] == channel))
                out[n++] = (struct crossing){ m->c.flow[i], class };
        }
    qsort(out, n, sizeof(*out), by_channel);
    return n;
}

static size_t run_of(const struct crossing *c, size_t n, size_t i)
{
    size_t k = i;

    while (k < n && !by_channel(&c[k], &c[i]))
        k++;
    return k - i;
}

static bool power_of_two(double x)
{
    int exponent;

    return frexp(x, &exponent) == 0.5;
}

/* Each folded channel's share: how many flows there are for one that is shown. NULL, or why there is none. */
static const char *share_out(struct fold_make *m, const struct crossing *whole, size_t nwhole,
                             const struct crossing *seen, size_t nseen)
{
    double share = 0;

    if (!nwhole && !nseen)
        return NULL;
    for (size_t i = 0, k = 0; i < nwhole || k < nseen;) {
        if (i >= nwhole || k >= nseen || by_channel(&whole[i], &seen[k]))
            return "flows of one class cross channels of one class unevenly";
        size_t a = run_of(whole, nwhole, i), b = run_of(seen, nseen, k);
        double here = (double)a / (double)b;
        if (!i || whole[i].channel != whole[i - 1].channel) {
            m->f->channels[whole[i].channel].capacity_Bps /= here;
            share = here;
        }
        if (here != share)
            return "ranks share a link with different numbers of others";
        if (!power_of_two(here))
            return "a link is shared by a number of alike flows that is no power of two";
        i += a;
        k += b;
    }
    return NULL;
}

/* A flow that crosses two channels of one class has no folded way. */
static bool crosses_twice(const struct fold *f)
{
    for (size_t i = 0; i < f->nroutes; i++)
        for (size_t a = 0; a < f->routes[i].n; a++)
            for (size_t b = 0; b < a; b++)
                if (f->hops[f->routes[i].first + a] == f->hops[f->routes[i].first + b])
                    return true;
    return false;
}

int fold_check_shares(struct fold_make *m, const char **why_not)
{
    size_t nchannels = m->c.nchannels, *first = malloc((nchannels + 1) * sizeof(*first));
    int32_t *folded = malloc((nchannels + 1) * sizeof(*folded));
    struct crossing *whole = malloc((m->ways.nhops + 1) * sizeof(*whole)),
                    *seen = malloc((m->ways.nhops + 1) * sizeof(*seen));
    int rc = first && folded && whole && seen ? fold_firsts(m->c.channel, nchannels, first) : E_NOMEM;

    for (size_t i = 0; !rc && i < nchannels; i++)
        folded[i] = m->channel_class[first[i]];
    if (!rc && crosses_twice(m->f))
        *why_not = "a flow crosses two channels that are alike";
    else if (!rc) {
        size_t nwhole = cross(m, true, folded, whole), nseen = cross(m, false, folded, seen);
        *why_not = share_out(m, whole, nwhole, seen, nseen);
    }
    free(first);
    free(folded);
    free(whole);
    free(seen);
    return rc;
}
