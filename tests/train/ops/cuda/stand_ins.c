#include "tests/train/ops/cuda/stand_ins.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "train/ops/cpu/cpu.h"
#include "train/ops/cuda/blas.h"
#include "train/ops/cuda/dnn.h"
#include "train/ops/cuda/runtime.h"

struct stand_ins stand_ins;

/* --- the runtime -------------------------------------------------------------------------------------------------- */

void *runtime_alloc(size_t nbytes)
{
    void *p;

    assert(nbytes); /* CUDA gives no address then */
    if (nbytes > (size_t)1 << 40 || posix_memalign(&p, 256, nbytes))
        return NULL;
    return memset(p, 0xff, nbytes);
}

void runtime_free(void *p)
{
    free(p);
}

void runtime_zero(void *p, size_t nbytes, void *stream)
{
    (void)stream;
    memset(p, 0, nbytes);
}

void runtime_upload(void *to, const void *from_host, size_t nbytes, void *stream)
{
    (void)stream;
    if (nbytes)
        memcpy(to, from_host, nbytes);
}

/* It is there once someone has waited for it. */
void runtime_download(void *to_host, const void *from, size_t nbytes, void *stream)
{
    stand_ins.to_host = to_host;
    stand_ins.from = from;
    stand_ins.nbytes = nbytes;
    stand_ins.download_stream = stream;
}

void runtime_finish(void *stream)
{
    stand_ins.finished++;
    if (stand_ins.nbytes && stand_ins.download_stream == stream)
        memcpy(stand_ins.to_host, stand_ins.from, stand_ins.nbytes);
    stand_ins.nbytes = 0;
}

struct runtime_mark *runtime_mark_new(void)
{
    return malloc(1);
}

void runtime_mark_free(struct runtime_mark *m)
{
    free(m);
}

void runtime_mark_set(struct runtime_mark *m, void *stream)
{
    assert(m);
    stand_ins.marks_set++;
    stand_ins.mark_stream = stream;
}

void runtime_mark_wait(struct runtime_mark *m, void *stream)
{
    assert(m);
    stand_ins.marks_waited++;
    stand_ins.waiting_stream = stream;
}

const char *runtime_error(void)
{
    return NULL;
}

/* --- products ----------------------------------------------------------------------------------------------------- */

struct blas {
    char *workspace;
    size_t nworkspace;
};

bool blas_usable(void)
{
    return true;
}

struct blas *blas_open(void *workspace, size_t nworkspace, char *why, size_t nwhy)
{
    struct blas *b = malloc(sizeof(*b));

    (void)why;
    (void)nwhy;
    assert(b && workspace && (size_t)workspace % 256 == 0);
    b->workspace = workspace;
    b->nworkspace = nworkspace;
    return b;
}

void blas_close(struct blas *b)
{
    free(b);
}

int blas_multiply(struct blas *b, const struct blas_product *p, void *stream, char *why, size_t nwhy)
{
    (void)stream;
    memset(b->workspace, 0xff, b->nworkspace < 4096 ? b->nworkspace : 4096);
    stand_ins.products++;
    if (stand_ins.fail_multiply && --stand_ins.fail_multiply == 0) {
        snprintf(why, nwhy, "the product failed");
        return -1;
    }
    assert(p->m > 0 && p->n > 0 && p->k > 0 && (size_t)p->a % 4 == 0);
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++) {
            double sum = p->beta != 0 ? (double)p->beta * (double)p->c[i * p->n + j] : 0;

            for (int64_t k = 0; k < p->k; k++)
                sum += (double)p->a[p->transpose_a ? k * p->m + i : i * p->k + k] *
                       (double)p->b[p->transpose_b ? j * p->k + k : k * p->n + j];
            p->c[i * p->n + j] = (float)sum;
        }
    return 0;
}

/* --- convolutions ------------------------------------------------------------------------------------------------- */

struct dnn *dnn_open(char *why, size_t nwhy)
{
    (void)why;
    (void)nwhy;
    return malloc(1);
}

void dnn_close(struct dnn *d)
{
    free(d);
}

static bool takes(const struct conv_shape *s)
{
    return stand_ins.dnn_takes && s->pad_top == s->pad_bottom && s->pad_left == s->pad_right && s->pad_top >= 0 &&
           s->pad_left >= 0;
}

enum { WANTED_B = 20 << 20 };

bool dnn_workspace(struct dnn *d, const struct conv_shape *s, enum dnn_way way, size_t most, size_t *nbytes)
{
    assert(d && most >= WANTED_B);
    *nbytes = way == DNN_BACKWARD_DATA ? WANTED_B : 0;
    return takes(s);
}

int dnn_convolve(struct dnn *d, const struct conv_shape *s, enum dnn_way way, const float *in, const float *in2,
                 float *out, void *workspace, size_t nworkspace, void *stream, char *why, size_t nwhy)
{
    struct ops host = { .mode = FMA_FP32 };

    assert(d);
    if (!takes(s))
        return DNN_DECLINED;
    if (stand_ins.fail_dnn) {
        stand_ins.fail_dnn = 0;
        snprintf(why, nwhy, "the convolution failed");
        return -1;
    }
    assert((size_t)workspace % 256 == 0);
    stand_ins.convolutions++;
    memset(workspace, 0xff, nworkspace < 4096 ? nworkspace : 4096);
    if (way == DNN_FORWARD)
        return ops_reference.conv_forward(&host, s, in, in2, NULL, out, NULL, 0, stream);
    if (way == DNN_BACKWARD_DATA)
        return ops_reference.conv_backward_data(&host, s, in, in2, out, NULL, 0, stream);
    return ops_reference.conv_backward_weights(&host, s, in, in2, out, NULL, NULL, 0, stream);
}
