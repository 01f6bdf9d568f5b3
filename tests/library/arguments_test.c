/* Arguments that no caller should pass are errors, and leave everything as it was. */
#include <locale.h>

#include "tests/library/buffers.h"

struct call {
    narrows_coder coder;
    const narrows_coder *by;
    uint8_t *stream, *payload, *state, *work;
    size_t *nbytes, n, npayload;
    float *values;
};

enum { ENCODE = 1, DECODE = 2, SEAL = 4, BOTH = ENCODE | SEAL, ALL = 7 };
enum { N = 1000, KEPT = 0x5a };

static void no_coder(struct call *c)
{
    c->by = NULL;
}
static void no_codec(struct call *c)
{
    c->coder.codec = NULL;
}
static void no_row(struct call *c)
{
    c->coder.row = NULL;
}
static void zero_coder(struct call *c)
{
    memset(&c->coder, 0, sizeof(c->coder));
}
static void noise_coder(struct call *c)
{
    memset(&c->coder, 0xa5, sizeof(c->coder));
}
static void bad_param(struct call *c)
{
    c->coder.param[0] = 7;
}
static void nan_param(struct call *c)
{
    memset(c->coder.param, 0xff, sizeof(c->coder.param));
}
static void extra_param(struct call *c)
{
    c->coder.param[3] = 1;
}
static void foreign_row(struct call *c)
{
    c->coder.row = (const char *)c->coder.row + 1;
}
static void no_payload(struct call *c)
{
    c->payload = c->stream = NULL;
}
static void odd_payload(struct call *c)
{
    c->payload++, c->stream++;
}
static void half_payload(struct call *c)
{
    c->payload += 32, c->stream += 32;
}
static void no_state(struct call *c)
{
    c->state = NULL;
}
static void odd_state(struct call *c)
{
    c->state += 4;
}
static void no_work(struct call *c)
{
    c->work = NULL;
}
static void odd_work(struct call *c)
{
    c->work += 8;
}
static void no_values(struct call *c)
{
    c->values = NULL;
}
static void odd_values(struct call *c)
{
    c->values = (float *)(void *)((char *)c->values + 2);
}
static void no_nbytes(struct call *c)
{
    c->nbytes = NULL;
}
static void odd_nbytes(struct call *c)
{
    c->nbytes = (size_t *)(void *)((char *)c->nbytes + 4);
}
static void too_many(struct call *c)
{
    c->n = NARROWS_MOST_VALUES + 1;
}
static void most(struct call *c)
{
    c->n = SIZE_MAX;
}
static void in_place(struct call *c)
{
    c->values = (float *)(void *)c->payload;
}
static void state_is_values(struct call *c)
{
    c->state = (uint8_t *)c->values;
}
static void work_is_payload(struct call *c)
{
    c->work = c->payload;
}
static void nbytes_in_state(struct call *c)
{
    c->nbytes = (size_t *)(void *)c->state;
}
static void wraps(struct call *c)
{
    c->values = (float *)(UINTPTR_MAX - 63);
}
static void payload_wraps(struct call *c)
{
    c->npayload = SIZE_MAX;
}
static void too_short(struct call *c)
{
    c->npayload--;
}
static void too_long(struct call *c)
{
    c->npayload++;
}
static void empty(struct call *c)
{
    c->npayload = 0;
}

static const struct {
    const char *what;
    void (*spoil)(struct call *c);
    int calls, want;
} table[] = {
    { "no coder", no_coder, ALL, NARROWS_ARGUMENT },
    { "no codec", no_codec, ALL, NARROWS_ARGUMENT },
    { "no row", no_row, ALL, NARROWS_ARGUMENT },
    { "a coder of zeros", zero_coder, ALL, NARROWS_ARGUMENT },
    { "a coder of noise", noise_coder, ALL, NARROWS_ARGUMENT },
    { "a parameter out of range", bad_param, ALL, NARROWS_ARGUMENT },
    { "a parameter that is no number", nan_param, ALL, NARROWS_ARGUMENT },
    { "a parameter too many", extra_param, ALL, NARROWS_ARGUMENT },
    { "no such row", foreign_row, ALL, NARROWS_ARGUMENT },
    { "no payload", no_payload, ALL, NARROWS_ARGUMENT },
    { "payload on an odd address", odd_payload, ALL, NARROWS_MISALIGNED },
    { "payload on 32 bytes", half_payload, ALL, NARROWS_MISALIGNED },
    { "no state", no_state, BOTH, NARROWS_ARGUMENT },
    { "state on 4 bytes", odd_state, BOTH, NARROWS_MISALIGNED },
    { "no work", no_work, ALL, NARROWS_ARGUMENT },
    { "work on 8 bytes", odd_work, ALL, NARROWS_MISALIGNED },
    { "no values", no_values, ALL, NARROWS_ARGUMENT },
    { "values on 2 bytes", odd_values, ALL, NARROWS_MISALIGNED },
    { "no nbytes", no_nbytes, BOTH, NARROWS_ARGUMENT },
    { "nbytes on 4 bytes", odd_nbytes, BOTH, NARROWS_MISALIGNED },
    { "too many values", too_many, ALL, NARROWS_COUNT },
    { "as many values as can be written", most, ALL, NARROWS_COUNT },
    { "values are the payload", in_place, ALL, NARROWS_ARGUMENT },
    { "state is the values", state_is_values, BOTH, NARROWS_ARGUMENT },
    { "work is the payload", work_is_payload, ALL, NARROWS_ARGUMENT },
    { "nbytes in the state", nbytes_in_state, BOTH, NARROWS_ARGUMENT },
    { "values to the end of memory", wraps, ALL, NARROWS_ARGUMENT },
    { "payload to the end of memory", payload_wraps, DECODE, NARROWS_ARGUMENT },
    { "a byte short", too_short, DECODE, NARROWS_SHORT },
    { "a byte long", too_long, DECODE, NARROWS_LONG },
    { "an empty payload", empty, DECODE, NARROWS_SHORT },
};

static void expect(const char *what, const char *call, int got, int want)
{
    if (got != want)
        fail_msg("%s, %s: %d (%s), want %d", what, call, got, narrows_error_text(got), want);
}

static void unchanged(const char *what, const void *bytes, size_t nbytes)
{
    for (size_t i = 0; i < nbytes; i++)
        if (((const uint8_t *)bytes)[i] != KEPT)
            fail_msg("%s: byte %zu was written", what, i);
}

/* Each buffer is larger than it has to be and holds KEPT, but for the payload. "1bit" needs every buffer there is. */
static void try_row(size_t row)
{
    struct buffers b;
    size_t nbytes[2] = { 0 }, nsent;
    uint8_t *sent = buffer_of(4096, 0), *state = buffer_of(8192, KEPT), *work = buffer_of(8192, KEPT);
    float *values = buffer_of(8192, KEPT);
    struct call c = { .state = state, .work = work, .nbytes = nbytes, .values = values, .n = N };

    buffers_make(&b, "1bit", 0, N);
    assert_int_equal(narrows_encode(&b.coder, b.payload, &nsent, b.values, N, b.state, b.work), 0);
    memcpy(sent, b.payload, nsent);
    c.coder = b.coder, c.by = &c.coder;
    c.stream = c.payload = sent, c.npayload = nsent;
    table[row].spoil(&c);
    if (table[row].calls & ENCODE)
        expect(table[row].what, "encode", narrows_encode(c.by, c.payload, c.nbytes, c.values, c.n, c.state, c.work),
               table[row].want);
    if (table[row].calls & SEAL)
        expect(table[row].what, "seal", narrows_seal(c.by, c.stream, c.nbytes, c.values, c.n, c.state, c.work),
               table[row].want);
    if (table[row].calls & DECODE) {
        expect(table[row].what, "decode", narrows_decode(c.by, c.values, c.n, c.payload, c.npayload, c.work),
               table[row].want);
        expect(table[row].what, "decode_add", narrows_decode_add(c.by, c.values, c.n, c.payload, c.npayload, c.work),
               table[row].want);
    }
    assert_memory_equal(sent, b.payload, nsent);
    unchanged(table[row].what, values, 8192), unchanged(table[row].what, state, 8192);
    assert_true(!nbytes[0] && !nbytes[1]);
    free(sent), free(state), free(work), free(values);
    buffers_free(&b);
}

static void bad_arguments_are_errors(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++)
        try_row(i);
}

static void texts_are_read_or_refused(void **state)
{
    static const struct {
        const char *text;
        unsigned flags;
        int want;
        const char *why;
    } texts[] = {
        { "3lc", 0, NARROWS_OK, "" },
        { "3lc:s=1.75", NARROWS_SERIAL, NARROWS_OK, "" },
        { "ThreeLC:s=1.75", 0, NARROWS_OK, "" },
        { "dct:density=0x1p-4", 0, NARROWS_PARAMETER, "dct has no parameter 'density'; it has" },
        { "", 0, NARROWS_UNKNOWN, "no codec is called ''; there are 3lc, 3lc-quartic" },
        { "4lc", 0, NARROWS_UNKNOWN, "no codec is called '4lc'; there are 3lc, 3lc-quartic" },
        { "3lc:", 0, NARROWS_PARAMETER, "3lc: expected PARAM=VALUE, got ''" },
        { "3lc:s", 0, NARROWS_PARAMETER, "3lc: expected PARAM=VALUE, got 's'" },
        { "3lc:s=", 0, NARROWS_PARAMETER, "3lc: s: expected a number, got ''" },
        { "3lc:s=1.5x", 0, NARROWS_PARAMETER, "3lc: s: expected a number, got '1.5x'" },
        { "3lc:s=1,5", 0, NARROWS_PARAMETER, "3lc: expected PARAM=VALUE, got '5'" },
        { "3lc:s=nan", 0, NARROWS_PARAMETER, "3lc: s: expected a number from 1 to 2, got nan" },
        { "3lc:s=2", 0, NARROWS_PARAMETER, "3lc: s: expected a number from 1 to 2, got 2" },
        { "fp32:s=2", 0, NARROWS_PARAMETER, "fp32 has no parameter 's'; it has none" },
        { "adt:keep=2.5", 0, NARROWS_PARAMETER, "adt: keep: expected a whole number from 1 to 4, got 2.5" },
        { "3lc", 3, NARROWS_ARGUMENT, "an argument that cannot be" },
        { "3lc", 4, NARROWS_ARGUMENT, "an argument that cannot be" },
    };
    narrows_coder coder;
    char why[1024], narrow[8];

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        memset(&coder, KEPT, sizeof(coder));
        expect(texts[i].text, "choose", narrows_coder_choose(&coder, texts[i].text, texts[i].flags, why, sizeof(why)),
               texts[i].want);
        if (strncmp(why, texts[i].why, strlen(texts[i].why)) != 0 || strchr(why, '\n'))
            fail_msg("'%s': '%s', want '%s'", texts[i].text, why, texts[i].why);
        if (texts[i].want)
            unchanged(texts[i].text, &coder, sizeof(coder));
        memset(narrow, KEPT, sizeof(narrow));
        expect(texts[i].text, "choose, four bytes",
               narrows_coder_choose(&coder, texts[i].text, texts[i].flags, narrow, 4), texts[i].want);
        assert_true(strlen(narrow) < 4);
        unchanged(texts[i].text, narrow + 4, 4);
        expect(texts[i].text, "choose, no bytes", narrows_coder_choose(&coder, texts[i].text, texts[i].flags, NULL, 0),
               texts[i].want);
    }
    assert_int_equal(narrows_coder_choose(NULL, "3lc", 0, NULL, 0), NARROWS_ARGUMENT);
    assert_int_equal(narrows_coder_choose(&coder, NULL, 0, why, sizeof(why)), NARROWS_ARGUMENT);
    assert_int_equal(narrows_coder_choose(&coder, "3lc", 0, NULL, 10), NARROWS_ARGUMENT);
}

/* Where the decimal point is a comma, the text is read as ever. */
static void numbers_have_a_point_everywhere(void **state)
{
    static const char *const with_comma[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR" };
    narrows_coder coder;
    size_t i = 0;

    (void)state;
    while (i < COUNT(with_comma) && !setlocale(LC_NUMERIC, with_comma[i]))
        i++;
    if (i == COUNT(with_comma))
        skip(); /* no such locale is installed */
    assert_int_equal(narrows_coder_choose(&coder, "3lc:s=1.75", 0, NULL, 0), NARROWS_OK);
    assert_true(coder.param[0] == 1.75);
    setlocale(LC_NUMERIC, "C");
}

static void questions_have_answers(void **state)
{
    narrows_coder zero = { 0 }, fp32, serial;
    narrows_param p;

    (void)state;
    assert_int_equal(narrows_coder_choose(&fp32, "fp32", 0, NULL, 0), NARROWS_OK);
    assert_true(narrows_payload_bound(&fp32, NARROWS_MOST_VALUES) == 4 * NARROWS_MOST_VALUES);
    assert_true(narrows_stream_bound(&fp32, 1) == 68);
    assert_int_equal(narrows_coder_choose(&serial, "fp32", NARROWS_SERIAL, NULL, 0), NARROWS_OK);
    assert_null(strstr(narrows_coder_impl(&serial), "+omp"));
    size_t (*const sizes[])(const narrows_coder *, size_t) = { narrows_payload_bound, narrows_state_bytes,
                                                               narrows_work_bytes, narrows_stream_bound };
    for (size_t i = 0; i < COUNT(sizes); i++)
        assert_true(sizes[i](&fp32, NARROWS_MOST_VALUES + 1) == SIZE_MAX && sizes[i](&zero, 1) == SIZE_MAX &&
                    sizes[i](NULL, 1) == SIZE_MAX);
    assert_null(narrows_coder_impl(&zero));
    assert_null(narrows_coder_impl(NULL));
    assert_non_null(narrows_coder_impl(&fp32));
    assert_null(narrows_codec_find(NULL));
    assert_null(narrows_codec_name(NULL));
    assert_null(narrows_codec_what(NULL));
    assert_null(narrows_codec_source(NULL));
    assert_int_equal(narrows_codec_class(NULL), NARROWS_GATHERED);
    assert_int_equal(narrows_codec_param(NULL, 0, &p), NARROWS_ARGUMENT);
    assert_int_equal(narrows_codec_param(fp32.codec, 0, NULL), NARROWS_ARGUMENT);
    assert_int_equal(narrows_codec_param(fp32.codec, SIZE_MAX, &p), NARROWS_COUNT);
    assert_string_equal(narrows_error_text(-1), narrows_error_text(1000));
    for (int error = NARROWS_OK; error <= NARROWS_ABSENT; error++)
        assert_string_not_equal(narrows_error_text(error), narrows_error_text(1000));
}

/* The rows of the device are another library's matter where this one has none. */
static void devices_are_asked_for(void **state)
{
    float values[16] = { 0 };
    uint64_t nbytes = KEPT;
    int error = KEPT;
    narrows_coder host, device;
    char why[256];
    int rc = narrows_coder_choose(&device, "3lc", NARROWS_DEVICE, why, sizeof(why));
    uint8_t *payload = buffer_of(1024, 0), *buffers = buffer_of(65536, 0);

    (void)state;
    assert_int_equal(narrows_coder_choose(&host, "3lc", 0, NULL, 0), NARROWS_OK);
#ifdef NW_CUDA
    const int want = NARROWS_ARGUMENT;
#else
    const int want = NARROWS_ABSENT;
    assert_int_equal(rc, NARROWS_ABSENT);
#endif
    assert_int_equal(narrows_encode_on(&host, payload, &nbytes, values, 16, buffers, buffers + 1024, NULL), want);
    assert_int_equal(narrows_decode_on(&host, values, 16, 0, payload, 8, buffers, &error, NULL), want);
    assert_int_equal(narrows_encode_on(NULL, payload, &nbytes, values, 16, buffers, buffers + 1024, NULL),
                     NARROWS_ARGUMENT);
    assert_true(nbytes == KEPT && error == KEPT);
    if (rc) {
        assert_int_equal(rc, NARROWS_ABSENT);
        assert_non_null(strstr(why, "no CUDA device"));
    } else {
        assert_string_equal(narrows_coder_impl(&device), "cuda");
        assert_int_equal(narrows_encode(&device, payload, &(size_t){ 0 }, values, 16, buffers, buffers + 1024),
                         NARROWS_ARGUMENT);
    }
    free(payload), free(buffers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_arguments_are_errors),        cmocka_unit_test(texts_are_read_or_refused),
        cmocka_unit_test(numbers_have_a_point_everywhere), cmocka_unit_test(questions_have_answers),
        cmocka_unit_test(devices_are_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
