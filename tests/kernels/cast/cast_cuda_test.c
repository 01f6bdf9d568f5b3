/* The device's conversions against the definition: every upper half word, specials, every length and alignment of the
 * two types. Built twice: for a device (exit 77 without one), and with NW_EMULATED for the emulated one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/device.h"
#include "kernels/cast/cast.h"
#include "tests/test.h"
#ifdef NW_EMULATED
#include "tests/emulation/emulation.h"
#endif

enum { LONGEST = 300, MARGIN = 64, SENTINEL = 0x5a, LARGE = 3 * 65536 + 7 };

static const struct cast_impl *scalar;
static struct cast_impl device;
static uint8_t *device_from, *device_to, want[MARGIN + 4 * LARGE + 2 * MARGIN], seen[sizeof(want)];
static uint32_t words[LARGE];
static uint16_t halves[LARGE];

/* One of the five functions; bytes of a value on the two sides. */
struct conversion {
    const char *name;
    size_t from, to;
    void (*run)(const struct cast_impl *im, void *dst, const void *src, size_t n);
};

static void bf16_narrow(const struct cast_impl *im, void *dst, const void *src, size_t n)
{
    im->bf16_narrow(&im->impl, dst, src, n);
}

static void fp16_narrow(const struct cast_impl *im, void *dst, const void *src, size_t n)
{
    im->fp16_narrow(&im->impl, dst, src, n);
}

static void bf16_widen(const struct cast_impl *im, void *dst, const void *src, size_t n)
{
    im->bf16_widen(&im->impl, dst, src, n);
}

static void fp16_widen(const struct cast_impl *im, void *dst, const void *src, size_t n)
{
    im->fp16_widen(&im->impl, dst, src, n);
}

static void bf16_round(const struct cast_impl *im, void *dst, const void *src, size_t n)
{
    im->bf16_round(&im->impl, dst, src, n);
}

static const struct conversion conversions[] = {
    { "bf16_narrow", 4, 2, bf16_narrow }, { "fp16_narrow", 4, 2, fp16_narrow }, { "bf16_widen", 2, 4, bf16_widen },
    { "fp16_widen", 2, 4, fp16_widen },   { "bf16_round", 4, 4, bf16_round },
};

static void next_order(void)
{
#ifdef NW_EMULATED
    static size_t number;

    emulation_set_order(&emulation_orders[number++ % EMULATION_ORDERS]);
#endif
}

/* 'shift' values past a boundary on both sides; 'in_place': the source is where the result goes. */
static void check(const struct conversion *c, size_t n, size_t shift, bool in_place)
{
    const void *source = c->from == 4 ? (const void *)words : (const void *)halves;
    size_t at = MARGIN + c->to * shift, size = at + c->to * n + MARGIN;
    uint8_t *from = in_place ? device_to + at : device_from + MARGIN + c->from * shift;
    const char *error;

    memset(want, SENTINEL, size);
    device_fill(device_to, SENTINEL, size);
    device_write(from, source, c->from * n);
    c->run(scalar, want + at, source, n);
    next_order();
    c->run(&device, device_to + at, from, n);
    device_read(seen, device_to, size);
    error = device_error();
    if (error)
        fail_msg("%s of %zu: %s", c->name, n, error);
    for (size_t i = 0; i < size; i++)
        if (seen[i] != want[i])
            fail_msg("%s of %zu values, %zu past a boundary: byte %zd is 0x%02x, not 0x%02x", c->name, n, shift,
                     (ssize_t)i - (ssize_t)at, seen[i], want[i]);
}

static void every_length(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof(conversions) / sizeof(*conversions); c++)
        for (size_t n = 0; n <= LONGEST; n++) {
            check(&conversions[c], n, n % 9, 0);
            check(&conversions[c], n, 0, conversions[c].from == conversions[c].to);
        }
}

static void large(void **state)
{
    static const size_t sizes[] = { 1023, 1024, 4095, 4096, 4099, 8193, LARGE };

    (void)state;
    for (size_t c = 0; c < sizeof(conversions) / sizeof(*conversions); c++)
        for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
            check(&conversions[c], sizes[s], s % 2, s % 3 == 0 && conversions[c].from == conversions[c].to);
}

/* Around every upper half: below, at and above the tie, and the words that special tests need. */
static void make_values(void)
{
    static const uint32_t lower[] = { 0x0000, 0x8000, 0x8001 };

    for (uint32_t i = 0; i < LARGE; i++) {
        words[i] = (i / 3) << 16 | lower[i % 3];
        halves[i] = (uint16_t)i;
    }
    for (uint32_t i = 0; i < 300; i++) /* in sight of the short lengths, and of the edges of fp16 */
        words[i] = (i % 3 == 0   ? 0x33000000u
                    : i % 3 == 1 ? 0x477fe000u
                                 : 0x387fe000u) +
                   i * 37u * (i % 5) + (i % 7 == 0 ? 0x48800000u : 0) + (i % 2 << 31);
    for (uint32_t i = 0; i < 300; i++)
        halves[i] = (uint16_t)(i * 219u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length),
        cmocka_unit_test(large),
    };
    const char *why;

    for (scalar = cast_impls; strcmp(scalar->impl.name, "scalar"); scalar++)
        if (scalar->impl.where == IMPL_DEVICE)
            device = *scalar;
#ifdef NW_EMULATED
    device = (struct cast_impl){ { "cuda", IMPL_DEVICE, false, usable_cuda, NULL },
                                 bf16_narrow_cuda,
                                 bf16_widen_cuda,
                                 bf16_round_cuda,
                                 fp16_narrow_cuda,
                                 fp16_widen_cuda };
#endif
    if (!device_present(&why) || !device.impl.name || !device.impl.usable()) {
        printf("skipped: no device to test on: %s\n", why && *why ? why : "this build has no code for the device here");
        return 77;
    }
    make_values();
    device_from = device_alloc(sizeof(want));
    device_to = device_alloc(sizeof(want));
    if (!device_from || !device_to)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
