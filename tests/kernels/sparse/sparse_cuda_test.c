/* The device's sparse payloads against the reference, bit for bit: on a device (exit 77 without one) and, built with
 * NW_EMULATED, without. */
#include "kernels/sparse/sparse.h"
#include "tests/kernels/device/device_buffer.h"

#if defined(NW_CUDA) || defined(NW_EMULATED)
#include "kernels/sparse/device.h"

enum { TILE = 4096 };

static const struct sparse_impl *reference;

static const uint32_t special[] = {
    0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001,
    0x00000001, 0x80000001, 0x007fffff, 0x3f800000, 0xbf800000, 0x7f7fffff, 0x40490fdb
};

/* 0: bell-shaped enough, 1: special ones among them, 2: all alike */
static void fill(float *to, size_t n, int kind, uint32_t seed)
{
    uint32_t h = seed * 2654435761u + 1;

    for (size_t i = 0; i < n; i++) {
        float sum = 0;

        for (int k = 0; k < 4; k++) {
            h = h * 1664525u + 1013904223u;
            sum += (float)(h >> 8) / 16777216.0f - 0.5f;
        }
        if (kind == 2)
            sum = 0.5f;
        if (kind == 1 && h >> 29 == 3)
            memcpy(&sum, &special[(h >> 20) % (sizeof(special) / 4)], 4);
        to[i] = sum;
    }
}

struct shape {
    size_t n;
    int kind;
    uint32_t threshold;
    uint64_t tie_end;
    enum sparse_form form;
    bool change;
};

static void describe(char *to, size_t size, const struct shape *s)
{
    snprintf(to, size, "%zu values of kind %d, threshold %08x, ties to %llu, form %d, %s", s->n, s->kind, s->threshold,
             (unsigned long long)s->tie_end, s->form, s->change ? "added to" : "as they are");
}

/* Expand what is there on both sides: same error, same values. */
static int check_expand(const char *what, const struct shape *s, const uint8_t *payload, size_t nbytes,
                        enum codec_into into)
{
    float *want = malloc(4 * s->n + 4), *got = malloc(4 * s->n + 4);
    uint8_t *copy = NULL, *host_work = aligned_alloc(64, sparse_work(s->n) / 64 * 64 + 64);
    struct buffer values, bytes = buffer_of(payload, nbytes, 0), work = buffer_make(sparse_work(s->n), 0);
    int none = -1, found, error;
    struct buffer verdict = buffer_of(&none, sizeof(none), 0);

    assert_int_equal(posix_memalign((void **)&copy, 64, nbytes + 1), 0);
    memcpy(copy, payload, nbytes);
    fill(want, s->n, s->kind, 99);
    values = buffer_of(want, 4 * s->n, 4 * (s->n % 4));
    error = reference->expand(&reference->impl, want, s->n, into, copy, nbytes, s->form, host_work);
    buffer_next_order();
    sparse_expand_cuda(NULL, (float *)values.at, s->n, into, bytes.at, nbytes, s->form, work.at, (int *)verdict.at);
    buffer_no_error(what);
    buffer_close(&verdict, &found, what);
    buffer_close(&values, got, what);
    buffer_close(&work, NULL, what);
    buffer_close(&bytes, NULL, what);
    if (found != error)
        fail_msg("%s, %zu bytes: error %d, the reference finds %d", what, nbytes, found, error);
    for (size_t i = 0; i < s->n; i++)
        if (memcmp(&got[i], &want[i], 4))
            fail_msg("%s, into %d, error %d: value %zu is %a, want %a", what, into, error, i, (double)got[i],
                     (double)want[i]);
    free(copy);
    free(host_work);
    free(want);
    free(got);
    return error;
}

/* Both sides compress the same. The payload is the caller's to free. */
static uint8_t *check_compress(const char *what, const struct shape *s, uint64_t *nbytes)
{
    size_t bound = sparse_bound(s->n), size = sparse_work(s->n) / 64 * 64 + 64, at = 4 * (s->n % 5);
    uint8_t *want = aligned_alloc(64, bound / 64 * 64 + 64), *host_work = aligned_alloc(64, size), *got = malloc(bound);
    float *error = malloc(4 * s->n + 4), *change = malloc(4 * s->n + 4), *left = malloc(4 * s->n + 4);
    struct sparse_keep keep = { s->tie_end, s->threshold };
    struct buffer e, c, p = buffer_make(bound, 0), work = buffer_make(sparse_work(s->n), 0);
    struct buffer k = buffer_of(&keep, sizeof(keep), 0), count = buffer_make(8, 0);
    uint64_t found;

    fill(error, s->n, s->kind, 1);
    fill(change, s->n, s->kind, 2);
    e = buffer_of(error, 4 * s->n, at);
    c = buffer_of(change, 4 * s->n, 4);
    reference->compress(&reference->impl, want, nbytes, error, s->change ? change : NULL, s->n, &keep, s->form,
                        host_work);
    buffer_next_order();
    sparse_compress_cuda(NULL, p.at, (uint64_t *)count.at, (float *)e.at, s->change ? (float *)c.at : NULL, s->n,
                         (struct sparse_keep *)k.at, s->form, work.at);
    buffer_no_error(what);
    buffer_close(&count, &found, what);
    buffer_close(&p, got, what);
    buffer_close(&e, left, what);
    buffer_close(&c, NULL, what);
    buffer_close(&k, NULL, what);
    buffer_close(&work, NULL, what);
    if (found != *nbytes)
        fail_msg("%s: %llu bytes, want %llu", what, (unsigned long long)found, (unsigned long long)*nbytes);
    for (size_t i = 0; i < found; i++)
        if (got[i] != want[i])
            fail_msg("%s: byte %zu of %zu is %02x, want %02x", what, i, (size_t)found, got[i], want[i]);
    for (size_t i = 0; i < s->n; i++)
        if (memcmp(&left[i], &error[i], 4))
            fail_msg("%s: %a stays at %zu, want %a", what, (double)left[i], i, (double)error[i]);
    free(host_work);
    free(got);
    free(left);
    free(error);
    free(change);
    return want;
}

static void check_shape(const struct shape *s)
{
    char what[160];
    uint64_t nbytes;
    uint8_t *payload;

    describe(what, sizeof(what), s);
    payload = check_compress(what, s, &nbytes);
    assert_int_equal(check_expand(what, s, payload, nbytes, s->n % 2 ? CODEC_ADD : CODEC_STORE), CODEC_OK);
    if (s->n > 1000)
        check_expand(what, s, payload, nbytes, s->n % 2 ? CODEC_STORE : CODEC_ADD);
    free(payload);
}

/* All, a quarter, few, none; ties in between. */
static void check_length(size_t n)
{
    const struct {
        uint32_t threshold;
        uint64_t tie_end;
    } keeps[] = { { 0, UINT64_MAX },
                  { 0x3f000000, n / 2 },
                  { 0x3f4ccccd, 0 },
                  { 0x3f800000, n / 3 },
                  { SPARSE_NOTHING, UINT64_MAX } };

    for (size_t k = 0; k < sizeof(keeps) / sizeof(*keeps); k++)
        for (int form = 0; form < 2; form++) {
            struct shape s = { n,
                               (int)((n + k) % 3),
                               keeps[k].threshold,
                               keeps[k].tie_end,
                               form ? SPARSE_BITMAP : SPARSE_SMALLER,
                               (n + k + (size_t)form) % 4 != 0 };

            check_shape(&s);
        }
}

static void short_ones(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 66; n += n < 34 || n >= 60 ? 1 : 13)
        check_length(n);
    for (size_t n = 95; n <= 300; n += n % 32 == 1 ? 30 : 1)
        check_length(n);
}

static void long_ones(void **state)
{
    static const size_t lengths[] = { 511,          512,      513,           TILE - 1,        TILE,         TILE + 1,
                                      2 * TILE - 1, 2 * TILE, 2 * TILE + 33, 5 * TILE + 4095, 37 * TILE + 5 };

    (void)state;
    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++)
        check_length(lengths[i]);
}

/* From so many that the indices' form reaches into what it moves, to so few that most tiles have none. */
static void rare_ones(void **state)
{
    struct shape s = { 40 * TILE + 77, 0, 0x3f940000, 0, SPARSE_SMALLER, 0 };

    (void)state;
    for (; s.threshold < 0x40000000; s.threshold += s.threshold < 0x3fb00000 ? 0x00040000 : 0x00200000)
        check_shape(&s);
}

static void hostile(void **state)
{
    const struct shape shapes[] = { { 200, 0, 0x3f000000, 0, SPARSE_SMALLER, 1 },
                                    { 200, 0, 0x3f800000, 0, SPARSE_SMALLER, 1 },
                                    { 130, 1, 0x3f000000, 0, SPARSE_BITMAP, 1 },
                                    { 2 * TILE + 9, 0, 0x3fa00000, 0, SPARSE_SMALLER, 1 } };
    int errors = 0;

    (void)state;
    for (size_t k = 0; k < sizeof(shapes) / sizeof(*shapes); k++) {
        const struct shape *s = &shapes[k];
        uint64_t nbytes;
        char what[160];
        uint8_t *payload, *longer;

        describe(what, sizeof(what), s);
        payload = check_compress(what, s, &nbytes);
        longer = calloc(1, nbytes + 8);
        memcpy(longer, payload, nbytes);
        for (size_t size = 0; size < nbytes; size += size < 40 ? 1 : 61)
            assert_int_not_equal(check_expand(what, s, payload, size, CODEC_STORE), CODEC_OK);
        for (size_t more = 1; more <= 8; more++)
            assert_int_equal(check_expand(what, s, longer, nbytes + more, CODEC_ADD), CODEC_LONG);
        for (size_t i = 0; i < nbytes; i += i < 120 ? 1 : 37)
            for (int both = 0; both < 2; both++) {
                longer[i] ^= (uint8_t)(both ? 0xff : 1 << i % 8);
                errors += check_expand(what, s, longer, nbytes, i % 2 ? CODEC_ADD : CODEC_STORE) != CODEC_OK;
                longer[i] ^= (uint8_t)(both ? 0xff : 1 << i % 8);
            }
        free(longer);
        free(payload);
    }
    assert_true(errors > 100);
}

/* What flipping bits does not make: an index twice, and a bit behind the end instead of one before it. */
static void crafted(void **state)
{
    const struct shape few = { 4000, 0, 0x3fa00000, 0, SPARSE_SMALLER, 0 };
    const struct shape many = { 100, 0, 0x3e000000, 0, SPARSE_BITMAP, 0 };
    uint64_t nbytes;
    uint8_t *payload = check_compress("few", &few, &nbytes);
    int bit = 0;

    (void)state;
    assert_true(payload[0] == 1 && payload[8] > 2);
    memcpy(payload + SPARSE_HEADER + 4, payload + SPARSE_HEADER, 4);
    assert_int_equal(check_expand("an index twice", &few, payload, nbytes, CODEC_STORE), CODEC_CONTENT);
    free(payload);
    payload = check_compress("many", &many, &nbytes);
    while (!(payload[SPARSE_HEADER] >> bit & 1))
        bit++;
    payload[SPARSE_HEADER] ^= (uint8_t)(1 << bit);
    payload[SPARSE_HEADER + 12] |= 0x10; /* value 100 */
    assert_int_equal(check_expand("a bit behind the end", &many, payload, nbytes, CODEC_STORE), CODEC_CONTENT);
    free(payload);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_ones), cmocka_unit_test(long_ones), cmocka_unit_test(rare_ones),
        cmocka_unit_test(hostile),    cmocka_unit_test(crafted),
    };
    const char *why;

    for (reference = sparse_impls; strcmp(reference->impl.name, "scalar"); reference++)
        ;
    if (!device_present(&why) || !usable_cuda()) {
        printf("skipped: no device to test on: %s\n", *why ? why : "this build has no code for the device here");
        return 77;
    }
    printf("on %s\n", device_name());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    printf("skipped: built without CUDA\n");
    return 77;
}
#endif
