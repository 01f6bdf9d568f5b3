/* refusals_test.c - files that are no tensors, or damaged ones: each is refused with its reason, and nothing is left
 * behind. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/tensor/tensors.h"
#include "tests/tensor/files.h"
#include "tests/test.h"

/* The good files that the cases are, but for what is wrong: 24 bytes of values. */
#define ENTRIES(descr, fortran, shape) "{'descr': " descr ", 'fortran_order': " fortran ", 'shape': " shape ", }"
#define DESCR(descr) ENTRIES(descr, "False", "(2, 3)")
#define SHAPE(shape) ENTRIES("'<f4'", "False", shape)
#define TENSOR(dtype, shape, offsets) "{\"dtype\": \"" dtype "\", \"shape\": " shape ", \"data_offsets\": " offsets "}"
#define PAIR(a, b) "{\"a\": " TENSOR("F32", "[3]", a) ", \"b\": " TENSOR("F32", "[3]", b) "}"
#define ONE(tensor) "{\"w\": " tensor "}"

enum { VALUES = 24 };

struct refusal {
    const char *file, *text;
    size_t ntext, nvalues;
    const char *want;
};

#define IS(file, text, want)                  \
    {                                         \
        file, text, sizeof(text) - 1, 0, want \
    }
#define HAS(text, want)                            \
    {                                              \
        NULL, text, sizeof(text) - 1, VALUES, want \
    }
#define CUT(text, n, want)                    \
    {                                         \
        NULL, text, sizeof(text) - 1, n, want \
    }

static void refuse(const char *file, const struct bytes *b, const struct tensors_options *o, const char *want)
{
    uint8_t *copy = malloc(b->n ? b->n : 1);
    struct tensors t = { 0 };
    char *said = NULL, beginning[64];
    size_t n = 0;
    FILE *err = open_memstream(&said, &n);

    assert_non_null(copy);
    assert_non_null(err);
    if (b->n)
        memcpy(copy, b->at, b->n);
    assert_int_equal(tensors_parse(&t, file, copy, b->n, o, err), NW_EINPUT);
    fclose(err);
    snprintf(beginning, sizeof(beginning), "%s: ", file);
    if (strncmp(said, beginning, strlen(beginning)) != 0 || !strstr(said, want) || strchr(said, '\n') != said + n - 1)
        fail_msg("expected '%s', got: %s", want, said);
    assert_int_equal(t.n, 0);
    assert_null(t.list);
    free(said);
    free(copy);
}

static void add_values(struct bytes *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes_add_number(b, i % 4 == 3 ? 0x3f : i, 1);
}

static void other_formats(void **state)
{
    static const struct refusal cases[] = {
        IS("t", "", "got an empty file"),
        IS("t.npy", "", "got an empty file"),
        IS("t.f32", "abc", "4 bytes each, got 3 bytes"),
        IS("t.f32", "\x89HDF\r\n\x1a\n....", "got an HDF5 file: numpy.save("),
        IS("t.h5", "\x89HDF\r\n\x1a\n....", "got an HDF5 file"),
        IS("t.npy.gz", "\x1f\x8b\x08\0....", "got a gzip file: gunzip it first"),
        IS("t.jpg", "\xff\xd8\xff\xe0....", "got a JPEG image"),
        IS("t.png", "\x89PNG\r\n\x1a\n", "got a PNG image"),
        IS("t.pt", "\x80\x02\x8a\nl\xfc\x9c", "got a pickle of Python (an old .pt?)"),
        IS("t.pkl", "\x80\x04\x95\0\0", "got a pickle of Python"),
        IS("t.nws", "NRWS\x01\0\0\0", "got a compressed stream: narrows decompress"),
        IS("t.state", "NRWSTATE", "got the state of a codec"),
        IS("t.csv", "1.5, 2.5\n3, 4\n", "got text: numpy.save(OUT, numpy.loadtxt("),
        IS("t.db", "SQLite format 3\0", "got a SQLite database"),
        IS("t.gguf", "GGUF\x03\0\0\0", "got a GGUF file"),
        IS("t.bin", "\x01\x02\x03\x04....", "begins with the bytes 01 02 03 04"),
        IS("t.zip", "PK\x03\x04....", "expected a ZIP archive (.npz)"),
        IS("t.npy", "\x93NUMPY", "byte 0: expected the beginning of a .npy file, 8 bytes, got 6"),
        IS("t.npy", "\x93NUMPX\x01\0", "begins with the bytes 93 4e 55 4d"),
        IS("t.npy", "\x93NUMPY\x01\0v", "byte 8: expected the length of the header, 2 bytes, got 1"),
        IS("t.npy", "\x93NUMPY\x04\0\0\0\0\0", "expected version 1.0, 2.0 or 3.0 of .npy, got 4.0"),
        IS("t.npy", "\x93NUMPY\x01\0v\0{'descr'", "expected a header of 118 bytes, got 8"),
        IS("t.npy", "\x93NUMPY\x02\0\xff\xff\xff\xff{'descr'", "expected a header of 4294967295 bytes, got 8"),
        IS("t.safetensors", "\x02\0\0", "byte 0: expected the length of a header, 8 bytes, got 3"),
        IS("t.safetensors", "\xff\xff\xff\xff\xff\xff\xff\xff{}", "at most 100000000 bytes, got 18446744073709551615"),
        IS("t", "\x10\0\0\0\0\0\0\0{}", "expected a header of 16 bytes, got 2"),
        IS("t.safetensors", "\x03\0\0\0\0\0\0\0[1]", "expected an object of tensors"),
        IS("t", "\x02\0\0\0\0\0\0\0{}", "expected a tensor, got none"),
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bytes b = { 0 };

        bytes_add(&b, cases[i].text, cases[i].ntext);
        refuse(cases[i].file, &b, NULL, cases[i].want);
        free(b.at);
    }
}

static void arrays_of_numpy(void **state)
{
    static const struct refusal cases[] = {
        HAS(ENTRIES("'<f4'", "True", "(2, 3)"), "expected values in C order, got Fortran order: numpy.save("),
        HAS(DESCR("'<i8'"), "got t (int64)"),
        HAS(DESCR("'<u2'"), "got t (uint16)"),
        HAS(DESCR("'|b1'"), "got t (booleans)"),
        HAS(DESCR("'<c8'"), "got t (complex64)"),
        HAS(DESCR("'<f16'"), "got t (float128)"),
        HAS(DESCR("'<f1'"), "got t (float8)"),
        HAS(DESCR("'|O'"), "got t (Python objects)"),
        HAS(DESCR("'<U1'"), "got t (strings)"),
        HAS(DESCR("'|S4'"), "got t (strings)"),
        HAS(DESCR("'<M8[D]'"), "got t (dates)"),
        HAS(DESCR("'|V4'"), "got t (void32)"),
        HAS(DESCR("'|V88888888888888888'"), "got t (void)"),
        HAS(DESCR("'=f4'"), "got t (float32)"),
        HAS(DESCR("''"), "got t (the type '')"),
        HAS(DESCR("[('a', '<f4'), ('b', '<i4', (2,))]"), "got t (a structured type)"),
        HAS(DESCR("('<f4', (3,))"), "got t (a structured type)"),
        HAS(DESCR("[('a', '<f4'"), "expected the end of a structured type"),
        HAS(DESCR("4"), "expected a type in quotes"),
        HAS(DESCR("'<f4"), "expected ',' or '}'"),
        HAS(DESCR("'<\\x664'"), "expected a type in quotes"),
        HAS(ENTRIES("'<f8'", "False", "(3,)"), "got float64 (--round"),
        HAS(SHAPE("(2, 4)"), "expected 8 values of float32, 32 bytes, from byte 69 on, got 24 bytes"),
        HAS(SHAPE("(5,)"), "expected 5 values of float32, 20 bytes, from byte 67 on, got 24 bytes: another array?"),
        HAS(SHAPE("(4294967296, 4294967296)"), "expected at most 2^40 values"),
        HAS(SHAPE("(1099511627776,)"), "4398046511104 bytes, from byte"),
        HAS(SHAPE("(9223372036854775808,)"), "expected a dimension below 2^63"),
        HAS(SHAPE("(-1,)"), "expected a dimension, 0 or more, got '-1,)"),
        HAS(SHAPE("(2.0, 3)"), "expected ',' or ')'"),
        HAS(SHAPE("(6)"), "expected ',' or ')'"),
        HAS(SHAPE("[6]"), "expected a shape"),
        HAS(SHAPE("6"), "expected a shape"),
        HAS(SHAPE("(2, 3"), "expected a dimension, 0 or more, got '}'"),
        HAS(SHAPE("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,6)"), "at most 32 dimensions"),
        HAS(ENTRIES("'<f4'", "0", "(2, 3)"), "expected True or False, got '0, "),
        HAS("{'descr': '<f4', 'shape': (2, 3), }", "expected 'fortran_order', which is missing"),
        HAS("{'descr': '<f4', 'descr': '<f4'}", "expected 'descr' once"),
        HAS("{'descr': '<f4', 'dims': (2, 3)}", "got 'dims'"),
        HAS("{descr: '<f4'}", "expected a key in quotes"),
        HAS("{'descr' '<f4'}", "expected ':'"),
        HAS("{'descr': '<f4'", "expected ',' or '}'"),
        HAS("{}", "expected 'descr', which is missing"),
        HAS("", "expected '{', got ''"),
        HAS(DESCR("'<f4'") "import os", "expected spaces up to the values, got 'import os'"),
        CUT(DESCR("'<f4'"), 23, "expected 6 values of float32, 24 bytes, from byte 69 on, got 23 bytes"),
        CUT(DESCR("'<f4'"), 0, "got 0 bytes"),
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bytes b = { 0 };

        npy_begin(&b, 1, cases[i].text, cases[i].ntext);
        add_values(&b, cases[i].nvalues);
        refuse("t.npy", &b, NULL, cases[i].want);
        free(b.at);
    }
}

static void safetensors(void **state)
{
    static const struct refusal cases[] = {
        HAS(PAIR("[0, 12]", "[8, 20]"), "b: expected values from offset 12 on, got 8: they overlap"),
        HAS(PAIR("[0, 12]", "[0, 12]"), "b: expected values from offset 12 on, got 0: they overlap"),
        HAS(PAIR("[0, 12]", "[16, 28]"), "b: expected values from offset 12 on, got 16: there is a hole"),
        HAS(PAIR("[4, 16]", "[16, 28]"), "a: expected values from offset 0 on, got 4: there is a hole"),
        CUT(PAIR("[0, 12]", "[12, 24]"), 20, "b: expected values up to offset 24, got 20 bytes: it ends there"),
        CUT(PAIR("[0, 12]", "[12, 24]"), 30, "expected 24 bytes of values, got 30"),
        HAS(ONE(TENSOR("F32", "[5]", "[0, 24]")), "w: expected 20 bytes for 5 values of F32, got 24"),
        HAS(ONE(TENSOR("F64", "[3]", "[0, 24]")), "'w': expected float32, float16 or bfloat16, got float64 (--round"),
        HAS(ONE(TENSOR("I64", "[3]", "[0, 24]")), "got w (I64)"),
        HAS(ONE(TENSOR("F8_E4M3", "[24]", "[0, 24]")), "got w (F8_E4M3)"),
        HAS(ONE(TENSOR("F1", "[24]", "[0, 24]")), "got w (F1)"),
        HAS(ONE(TENSOR("F32", "[4611686018427387904, 4]", "[0, 24]")), "w: expected at most 2^40 values"),
        HAS(ONE(TENSOR("F32", "[-6]", "[0, 24]")), "w: expected whole numbers, 0 or more"),
        HAS(ONE(TENSOR("F32", "[6.0]", "[0, 24]")), "w: expected whole numbers, 0 or more"),
        HAS(ONE(TENSOR("F32", "[99999999999999999999]", "[0, 24]")), "header, character"),
        HAS(ONE(TENSOR("F32", "6", "[0, 24]")), "w: expected \"shape\", a list"),
        HAS(ONE(TENSOR("F32", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,6]", "[0, 24]")),
            "w: expected at most 32 dimensions, got 33"),
        HAS(ONE(TENSOR("F32", "[6]", "[0]")), "w: expected \"data_offsets\", [BEGIN, END]"),
        HAS(ONE(TENSOR("F32", "[6]", "[24, 0]")), "w: expected \"data_offsets\", [BEGIN, END]"),
        HAS(ONE(TENSOR("F32", "[6]", "[-8, 16]")), "w: expected \"data_offsets\", [BEGIN, END]"),
        HAS(ONE(TENSOR("F32", "[6]", "\"0\"")), "w: expected \"data_offsets\", [BEGIN, END]"),
        HAS(ONE("{\"shape\": [6], \"data_offsets\": [0, 24]}"), "w: expected {\"dtype\": "),
        HAS(ONE("3"), "w: expected {\"dtype\": "),
        HAS("{\"w\": 3, \"w\": 3}", "duplicate object key"),
        HAS("{\"w\\u0000\": 3}", "header, character"),
        HAS("{\"__metadata__\": 3}", "expected an object as \"__metadata__\""),
        HAS("{\"__metadata__\": {\"k\": 3}}", "expected texts alone, got something else as 'k'"),
        HAS("{\"\\u001b[2J\\u009b2J\": 3}", "t.safetensors: ?[2J?2J: expected {"),
        HAS("{\"w\": ", "header, character"),
        HAS("{} {}", "header, character"),
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bytes b = { 0 };

        safetensors_begin(&b, cases[i].text, cases[i].ntext);
        add_values(&b, cases[i].nvalues);
        refuse("t.safetensors", &b, NULL, cases[i].want);
        free(b.at);
    }
}

/* Two members: the first as in the table, the second a right one. */
static void archives(void **state)
{
    static const struct {
        struct member member;
        const char *want;
    } cases[] = {
        { { .name = "b.npy" }, "expected a name once, got 'b.npy' twice" },
        { { .name = "b.npy", .flags = 0x800 }, "expected a name once, got 'b.npy' twice" }, /* in UTF-8 */
        { { .name = "a.npy", .crc_error = 1 }, "a.npy: damaged: CRC error" },
        { { .name = "a.npy", .method = 12 }, "a.npy: expected a stored or deflated member, got compression method 12" },
        { { .name = "a.npy", .method = 8 }, "a.npy: damaged: " },
        { { .name = "a.npy", .flags = 1 }, "a.npy: expected a member without a password" },
        { { .name = "a.npy", .announced = 200 }, "a.npy: 91 bytes cannot become 200" },
        { { .name = "a.npy", .method = 8, .announced = 4000000000 }, "a.npy: 91 bytes cannot become 4000000000" },
        { { .name = "a.npy", .bytes = (const uint8_t *)"text", .n = 4 }, "a.npy: byte 0: expected the beginning of" },
        { { .name = "model/data.pkl" }, "got PyTorch's own archive (.pt), whose pickle could run code: safetensors" },
    };
    static const char header[] = ENTRIES("'<f4'", "False", "(6,)");

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bytes b = { 0 }, array = { 0 };
        struct member list[2] = { cases[i].member, { .name = "b.npy" } };

        npy_begin(&array, 1, header, strlen(header));
        add_values(&array, VALUES);
        for (int k = 0; k < 2; k++)
            if (!list[k].bytes) {
                list[k].bytes = array.at;
                list[k].n = array.n;
            }
        zip_write(&b, list, 2);
        refuse("t.npz", &b, NULL, cases[i].want);
        free(b.at);
        free(array.at);
    }
}

/* An archive cut off anywhere, and without an array. */
static void archives_in_part(void **state)
{
    static const struct member foreign = { .name = "word/document.xml", .bytes = (const uint8_t *)"<xml>", .n = 5 };
    struct bytes b = { 0 };

    (void)state;
    zip_write(&b, &foreign, 1);
    refuse("t.docx", &b, NULL, "got word/document.xml (not a .npy file)");
    while (b.n-- > 4)
        refuse("t.npz", &b, NULL, "expected a ZIP archive");
    free(b.at);
}

/* Two spellings of one name: an e with an accent in the code page of old archives and in UTF-8. */
static void a_name_in_two_encodings(void **state)
{
    static const char header[] = ENTRIES("'<f4'", "False", "(6,)");
    struct bytes b = { 0 }, array = { 0 };
    struct member list[] = { { .name = "\x82.npy" }, { .name = "\xc3\xa9.npy", .flags = 0x800 } };

    (void)state;
    npy_begin(&array, 1, header, strlen(header));
    add_values(&array, VALUES);
    for (size_t i = 0; i < COUNT(list); i++) {
        list[i].bytes = array.at;
        list[i].n = array.n;
    }
    zip_write(&b, list, COUNT(list));
    refuse("t.npz", &b, NULL, "expected a name once");
    free(b.at);
    free(array.at);
}

static void a_name_that_is_not_there(void **state)
{
    static const char json[] =
        "{\"a.weight\": " TENSOR("F32", "[3]", "[0, 12]") ", \"b.weight\": " TENSOR("F32", "[3]", "[12, 24]") "}";
    static const struct tensors_options o = { .only = "a.weigth" };
    struct bytes b = { 0 };

    (void)state;
    safetensors_begin(&b, json, strlen(json));
    add_values(&b, VALUES);
    refuse("t.safetensors", &b, &o, "no tensor 'a.weigth'; did you mean 'a.weight'?");
    free(b.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_formats),
        cmocka_unit_test(arrays_of_numpy),
        cmocka_unit_test(safetensors),
        cmocka_unit_test(archives),
        cmocka_unit_test(archives_in_part),
        cmocka_unit_test(a_name_in_two_encodings),
        cmocka_unit_test(a_name_that_is_not_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
