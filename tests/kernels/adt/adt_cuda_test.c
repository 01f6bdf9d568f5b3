/* The device's ADT against the definition: what adt_test.c asks of the host. The 64 alignments of one length lie side
 * by side in one device buffer, a slot each, so that a length costs one copy back. Exit 77 without a device. */
#include "harness/bench/device.h"
#include "kernels/adt/adt.h"
#include "tests/kernels/adt/adt_cases.h"

enum { LONGEST = 300, SLOT = 2048, SLOTS = 64, LARGE = (1 << 22) + 37 /* past one turn of every thread */ };
_Static_assert(MARGIN + 64 + 4 * LONGEST + MARGIN <= SLOT, "a slot holds the longest case and its margins");

static const struct adt_impl *impl;
static struct adt_cases cases;
static uint8_t *device_from, *device_to, seen[SLOTS * SLOT];

static void no_error(const struct attempt *a)
{
    const char *error = device_error();

    if (error)
        attempt_fail(a, error, -1);
}

/* Slot s of the source begins s bytes past a multiple of 64. */
static void put_sources(const uint8_t *what, size_t size)
{
    memset(seen, SENTINEL, sizeof(seen));
    for (size_t s = 0; s < SLOTS; s++)
        memcpy(seen + s * SLOT + MARGIN + s, what, size);
    device_write(device_from, seen, sizeof(seen));
}

static void sources_unchanged(const struct attempt *a, const uint8_t *what, size_t size)
{
    device_read(seen, device_from, sizeof(seen));
    for (size_t s = 0; s < SLOTS; s++)
        check_output(a, seen + s * SLOT + MARGIN + s, what, size);
}

static void one_length(struct attempt *a, _Bool pack)
{
    size_t out = pack ? (size_t)a->keep * a->n : 4 * a->n;
    const uint8_t *want = pack ? cases.packed[a->keep] : cases.unpacked[a->keep];

    device_fill(device_to, SENTINEL, sizeof(seen));
    for (size_t align = 0; align < SLOTS; align++) {
        size_t other = (5 * align + 7 * a->n) % 64;
        uint8_t *dst = device_to + align * SLOT + MARGIN + align, *src = device_from + other * SLOT + MARGIN + other;

        if (pack)
            impl->pack(dst, src, a->n, a->keep);
        else
            impl->unpack(dst, src, a->n, a->keep);
    }
    device_read(seen, device_to, sizeof(seen));
    no_error(a);
    for (size_t align = 0; align < SLOTS; align++) {
        a->dst_align = align;
        a->src_align = (5 * align + 7 * a->n) % 64;
        check_output(a, seen + align * SLOT + MARGIN + align, want, out);
    }
}

static void all_lengths_and_alignments(void **state)
{
    (void)state;
    for (int keep = 1; keep <= 4; keep++)
        for (int pack = 0; pack < 2; pack++) {
            struct attempt a = { impl->impl.name, pack ? "pack" : "unpack", keep, 0, 0, 0 };
            const uint8_t *source = pack ? cases.weights : cases.packed[keep];
            size_t size = (size_t)(pack ? 4 : keep) * LONGEST;

            put_sources(source, size);
            for (a.n = 0; a.n <= LONGEST; a.n++)
                one_length(&a, pack);
            sources_unchanged(&a, source, size);
        }
}

static void many_blocks(void **state)
{
    enum { ROOM = MARGIN + 64 + 4 * LARGE + MARGIN };
    static const size_t aligns[] = { 0, 1, 4, 8, 18, 63 };
    struct adt_cases large;
    uint8_t *back = malloc(ROOM), *from = device_alloc(ROOM), *to = device_alloc(ROOM);

    (void)state;
    assert_non_null(back);
    assert_non_null(from);
    assert_non_null(to);
    adt_cases_make(&large, LARGE);
    for (int keep = 1; keep <= 4; keep++)
        for (size_t i = 0; i < 6; i++)
            for (int pack = 0; pack < 2; pack++) {
                struct attempt a = { impl->impl.name, pack ? "pack" : "unpack", keep, LARGE, aligns[i], aligns[5 - i] };
                uint8_t *dst = to + MARGIN + a.dst_align, *src = from + MARGIN + a.src_align;
                size_t packed = (size_t)keep * LARGE, out = pack ? packed : 4 * (size_t)LARGE;

                device_fill(to, SENTINEL, ROOM);
                device_write(src, pack ? large.weights : large.packed[keep], pack ? 4 * (size_t)LARGE : packed);
                if (pack)
                    impl->pack(dst, src, LARGE, keep);
                else
                    impl->unpack(dst, src, LARGE, keep);
                device_read(back, to, ROOM);
                no_error(&a);
                check_output(&a, back + MARGIN + a.dst_align, pack ? large.packed[keep] : large.unpacked[keep], out);
            }
    adt_cases_free(&large);
    device_free(from);
    device_free(to);
    free(back);
}

/* A launch that cannot work must be seen: otherwise no_error() above proves nothing. */
static void errors_are_seen(void **state)
{
    (void)state;
    assert_null(device_error());
    assert_null(device_alloc((size_t)1 << 60));
    assert_non_null(device_error());
    assert_null(device_error());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_seen),
        cmocka_unit_test(all_lengths_and_alignments),
        cmocka_unit_test(many_blocks),
    };
    const char *why;
    int failed;

    for (impl = adt_impls; impl->impl.name && impl->impl.where != IMPL_DEVICE; impl++)
        ;
    if (!device_present(&why) || !impl->impl.name || !impl->impl.usable()) {
        printf("skipped: no device to test on: %s\n", *why ? why : "this build has no code for the device here");
        return 77;
    }
    printf("on %s\n", device_name());
    device_from = device_alloc(sizeof(seen));
    device_to = device_alloc(sizeof(seen));
    adt_cases_make(&cases, LONGEST);
    failed = device_from && device_to ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    adt_cases_free(&cases);
    device_free(device_from);
    device_free(device_to);
    return failed;
}
