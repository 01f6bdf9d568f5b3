/* All 2^32 inputs of both roundings, every serial row against the definition, on all processors. With sanitizers, which
 * make this a hundred times slower, one block in 256. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "kernels/cast/bf16_lane.h"
#include "kernels/cast/cast.h"
#include "kernels/cast/fp16_lane.h"
#include "tests/kernels/plain/codec_try.h"

enum { BLOCK = 1 << 14, BLOCKS = 1 << 18, MOST_THREADS = 64 };

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define NW_SANITIZED
#endif
#endif
#if defined(NW_SANITIZED) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
enum { STRIDE = 257 };
#else
enum { STRIDE = 1 };
#endif

static atomic_uint next_block;
static atomic_ullong failed_at; /* a bit pattern + 1 */
static _Atomic(const char *) failed_row;

static void error(const char *row, uint32_t bits)
{
    atomic_store(&failed_row, row);
    atomic_store(&failed_at, (unsigned long long)bits + 1);
}

static void try_row(const struct cast_impl *im, const float *in, const uint16_t *bf16, const uint16_t *fp16,
                    uint32_t first)
{
    uint16_t half[BLOCK];
    float rounded[BLOCK];

    im->bf16_narrow(&im->impl, half, in, BLOCK);
    for (uint32_t i = 0; memcmp(half, bf16, sizeof(half)) && i < BLOCK; i++)
        if (half[i] != bf16[i])
            error(im->impl.name, first + i);
    im->bf16_round(&im->impl, rounded, in, BLOCK);
    for (uint32_t i = 0; i < BLOCK; i++)
        if (try_bits(rounded[i]) != (uint32_t)bf16[i] << 16)
            error(im->impl.name, first + i);
    im->fp16_narrow(&im->impl, half, in, BLOCK);
    for (uint32_t i = 0; memcmp(half, fp16, sizeof(half)) && i < BLOCK; i++)
        if (half[i] != fp16[i])
            error(im->impl.name, first + i);
}

static void *work(void *arg)
{
    static _Thread_local float in[BLOCK];
    static _Thread_local uint16_t bf16[BLOCK], fp16[BLOCK];

    for (uint32_t b; (b = atomic_fetch_add(&next_block, STRIDE)) < BLOCKS;) {
        for (uint32_t i = 0; i < BLOCK; i++) {
            uint32_t bits = b * (uint32_t)BLOCK + i;

            memcpy(&in[i], &bits, sizeof(bits));
            bf16[i] = bf16_from_f32_bits(bits);
            fp16[i] = fp16_from_f32_bits(bits);
        }
        for (const struct cast_impl *im = cast_impls; im->impl.name; im++)
            if (im->impl.where == IMPL_HOST && !im->impl.parallel && im->impl.usable() &&
                strcmp(im->impl.name, "scalar"))
                try_row(im, in, bf16, fp16, b * (uint32_t)BLOCK);
    }
    return arg;
}

static void every_input(void **state)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    pthread_t thread[MOST_THREADS];
    int started = 0;

    (void)state;
    for (int i = 1; i < n && i < MOST_THREADS; i++)
        started += pthread_create(&thread[started], NULL, work, NULL) == 0;
    work(NULL);
    while (started)
        pthread_join(thread[--started], NULL);
    if (atomic_load(&failed_at))
        fail_msg("%s: %#llx", atomic_load(&failed_row), atomic_load(&failed_at) - 1);
}

/* The definition itself, against rounding done in another way: the two neighbours in 16 bits, and which is nearer. */
static void the_definition(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 1 << 22; k++) {
        uint32_t bits = try_hash(k) & 0x7fffffff, low = bits & 0xffff0000;
        uint16_t got = bf16_from_f32_bits(bits), down = (uint16_t)(bits >> 16);
        double x, a, b;

        if (bits >= 0x7f7f0000)
            continue;
        x = (double)try_float(bits);
        a = (double)try_float(low);
        b = (double)try_float(low + 0x10000);
        if (x - a != b - x)
            assert_int_equal(got, x - a < b - x ? down : down + 1);
        else
            assert_int_equal(got, down + (down & 1));
    }
    for (uint32_t k = 0; k < 1 << 22; k++) { /* from 2^-26 to 2^16, where fp16 has its range */
        uint32_t bits = 0x32800000 + try_hash(k) % (0x47800000 - 0x32800000);
        double x = (double)try_float(bits), a, b;
        uint16_t got = fp16_from_f32_bits(bits), down = got;

        while (down && (double)try_float(fp16_to_f32_bits(down)) > x)
            down--;
        a = (double)try_float(fp16_to_f32_bits(down));
        b = down == 0x7bff ? 65536 : (double)try_float(fp16_to_f32_bits((uint16_t)(down + 1)));
        assert_true(a <= x && x < b);
        if (x - a != b - x)
            assert_int_equal(got, x - a < b - x ? down : down + 1);
        else
            assert_int_equal(got, down + (down & 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_definition), cmocka_unit_test(every_input) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
