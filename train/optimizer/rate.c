#include "train/optimizer/rate.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double power(double base, int64_t exponent)
{
    double value = 1;

    for (; exponent > 0; exponent--)
        value *= base;
    return value;
}

static double share_done(const struct rate *r, int64_t step)
{
    return (double)step / (double)(r->steps > 0 ? r->steps : 1);
}

static int64_t drops_before(const struct rate *r, int64_t step)
{
    int n = 0;

    while (n < r->ndrops && r->drops[n] <= share_done(r, step))
        n++;
    return n;
}

static double scheduled(const struct rate *r, int64_t step)
{
    switch (r->schedule) {
    case RATE_STEP: return r->from * power(r->factor, step / r->every);
    case RATE_DROPS: return r->from * power(r->factor, drops_before(r, step));
    case RATE_EXPONENTIAL: return r->from * pow(r->factor, (double)step / (double)r->every);
    case RATE_COSINE: return r->to + (r->from - r->to) * (1 + cos(pi * share_done(r, step))) / 2;
    default: return r->from;
    }
}

double rate_at(const struct rate *r, int64_t step)
{
    double rate = scheduled(r, step);

    return step < r->warmup ? rate * (double)(step + 1) / (double)r->warmup : rate;
}
