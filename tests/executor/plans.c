#include "tests/executor/plans.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "harness/executor/program/overlap.h"
#include "harness/status.h"
#include "model/status.h"
#include "tests/test.h"

static struct model infer(const struct model_spec *spec)
{
    struct model m;
    char why[200] = "";

    if (model_infer(spec, &m, why, sizeof(why)) != E_OK)
        fail_msg("%s", why);
    return m;
}

struct model plans_plain(void)
{
    struct layer_spec list[] = {
        { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1, .bias = 1 },
        { .kind = LAYER_RELU },
        { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1, .bias = 1 },
        { .kind = LAYER_RELU },
        { .kind = LAYER_DROPOUT },
        { .kind = LAYER_MAXPOOL, .kernel = 2 },
        { .kind = LAYER_CONV, .channels = 16, .kernel = 5, .pad = 2, .bias = 1 },
        { .kind = LAYER_SIGMOID },
        { .kind = LAYER_AVGPOOL, .kernel = 2 },
        { .kind = LAYER_CONV, .channels = 12, .kernel = 1 },
        { .kind = LAYER_RELU },
        { .kind = LAYER_FC, .units = 20, .bias = 1 },
        { .kind = LAYER_RELU },
        { .kind = LAYER_DROPOUT },
        { .kind = LAYER_CLASSIFIER, .bias = 1 },
        { .kind = LAYER_SOFTMAX },
    };

    return infer(&(struct model_spec){ .name = "plain",
                                       .channels = 3,
                                       .height = 16,
                                       .width = 16,
                                       .classes = 10,
                                       .layers = list,
                                       .nlayers = COUNT(list) });
}

struct model plans_residual(void)
{
    struct layer_spec path[] = {
        { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1 },
        { .kind = LAYER_BATCHNORM },
        { .kind = LAYER_RELU },
        { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1 },
        { .kind = LAYER_BATCHNORM },
    };
    struct layer_spec wide[] = {
        { .kind = LAYER_CONV, .channels = 12, .kernel = 3, .pad = 1, .bias = 1 },
        { .kind = LAYER_RELU },
        { .kind = LAYER_CONV, .channels = 12, .kernel = 3, .pad = 1, .bias = 1 },
    };
    struct layer_spec list[] = {
        { .kind = LAYER_CONV, .channels = 8, .kernel = 3, .pad = 1 },
        { .kind = LAYER_BATCHNORM },
        { .kind = LAYER_RELU },
        { .kind = LAYER_MAXPOOL, .kernel = 3, .stride = 1, .pad = 1 },
        { .kind = LAYER_BLOCK, .repeat = 2, .shortcut = SHORTCUT_IDENTITY, .relu = 1, .layers = path, .nlayers = 5 },
        { .kind = LAYER_BLOCK,
          .repeat = 1,
          .downsample = 2,
          .shortcut = SHORTCUT_PROJECTION,
          .shortcut_norm = 1,
          .relu = 1,
          .layers = wide,
          .nlayers = 3 },
        { .kind = LAYER_BLOCK,
          .repeat = 1,
          .downsample = 2,
          .shortcut = SHORTCUT_IDENTITY,
          .layers = wide,
          .nlayers = 3 },
        { .kind = LAYER_AVGPOOL },
        { .kind = LAYER_CLASSIFIER, .bias = 1 },
        { .kind = LAYER_SOFTMAX },
    };

    return infer(&(struct model_spec){ .name = "residual",
                                       .channels = 3,
                                       .height = 16,
                                       .width = 16,
                                       .classes = 10,
                                       .layers = list,
                                       .nlayers = COUNT(list) });
}

const struct platform *plans_platform(void)
{
    static struct link_spec link = { .name = "link",
                                     .bandwidth_Bps = 100e6,
                                     .shared_by = 1,
                                     .efficiency_to_device = 1,
                                     .efficiency_to_host = 1,
                                     .above = "" };
    static struct platform p = { .name = "test", .compute_scale = 1, .machines = 1, .links = &link, .nlinks = 1 };

    p.gpu = (struct gpu_spec){ .count = 1,
                               .peak_flops = 2e9,
                               .memory_Bps = 1e9,
                               .memory_bytes = (int64_t)1 << 40,
                               .efficiency_convolution = 1,
                               .efficiency_fully_connected = 1,
                               .efficiency_memory = 1,
                               .link = "link",
                               .peer_link = "" };
    return &p;
}

bool plans_make(const struct model *m, const struct variation *v, int64_t batch, struct memory_plan *out)
{
    static struct conv_rate rate = { .rate_flops = 2e9 };
    struct memory_plan_options options = {
        .split = { .depth = v->patches == 1 ? 0
                            : v->depth > 0  ? v->depth
                                            : 0.6,
                   .wiggle = v->wiggle,
                   .seed = 5,
                   .rows = v->patches,
                   .columns = v->columns ? v->columns : v->patches },
        .generated = v->generated,
        .in_place = v->in_place,
        .share_sums = v->share_sums,
        .recompute_norm = v->recompute_norm,
        .workspace_factor = (double)v->workspace_factor,
        .schedule = v->schedule,
        .limit = v->limit,
        .keep_last = v->keep_last,
        .placement = v->placement,
        .placement_nodes = 1000,
        .alignment = 256,
        .parameter_copies = 3,
        .usable = 1,
        .timing = { .name = "test", .memory_Bps = 1e9, .rates = &rate, .nrates = 1, .split_efficiency = 1 },
    };
    char why[256] = "";
    int rc = memory_plan_make(m, plans_platform(), &options, batch, out, why, sizeof(why));

    if (rc && strncmp(why, "recompute_norm", 14) && strncmp(why, "split", 5))
        fail_msg("%s: %d: %s", plans_name(v), rc, why);
    return !rc;
}

static const double limits[] = { 1, 0.5 };
static const int64_t keeps[] = { -1, 0 };

size_t plans_variations(void)
{
    return (size_t)GENERATED_KINDS * 8 * SCHEDULE_KINDS * PLACEMENT_METHODS * COUNT(limits) * COUNT(keeps);
}

static size_t take(size_t *number, size_t n)
{
    size_t digit = *number % n;

    *number /= n;
    return digit;
}

struct variation plans_variation(size_t number)
{
    struct variation v = { .patches = 1 };

    v.schedule = (enum schedule)take(&number, SCHEDULE_KINDS);
    v.placement = (enum placement_method)take(&number, PLACEMENT_METHODS);
    v.in_place = take(&number, 2);
    v.share_sums = take(&number, 2);
    v.recompute_norm = take(&number, 2);
    v.generated = (enum generated)take(&number, GENERATED_KINDS);
    v.limit = limits[take(&number, COUNT(limits))];
    v.keep_last = keeps[take(&number, COUNT(keeps))];
    return v;
}

const char *plans_name(const struct variation *v)
{
    static char text[200];

    snprintf(text, sizeof(text), "%s %s, %s%s%s%s, limit %g, keep last %lld, %lldx%lld", schedule_name(v->schedule),
             placement_name(v->placement), generated_name(v->generated), v->in_place ? ", in place" : "",
             v->share_sums ? ", shared sums" : "", v->recompute_norm ? ", recomputed norms" : "", v->limit,
             (long long)v->keep_last, (long long)v->patches, (long long)v->patches);
    return text;
}

bool plans_can_compute(const struct memory_plan *plan)
{
    return plan->split.nlayers < plan->model->nlayers &&
           plan->model->layers[plan->model->nlayers - 1].kind == LAYER_SOFTMAX;
}

int64_t plans_moved_bytes(const struct memory_plan *plan)
{
    int64_t sum = 0;

    for (size_t i = 0; i < plan->transfers.n; i++)
        sum += (plan->storages.items[plan->transfers.items[i].storage].bytes + GRANULE - 1) / GRANULE * GRANULE;
    return sum;
}

bool plans_apart(const struct memory_plan *plan, char *why)
{
    struct program p;
    int rc;

    assert_int_equal(program_make(plan, &p), NW_OK);
    rc = overlap_check(&p, why, 512);
    program_free(&p);
    return !rc;
}

struct ran plans_run(const struct memory_plan *plan, enum executor_content content, enum lazy_mode mode, int64_t steps)
{
    struct executor_options options = {
        .content = content, .ops = "reference", .verify = 1, .seed = 7, .steps = steps, .link = { 50e6, 50e6 }
    };
    struct backend *backend;
    struct executor e;
    struct step_times times;
    struct ran out;

    mallopt(M_MMAP_THRESHOLD, 1 << 20); /* the lazy back end asks for much cleared memory and touches little */
    backend = mode == NMODES ? NULL : lazy_backend_open(mode, 1);
    assert_int_equal(executor_open(plan, &options, backend, &e), NW_OK);
    for (int64_t i = 0; i < steps; i++)
        assert_int_equal(executor_step(&e, &times), NW_OK);
    assert_int_equal(offload_counts(e.offload)->step_allocs, 0);
    assert_int_equal(offload_counts(e.offload)->step_drains, 0);
    out = (struct ran){ .errors = e.errors,
                        .first = e.first,
                        .loss = e.loss,
                        .to_host_bytes = e.to_host_bytes,
                        .peak_bytes = e.peak_bytes };
    if (content == EXECUTOR_REAL)
        out.gradients = XXH3_64bits(e.gradients, 4 * (size_t)e.real.parameters.nweights);
    executor_close(&e);
    assert_int_equal(lazy_alive, 0);
    return out;
}
