/* codec_cost.c - how long encoding, decoding and finding a threshold take. */
#include <assert.h>
#include <math.h>

#include "sim/codec/codec_spec.h"
#include "sim/cost.h"

/* Between two points along the straight line in the logarithms of both; before the first and after the last, as
 * there. */
static double rate_at(const struct codec_cost *cost, double size_B)
{
    const struct rate_point *p = cost->curve;
    size_t n = cost->ncurve, i = 1;

    if (!n)
        return cost->rate_Bps;
    if (size_B <= p[0].size_B)
        return p[0].rate_Bps;
    if (size_B >= p[n - 1].size_B)
        return p[n - 1].rate_Bps;
    while (p[i].size_B < size_B)
        i++;
    double share = log(size_B / p[i - 1].size_B) / log(p[i].size_B / p[i - 1].size_B);
    return p[i - 1].rate_Bps * pow(p[i].rate_Bps / p[i - 1].rate_Bps, share);
}

static int64_t pass_ps(const struct codec_spec *c, const struct codec_cost *cost, int64_t n)
{
    double size_B = 4 * (double)n, rate_Bps;

    if (!codec_spec_codes(c, n))
        return 0;
    assert(c->timing == CODEC_COST_GIVEN);
    rate_Bps = rate_at(cost, size_B);
    return seconds_to_ps((cost->latency_s + (rate_Bps > 0 ? size_B / rate_Bps : 0)) / c->scale);
}

int64_t codec_spec_transform_ps(const struct codec_spec *c, int64_t n)
{
    return pass_ps(c, &c->encode, n);
}

int64_t codec_spec_select_ps(const struct codec_spec *c, int64_t n)
{
    if (!codec_spec_codes(c, n) || !(c->select_rate_Bps > 0))
        return 0;
    return seconds_to_ps(4 * (double)n / c->select_rate_Bps / c->scale);
}

int64_t codec_spec_encode_ps(const struct codec_spec *c, int64_t n)
{
    int64_t select_ps = codec_spec_select_ps(c, n);
    int64_t share_ps = select_ps ? select_ps / c->life + (select_ps % c->life >= (c->life + 1) / 2) : 0;
    int64_t transform_ps = codec_spec_transform_ps(c, n);

    return transform_ps > INT64_MAX - share_ps ? INT64_MAX : transform_ps + share_ps;
}

int64_t codec_spec_decode_ps(const struct codec_spec *c, int64_t n)
{
    return pass_ps(c, &c->decode, n);
}
