/* plugin_template.c - a codec to start from: of each block of values one scale, and of each value a code of a few bits
 * between -1 and 1 times that scale, rounded to nearest; what rounding left out is sent later. Copy it, rename it, and
 *      cc -O3 -ffp-contract=off -fPIC -shared -Ilibrary -o mycodec.so mycodec.c -lm
 * Payload    of each block of 'block' values: the scale as fp32, little-endian, then the codes of 4 bits, two in a
 *            byte, low half first; a code is 1 .. 15 for -7 .. 7. The last block may be shorter.
 * State      the unsent changes, one fp32 for each value.
 * NaN        counts as zero, an infinity as the largest finite value. */
#include <float.h>
#include <math.h>
#include <string.h>

#include <narrows_plugin.h>

enum { MOST = 7, ZERO = 8, SCALE = 4 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Bytes of a block of so many values. */
static size_t block_bytes(size_t values)
{
    return SCALE + (values + 1) / 2;
}

static size_t payload_bound(size_t n, const double *param)
{
    size_t block = (size_t)param[0], rest = n % block;

    return n / block * block_bytes(block) + (rest ? block_bytes(rest) : 0);
}

static size_t state_bytes(size_t n, const double *param)
{
    (void)param;
    return 4 * n;
}

static float bounded(float x)
{
    return isnan(x) ? 0 : fmaxf(-FLT_MAX, fminf(x, FLT_MAX));
}

static void encode_block(unsigned char *to, const float *values, float *unsent, size_t n)
{
    float largest = 0, step;

    for (size_t i = 0; i < n; i++) {
        unsent[i] = bounded(unsent[i] + bounded(values[i]));
        largest = fmaxf(largest, fabsf(unsent[i]));
    }
    step = largest / MOST;
    memcpy(to, &largest, SCALE);
    memset(to + SCALE, 0, (n + 1) / 2);
    for (size_t i = 0; i < n; i++) {
        int code = step > 0 ? (int)fmaxf(-MOST, fminf(rintf(unsent[i] / step), MOST)) : 0;

        to[SCALE + i / 2] |= (unsigned char)((code + ZERO) << (i % 2 * 4));
        unsent[i] -= (float)code * step;
    }
}

static void encode(void *payload, size_t *nbytes, const float *values, size_t n, const double *param, void *state,
                   void *work)
{
    size_t block = (size_t)param[0];
    unsigned char *to = payload;

    (void)work;
    for (size_t i = 0; i < n; to += block_bytes(least(block, n - i)), i += block)
        encode_block(to, values + i, (float *)state + i, least(block, n - i));
    *nbytes = (size_t)(to - (unsigned char *)payload);
}

/* All of it, before a value is written: every code is right, a scale is finite and not negative. */
static int check(const unsigned char *from, size_t n, size_t nbytes, const double *param)
{
    size_t block = (size_t)param[0], want = payload_bound(n, param);
    float scale;

    if (nbytes != want)
        return nbytes < want ? NARROWS_PLUGIN_SHORT : NARROWS_PLUGIN_LONG;
    for (size_t i = 0; i < n; from += block_bytes(least(block, n - i)), i += block) {
        memcpy(&scale, from, SCALE);
        if (!(scale >= 0 && scale <= FLT_MAX))
            return NARROWS_PLUGIN_CONTENT;
    }
    return NARROWS_PLUGIN_OK;
}

static int decode(float *values, size_t n, int add, const void *payload, size_t nbytes, const double *param, void *work)
{
    size_t block = (size_t)param[0];
    const unsigned char *from = payload;
    int error = check(from, n, nbytes, param);
    float scale;

    (void)work;
    for (size_t i = 0; i < n && !error; from += block_bytes(least(block, n - i)), i += block) {
        memcpy(&scale, from, SCALE);
        for (size_t k = 0; k < least(block, n - i); k++)
            values[i + k] =
                (add ? values[i + k] : 0) + (float)((from[SCALE + k / 2] >> (k % 2 * 4) & 15) - ZERO) * (scale / MOST);
    }
    return error;
}

const struct narrows_plugin narrows_plugin_codec = {
    NARROWS_PLUGIN_HEAD,
    .name = "four-bits",
    .what = "codes of 4 bits, a scale for each block, and unsent changes",
    .source = "plugin_template.c",
    .adds = NARROWS_PLUGIN_GATHERED,
    .params = { { "block", "", "values that share a scale", 2, 65536, 256, 2 } },
    .payload_bound = payload_bound,
    .state_bytes = state_bytes,
    .encode = encode,
    .decode = decode,
};
