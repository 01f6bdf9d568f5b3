/* tensors_test.c - files of tensors that are read: every format, type and shape, what numpy, ml_dtypes and safetensors
 * wrote, what is counted, and what is written again. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/tensor/npy.h"
#include "harness/tensor/tensors.h"
#include "tests/tensor/files.h"
#include "tests/test.h"

struct result {
    struct tensors t;
    char *said;
    int rc;
};

/* From memory of exactly its size, so that a sanitizer sees a read past its end. */
static struct result parse(const char *name, const struct bytes *b, const struct tensors_options *o)
{
    struct result r = { 0 };
    size_t n;
    uint8_t *copy = malloc(b->n ? b->n : 1);
    FILE *err = open_memstream(&r.said, &n);

    assert_non_null(err);
    assert_non_null(copy);
    memcpy(copy, b->at, b->n);
    r.rc = tensors_parse(&r.t, name, copy, b->n, o, err);
    fclose(err);
    free(copy);
    return r;
}

static struct result read_file(const char *path, const struct tensors_options *o)
{
    struct result r = { 0 };
    size_t n;
    FILE *err = open_memstream(&r.said, &n);

    assert_non_null(err);
    r.rc = tensors_read(&r.t, path, o, err);
    fclose(err);
    return r;
}

static void release(struct result *r)
{
    tensors_free(&r->t);
    free(r->said);
}

#define NPY(descr, shape) "{'descr': '" descr "', 'fortran_order': False, 'shape': " shape ", }     \n"

/* A header, its values as bytes, and what is read. */
static void each_type_and_shape_of_npy(void **state)
{
    static const struct {
        const char *header, *values;
        size_t nvalues;
        enum tensor_type type;
        size_t n, ndims;
        float want[4];
        int version;
    } cases[] = {
        { NPY("<f4", "(2,)"), "\0\0\x80\x3f\0\0\0\xc0", 8, TENSOR_F32, 2, 1, { 1, -2 }, 1 },
        { NPY("<f4", "(2,)"), "\0\0\x80\x3f\0\0\0\xc0", 8, TENSOR_F32, 2, 1, { 1, -2 }, 2 },
        { NPY("<f4", "(2,)"), "\0\0\x80\x3f\0\0\0\xc0", 8, TENSOR_F32, 2, 1, { 1, -2 }, 3 },
        { NPY(">f4", "(2, 1)"), "\x3f\x80\0\0\xc0\0\0\0", 8, TENSOR_F32, 2, 2, { 1, -2 }, 1 },
        { NPY("<f2", "(3,)"), "\0\x3c\0\xc0\x01\0", 6, TENSOR_F16, 3, 1, { 1, -2, 0x1p-24f }, 1 },
        { NPY(">f2", "(2,)"), "\x3c\0\xc0\0", 4, TENSOR_F16, 2, 1, { 1, -2 }, 1 },
        { NPY("<V2", "(2,)"), "\x80\x3f\0\xc0", 4, TENSOR_BF16, 2, 1, { 1, -2 }, 1 },
        { NPY("|V2", "(2,)"), "\x80\x3f\0\xc0", 4, TENSOR_BF16, 2, 1, { 1, -2 }, 1 },
        { NPY("bfloat16", "(2,)"), "\x80\x3f\0\xc0", 4, TENSOR_BF16, 2, 1, { 1, -2 }, 1 },
        { NPY("<f8", "(1,)"), "\x9a\x99\x99\x99\x99\x99\xb9\x3f", 8, TENSOR_F64, 1, 1, { 0.1f }, 1 },
        { NPY(">f8", "(1,)"), "\x3f\xb9\x99\x99\x99\x99\x99\x9a", 8, TENSOR_F64, 1, 1, { 0.1f }, 1 },
        { NPY("<f4", "()"), "\0\0\x80\x3f", 4, TENSOR_F32, 1, 0, { 1 }, 1 },
        { NPY("<f4", "(0, 3)"), "", 0, TENSOR_F32, 0, 2, { 0 }, 1 },
        { NPY("<f4", "(9223372036854775807, 0)"), "", 0, TENSOR_F32, 0, 2, { 0 }, 1 },
        { NPY("<f4", "(1L, 2L)"), "\0\0\x80\x3f\0\0\0\xc0", 8, TENSOR_F32, 2, 2, { 1, -2 }, 1 },
        { "{\"shape\":(1,),\"fortran_order\":True,\"descr\":\"<f4\"}", "\0\0\x80\x3f", 4, TENSOR_F32, 1, 1, { 1 }, 1 },
    };
    const struct tensors_options o = { .round = true };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bytes b = { 0 };
        struct result r;

        npy_begin(&b, cases[i].version, cases[i].header, strlen(cases[i].header));
        bytes_add(&b, cases[i].values, cases[i].nvalues);
        r = parse("a/b.c/layer.1.npy", &b, &o);
        if (r.rc || r.said[0] || r.t.n != 1)
            fail_msg("case %zu: %d: %s", i, r.rc, r.said);
        assert_string_equal(r.t.list->name, "layer.1");
        assert_int_equal(r.t.list->stored, cases[i].type);
        assert_int_equal(r.t.list->n, cases[i].n);
        assert_int_equal(r.t.list->ndims, cases[i].ndims);
        assert_non_null(r.t.list->values);
        assert_int_equal((uintptr_t)r.t.list->values % 64, 0);
        assert_memory_equal(r.t.list->values, cases[i].want, 4 * cases[i].n);
        release(&r);
        free(b.at);
    }
}

static void raw_values_are_read_on_request(void **state)
{
    static const float values[] = { 1, -2, NAN, INFINITY, -INFINITY };
    static const struct tensors_options raw = { .raw = true };
    struct bytes b = { 0 };
    struct result r;

    (void)state;
    bytes_add(&b, values, sizeof(values));
    r = parse("t.f32", &b, NULL);
    assert_int_equal(r.rc, NW_OK);
    assert_int_equal(r.t.list->n, 5);
    assert_int_equal(r.t.list->nans, 1);
    assert_int_equal(r.t.list->infinities, 2);
    assert_memory_equal(r.t.list->values, values, sizeof(values));
    release(&r);
    r = parse("t", &b, &raw);
    assert_int_equal(r.rc, NW_OK);
    assert_string_equal(r.t.list->name, "t");
    release(&r);
    r = parse("t", &b, NULL);
    assert_int_equal(r.rc, NW_EINPUT);
    release(&r);
    free(b.at);
}

/* Every tensor of these files has -1.5, -0.5, 0.5, ... in order, again from the front after six. */
static void files_of_other_programs_are_read(void **state)
{
    static const struct {
        const char *file, *names, *said;
        struct tensors_options options;
        size_t counts[4];
    } cases[] = {
        { "float32.npy", "float32", "", { 0 }, { 6 } },
        { "float16.npy", "float16", "", { 0 }, { 6 } },
        { "bfloat16.npy", "bfloat16", "", { 0 }, { 6 } },
        { "float64.npy", "float64", "", { .round = true }, { 6 } },
        { "scalar.npy", "scalar", "", { 0 }, { 1 } },
        { "stored.npz",
          "layer/0.weight,bias",
          "1 of 3 tensors are left out, for their type is not read: step (int64)\n",
          { 0 },
          { 6, 3 } },
        { "stored.npz", "bias", "", { .only = "bias" }, { 3 } },
        { "deflated.npz", "w,h", "", { 0 }, { 600, 6 } },
        { "model.safetensors",
          "d,w,bf,h",
          "1 of 5 tensors are left out, for their type is not read: step (I64)\n",
          { .round = true },
          { 6, 6, 6, 6 } },
        { "model.safetensors", "h", "", { .only = "h" }, { 6 } },
        { "model.safetensors", "bf", "", { .only = "bf", .list = true }, { 6 } },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char path[256], names[256] = "", *said;
        struct result r;

        snprintf(path, sizeof(path), "tests/tensor/data/%s", cases[i].file);
        r = read_file(path, &cases[i].options);
        said = strstr(r.said, ": ") ? strstr(r.said, ": ") + 2 : r.said;
        if (r.rc || strcmp(said, cases[i].said) != 0)
            fail_msg("%s: %d: %s", path, r.rc, r.said);
        for (size_t k = 0; k < r.t.n; k++) {
            const struct tensor *t = &r.t.list[k];

            snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s", k ? "," : "", t->name);
            if (t->n != cases[i].counts[k])
                fail_msg("%s: %s: %zu values", path, t->name, t->n);
            assert_int_equal(t->values == NULL, cases[i].options.list);
            for (size_t v = 0; t->values && v < t->n; v++)
                if (t->values[v] != (float)(v % 6) - 1.5f)
                    fail_msg("%s: %s[%zu] is %g", path, t->name, v, (double)t->values[v]);
        }
        assert_string_equal(names, cases[i].names);
        release(&r);
    }
}

static void values_beyond_fp32_are_counted(void **state)
{
    static const double values[] = { 1e300, -1e39, NAN, INFINITY, 0x1.fffffep127, 1e-300 };
    static const float want[] = { INFINITY, -INFINITY, NAN, INFINITY, 0x1.fffffep127f, 0 };
    static const char header[] = NPY("<f8", "(6,)");
    static const struct tensors_options o = { .round = true };
    struct bytes b = { 0 };
    struct result r;

    (void)state;
    npy_begin(&b, 1, header, strlen(header));
    bytes_add(&b, values, sizeof(values));
    r = parse("t.npy", &b, &o);
    assert_int_equal(r.rc, NW_OK);
    assert_int_equal(r.t.list->nans, 1);
    assert_int_equal(r.t.list->infinities, 3);
    assert_int_equal(r.t.list->overflows, 2);
    for (size_t i = 0; i < COUNT(want); i++)
        if (!isnan(want[i]) && r.t.list->values[i] != want[i])
            fail_msg("%g became %g", values[i], (double)r.t.list->values[i]);
    release(&r);
    free(b.at);
}

/* A safetensors file may name its tensors in any order; their values are in that of their places. An empty one shares
 * its place with the next. */
static void tensors_come_in_the_order_of_their_places(void **state)
{
    static const char json[] = "{\"second\": {\"dtype\": \"F32\", \"shape\": [1], \"data_offsets\": [4, 8]},"
                               " \"first\": {\"dtype\": \"F32\", \"shape\": [1], \"data_offsets\": [0, 4], \"x\": 1},"
                               " \"empty\": {\"dtype\": \"F32\", \"shape\": [0], \"data_offsets\": [4, 4]}}  ";
    static const char *const names[] = { "first", "empty", "second" };
    static const float values[] = { 1, 2 };
    struct bytes b = { 0 };
    struct result r;

    (void)state;
    safetensors_begin(&b, json, strlen(json));
    bytes_add(&b, values, sizeof(values));
    r = parse("t", &b, NULL);
    if (r.rc)
        fail_msg("%s", r.said);
    assert_int_equal(r.t.n, COUNT(names));
    for (size_t i = 0; i < COUNT(names); i++)
        assert_string_equal(r.t.list[i].name, names[i]);
    assert_memory_equal(r.t.list[0].values, &values[0], 4);
    assert_memory_equal(r.t.list[2].values, &values[1], 4);
    release(&r);
    free(b.at);
}

/* What is written is, byte by byte, what numpy writes. */
static void arrays_are_written_as_numpy_does(void **state)
{
    static const char *const names[] = { "float32.npy", "scalar.npy", "empty.npy", "vector.npy" };

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        char path[256], written[4096], command[8192];
        struct result r;

        snprintf(path, sizeof(path), "tests/tensor/data/%s", names[i]);
        snprintf(written, sizeof(written), "%s/%s", getenv("NARROWS_TEST_TMP"), names[i]);
        r = read_file(path, NULL);
        assert_int_equal(r.rc, NW_OK);
        assert_int_equal(npy_write(written, r.t.list->values, r.t.list->ndims, r.t.list->dims, stderr), NW_OK);
        snprintf(command, sizeof(command), "cmp %s %s", path, written);
        assert_int_equal(system(command), 0);
        release(&r);
    }
}

static void one_tensor_is_chosen(void **state)
{
    static const struct {
        const char *file, *only, *name, *said;
    } cases[] = {
        { "stored.npz", "bias", "bias", "" },
        { "stored.npz", NULL, NULL, "expected one tensor, got 2; --tensor NAME chooses one: layer/0.weight, bias" },
        { "stored.npz", "step", NULL, "'step': expected float32, float16 or bfloat16, got int64" },
        { "model.safetensors", NULL, NULL, "--tensor NAME chooses one: d, w, bf, h" },
        { "model.safetensors", "d", NULL, "got float64 (--round rounds it to float32)" },
        { "model.safetensors", "bf", "bf", "" },
        { "float32.npy", NULL, "float32", "" },
        { "float32.npy", "float32", "float32", "" },
        { "float32.npy", "w", NULL, "no tensor 'w'" },
        { "nowhere.npy", NULL, NULL, "nowhere.npy: No such file or directory" },
        { "", NULL, NULL, "Is a directory" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct tensors_options o = { .only = cases[i].only };
        struct result r = { 0 };
        char path[256];
        size_t n;
        FILE *err = open_memstream(&r.said, &n);

        assert_non_null(err);
        snprintf(path, sizeof(path), "tests/tensor/data/%s", cases[i].file);
        r.rc = tensors_read_one(&r.t, path, &o, err);
        fclose(err);
        if (!r.rc != (cases[i].name != NULL) || !strstr(r.said, cases[i].said))
            fail_msg("case %zu: %d: %s", i, r.rc, r.said);
        if (cases[i].name) {
            assert_int_equal(r.t.n, 1);
            assert_string_equal(r.t.list->name, cases[i].name);
            assert_non_null(r.t.list->values);
        }
        release(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_type_and_shape_of_npy),       cmocka_unit_test(files_of_other_programs_are_read),
        cmocka_unit_test(arrays_are_written_as_numpy_does), cmocka_unit_test(one_tensor_is_chosen),
        cmocka_unit_test(values_beyond_fp32_are_counted),   cmocka_unit_test(tensors_come_in_the_order_of_their_places),
        cmocka_unit_test(raw_values_are_read_on_request),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
