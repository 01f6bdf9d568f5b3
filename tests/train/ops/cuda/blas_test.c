/* What is asked of cuBLAS: blas.c over functions of this file, which do with columns what cuBLAS does. */
#include <stdio.h>
#include <string.h>

#include <cublas_v2.h>

#include "tests/test.h"
#include "train/ops/cuda/blas.h"
#include "train/ops/cuda/library.h"

static struct {
    int streams_set, workspaces_set, destroyed, closed, fail_create;
    cublasMath_t mode;
    void *stream, *workspace;
    size_t nworkspace;
} seen;

static cublasStatus_t create(cublasHandle_t *handle)
{
    *handle = (cublasHandle_t)&seen;
    return seen.fail_create ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t destroy(cublasHandle_t handle)
{
    assert_ptr_equal(handle, &seen);
    seen.destroyed++;
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t set_stream(cublasHandle_t handle, cudaStream_t stream)
{
    assert_ptr_equal(handle, &seen);
    seen.streams_set++;
    seen.stream = stream;
    seen.workspace = NULL; /* as the manual says */
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t set_workspace(cublasHandle_t handle, void *workspace, size_t nbytes)
{
    assert_ptr_equal(handle, &seen);
    seen.workspaces_set++;
    seen.workspace = workspace;
    seen.nworkspace = nbytes;
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t set_math_mode(cublasHandle_t handle, cublasMath_t mode)
{
    assert_ptr_equal(handle, &seen);
    seen.mode = mode;
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t sgemm(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                            const float *alpha, const float *a, int lda, const float *b, int ldb, const float *beta,
                            float *c, int ldc)
{
    assert_ptr_equal(handle, &seen);
    assert_ptr_equal(seen.workspace, "workspace");
    if (lda < (ta == CUBLAS_OP_N ? m : k) || ldb < (tb == CUBLAS_OP_N ? k : n) || ldc < m)
        return CUBLAS_STATUS_INVALID_VALUE;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;

            for (int x = 0; x < k; x++)
                sum +=
                    a[ta == CUBLAS_OP_N ? i + x * lda : x + i * lda] * b[tb == CUBLAS_OP_N ? x + j * ldb : j + x * ldb];
            c[i + j * ldc] = *alpha * sum + (*beta != 0 ? *beta * c[i + j * ldc] : 0);
        }
    return CUBLAS_STATUS_SUCCESS;
}

static const char *text(cublasStatus_t status)
{
    return status == CUBLAS_STATUS_NOT_INITIALIZED ? "not initialized" : "wrong";
}

static const struct {
    const char *name;
    void (*function)(void);
} exported[] = {
    { "cublasCreate_v2", (void (*)(void))create },          { "cublasDestroy_v2", (void (*)(void))destroy },
    { "cublasSetStream_v2", (void (*)(void))set_stream },   { "cublasSetWorkspace_v2", (void (*)(void))set_workspace },
    { "cublasSetMathMode", (void (*)(void))set_math_mode }, { "cublasSgemm_v2", (void (*)(void))sgemm },
    { "cublasGetStatusString", (void (*)(void))text },
};

void *library_open(const char *name, const struct library_function *functions, size_t n, char *why, size_t nwhy)
{
    char expected[40];

    (void)why;
    (void)nwhy;
    snprintf(expected, sizeof(expected), "libcublas.so.%d", CUBLAS_VER_MAJOR);
    assert_string_equal(name, expected);
    for (size_t i = 0; i < n; i++) {
        size_t j = 0;

        while (j < sizeof(exported) / sizeof(*exported) && strcmp(exported[j].name, functions[i].name))
            j++;
        assert_true(j < sizeof(exported) / sizeof(*exported));
        memcpy(functions[i].at, &exported[j].function, sizeof(exported[j].function));
    }
    return &seen;
}

void library_close(void *library)
{
    if (library)
        seen.closed++;
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

enum { M = 3, N = 5, K = 4 };

static struct blas *open_it(void)
{
    char why[200];
    struct blas *b = blas_open((void *)"workspace", 10, why, sizeof(why));

    assert_non_null(b);
    return b;
}

/* [rows][columns], or its transpose, of small whole numbers. */
static float element(int which, int row, int column)
{
    return (float)((which * 7 + row * 3 + column * 5) % 11 - 5);
}

static void products(void **state)
{
    struct blas *b = open_it();

    (void)state;
    for (int form = 0; form < 8; form++) {
        float a[M * K], right[K * N], c[M * N];
        struct blas_product p = { form & 1, form >> 1 & 1, M, N, K, a, right, form & 4 ? 1.0f : 0.0f, c };
        char why[200];

        for (int i = 0; i < M; i++)
            for (int k = 0; k < K; k++)
                a[p.transpose_a ? k * M + i : i * K + k] = element(1, i, k);
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                right[p.transpose_b ? j * K + k : k * N + j] = element(2, k, j);
        for (int i = 0; i < M * N; i++)
            c[i] = 100;
        assert_int_equal(blas_multiply(b, &p, &seen, why, sizeof(why)), 0);
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                float want = form & 4 ? 100 : 0;

                for (int k = 0; k < K; k++)
                    want += element(1, i, k) * element(2, k, j);
                assert_true(c[i * N + j] == want);
            }
    }
    blas_close(b);
}

static void setting_up(void **state)
{
    int destroyed = seen.destroyed, closed = seen.closed, set;
    struct blas *b = open_it();
    float v[1] = { 1 };
    struct blas_product p = { 0, 0, 1, 1, 1, v, v, 0, v };
    static char streams[2];
    char why[200];

    (void)state;
    assert_int_equal(seen.mode, CUBLAS_PEDANTIC_MATH);
    set = seen.streams_set;
    blas_multiply(b, &p, NULL, why, sizeof(why));
    assert_int_equal(seen.streams_set, set + 1); /* also the default one */
    blas_multiply(b, &p, NULL, why, sizeof(why));
    assert_int_equal(seen.streams_set, set + 1);
    blas_multiply(b, &p, &streams[1], why, sizeof(why));
    assert_int_equal(seen.streams_set, set + 2);
    assert_ptr_equal(seen.stream, &streams[1]);
    assert_int_equal(seen.nworkspace, 10);
    p.m = (int64_t)1 << 31;
    assert_int_equal(blas_multiply(b, &p, NULL, why, sizeof(why)), -1);
    blas_close(b);
    assert_int_equal(seen.destroyed, destroyed + 1);
    assert_int_equal(seen.closed, closed + 1);
    assert_true(blas_usable());
    assert_int_equal(seen.closed, closed + 2);
}

static void a_failure(void **state)
{
    char why[200];

    (void)state;
    seen.fail_create = 1;
    assert_null(blas_open((void *)"workspace", 10, why, sizeof(why)));
    assert_string_equal(why, "cublasCreate: not initialized");
    seen.fail_create = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),
        cmocka_unit_test(setting_up),
        cmocka_unit_test(a_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
