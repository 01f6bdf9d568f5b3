#include "train/ops/cuda/blas.h"

#include <cublas_v2.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "train/number.h"
#include "train/ops/cuda/library.h"

#define TEXT(x) #x
#define NAME(version) "libcublas.so." TEXT(version)

struct blas {
    void *library, *workspace, *stream;
    size_t nworkspace;
    cublasHandle_t handle;
    bool on_stream;
    /* The names that cublas_v2.h hides behind macros. */
    __typeof__(cublasCreate_v2) *create;
    __typeof__(cublasDestroy_v2) *destroy;
    __typeof__(cublasSetStream_v2) *set_stream;
    __typeof__(cublasSetWorkspace_v2) *set_workspace;
    __typeof__(cublasSetMathMode) *set_math_mode;
    __typeof__(cublasSgemm_v2) *sgemm;
    __typeof__(cublasGetStatusString) *text;
};

static bool find(struct blas *b, char *why, size_t nwhy)
{
    const struct library_function functions[] = {
        { "cublasCreate_v2", &b->create },          { "cublasDestroy_v2", &b->destroy },
        { "cublasSetStream_v2", &b->set_stream },   { "cublasSetWorkspace_v2", &b->set_workspace },
        { "cublasSetMathMode", &b->set_math_mode }, { "cublasSgemm_v2", &b->sgemm },
        { "cublasGetStatusString", &b->text },
    };

    b->library = library_open(NAME(CUBLAS_VER_MAJOR), functions, COUNT(functions), why, nwhy);
    return b->library;
}

bool blas_usable(void)
{
    struct blas b = { 0 };
    char why[256];
    bool found = find(&b, why, sizeof(why));

    library_close(b.library);
    return found;
}

static int check(const struct blas *b, cublasStatus_t failed, const char *call, char *why, size_t nwhy)
{
    if (failed)
        snprintf(why, nwhy, "%s: %s", call, b->text(failed));
    return failed ? -1 : 0;
}

struct blas *blas_open(void *workspace, size_t nworkspace, char *why, size_t nwhy)
{
    struct blas *b = calloc(1, sizeof(*b));

    if (!b) {
        snprintf(why, nwhy, "no memory");
        return NULL;
    }
    b->workspace = workspace;
    b->nworkspace = nworkspace;
    if (!find(b, why, nwhy) || check(b, b->create(&b->handle), "cublasCreate", why, nwhy) ||
        check(b, b->set_math_mode(b->handle, CUBLAS_PEDANTIC_MATH), "cublasSetMathMode", why, nwhy)) {
        blas_close(b);
        return NULL;
    }
    return b;
}

void blas_close(struct blas *b)
{
    if (!b)
        return;
    if (b->handle)
        b->destroy(b->handle);
    library_close(b->library);
    free(b);
}

/* A change of the stream makes cuBLAS forget its workspace. */
static int turn_to(struct blas *b, void *stream, char *why, size_t nwhy)
{
    if (b->on_stream && b->stream == stream)
        return 0;
    b->on_stream = false;
    if (check(b, b->set_stream(b->handle, stream), "cublasSetStream", why, nwhy) ||
        check(b, b->set_workspace(b->handle, b->workspace, b->nworkspace), "cublasSetWorkspace", why, nwhy))
        return -1;
    b->stream = stream;
    b->on_stream = true;
    return 0;
}

/* cuBLAS has columns where we have rows: to it every matrix is transposed, and c' = b' a'. */
int blas_multiply(struct blas *b, const struct blas_product *p, void *stream, char *why, size_t nwhy)
{
    cublasOperation_t op_a = p->transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasOperation_t op_b = p->transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N;
    float one = 1;

    if (p->m > INT_MAX || p->n > INT_MAX || p->k > INT_MAX) {
        snprintf(why, nwhy, "cublasSgemm: a matrix has more than 2^31 rows");
        return -1;
    }
    if (turn_to(b, stream, why, nwhy))
        return -1;
    return check(b,
                 b->sgemm(b->handle, op_b, op_a, (int)p->n, (int)p->m, (int)p->k, &one, p->b,
                          (int)(p->transpose_b ? p->k : p->n), p->a, (int)(p->transpose_a ? p->m : p->k), &p->beta,
                          p->c, (int)p->n),
                 "cublasSgemm", why, nwhy);
}
