/* gemm.c - the backend on the products of kernels/gemm, whose results are the same bits with any number of threads: the
 * table, and what products need. Other backends on the CPU take their products in lower precision from here. */
#include "train/ops/gemm/ops.h"
#include "train/ops/rows.h"

#include <stdio.h>
#include <string.h>

/* The best row on this processor: that plain loop, where there is no other. */
static const struct gemm_impl *best_row(enum fma_mode mode)
{
    for (const struct gemm_impl *im = gemm_impls; im->impl.name; im++)
        if (gemm_has(im, mode) && im->impl.where == IMPL_HOST && im->impl.usable())
            return im;
    return NULL;
}

/* Not by plain loops: they are much slower than the reference, which fuses nothing. */
static bool usable(void)
{
    return strncmp(best_row(FMA_FP32)->impl.name, "scalar", 6) != 0;
}

struct products *products_open(void)
{
    struct products *g = calloc(1, sizeof(*g));

    for (enum fma_mode mode = FMA_FP32; mode <= FMA_BF16 && g; mode++)
        g->row[mode] = best_row(mode);
    if (g)
        g->direct = direct_row();
    return g;
}

void products_close(struct products *g)
{
    if (g)
        free(g->scratch);
    free(g);
}

static struct ops *open_gemm(char *why, size_t nwhy)
{
    struct ops *o = usable() ? cpu_open(why, nwhy) : NULL;

    if (o) {
        o->backend = &ops_gemm;
        o->products = products_open();
    }
    if (o && o->products)
        return o;
    snprintf(why, nwhy, "%s", usable() ? "no memory" : "no vector instructions that kernels/gemm knows");
    free(o);
    return NULL;
}

static void close_gemm(struct ops *o)
{
    if (o)
        products_close(o->products);
    cpu_close(o);
}

static size_t held(const struct ops *o)
{
    return o->products->nscratch;
}

size_t product_aligned(size_t n)
{
    return (n + PRODUCT_ALIGN - 1) / PRODUCT_ALIGN * PRODUCT_ALIGN;
}

/* The caller's workspace if it is enough, else our own; both begin at a multiple of PRODUCT_ALIGN. */
char *product_scratch(struct ops *o, void *workspace, size_t nworkspace, size_t need)
{
    struct products *g = o->products;
    size_t skip = (PRODUCT_ALIGN - (uintptr_t)workspace % PRODUCT_ALIGN) % PRODUCT_ALIGN;

    if (workspace && nworkspace >= need + skip)
        return (char *)workspace + skip;
    if (g->nscratch < need) {
        free(g->scratch);
        g->scratch = aligned_alloc(PRODUCT_ALIGN, product_aligned(need));
        g->nscratch = g->scratch ? need : 0;
    }
    return g->scratch;
}

size_t product_work(const struct ops *o, const struct gemm_problem *p)
{
    return o->products->row[p->mode]->work_size(&o->products->row[p->mode]->impl, p);
}

void product_run(const struct ops *o, const struct gemm_problem *p, void *work)
{
    o->products->row[p->mode]->run(&o->products->row[p->mode]->impl, p, work);
}

/* clang-format off */
const struct ops_backend ops_gemm = {
    .name = "gemm",
    .usable = usable,
    .open = open_gemm,
    .close = close_gemm,
    .held = held,
    .conv_workspace = product_conv_workspace,
    OPS_CONV_ROWS(OPS_FILL, product) OPS_FC_ROWS(OPS_FILL, product) CPU_SHARED_ROWS
};
/* clang-format on */
