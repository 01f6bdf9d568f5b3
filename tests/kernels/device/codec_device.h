/* codec_device.h - a codec's device row against its reference over several steps: payload, state, values and errors. */
#ifndef NARROWS_TESTS_KERNELS_CODEC_DEVICE_H
#define NARROWS_TESTS_KERNELS_CODEC_DEVICE_H

#include "kernels/codec/codec.h"
#include "tests/kernels/device/device_buffer.h"

struct codec_device {
    const struct codec *codec;
    codec_compress_fn *compress;
    codec_decompress_fn *expand;
};

/* 0: bell-shaped enough, 1: special ones among them, 2: all alike, 3: few that are not zero */
static inline void codec_device_fill(float *to, size_t n, int kind, uint32_t seed)
{
    static const uint32_t special[] = { 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345,
                                        0x7f800001, 0x00000001, 0x807fffff, 0x7f7fffff };
    uint32_t h = seed * 2654435761u + 1;

    for (size_t i = 0; i < n; i++) {
        float sum = 0;

        for (int k = 0; k < 4; k++) {
            h = h * 1664525u + 1013904223u;
            sum += (float)(h >> 8) / 16777216.0f - 0.5f;
        }
        if (kind == 2)
            sum = 0.5f;
        if (kind == 3 && h >> 26)
            sum = 0;
        if (kind == 1 && h >> 29 == 3)
            memcpy(&sum, &special[(h >> 16) % (sizeof(special) / 4)], 4);
        to[i] = sum;
    }
}

static inline void *codec_device_host(size_t nbytes)
{
    void *p = aligned_alloc(64, nbytes / 64 * 64 + 64);

    assert_non_null(p);
    memset(p, 0, nbytes);
    return p;
}

static inline int codec_device_expand(const struct codec_device *d, const char *what, size_t n,
                                      const struct codec_params *p, const uint8_t *payload, size_t nbytes,
                                      enum codec_into into)
{
    const struct codec_impl *reference = codec_choose(d->codec, "scalar", 0);
    size_t nwork = d->codec->work_size(n, p);
    uint8_t *copy = codec_device_host(nbytes), *host_work = codec_device_host(nwork);
    float *want = codec_device_host(4 * n), *got = codec_device_host(4 * n);
    int none = -1, found, error;
    struct buffer values, bytes = buffer_of(payload, nbytes, 0), work = buffer_make(nwork, 0);
    struct buffer verdict = buffer_of(&none, sizeof(none), 0);

    memcpy(copy, payload, nbytes);
    codec_device_fill(want, n, 0, 7);
    values = buffer_of(want, 4 * n, 4 * (n % 4));
    reference->decompress(&reference->impl, want, n, into, copy, nbytes, p, host_work, &error);
    buffer_next_order();
    d->expand(NULL, (float *)values.at, n, into, bytes.at, nbytes, p, work.at, (int *)verdict.at);
    buffer_no_error(what);
    buffer_close(&verdict, &found, what);
    buffer_close(&values, got, what);
    buffer_close(&work, NULL, what);
    buffer_close(&bytes, NULL, what);
    if (found != error)
        fail_msg("%s, %zu bytes: error %d, the reference finds %d", what, nbytes, found, error);
    for (size_t i = 0; i < n; i++)
        if (memcmp(&got[i], &want[i], 4))
            fail_msg("%s: value %zu is %a, want %a", what, i, (double)got[i], (double)want[i]);
    free(copy);
    free(host_work);
    free(want);
    free(got);
    return error;
}

/* Damaged in every way: the same error on both sides, and the same values. */
static inline void codec_device_hostile(const struct codec_device *d, const char *what, size_t n,
                                        const struct codec_params *p, const uint8_t *payload, size_t nbytes)
{
    uint8_t *longer = codec_device_host(nbytes + 1);

    memcpy(longer, payload, nbytes);
    for (size_t size = 0; size < nbytes; size += size < 24 ? 5 : 97)
        assert_int_equal(codec_device_expand(d, what, n, p, longer, size, CODEC_STORE), CODEC_SHORT);
    assert_int_equal(codec_device_expand(d, what, n, p, longer, nbytes + 1, CODEC_STORE), CODEC_LONG);
    for (size_t i = 0; i < nbytes; i += i < 80 ? 3 : 41) {
        longer[i] ^= (uint8_t)(1 << i % 8);
        codec_device_expand(d, what, n, p, longer, nbytes, i % 2 ? CODEC_ADD : CODEC_STORE);
        longer[i] ^= (uint8_t)(1 << i % 8);
    }
    free(longer);
}

static inline void codec_device_steps(const struct codec_device *d, size_t n, const struct codec_params *p, int kind,
                                      int steps, bool hostile)
{
    const struct codec_impl *reference = codec_choose(d->codec, "scalar", 0);
    size_t bound = d->codec->payload_bound(n, p), nstate = d->codec->state_size(n, p),
           nwork = d->codec->work_size(n, p);
    uint8_t *want = codec_device_host(bound), *got = codec_device_host(bound), *work = codec_device_host(nwork);
    uint8_t *state = codec_device_host(nstate), *left = codec_device_host(nstate);
    float *values = codec_device_host(4 * n);
    char what[160];

    for (int step = 0; step < steps; step++) {
        struct buffer r_state = buffer_of(state, nstate, 0), r_payload = buffer_make(bound, 0),
                      r_work = buffer_make(nwork, 0);
        struct buffer r_nbytes = buffer_make(8, 0), r_values;
        uint64_t nbytes, found;

        snprintf(what, sizeof(what), "%s, %zu values of kind %d, parameters %g and %g, step %d", d->codec->name, n,
                 kind, p->value[0], p->value[1], step);
        codec_device_fill(values, n, kind, (uint32_t)step + 11);
        r_values = buffer_of(values, 4 * n, 4 * (n % 4));
        reference->compress(&reference->impl, want, &nbytes, values, n, p, state, work);
        buffer_next_order();
        d->compress(NULL, r_payload.at, (uint64_t *)r_nbytes.at, (float *)r_values.at, n, p, r_state.at, r_work.at);
        buffer_no_error(what);
        buffer_close(&r_nbytes, &found, what);
        buffer_close(&r_payload, got, what);
        buffer_close(&r_state, left, what);
        buffer_close(&r_work, NULL, what);
        buffer_close(&r_values, NULL, what);
        if (found != nbytes || memcmp(got, want, nbytes))
            fail_msg("%s: another payload, of %llu bytes for %llu", what, (unsigned long long)found,
                     (unsigned long long)nbytes);
        if (nstate && memcmp(left, state, nstate))
            fail_msg("%s: another state", what);
        assert_int_equal(codec_device_expand(d, what, n, p, want, nbytes, step % 2 ? CODEC_ADD : CODEC_STORE),
                         CODEC_OK);
        if (hostile && step == 0)
            codec_device_hostile(d, what, n, p, want, nbytes);
    }
    free(want);
    free(got);
    free(work);
    free(state);
    free(left);
    free(values);
}

#endif
