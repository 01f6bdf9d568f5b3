/* impls.c - the rows of this build. */
#include <string.h>

#include "kernels/anchor/host.h"
#include "kernels/copy/copy.h"
#include "kernels/shared/rows.h"
#include "kernels/shared/share.h"

/* From 1 MiB on the copy goes past the caches: source and result no longer fit a core's second level together. */
enum { STREAM_MIN = 1 << 18, GROUP = 64 };

struct loops {
    copy_fn *copy;
    anchor_update_loop *update;
    anchor_scale_loop *scale;
    anchor_read_loop *read;
};

static const struct loops anchor_scalar = { copy_memcpy, anchor_update_scalar, anchor_scale_scalar,
                                            anchor_read_scalar };
#ifdef NW_X86
static const struct loops anchor_avx2 = { copy_nt_avx2, anchor_update_avx2, anchor_scale_avx2, anchor_read_avx2 };
static const struct loops anchor_avx512 = { copy_nt_avx512, anchor_update_avx512, anchor_scale_avx512,
                                            anchor_read_avx512 };
#endif

struct job {
    const struct loops *loops;
    float *y;
    const float *x;
    uint32_t most; /* the bits of a magnitude, which are in its order */
};

static void update(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    j->loops->update(j->y + from, j->x + from, to - from);
}

static void scale(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    j->loops->scale(j->y + from, to - from);
}

static void read(void *job, size_t from, size_t to)
{
    struct job *j = job;
    float found = j->loops->read(j->x + from, to - from);
    uint32_t bits;

    memcpy(&bits, &found, sizeof(bits));
    share_most(&j->most, bits);
}

static void anchor_copy(const struct impl *im, float *y, const float *x, size_t n)
{
    const struct loops *loops = im->with;
    copy_fn *copy = n < STREAM_MIN ? copy_memcpy : loops->copy;

#ifdef NW_OPENMP
    if (im->parallel) {
        copy_split(copy, y, x, 4 * n);
        return;
    }
#endif
    copy(y, x, 4 * n);
}

static void anchor_update(const struct impl *im, float *y, const float *x, size_t n)
{
    struct job j = { im->with, y, x, 0 };

    share_of(im)(update, &j, n, GROUP);
}

static void anchor_scale(const struct impl *im, float *y, size_t n)
{
    struct job j = { im->with, y, NULL, 0 };

    share_of(im)(scale, &j, n, GROUP);
}

static void anchor_read(const struct impl *im, float *result, const float *x, size_t n)
{
    struct job j = { im->with, NULL, x, 0 };

    share_of(im)(read, &j, n, GROUP);
    memcpy(result, &j.most, sizeof(j.most));
}

const struct anchor_impl anchor_impls[] = {
#ifdef NW_CUDA
    IMPL_CUDA_ROW(anchor_copy_cuda, anchor_update_cuda, anchor_scale_cuda, anchor_read_cuda),
#endif
    IMPL_ROWS(anchor, usable_avx512, usable_avx2, anchor_copy, anchor_update, anchor_scale, anchor_read),
    { .impl = { 0 } },
};
