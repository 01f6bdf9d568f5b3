/* adt_device.h - what is asked of ADT on a device, real (adt_cuda_test.c) or emulated (adt_emulated_test.c): what
 * adt_test.c asks of the host, and all layers in one launch. The alignments of one length lie side by side in one
 * device buffer, a slot each, so that a length costs one copy back. */
#ifndef NARROWS_TESTS_ADT_DEVICE_H
#define NARROWS_TESTS_ADT_DEVICE_H

#include "harness/bench/device.h"
#include "kernels/adt/device.h"
#include "tests/kernels/adt/adt_cases.h"

enum { LONGEST = 300, SLOT = 2048, SLOTS = 64 };
_Static_assert(MARGIN + 64 + 4 * LONGEST + MARGIN <= SLOT, "a slot holds the longest case and its margins");

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

static void one_length(struct attempt *a, bool pack, size_t aligns)
{
    size_t out = pack ? (size_t)a->bytes_per_weight * a->n : 4 * a->n;
    const uint8_t *want = pack ? cases.packed[a->bytes_per_weight] : cases.unpacked[a->bytes_per_weight];

    device_fill(device_to, SENTINEL, sizeof(seen));
    for (size_t align = 0; align < aligns; align++) {
        size_t other = (5 * align + 7 * a->n) % aligns;
        uint8_t *dst = device_to + align * SLOT + MARGIN + align, *src = device_from + other * SLOT + MARGIN + other;

        if (pack)
            adt_pack_cuda(NULL, dst, src, a->n, a->bytes_per_weight);
        else
            adt_unpack_cuda(NULL, dst, src, a->n, a->bytes_per_weight);
    }
    device_read(seen, device_to, sizeof(seen));
    no_error(a);
    for (size_t align = 0; align < aligns; align++) {
        a->dst_align = align;
        a->src_align = (5 * align + 7 * a->n) % aligns;
        check_output(a, seen + align * SLOT + MARGIN + align, want, out);
    }
}

static void lengths_and_alignments(size_t aligns, void (*before)(size_t n))
{
    for (int bytes_per_weight = 1; bytes_per_weight <= 4; bytes_per_weight++)
        for (int pack = 0; pack < 2; pack++) {
            struct attempt a = { "cuda", pack ? "pack" : "unpack", bytes_per_weight, 0, 0, 0 };
            const uint8_t *source = pack ? cases.weights : cases.packed[bytes_per_weight];
            size_t size = (size_t)(pack ? 4 : bytes_per_weight) * LONGEST;

            put_sources(source, size);
            for (a.n = 0; a.n <= LONGEST; a.n++) {
                before(a.n);
                one_length(&a, pack, aligns);
            }
            sources_unchanged(&a, source, size);
        }
}

/* Many blocks of threads. */
static void large(size_t n)
{
    static const size_t aligns[] = { 0, 1, 4, 8, 18, 63 };
    size_t space = MARGIN + 64 + 4 * n + MARGIN;
    struct adt_cases big;
    uint8_t *back = malloc(space), *from = device_alloc(space), *to = device_alloc(space);

    assert_non_null(back);
    assert_non_null(from);
    assert_non_null(to);
    adt_cases_make(&big, n);
    for (int bytes_per_weight = 1; bytes_per_weight <= 4; bytes_per_weight++)
        for (size_t i = 0; i < 6; i++)
            for (int pack = 0; pack < 2; pack++) {
                struct attempt a = { "cuda", pack ? "pack" : "unpack", bytes_per_weight, n, aligns[i], aligns[5 - i] };
                uint8_t *dst = to + MARGIN + a.dst_align, *src = from + MARGIN + a.src_align;
                size_t packed = (size_t)bytes_per_weight * n, out = pack ? packed : 4 * n;

                device_fill(to, SENTINEL, space);
                device_write(src, pack ? big.weights : big.packed[bytes_per_weight], pack ? 4 * n : packed);
                if (pack)
                    adt_pack_cuda_on(dst, src, n, bytes_per_weight, NULL);
                else
                    adt_unpack_cuda_on(dst, src, n, bytes_per_weight, NULL);
                device_read(back, to, space);
                no_error(&a);
                check_output(&a, back + MARGIN + a.dst_align,
                             pack ? big.packed[bytes_per_weight] : big.unpacked[bytes_per_weight], out);
            }
    adt_cases_free(&big);
    device_free(from);
    device_free(to);
    free(back);
}

/* Layers of all sizes, none at either end and in the middle, each with its own byte count and alignment. */
static const size_t layer_sizes[] = { 0, 0, 1, 5, ADT_CHUNK, 0, ADT_CHUNK + 1, 300, 3 * ADT_CHUNK + 7, 33, 20000, 0 };
enum { NLAYERS = sizeof(layer_sizes) / sizeof(*layer_sizes), MOST = 3 * ADT_CHUNK + 7 };
enum { LAYER_ROOM = (MARGIN + 64 + 4 * MOST + MARGIN + 255) / 256 * 256 };

static void layers(int turn, bool pack)
{
    static struct adt_layer table[NLAYERS];
    static uint32_t first[NLAYERS + 1];
    static uint8_t back[LAYER_ROOM];
    struct adt_cases big;
    uint8_t *from = device_alloc((size_t)NLAYERS * LAYER_ROOM), *to = device_alloc((size_t)NLAYERS * LAYER_ROOM);
    struct adt_layer *device_table = device_alloc(sizeof(table));
    uint32_t *device_first = device_alloc(sizeof(first));

    assert_true(from && to && device_table && device_first);
    adt_cases_make(&big, MOST);
    device_fill(to, SENTINEL, (size_t)NLAYERS * LAYER_ROOM);
    for (size_t i = 0; i < NLAYERS; i++) {
        int bytes_per_weight = (int)(i + (size_t)turn) % 4 + 1;
        uint8_t *src = from + i * LAYER_ROOM + MARGIN + 4 * i;

        table[i] =
            (struct adt_layer){ to + i * LAYER_ROOM + MARGIN + 7 * i % 64, src, layer_sizes[i], bytes_per_weight };
        if (!pack)
            table[i].dst = to + i * LAYER_ROOM + MARGIN + 4 * (i % 3);
        device_write(src, pack ? big.weights : big.packed[bytes_per_weight],
                     (size_t)(pack ? 4 : bytes_per_weight) * table[i].n);
    }
    adt_layers_plan(first, table, NLAYERS);
    device_write(device_table, table, sizeof(table));
    device_write(device_first, first, sizeof(first));
    (pack ? adt_pack_layers_cuda : adt_unpack_layers_cuda)(device_table, device_first, NLAYERS, first[NLAYERS], NULL);
    for (size_t i = 0; i < NLAYERS; i++) {
        size_t at = (size_t)((uint8_t *)table[i].dst - to) - i * LAYER_ROOM;
        int bytes_per_weight = table[i].bytes_per_weight;
        struct attempt a = { "cuda", pack ? "pack_layers" : "unpack_layers", bytes_per_weight, table[i].n, at, 4 * i };

        device_read(back, to + i * LAYER_ROOM, sizeof(back));
        no_error(&a);
        check_output(&a, back + at, pack ? big.packed[bytes_per_weight] : big.unpacked[bytes_per_weight],
                     (size_t)(pack ? bytes_per_weight : 4) * table[i].n);
    }
    adt_cases_free(&big);
    device_free(from);
    device_free(to);
    device_free(device_table);
    device_free(device_first);
}

static void all_layers(void **state)
{
    (void)state;
    for (int turn = 0; turn < 4; turn++) {
        layers(turn, 1);
        layers(turn, 0);
    }
    adt_pack_layers_cuda(NULL, NULL, 0, 0, NULL);
    adt_unpack_layers_cuda(NULL, NULL, 0, 0, NULL);
    assert_null(device_error());
}

/* Runs the tests between making and freeing what they share. */
static int with_buffers(int (*run)(void))
{
    int failed = 1;

    device_from = device_alloc(sizeof(seen));
    device_to = device_alloc(sizeof(seen));
    adt_cases_make(&cases, LONGEST);
    if (device_from && device_to)
        failed = run();
    adt_cases_free(&cases);
    device_free(device_from);
    device_free(device_to);
    return failed;
}

#endif
