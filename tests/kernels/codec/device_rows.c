#include "tests/kernels/codec/device_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/device.h"
#include "kernels/powersgd/powersgd.h"
#include "kernels/threelc/threelc.h"
#include "tests/kernels/codec/device_content.h"
#include "tests/kernels/codec/device_twin.h"
#include "tests/sanitized.h"
#include "tests/test.h"

/* Tails repeat themselves after 80 values at the latest: four, five, eight and sixteen at a time. The sanitizer is
 * slow. */
#if defined(__SANITIZE_ADDRESS__)
enum { LONGEST = 300, EVERY = 64 };
#else
enum { LONGEST = 300, EVERY = 164 };
#endif

static const struct device_row *rows, *row;
static const struct codec_impl *scalar;
static void (*choose_order)(size_t);
static size_t number;

static void say_case(const char *what, size_t n, enum content content, size_t shift)
{
    fail_msg("%s: %s; %zu values, %s, %zu bytes past a boundary, case %zu", row->codec->name, what, n,
             content_name[content], shift, number);
}

/* --- a case ------------------------------------------------------------------------------------------------------ */

struct run {
    size_t n, shift; /* the values start 'shift' bytes past a boundary of 64 */
    enum content content;
    struct codec_params params;
    struct twin values, payload, state, work, result, number;
    uint64_t nbytes;
};

static void run_begin(struct run *r, size_t n, enum content content, size_t shift, const struct codec_params *p)
{
    *r = (struct run){ .n = n, .shift = shift, .content = content, .params = *p };
    r->values = twin_new(4 * n + shift);
    r->result = twin_new(4 * n + shift);
    r->payload = twin_new(row->codec->payload_bound(n, p));
    r->state = twin_new(row->codec->state_size(n, p));
    r->work = twin_new(row->codec->work_size(n, p));
    r->number = twin_new(16);
    memset(here(&r->state), 0, r->state.size);
    if (row->codec->impls == threelc_pull_impls) /* the caller's to set */
        fill_content(here(&r->state), n, content, 4711);
    twin_send(&r->state);
    if (choose_order)
        choose_order(number);
    number++;
}

static void run_end(struct run *r)
{
    struct twin *twins[] = { &r->values, &r->payload, &r->state, &r->work, &r->result, &r->number };

    for (size_t i = 0; i < sizeof(twins) / sizeof(*twins); i++)
        twin_free(twins[i]);
}

static void no_error(const struct run *r)
{
    const char *error = device_error();

    if (error)
        say_case(error, r->n, r->content, r->shift);
}

static void same(const struct run *r, const char *what, struct twin *t, size_t size)
{
    char text[100];
    long at = twin_differs(t, size);

    snprintf(text, sizeof(text), "%s differs at byte %ld of %zu", what, at, size);
    if (at >= 0 || at < -1)
        say_case(text, r->n, r->content, r->shift);
}

static void compress_both(struct run *r, uint64_t seed)
{
    uint64_t nbytes = 0;

    fill_content((uint8_t *)here(&r->values) + r->shift, r->n, r->content, seed);
    twin_send(&r->values);
    scalar->compress(&scalar->impl, here(&r->payload), &r->nbytes,
                     (float *)(void *)((uint8_t *)here(&r->values) + r->shift), r->n, &r->params, here(&r->state),
                     here(&r->work));
    row->compress(NULL, there(&r->payload), there(&r->number),
                  (float *)(void *)((uint8_t *)there(&r->values) + r->shift), r->n, &r->params, there(&r->state),
                  there(&r->work));
    device_read(&nbytes, there(&r->number), sizeof(nbytes));
    no_error(r);
    if (nbytes != r->nbytes)
        say_case("the size of the payload differs", r->n, r->content, r->shift);
    same(r, "payload", &r->payload, nbytes);
    same(r, "state", &r->state, r->state.size);
    same(r, "values", &r->values, r->values.size);
    same(r, "work", &r->work, 0);
}

/* Returns the error. Of a payload of 'nbytes', which stands here and there. */
static int decompress_both(struct run *r, size_t nbytes, enum codec_into into)
{
    int error = -1, device_fault = -1;

    fill_content((uint8_t *)here(&r->result) + r->shift, r->n, r->content, 1000 + nbytes);
    twin_send(&r->result);
    scalar->decompress(&scalar->impl, (float *)(void *)((uint8_t *)here(&r->result) + r->shift), r->n, into,
                       here(&r->payload), nbytes, &r->params, here(&r->work), &error);
    row->decompress(NULL, (float *)(void *)((uint8_t *)there(&r->result) + r->shift), r->n, into, there(&r->payload),
                    nbytes, &r->params, there(&r->work), there(&r->number));
    device_read(&device_fault, there(&r->number), sizeof(device_fault));
    no_error(r);
    if (error != device_fault) {
        char text[100];

        snprintf(text, sizeof(text), "error %d, not %d, of a payload of %zu bytes", device_fault, error, nbytes);
        say_case(text, r->n, r->content, r->shift);
    }
    same(r, into == CODEC_ADD ? "what was added to" : "what was decoded", &r->result, r->result.size);
    same(r, "work of the way back", &r->work, 0);
    return error;
}

static void round_trips(size_t n, enum content content, size_t shift, const struct codec_params *p)
{
    struct run r;

    run_begin(&r, n, content, shift, p);
    for (uint64_t step = 0; step < (n < 40 ? 4 : n <= LONGEST || n > 1000000 ? 1 : 2); step++) {
        compress_both(&r, step);
        assert_int_equal(decompress_both(&r, r.nbytes, (step + n) % 2 ? CODEC_ADD : CODEC_STORE), CODEC_OK);
    }
    run_end(&r);
}

/* The presets, or the lowest first parameter that the table allows. */
static struct codec_params params_of(int lowest)
{
    struct codec_params p = codec_presets(row->codec);

    if (lowest && row->codec->param[0].name)
        p.value[0] = row->codec->param[0].lowest;
    return p;
}

static void for_each_row(void (*test)(void))
{
    for (row = rows; row->codec; row++) {
        for (scalar = row->codec->impls; strcmp(scalar->impl.name, "scalar"); scalar++)
            ;
        test();
    }
}

static void every_length(void)
{
    struct codec_params p = params_of(0), low = params_of(1);

    for (size_t n = 0; n <= LONGEST; n += SANITIZED ? 7 : n < EVERY ? 1 : 3) {
        round_trips(n, (enum content)(n % CONTENTS), 4 * (n % 16), &p);
        if (n % 7 == 0)
            round_trips(n, (enum content)((n + 2) % CONTENTS), 0, n % 2 ? &low : &p);
    }
}

static void large(void)
{
    static const size_t sizes[] = { 511,   512,   1023,  1024,  1025,   4095,   4096,   4097,    4100,
                                    8192,  12289, 20479, 20480, 20481,  40961,  65537,  81919,   81920,
                                    81921, 81927, 81933, 98304, 163839, 163847, 245761, 5000011, 9000001 };
    struct codec_params p = params_of(0);

    for (size_t s = sampled() ? (size_t)(row - rows) % 2 : 0;
         s < sizeof(sizes) / sizeof(*sizes) && sizes[s] <= row->largest; s += sampled() ? 2 : 1)
        for (size_t o = 0; o < 4; o += SANITIZED ? 3 : 1)
            if (o == s % 4 || ((o + 1) % 4 == s % 4 && sizes[s] < 1000000))
                round_trips(sizes[s], (enum content)((s + o) % 3), 4 * (o % 2), &p);
}

/* A word that is no number, or none that may be, where a scale may stand. */
static void hostile_words(struct run *r)
{
    static const uint32_t words[] = { 0x7f800000, 0x80000000, 0x7f800001, 0xff800000, 0xbf800000, 0x7f7fffff };
    uint8_t *bytes = here(&r->payload), was[4];

    for (size_t i = 0; i + 4 <= r->nbytes; i += i == 0 && r->nbytes > 13 ? r->nbytes - 12 : 1)
        for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++) {
            memcpy(was, bytes + i, 4);
            memcpy(bytes + i, &words[w], 4);
            twin_send(&r->payload);
            decompress_both(r, r->nbytes, w % 2 ? CODEC_ADD : CODEC_STORE);
            memcpy(bytes + i, was, 4);
        }
}

static void hostile(void)
{
    static const size_t lengths[] = { 1, 5, 37, 203 };
    struct codec_params p = params_of(1);

    for (size_t l = 0; l < sizeof(lengths) / sizeof(*lengths); l += SANITIZED ? 2 : 1) {
        struct run r;
        uint8_t *bytes;

        run_begin(&r, lengths[l], l % 2 ? SPARSE : GAUSSIAN, 0, &p);
        compress_both(&r, 5);
        bytes = here(&r.payload);
        for (size_t nbytes = 0; nbytes <= r.payload.size; nbytes++)
            decompress_both(&r, nbytes, nbytes % 2 ? CODEC_ADD : CODEC_STORE);
        for (size_t i = 0; i < r.nbytes; i++) {
            static const uint8_t flips[] = { 0x01, 0x40, 0x80, 0xff };

            for (size_t f = 0; f < sizeof(flips); f++) {
                bytes[i] ^= flips[f];
                twin_send(&r.payload);
                decompress_both(&r, r.nbytes, f % 2 ? CODEC_ADD : CODEC_STORE);
                bytes[i] ^= flips[f];
            }
        }
        hostile_words(&r);
        run_end(&r);
    }
}

/* An error anywhere in a long payload leaves every value alone. */
static void hostile_large(void)
{
    struct codec_params p = params_of(0);
    struct run r;
    uint8_t *bytes;

    run_begin(&r, 90001, SPARSE, 4, &p);
    compress_both(&r, 6);
    bytes = here(&r.payload);
    for (size_t i = 0; i < r.nbytes; i += i < 24 || i + 24 > r.nbytes ? (sampled() ? 3 : 1) : r.nbytes / 17 + 1) {
        uint8_t was = bytes[i];

        bytes[i] = i % 2 ? 0x80 : 0xff;
        twin_send(&r.payload);
        decompress_both(&r, r.nbytes, i % 4 < 2 ? CODEC_ADD : CODEC_STORE);
        bytes[i] = was;
    }
    run_end(&r);
}

/* Terms that the scalar row compressed, summed here and there; with a byte of one turned, refused by both. */
static void reduce_both(struct run *r, struct twin *sent, struct codec_terms here_terms, int want)
{
    struct codec_terms there_terms = here_terms;
    uint64_t nbytes = 4711, device_nbytes = 4711;
    int error = -1, device_fault = -1;

    here_terms.payloads = here(sent);
    there_terms.payloads = there(sent);
    twin_send(sent);
    device_write(there(&r->number), &device_nbytes, sizeof(device_nbytes));
    scalar->reduce(&scalar->impl, here(&r->payload), &nbytes, &here_terms, r->n, &r->params, here(&r->work), &error);
    row->reduce(NULL, there(&r->payload), there(&r->number), &there_terms, r->n, &r->params, there(&r->work),
                (int *)(void *)((uint8_t *)there(&r->number) + 8));
    device_read(&device_nbytes, there(&r->number), sizeof(device_nbytes));
    device_read(&device_fault, (uint8_t *)there(&r->number) + 8, sizeof(device_fault));
    no_error(r);
    if (error != want || device_fault != want || device_nbytes != nbytes)
        say_case("the error or size of a sum differs", r->n, r->content, r->shift);
    same(r, "sum", &r->payload, r->payload.size);
}

/* The error that the scalar row finds in a payload. */
static int decompress_here(struct run *r, const uint8_t *payload)
{
    int error = -1;

    scalar->decompress(&scalar->impl, here(&r->result), r->n, CODEC_STORE, payload, r->payload.size, &r->params,
                       here(&r->work), &error);
    return error;
}

static void sums_of(size_t n, size_t count, enum content content, const struct codec_params *p)
{
    struct run r;
    struct twin sent;
    struct codec_terms terms = { .count = count };
    uint8_t *last;

    run_begin(&r, n, content, 0, p);
    terms.nbytes = r.payload.size;
    terms.stride = (terms.nbytes + 63) / 64 * 64;
    sent = twin_new((count - 1) * terms.stride + terms.nbytes);
    last = (uint8_t *)here(&sent) + (count - 1) * terms.stride;
    for (size_t k = 0; k < count; k++) {
        fill_content(here(&r.values), n, content, 50 + k);
        scalar->compress(&scalar->impl, (uint8_t *)here(&sent) + k * terms.stride, &r.nbytes, here(&r.values), n, p,
                         here(&r.state), here(&r.work));
    }
    reduce_both(&r, &sent, terms, CODEC_OK);
    for (size_t at = 0; at < terms.nbytes; at += terms.nbytes / 3 + 1) {
        uint8_t was = last[at];

        last[at] = 0x80;
        if (decompress_here(&r, last) != CODEC_OK)
            reduce_both(&r, &sent, terms, CODEC_CONTENT);
        last[at] = was;
    }
    twin_free(&sent);
    run_end(&r);
}

static void reductions(void)
{
    static const size_t lengths[] = { 0, 1, 3, 6, 64, 67, 254, 1021, 8192, 20001, 250000 };
    struct codec_params p = params_of(0), low = params_of(1);

    for (size_t l = 0; l < sizeof(lengths) / sizeof(*lengths) && row->reduce && lengths[l] <= row->largest; l++)
        for (size_t count = 1; count <= 5; count += SANITIZED || lengths[l] > 9999 ? 4 : 2) {
            sums_of(lengths[l], count, (enum content)((l + count) % CONTENTS), &p);
            sums_of(lengths[l], count, (enum content)((l + count / 2) % CONTENTS), &low);
        }
}

#define FOR_EACH_ROW(name)            \
    static void name##_test(void **s) \
    {                                 \
        (void)s;                      \
        for_each_row(name);           \
    }
FOR_EACH_ROW(every_length)
FOR_EACH_ROW(large)
FOR_EACH_ROW(hostile)
FOR_EACH_ROW(hostile_large)
FOR_EACH_ROW(reductions)

struct codec device_rows_pull(void)
{
    struct codec pull = codec_3lc;

    pull.name = "3lc pull";
    pull.impls = threelc_pull_impls;
    return pull;
}

struct codec device_rows_narrow(void)
{
    struct codec narrow = codec_powersgd;

    narrow.name = "narrow powersgd";
    narrow.param[0].preset = 45;
    narrow.param[1].preset = 5;
    return narrow;
}

int device_rows_test(const struct device_row *tested, void (*order)(size_t))
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_test),  cmocka_unit_test(large_test),      cmocka_unit_test(hostile_test),
        cmocka_unit_test(hostile_large_test), cmocka_unit_test(reductions_test),
    };

    rows = tested;
    choose_order = order;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
