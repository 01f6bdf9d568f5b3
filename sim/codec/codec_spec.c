#include "sim/codec/codec_spec.h"

#include <math.h>
#include <stdio.h>

#include "model/refuse.h"
#include "model/status.h"

static const char *const names[WIRE_FORMATS] = {
    [WIRE_NONE] = "none",         [WIRE_FP32] = "fp32",
    [WIRE_BF16] = "bf16",         [WIRE_FP16] = "fp16",
    [WIRE_ADT] = "adt",           [WIRE_8BIT] = "8bit",
    [WIRE_3LC] = "3lc",           [WIRE_3LC_QUARTIC] = "3lc-quartic",
    [WIRE_STOCH3] = "stoch3",     [WIRE_1BIT] = "1bit",
    [WIRE_DCT] = "dct",           [WIRE_SPARSIFY] = "sparsify",
    [WIRE_DCT_MP] = "dct-mp",     [WIRE_LOCAL] = "local",
    [WIRE_QSGD] = "qsgd",         [WIRE_RANDOMK] = "randomk",
    [WIRE_TERNGRAD] = "terngrad", [WIRE_NATURAL] = "natural",
    [WIRE_POWERSGD] = "powersgd", [WIRE_BLOCKWISE] = "blockwise",
    [WIRE_RATIO] = "ratio",       [WIRE_ASKED] = "asked",
};

const char *wire_format_name(enum wire_format f)
{
    return names[f];
}

const char *codec_spec_name(const struct codec_spec *c)
{
    return c->format == WIRE_ASKED && c->asked.text ? c->asked.text : wire_format_name(c->format);
}

bool codec_spec_codes(const struct codec_spec *c, int64_t n)
{
    return c->format != WIRE_NONE && n > 0 && n >= c->min_values;
}

bool codec_spec_measurable(const struct codec_spec *c)
{
    return c->format != WIRE_RATIO && c->place == CODEC_ON_CPU;
}

/* The second factor, unsent changes, and the step, which the first draw depends on; of a vector nothing. */
static int64_t powersgd_state_bytes(const struct codec_spec *c, int64_t n, int64_t row)
{
    int64_t factor = codec_spec_second_bytes(c, n, row) / 4;

    return factor ? 4 * (factor + n + (factor + n) % 2) + 8 : 0;
}

/* Unsent changes are fp32. */
int64_t codec_spec_state_bytes(const struct codec_spec *c, int64_t n, int64_t row)
{
    if (!codec_spec_codes(c, n))
        return 0;
    switch (c->format) {
    case WIRE_3LC:
    case WIRE_3LC_QUARTIC:
    case WIRE_1BIT:
    case WIRE_SPARSIFY: return 4 * n;
    case WIRE_DCT: return 64 + 4 * n;            /* threshold and how long it still serves, on a line of their own */
    case WIRE_RANDOMK:                           /* unsent changes, and the step, which the places depend on */
    case WIRE_LOCAL: return 4 * (n + n % 2) + 8; /* the sums, and the step of the round */
    case WIRE_POWERSGD: return powersgd_state_bytes(c, n, row);
    case WIRE_ASKED: return c->asked.state_bytes(&c->asked, n);
    case WIRE_QSGD:
    case WIRE_TERNGRAD:
    case WIRE_NATURAL:
    case WIRE_STOCH3: return 8; /* the step, which the draws depend on */
    default: return 0;
    }
}

/* Written so that a NaN fails it. */
static int within(const char *key, double value, double lowest, double highest, char *why, size_t nwhy)
{
    if (value >= lowest && value <= highest)
        return E_OK;
    return refuse(why, nwhy, "%s: expected %g..%g, got %g", key, lowest, highest, value);
}

static int positive(const char *key, double value, char *why, size_t nwhy)
{
    if (value > 0 && value < INFINITY)
        return E_OK;
    return refuse(why, nwhy, "%s: expected a number above 0, got %g", key, value);
}

static int not_negative(const char *key, double value, char *why, size_t nwhy)
{
    if (value >= 0 && value < INFINITY)
        return E_OK;
    return refuse(why, nwhy, "%s: expected 0 or more, got %g", key, value);
}

static int at_least(const char *key, int64_t value, int64_t least, char *why, size_t nwhy)
{
    if (value >= least)
        return E_OK;
    return refuse(why, nwhy, "%s: expected %lld or more, got %lld", key, (long long)least, (long long)value);
}

/* A block's codes are whole bytes, so that a tensor can be cut between blocks. */
static int check_blocks(const struct codec_spec *c, char *why, size_t nwhy)
{
    if (c->code_bits != 4 && c->code_bits != 8)
        return refuse(why, nwhy, "code_bits: expected 4 or 8, got %lld", (long long)c->code_bits);
    if (c->block % CODEC_SPEC_BLOCK_GROUP)
        return refuse(why, nwhy, "block: expected a multiple of %d, got %lld", CODEC_SPEC_BLOCK_GROUP,
                      (long long)c->block);
    return within("block", (double)c->block, CODEC_SPEC_BLOCK_GROUP, CODEC_SPEC_MOST_BLOCK, why, nwhy);
}

/* What the format itself needs. */
static int check_format(const struct codec_spec *c, char *why, size_t nwhy)
{
    int rc;

    switch (c->format) {
    case WIRE_ADT: return within("bytes", c->bytes, 1, 4, why, nwhy);
    case WIRE_3LC:
        /* Five ternary values a byte, before runs of zeros are shortened. */
        rc = positive("bits", c->bits, why, nwhy);
        return rc ? rc : within("bits", c->bits, 0, CODEC_SPEC_MOST_BITS, why, nwhy);
    case WIRE_SPARSIFY:
    case WIRE_RANDOMK:
    case WIRE_DCT:
    case WIRE_DCT_MP: return within("density", c->density, 0, 1, why, nwhy);
    case WIRE_LOCAL: return at_least("steps", c->steps, 1, why, nwhy);
    case WIRE_POWERSGD:
        rc = at_least("rank", c->rank, 1, why, nwhy);
        return rc ? rc : within("rank", (double)c->rank, 1, CODEC_SPEC_MOST_RANK, why, nwhy);
    case WIRE_BLOCKWISE: return check_blocks(c, why, nwhy);
    case WIRE_QSGD: return within("levels", (double)c->levels, 1, CODEC_SPEC_MOST_LEVELS, why, nwhy);
    case WIRE_ASKED:
        if (c->asked.payload_bytes && c->asked.state_bytes)
            return E_OK;
        return refuse(why, nwhy, "format: expected a codec whose sizes can be asked, got '%s'", codec_spec_name(c));
    case WIRE_RATIO:
        rc = positive("ratio", c->ratio, why, nwhy);
        return rc ? rc : at_least("header", c->header, 0, why, nwhy);
    default: return E_OK;
    }
}

static int check_curve(const char *key, const struct rate_point *curve, size_t n, char *why, size_t nwhy)
{
    for (size_t i = 0; i < n; i++) {
        int rc = positive(key, curve[i].size_B, why, nwhy);

        if (!rc)
            rc = positive(key, curve[i].rate_Bps, why, nwhy);
        if (rc)
            return rc;
        if (i && !(curve[i].size_B > curve[i - 1].size_B))
            return refuse(why, nwhy, "%s: expected ascending sizes, got %g after %g", key, curve[i].size_B,
                          curve[i - 1].size_B);
    }
    return E_OK;
}

static int check_cost(const char *side, const struct codec_cost *cost, char *why, size_t nwhy)
{
    char key[32];
    int rc;

    snprintf(key, sizeof(key), "%s.rate", side);
    rc = not_negative(key, cost->rate_Bps, why, nwhy);
    snprintf(key, sizeof(key), "%s.latency", side);
    if (!rc)
        rc = not_negative(key, cost->latency_s, why, nwhy);
    snprintf(key, sizeof(key), "%s.curve", side);
    return rc ? rc : check_curve(key, cost->curve, cost->ncurve, why, nwhy);
}

static int check_timing(const struct codec_spec *c, char *why, size_t nwhy)
{
    if (c->timing == CODEC_COST_GIVEN || codec_spec_measurable(c))
        return E_OK;
    return refuse(why, nwhy, "timing: expected given: %s cannot be measured on the CPU of this host",
                  c->format == WIRE_RATIO ? "a codec of one's own" : "a codec whose place is a GPU");
}

int codec_spec_check(const struct codec_spec *c, char *why, size_t nwhy)
{
    int rc;

    if (c->format == WIRE_NONE)
        return E_OK;
    rc = check_format(c, why, nwhy);
    rc = rc ? rc : check_timing(c, why, nwhy);
    rc = rc ? rc : at_least("threads", c->threads, 1, why, nwhy);
    rc = rc ? rc : positive("scale", c->scale, why, nwhy);
    rc = rc ? rc : check_cost("encode", &c->encode, why, nwhy);
    rc = rc ? rc : check_cost("decode", &c->decode, why, nwhy);
    rc = rc ? rc : not_negative("select_rate", c->select_rate_Bps, why, nwhy);
    rc = rc ? rc : at_least("life", c->life, 1, why, nwhy);
    return rc ? rc : at_least("min_values", c->min_values, 0, why, nwhy);
}
