/* Masking, error feedback, payload and expansion of every host row against a plain loop; hostile payloads. */
#ifdef NW_OPENMP
#include <omp.h>
#endif

#include "kernels/sparse/host.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/kernels/sparse/tensors.h"
#include "tests/sanitized.h"

enum { ROWS = 16 };
static const struct sparse_impl *rows[ROWS];
static size_t nrows;

static void use_threads(int threads)
{
#ifdef NW_OPENMP
    omp_set_num_threads(threads);
#else
    (void)threads;
#endif
}

/* The definition, written once more without the kernel's help. Returns the payload's size. */
static size_t want(uint8_t *payload, float *error, const float *change, size_t n, struct sparse_keep keep,
                   enum sparse_form form)
{
    uint32_t *values = malloc(4 * n + 4), *index = malloc(4 * n + 4), head[2] = { 0, 0 };
    size_t bits = (n + 63) / 64 * 8, at = 16;
    uint64_t count = 0;

    for (size_t i = 0; i < n; i++) {
        float sum = change ? error[i] + change[i] : error[i];
        uint32_t word, magnitude;

        memcpy(&word, &sum, 4);
        if (change && sum != sum)
            word = 0x7fc00000;
        magnitude = word & 0x7fffffff;
        if (magnitude > keep.threshold || (magnitude == keep.threshold && i < keep.tie_end)) {
            index[count] = (uint32_t)i;
            values[count++] = word;
            word = 0;
        }
        memcpy(error + i, &word, 4);
    }
    head[0] = form == SPARSE_SMALLER && 4 * count < bits;
    memcpy(payload, head, 8);
    memcpy(payload + 8, &count, 8);
    if (head[0]) {
        memcpy(payload + at, index, 4 * count);
        at += 4 * count;
    } else {
        memset(payload + at, 0, bits);
        for (uint64_t i = 0; i < count; i++)
            payload[at + index[i] / 8] |= (uint8_t)(1 << index[i] % 8);
        at += bits;
    }
    memcpy(payload + at, values, 4 * count);
    free(values);
    free(index);
    return at + 4 * count;
}

/* Expanded without help: 'values' on entry what they were. */
static void want_values(float *values, size_t n, enum codec_into into, const uint8_t *payload)
{
    uint64_t count, seen = 0;
    size_t places = payload[0] ? 0 : (n + 63) / 64 * 8;

    memcpy(&count, payload + 8, 8);
    places = payload[0] ? 4 * count : places;
    for (size_t i = 0; i < n; i++) {
        uint32_t index = UINT32_MAX;
        float sent = 0;

        if (payload[0] && seen < count)
            memcpy(&index, payload + 16 + 4 * seen, 4);
        if (payload[0] ? index == i : payload[16 + i / 8] >> i % 8 & 1) {
            memcpy(&sent, payload + 16 + places + 4 * seen++, 4);
            if (into == CODEC_ADD) {
                uint32_t nan = 0x7fc00000;

                sent += values[i];
                if (sent != sent)
                    memcpy(&sent, &nan, 4);
            }
        } else if (into == CODEC_ADD) {
            continue;
        }
        memcpy(values + i, &sent, 4);
    }
}

struct attempt {
    size_t n, aside;
    enum tensor_kind kind;
    struct sparse_keep keep;
    enum sparse_form form;
    bool add;
};

static void try_expand(const struct sparse_impl *im, const struct attempt *a, const uint8_t *payload, size_t nbytes)
{
    for (int into = CODEC_STORE; into <= CODEC_ADD; into++) {
        float *got = guarded(4 * a->n, a->aside), *should = guarded(4 * a->n, 0);
        uint8_t *work = guarded(sparse_work(a->n), 0);

        tensor_fill(got, a->n, TENSOR_SPECIAL, 77);
        memcpy(should, got, 4 * a->n);
        want_values(should, a->n, (enum codec_into)into, payload);
        assert_int_equal(im->expand(&im->impl, got, a->n, (enum codec_into)into, payload, nbytes, a->form, work),
                         CODEC_OK);
        if (memcmp(got, should, 4 * a->n))
            fail_msg("%s: expanding into %d, n %zu, kind %d", im->impl.name, into, a->n, a->kind);
        assert_true(guards_hold(got, 4 * a->n) && guards_hold(work, sparse_work(a->n)));
        guarded_free(got, a->aside);
        guarded_free(should, 0);
        guarded_free(work, 0);
    }
}

static void try_one(const struct attempt *a)
{
    size_t bound = sparse_bound(a->n), size;
    float *change = guarded(4 * a->n, a->aside), *start = guarded(4 * a->n, 0), *left = guarded(4 * a->n, 0);
    uint8_t *should = guarded(bound, 0);

    tensor_fill(change, a->n, a->kind, 1);
    tensor_fill(start, a->n, a->kind, 2);
    memcpy(left, start, 4 * a->n);
    size = want(should, left, a->add ? change : NULL, a->n, a->keep, a->form);
    for (size_t r = 0; r < nrows; r++) {
        float *error = guarded(4 * a->n, a->aside);
        uint8_t *payload = guarded(bound, 0), *work = guarded(sparse_work(a->n), 0);
        uint64_t nbytes = 0;

        memcpy(error, start, 4 * a->n);
        rows[r]->compress(&rows[r]->impl, payload, &nbytes, error, a->add ? change : NULL, a->n, &a->keep, a->form,
                          work);
        if (nbytes != size || memcmp(payload, should, size))
            fail_msg("%s: payload, n %zu, kind %d, threshold %08x, tie_end %zu: %zu bytes for %zu", rows[r]->impl.name,
                     a->n, a->kind, a->keep.threshold, (size_t)a->keep.tie_end, (size_t)nbytes, size);
        if (memcmp(error, left, 4 * a->n))
            fail_msg("%s: what stays, n %zu, kind %d", rows[r]->impl.name, a->n, a->kind);
        assert_true(guards_hold(payload, bound) && guards_hold(error, 4 * a->n) &&
                    guards_hold(work, sparse_work(a->n)));
        try_expand(rows[r], a, payload, (size_t)nbytes);
        guarded_free(error, a->aside);
        guarded_free(payload, 0);
        guarded_free(work, 0);
    }
    guarded_free(change, a->aside);
    guarded_free(start, 0);
    guarded_free(left, 0);
    guarded_free(should, 0);
}

static const uint32_t thresholds[] = { 1, 0x3d000000, 0x3dcccccd, 0x3e000000, 0x3f800000, 0x7f800000, SPARSE_NOTHING };
enum { NTHRESHOLDS = sizeof(thresholds) / sizeof(*thresholds) };

static void by_hand(void **state)
{
    float error[4] = { 1, -2, 0.5f, 0 }, change[4] = { 1, -1, -0.25f, 0 };
    struct sparse_keep keep = { UINT64_MAX, 0x40000000 }; /* 2 */
    static const uint8_t should[] = { 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0,    0, 0, 0,    0,
                                      3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0x40, 0xc0 };
    uint8_t *payload = guarded(sparse_bound(4), 0), *work = guarded(sparse_work(4), 0);

    (void)state;
    for (size_t r = 0; r < nrows; r++) {
        float e[4];
        uint64_t nbytes;

        memcpy(e, error, sizeof(e));
        rows[r]->compress(&rows[r]->impl, payload, &nbytes, e, change, 4, &keep, SPARSE_SMALLER, work);
        assert_int_equal(nbytes, sizeof(should));
        assert_memory_equal(payload, should, sizeof(should));
        assert_true(e[0] == 0 && e[1] == 0 && e[2] == 0.25f && e[3] == 0);
    }
    guarded_free(payload, 0);
    guarded_free(work, 0);
}

static void all_lengths(void **state)
{
    (void)state;
    use_threads(2);
    for (size_t n = 0; n <= 300; n += SANITIZED ? 7 : 1)
        for (int t = 0; t < NTHRESHOLDS; t += 1 + (n > 130)) {
            struct attempt a = { n,
                                 4 * (n % 16),
                                 (enum tensor_kind)((n + (size_t)t) % TENSOR_KINDS),
                                 { n % 3 ? UINT64_MAX : n / 2, thresholds[t] },
                                 n % 5 ? SPARSE_SMALLER : SPARSE_BITMAP,
                                 n % 2 };

            try_one(&a);
        }
}

static void blocks_and_threads(void **state)
{
    static const size_t lengths[] = { SPARSE_BLOCK - 1, SPARSE_BLOCK, SPARSE_BLOCK + 1, 3 * SPARSE_BLOCK + 4159,
                                      9 * SPARSE_BLOCK };
    static const int threads[] = { 1, 2, 3, 8 };

    (void)state;
    for (int i = 0; i < 5; i++)
        for (int t = 0; t < NTHRESHOLDS; t++) {
            size_t n = lengths[i];
            struct attempt a = { n,
                                 4 * (n % 16),
                                 (enum tensor_kind)((i + t) % TENSOR_KINDS),
                                 { t % 2 ? UINT64_MAX : n / 2 + 5, thresholds[t] },
                                 SPARSE_SMALLER,
                                 1 };

            use_threads(threads[(i + t) % 4]);
            try_one(&a);
        }
}

/* Densities around one in 32, and tensors that start denser than they end, so that indices are given up too early. */
static void the_smaller_form(void **state)
{
    size_t n = 8 * SPARSE_BLOCK, most = n / 32 - 1;

    (void)state;
    use_threads(3);
    for (size_t count = most - 1; count <= most + 2; count++)
        for (int front = 0; front < 2; front++) {
            float *start = guarded(4 * n, 0), *error = guarded(4 * n, 0);
            uint8_t *should = guarded(sparse_bound(n), 0), *payload = guarded(sparse_bound(n), 0);
            uint8_t *work = guarded(sparse_work(n), 0);
            struct sparse_keep keep = { UINT64_MAX, 0x3f800000 };
            uint64_t nbytes;
            size_t size;

            memset(start, 0, 4 * n);
            for (size_t i = 0; i < count; i++)
                start[!front ? 32 * i : i + 10 < count ? i : n - count + i] = 2;
            memcpy(error, start, 4 * n);
            size = want(should, error, NULL, n, keep, SPARSE_SMALLER);
            assert_int_equal(should[0], count <= most);
            for (size_t r = 0; r < nrows; r++) {
                memset(work, GUARD_BYTE, sparse_work(n)); /* nothing of the row before */
                memcpy(error, start, 4 * n);
                rows[r]->compress(&rows[r]->impl, payload, &nbytes, error, NULL, n, &keep, SPARSE_SMALLER, work);
                assert_int_equal(nbytes, size);
                assert_memory_equal(payload, should, size);
            }
            guarded_free(start, 0);
            guarded_free(error, 0);
            guarded_free(should, 0);
            guarded_free(payload, 0);
            guarded_free(work, 0);
        }
    assert_false(sparse_takes_indices(((uint64_t)1 << 32) + 1, 1));
    assert_true(sparse_takes_indices((uint64_t)1 << 32, 1));
}

static void refuse(const struct sparse_impl *im, size_t n, const uint8_t *payload, size_t nbytes, enum sparse_form form,
                   const char *why)
{
    float *values = guarded(4 * n, 0), *before = guarded(4 * n, 0);
    uint8_t *work = guarded(sparse_work(n), 0), *copy = guarded(nbytes, 0);

    memcpy(copy, payload, nbytes);
    for (int into = CODEC_STORE; into <= CODEC_ADD; into++) {
        tensor_fill(values, n, TENSOR_NORMAL, 4);
        memcpy(before, values, 4 * n);
        if (!im->expand(&im->impl, values, n, (enum codec_into)into, copy, nbytes, form, work))
            fail_msg("%s: accepted, %s", im->impl.name, why);
        assert_memory_equal(values, before, 4 * n);
    }
    assert_true(guards_hold(values, 4 * n) && guards_hold(work, sparse_work(n)));
    guarded_free(values, 0);
    guarded_free(before, 0);
    guarded_free(work, 0);
    guarded_free(copy, 0);
}

static void hostile_payloads(void **state)
{
    (void)state;
    for (int dense = 0; dense < 2; dense++) {
        size_t n = 1000, size;
        float *error = guarded(4 * n, 0);
        uint8_t *p = guarded(sparse_bound(n) + 4, 0), *bad = guarded(sparse_bound(n) + 4, 0);
        struct sparse_keep keep = { UINT64_MAX, dense ? 0x3dcccccd : 0x3e800000 };

        tensor_fill(error, n, TENSOR_NORMAL, 8);
        size = want(p, error, NULL, n, keep, SPARSE_SMALLER);
        assert_int_equal(p[0], !dense);
        assert_true(size > 16 + 8);
        for (size_t r = 0; r < nrows; r++) {
            for (size_t cut = 0; cut < size; cut += 1 + cut / 16)
                refuse(rows[r], n, p, cut, SPARSE_SMALLER, "cut");
            refuse(rows[r], n, p, size + 4, SPARSE_SMALLER, "longer");
            if (dense)
                refuse(rows[r], n + 64, p, size, SPARSE_SMALLER, "another count of values");
            else
                refuse(rows[r], n, p, size, SPARSE_BITMAP, "indices where there are none");
            for (size_t i = 0; i < 16; i++) { /* of the header every bit counts */
                memcpy(bad, p, size);
                bad[i] ^= (uint8_t)(1 << i % 8);
                refuse(rows[r], n, bad, size, SPARSE_SMALLER, "header");
            }
            memcpy(bad, p, size);
            if (dense) {
                bad[16] ^= 1;
                refuse(rows[r], n, bad, size, SPARSE_SMALLER, "a bit more or less than counted");
                memcpy(bad, p, size);
                for (int i = 0; bad[16] == p[16]; i++) /* one bit moved behind the end */
                    bad[16] &= (uint8_t) ~(1 << i);
                bad[16 + 127] |= 0x80;
                refuse(rows[r], n, bad, size, SPARSE_SMALLER, "a bit behind the end");
            } else {
                memcpy(bad + 20, bad + 16, 4);
                refuse(rows[r], n, bad, size, SPARSE_SMALLER, "an index twice");
                memcpy(bad, p, size);
                memset(bad + 16, 0xff, 4);
                refuse(rows[r], n, bad, size, SPARSE_SMALLER, "an index out of range");
                memcpy(bad, p, size);
                uint32_t last = (uint32_t)n;

                memcpy(bad + 16 + (size - 16) / 2 - 4, &last, 4);
                refuse(rows[r], n, bad, size, SPARSE_SMALLER, "the last index just out of range");
            }
        }
        guarded_free(error, 0);
        guarded_free(p, 0);
        guarded_free(bad, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),          cmocka_unit_test(all_lengths),      cmocka_unit_test(blocks_and_threads),
        cmocka_unit_test(the_smaller_form), cmocka_unit_test(hostile_payloads),
    };

    for (const struct sparse_impl *im = sparse_impls; im->impl.name; im++)
        if (impl_is_wanted(&im->impl, IMPL_HOST))
            rows[nrows++] = im;
    return nrows ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
